-- A day is the creator's: where they live (a name of the IANA list; null: UTC), and when somebody wrote.
alter table creators add column time_zone text;
-- The day on which it counts, as it was when it came: another time zone later moves nothing. Null: from before this column,
-- counted on the UTC day of receipt.
alter table interactions add column counted_on date;
drop function if exists counted_day(text, timestamp with time zone);

-- Everybody with a keyword is counted as such, answered or not: once as the outcomes said so far, then by the rows there are.
insert into outcome_counts (creator_id, counted_by, counted_id, counted, reason, count)
select creator_id, counted_by, counted_id, 'matched', '', sum(count) from outcome_counts
where counted in ('replied', 'waiting', 'failed', 'expired') or reason = 'already_answered'
group by 1, 2, 3;
insert into outcome_deltas (creator_id, post_id, automation_id, day, received_on, counted, reason, change)
select creator_id, post_id, automation_id, day, received_on, 'matched', '', sum(change) from outcome_deltas
where counted in ('replied', 'waiting', 'failed', 'expired') or reason = 'already_answered'
group by 1, 2, 3, 4, 5 having sum(change) <> 0;
insert into outcome_deltas (creator_id, post_id, automation_id, day, received_on, counted, reason, change)
select creator_id, counted_post(kind, post_id), automation_id, counted_day(kind, (received_at at time zone 'UTC')::date),
  (received_at at time zone 'UTC')::date, 'matched', '', sum(case when automation_id is null then -1 else 1 end)
from interactions
where is_counted(kind, post_id, automation_id) and reason <> 'sending'
  and (automation_id is not null)
    <> (outcome in ('replied', 'waiting', 'failed', 'expired') or reason = 'already_answered')
group by 1, 2, 3, 4, 5;

-- The day first: what all posts came to in some days stands together.
alter table outcome_deltas rename column received_on to counted_on;
update outcome_counts set counted_id = right(counted_id, 10) || ' ' || left(counted_id, -11)
where counted_by in ('post_day', 'automation_day');

-- Lists are in the order of the times they show. What is deleted for its age goes by receipt.
alter index interactions_newest rename to interactions_by_receipt;
create index interactions_newest on interactions (creator_id, occurred_at desc, id desc);
drop index interactions_by_automation, interactions_by_kind, interactions_by_outcome, interactions_by_post;
create index interactions_by_automation on interactions (creator_id, automation_id, occurred_at desc, id desc)
  where automation_id is not null;
create index interactions_by_kind on interactions (creator_id, kind, occurred_at desc, id desc) where kind <> 'comment';
create index interactions_by_outcome on interactions (creator_id, listed_as, occurred_at desc, id desc);
create index interactions_by_post on interactions (creator_id, post_id, occurred_at desc, id desc) where post_id is not null;
