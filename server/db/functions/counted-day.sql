create or replace function counted_day(kind text, counted_on date)
returns date
language sql
immutable
as $$
  select case when kind in ('comment', 'live_comment') then counted_on end
$$;
