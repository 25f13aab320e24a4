-- What the screens ask for, so that it stays quick with millions of interactions.

-- The caption as contract/matching folds it: "Crème brûlée" is found by "creme brulee".
alter table posts add column caption_key text not null default '';
create index posts_by_connection on posts (creator_id, connection_id, posted_at desc);
alter table connections add column posts_synced_at timestamptz;
alter table connections add column posts_tried_at timestamptz;
-- When the list of posts was last read to its end.
alter table connections add column posts_fully_synced_at timestamptz;
-- The first click of a person on a link of this message.
alter table deliveries add column clicked_at timestamptz;

create index interactions_by_outcome on interactions (creator_id, outcome, received_at desc, id desc);
create index interactions_by_automation on interactions (creator_id, automation_id, received_at desc, id desc)
  where automation_id is not null;

-- Comments counted by post, by automation and by day (UTC, of their arrival).
-- `counted` is an outcome, or 'opened' or 'clicked' (then without a reason).
create table outcome_counts (
  creator_id uuid not null references creators on delete cascade,
  counted_by text not null check (counted_by in ('post', 'automation', 'day')),
  counted_id text not null,
  counted text not null,
  reason text not null,
  count bigint not null,
  primary key (creator_id, counted_by, counted_id, counted, reason)
) with (fillfactor = 70);
call protect_tenant_table('outcome_counts');

-- What is not yet added to outcome_counts. Triggers only append here: a counter that every batch of the engine
-- updates would make batches wait for each other. A job adds these up; readers add both.
create table outcome_deltas (
  creator_id uuid not null references creators on delete cascade,
  id bigint generated always as identity,
  post_id text,
  automation_id uuid,
  day date not null,
  counted text not null,
  reason text not null,
  change integer not null,
  primary key (creator_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000);
call protect_tenant_table('outcome_deltas');

create function count_new_interactions() returns trigger language plpgsql as $$
begin
  insert into outcome_deltas (creator_id, post_id, automation_id, day, counted, reason, change)
  select creator_id, post_id, automation_id, (received_at at time zone 'UTC')::date, outcome, reason, count(*)
  from new_rows
  where kind in ('comment', 'live_comment')
  group by 1, 2, 3, 4, 5, 6;
  return null;
end
$$;

create function count_changed_interactions() returns trigger language plpgsql as $$
begin
  insert into outcome_deltas (creator_id, post_id, automation_id, day, counted, reason, change)
  select creator_id, post_id, automation_id, (received_at at time zone 'UTC')::date, outcome, reason, sum(change)
  from (
    select *, 1 as change from new_rows
    union all
    select *, -1 as change from old_rows
  ) as both_rows
  where kind in ('comment', 'live_comment')
  group by 1, 2, 3, 4, 5, 6
  having sum(change) <> 0;
  return null;
end
$$;

create function count_deleted_interactions() returns trigger language plpgsql as $$
begin
  insert into outcome_deltas (creator_id, post_id, automation_id, day, counted, reason, change)
  select creator_id, post_id, automation_id, (received_at at time zone 'UTC')::date, outcome, reason, -count(*)
  from old_rows
  -- Deleted together with its creator: there is nobody left to count for.
  where kind in ('comment', 'live_comment') and exists (select from creators where creators.id = old_rows.creator_id)
  group by 1, 2, 3, 4, 5, 6;
  return null;
end
$$;

create trigger count_new after insert on interactions
  referencing new table as new_rows for each statement execute function count_new_interactions();
create trigger count_changed after update on interactions
  referencing old table as old_rows new table as new_rows for each statement execute function count_changed_interactions();
create trigger count_deleted after delete on interactions
  referencing old table as old_rows for each statement execute function count_deleted_interactions();

-- An interaction counts once as opened and once as clicked, however many messages it got.
create function count_reached_delivery() returns trigger language plpgsql as $$
begin
  insert into outcome_deltas (creator_id, post_id, automation_id, day, counted, reason, change)
  select creator_id, post_id, automation_id, (received_at at time zone 'UTC')::date, tg_argv[0], '', 1
  from interactions
  where creator_id = new.creator_id and id = new.interaction_id and kind in ('comment', 'live_comment')
    and not exists (
      select from deliveries as other
      where other.creator_id = new.creator_id and other.interaction_id = new.interaction_id and other.id <> new.id
        and case tg_argv[0] when 'opened' then other.read_at else other.clicked_at end is not null
    );
  return null;
end
$$;

create trigger count_opened after update of read_at on deliveries
  for each row when (old.read_at is null and new.read_at is not null and new.kind <> 'public_reply')
  execute function count_reached_delivery('opened');
create trigger count_clicked after update of clicked_at on deliveries
  for each row when (old.clicked_at is null and new.clicked_at is not null)
  execute function count_reached_delivery('clicked');

-- Readiness asks whether every migration of the program is applied.
grant select on schema_migrations to creator_hq_app, creator_hq_engine;
