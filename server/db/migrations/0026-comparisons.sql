-- What a comparison sent since it began, however much was sent before.
drop index deliveries_by_variant;
create index deliveries_compared on deliveries (creator_id, automation_id, created_at) where variant is not null;
