-- What an interaction adds to: its outcome (a test's is what it would have been without), and those with a keyword where an automation was called.
create or replace function counted_as(outcome text, reason text, automation_id uuid, is_test boolean)
returns table (counted text, because text)
language sql
immutable
as $$
  select case when is_test then 'skipped' else outcome end, case when is_test then 'already_answered' else reason end
  union all select 'matched', '' where automation_id is not null
$$;
