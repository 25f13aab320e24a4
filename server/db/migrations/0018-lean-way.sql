-- The way from a webhook to the call at Meta and back, in fewer and smaller writes. docs/performance.md has the figures.

-- What was worked off is a position per shard, not rows deleted one by one: a batch moves a few numbers, and no reader
-- walks over what is gone, however long some other transaction keeps it alive. Rows go to three tables by turns, each for
-- a minute; one that is worked off is emptied before its turn comes (server/events/postgres-event-log.ts).
alter table event_log rename to event_log_before;
create sequence event_log_ids;
create table event_log (
  slot smallint not null default (extract(minute from now())::int % 3),
  -- Commits in this order: see there.
  id bigint not null default nextval('event_log_ids'),
  shard smallint not null,
  received_at timestamptz not null,
  body text not null,
  primary key (shard, id, slot)
) partition by list (slot);
-- Nothing in them is ever updated or deleted: there is nothing to clean.
create table event_log_0 partition of event_log for values in (0) with (autovacuum_enabled = false);
create table event_log_1 partition of event_log for values in (1) with (autovacuum_enabled = false);
create table event_log_2 partition of event_log for values in (2) with (autovacuum_enabled = false);
grant truncate on event_log_0, event_log_1, event_log_2 to creator_hq_engine;
insert into event_log (shard, received_at, body) select shard, received_at, body from event_log_before order by id;
drop table event_log_before;

create table event_log_positions (
  shard smallint primary key,
  -- Everything of the shard up to this id is worked off.
  done_to bigint not null default 0
) with (fillfactor = 50);
insert into event_log_positions (shard) select generate_series(0, 15);
create view event_log_waiting as
  select e.id, e.shard, e.received_at, e.body
  from event_log_positions p join event_log e on e.shard = p.shard and e.id > p.done_to;

-- The outcome under which lists find an interaction. What is going out at this moment is listed as what it becomes nearly
-- always: writing down that it arrived then touches no index.
alter table interactions add column listed_as text not null
  generated always as (case when reason = 'sending' then 'replied' else outcome end) stored;
drop index interactions_by_outcome;
create index interactions_by_outcome on interactions (creator_id, listed_as, received_at desc, id desc);
-- Room on its page for the second version of each row.
alter table interactions set (fillfactor = 50);
-- Every change of a delivery moves it from one index to another: room on its page would not help.
alter table deliveries set (fillfactor = 100);

-- An interaction is counted once there is an end to it, or a wait: not for the moments in which it is going out.
create or replace function count_new_interactions() returns trigger language plpgsql as $$
begin
  insert into outcome_deltas (creator_id, post_id, automation_id, day, received_on, counted, reason, change)
  select creator_id, counted_post(kind, post_id), automation_id, counted_day(kind, received_at),
    (received_at at time zone 'UTC')::date, outcome, reason, count(*)
  from new_rows
  where is_counted(kind, post_id, automation_id) and reason <> 'sending'
  group by 1, 2, 3, 4, 5, 6, 7;
  return null;
end
$$;

create or replace function count_changed_interactions() returns trigger language plpgsql as $$
begin
  insert into outcome_deltas (creator_id, post_id, automation_id, day, received_on, counted, reason, change)
  select creator_id, counted_post(kind, post_id), automation_id, counted_day(kind, received_at),
    (received_at at time zone 'UTC')::date, outcome, reason, sum(change)
  from (
    select *, 1 as change from new_rows
    union all
    select *, -1 as change from old_rows
  ) as both_rows
  where is_counted(kind, post_id, automation_id) and reason <> 'sending'
  group by 1, 2, 3, 4, 5, 6, 7
  having sum(change) <> 0;
  return null;
end
$$;

create or replace function count_deleted_interactions() returns trigger language plpgsql as $$
begin
  insert into outcome_deltas (creator_id, post_id, automation_id, day, received_on, counted, reason, change)
  select creator_id, counted_post(kind, post_id), automation_id, counted_day(kind, received_at),
    (received_at at time zone 'UTC')::date, outcome, reason, -count(*)
  from old_rows
  -- Deleted together with its creator: there is nobody left to count for.
  where is_counted(kind, post_id, automation_id) and reason <> 'sending'
    and exists (select from creators where creators.id = old_rows.creator_id)
  group by 1, 2, 3, 4, 5, 6, 7;
  return null;
end
$$;

-- One look per person tells what she was answered by, however many automations lead to the same link.
alter table answered_people drop constraint answered_people_pkey;
alter table answered_people add primary key (creator_id, person_id, automation_id);

-- A foreign key looks once for every row, five times for one comment. A batch is of few creators: where every comment
-- writes, one look per statement locks them against being deleted meanwhile, just as the key did.
create function creators_exist() returns trigger language plpgsql as $$
declare
  given integer := (select count(distinct creator_id) from new_rows);
  found integer;
begin
  perform from creators where id in (select creator_id from new_rows) for key share;
  get diagnostics found = row_count;
  if found < given then
    raise foreign_key_violation using message = format('a row of %s names a creator that is not there', tg_table_name);
  end if;
  return null;
end
$$;
create function delete_of_creator() returns trigger language plpgsql as $$
begin
  delete from interactions where creator_id = old.id;
  delete from deliveries where creator_id = old.id;
  delete from answered_people where creator_id = old.id;
  delete from people where creator_id = old.id;
  delete from outcome_deltas where creator_id = old.id;
  return null;
end
$$;
create trigger delete_of_creator after delete on creators for each row execute function delete_of_creator();

alter table interactions drop constraint interactions_creator_id_fkey;
alter table deliveries drop constraint deliveries_creator_id_fkey;
alter table answered_people drop constraint answered_people_creator_id_fkey;
alter table people drop constraint people_creator_id_fkey;
alter table outcome_deltas drop constraint outcome_deltas_creator_id_fkey;
create trigger creators_exist after insert on interactions
  referencing new table as new_rows for each statement execute function creators_exist();
create trigger creators_exist after insert on deliveries
  referencing new table as new_rows for each statement execute function creators_exist();
create trigger creators_exist after insert on answered_people
  referencing new table as new_rows for each statement execute function creators_exist();
create trigger creators_exist after insert on people
  referencing new table as new_rows for each statement execute function creators_exist();
create trigger creators_exist after insert on outcome_deltas
  referencing new table as new_rows for each statement execute function creators_exist();
