-- What an interaction adds to: its outcome, and those with a keyword where an automation was called.
create or replace function counted_as(outcome text, reason text, automation_id uuid)
returns table (counted text, because text)
language sql
immutable
as $$
  select outcome, reason union all select 'matched', '' where automation_id is not null
$$;
