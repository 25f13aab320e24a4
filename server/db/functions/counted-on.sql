-- The creator's day on which it counts; of what came before there were such days, the UTC day of receipt.
create or replace function counted_on(counted_on date, received_at timestamp with time zone)
returns date
language sql
immutable
as $$
  select coalesce(counted_on, (received_at at time zone 'UTC')::date)
$$;
