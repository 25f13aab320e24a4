create or replace function counted_day(kind text, received_at timestamp with time zone)
returns date
language sql
immutable
as $$
  select case when kind in ('comment', 'live_comment') then (received_at at time zone 'UTC')::date end
$$;
