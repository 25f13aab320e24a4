-- Rows that are deleted because of their age stay counted: a figure says what was, not what is still kept.
create or replace function count_deleted_interactions()
returns trigger
language plpgsql
as $$
begin
  if current_setting('app.counts_stay', true) = 'on' then return null; end if;
  insert into outcome_deltas (creator_id, post_id, automation_id, day, counted_on, counted, reason, change)
  select creator_id, counted_post(kind, post_id), automation_id, counted_day(kind, counted_on(counted_on, received_at)),
    counted_on(counted_on, received_at), counted, because, -count(*)
  from old_rows cross join lateral counted_as(outcome, reason, automation_id, is_test)
  -- Deleted together with its creator: there is nobody left to count for.
  where is_counted(kind, post_id, automation_id) and reason <> 'sending'
    and exists (select from creators where creators.id = old_rows.creator_id)
  group by 1, 2, 3, 4, 5, 6, 7;
  return null;
end
$$;
