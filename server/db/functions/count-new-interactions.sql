-- An interaction is counted once there is an end to it, or a wait: not for the moments in which it is going out.
create or replace function count_new_interactions()
returns trigger
language plpgsql
as $$
begin
  insert into outcome_deltas (creator_id, post_id, automation_id, day, counted_on, counted, reason, change)
  select creator_id, counted_post(kind, post_id), automation_id, counted_day(kind, counted_on(counted_on, received_at)),
    counted_on(counted_on, received_at), counted, because, count(*)
  from new_rows cross join lateral counted_as(outcome, reason, automation_id, is_test)
  where is_counted(kind, post_id, automation_id) and reason <> 'sending'
  group by 1, 2, 3, 4, 5, 6, 7;
  return null;
end
$$;
