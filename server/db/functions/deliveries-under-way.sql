create or replace function deliveries_under_way()
returns setof uuid
language sql
stable
as $$
  select distinct unnest(delivery_ids) from calls_under_way
$$;
