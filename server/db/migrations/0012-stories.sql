-- Stories and live videos: at Instagram for hours, here for good.
create table stories (
  creator_id uuid not null references creators on delete cascade,
  -- Meta's media id; what interactions and automations call `post_id`
  id text not null,
  connection_id uuid not null,
  kind text not null check (kind in ('story', 'live')),
  video boolean not null default false,
  caption text not null default '',
  permalink text,
  posted_at timestamptz not null,
  -- 24 hours after it went up; null for a live, which lasts as long as it lasts
  expires_at timestamptz,
  -- Null while it can be seen. Before `expires_at`: taken down.
  ended_at timestamptz,
  -- When Instagram last listed it; null for one that we only know from what followers wrote
  seen_at timestamptz,
  -- Instagram's own figures as they were last read; it forgets them when the story ends.
  insights jsonb,
  insights_at timestamptz,
  primary key (creator_id, id),
  foreign key (creator_id, connection_id) references connections on delete cascade,
  check ((kind = 'live') = (expires_at is null))
);
create index stories_newest on stories (creator_id, kind, posted_at desc, id desc);
create index stories_running on stories (connection_id) where ended_at is null;
call protect_tenant_table('stories');

-- Our copy of the creator's own picture. The address that Instagram gives dies with the story.
create table story_pictures (
  creator_id uuid not null references creators on delete cascade,
  story_id text not null,
  content_type text not null,
  bytes bytea not null,
  primary key (creator_id, story_id),
  foreign key (creator_id, story_id) references stories on delete cascade
);
call protect_tenant_table('story_pictures');

alter table connections
  add column stories_tried_at timestamptz,
  add column stories_read_at timestamptz,
  add column lives_tried_at timestamptz;

create index interactions_mentions on interactions (creator_id, received_at desc, id desc) where kind = 'story_mention';
create index conversations_by_interaction on conversations (creator_id, interaction_id);

-- Story replies, mentions and messages are counted too: by what they answer and by automation. The days stay those of
-- comments, because every figure of a day is named so.
alter table outcome_deltas alter column day drop not null;

create function counted_day(kind text, received_at timestamptz) returns date language sql immutable as $$
  select case when kind in ('comment', 'live_comment') then (received_at at time zone 'UTC')::date end
$$;

-- Messages answer no post.
create function counted_post(kind text, post_id text) returns text language sql immutable as $$
  select case when kind in ('comment', 'live_comment', 'story_reply') then post_id end
$$;

-- Nothing to count it by: a message that no automation answered. A tap belongs to the conversation it is part of.
create function is_counted(kind text, post_id text, automation_id uuid) returns boolean language sql immutable as $$
  select kind in ('comment', 'live_comment')
    or (kind <> 'button_tap' and (counted_post(kind, post_id) is not null or automation_id is not null))
$$;

create or replace function count_new_interactions() returns trigger language plpgsql as $$
begin
  insert into outcome_deltas (creator_id, post_id, automation_id, day, counted, reason, change)
  select creator_id, counted_post(kind, post_id), automation_id, counted_day(kind, received_at), outcome, reason, count(*)
  from new_rows
  where is_counted(kind, post_id, automation_id)
  group by 1, 2, 3, 4, 5, 6;
  return null;
end
$$;

create or replace function count_changed_interactions() returns trigger language plpgsql as $$
begin
  insert into outcome_deltas (creator_id, post_id, automation_id, day, counted, reason, change)
  select creator_id, counted_post(kind, post_id), automation_id, counted_day(kind, received_at), outcome, reason, sum(change)
  from (
    select *, 1 as change from new_rows
    union all
    select *, -1 as change from old_rows
  ) as both_rows
  where is_counted(kind, post_id, automation_id)
  group by 1, 2, 3, 4, 5, 6
  having sum(change) <> 0;
  return null;
end
$$;

create or replace function count_deleted_interactions() returns trigger language plpgsql as $$
begin
  insert into outcome_deltas (creator_id, post_id, automation_id, day, counted, reason, change)
  select creator_id, counted_post(kind, post_id), automation_id, counted_day(kind, received_at), outcome, reason, -count(*)
  from old_rows
  -- Deleted together with its creator: there is nobody left to count for.
  where is_counted(kind, post_id, automation_id)
    and exists (select from creators where creators.id = old_rows.creator_id)
  group by 1, 2, 3, 4, 5, 6;
  return null;
end
$$;

-- What is opened or clicked later in a conversation counts for what began it, once.
create or replace function count_reached_delivery() returns trigger language plpgsql as $$
declare
  began uuid := coalesce(
    (select interaction_id from conversations where creator_id = new.creator_id and id = new.conversation_id),
    new.interaction_id
  );
begin
  insert into outcome_deltas (creator_id, post_id, automation_id, day, counted, reason, change)
  select creator_id, counted_post(kind, post_id), automation_id, counted_day(kind, received_at), tg_argv[0], '', 1
  from interactions
  where creator_id = new.creator_id and id = began
    and is_counted(kind, post_id, automation_id)
    and not exists (
      select from deliveries as other
      where other.creator_id = new.creator_id and other.id <> new.id
        and (other.interaction_id = began or other.conversation_id = new.conversation_id)
        and case tg_argv[0] when 'opened' then other.read_at else other.clicked_at end is not null
    );
  return null;
end
$$;
