-- The Facebook Addon: whether Page comments and Page messages are answered. Pages connected before go on as they did.
alter table creators add column facebook_addon boolean not null default false;
update creators set facebook_addon = true
where exists (
  select from connections c where c.creator_id = creators.id and c.platform = 'facebook' and c.disconnected_at is null
);
