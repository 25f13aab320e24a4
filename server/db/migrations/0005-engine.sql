-- Webhooks that were acknowledged and not yet worked off. A row lives for milliseconds; see server/events.
create table event_log (
  id bigint generated always as identity primary key,
  shard smallint not null,
  received_at timestamptz not null,
  body text not null
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000);

-- Events that could not be worked off, kept for a person to look at instead of holding up the others.
create table parked_events (
  id bigint generated always as identity primary key,
  shard smallint not null,
  received_at timestamptz not null,
  body text not null,
  error text not null,
  parked_at timestamptz not null default now()
);

-- Who works a shard's events and lanes. The fence grows with every change of hands.
create table shard_leases (
  shard smallint primary key,
  holder uuid,
  fence bigint not null default 0,
  expires_at timestamptz not null default '-infinity'
);
insert into shard_leases (shard) select generate_series(0, 15);

-- Jobs that run every so often, on one worker at a time.
create table recurring_jobs (
  name text primary key,
  next_at timestamptz not null
);

create table worker_heartbeats (
  worker_id uuid primary key,
  seen_at timestamptz not null
);

-- What is acknowledged but not ours to answer, counted by what it was (unknown account, unknown field …).
create table ignored_events (
  day date not null,
  what text not null,
  count bigint not null default 0,
  primary key (day, what)
);

create table automations (
  creator_id uuid not null references creators on delete cascade,
  id uuid not null,
  connection_id uuid not null,
  name text not null,
  -- One post, or any post of the connection when null.
  post_id text,
  words text[] not null,
  mode text not null check (mode in ('whole_word', 'contains', 'exact', 'all_words', 'any_comment')),
  excluded_words text[] not null default '{}',
  typo_tolerance boolean not null default true,
  priority integer not null default 0,
  message_text text not null,
  -- Up to three: [{"title": "Get the recipe", "url": "https://…", "code": "…"}], the code being that of its row in links
  buttons jsonb not null default '[]',
  public_replies text[] not null default '{}',
  -- How long the same person is not answered again; null means every comment is answered.
  repeat_after_minutes integer default 1440,
  version integer not null default 1,
  switched_on_at timestamptz,
  switched_on_by uuid references users on delete set null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  archived_at timestamptz,
  primary key (creator_id, id),
  foreign key (creator_id, connection_id) references connections on delete cascade
);
create index automations_by_post on automations (creator_id, post_id) where archived_at is null;
call protect_tenant_table('automations');

-- One thing a follower did, with the one outcome it came to.
create table interactions (
  creator_id uuid not null references creators on delete cascade,
  id uuid not null,
  connection_id uuid not null,
  kind text not null
    check (kind in ('comment', 'live_comment', 'story_reply', 'story_mention', 'direct_message', 'button_tap')),
  -- Comment id, message mid, or the key made of a postback's parts: what makes it one interaction.
  platform_id text not null,
  post_id text,
  parent_id text,
  person_id text not null,
  username text,
  text text not null default '',
  occurred_at timestamptz not null,
  received_at timestamptz not null,
  outcome text not null check (outcome in ('replied', 'waiting', 'skipped', 'missed', 'failed', 'expired')),
  reason text not null,
  automation_id uuid,
  matched_words text[] not null default '{}',
  waiting_until timestamptz,
  outcome_at timestamptz not null,
  primary key (creator_id, id)
) with (fillfactor = 85);
create unique index interactions_once on interactions (connection_id, platform_id);
create index interactions_newest on interactions (creator_id, received_at desc, id desc);
create index interactions_by_post on interactions (creator_id, post_id, received_at desc, id desc) where post_id is not null;
-- Handles are lower case. NOTE: no lower() here: row-level security keeps functions that might leak out of an index scan.
create index interactions_by_username on interactions (creator_id, username text_pattern_ops, received_at desc, id desc);
create index interactions_by_person on interactions (creator_id, person_id, received_at desc, id desc);
call protect_tenant_table('interactions');

-- One outbound call. States: queued → sending → sent | failed | expired | cancelled; back to queued for another try.
create table deliveries (
  creator_id uuid not null references creators on delete cascade,
  id uuid not null,
  connection_id uuid not null,
  interaction_id uuid not null,
  automation_id uuid,
  kind text not null check (kind in ('private_reply', 'message', 'public_reply')),
  lane text not null check (lane in ('private_replies', 'live_replies', 'messages', 'public_replies', 'reads')),
  -- comment id for replies, the person's id for messages
  recipient text not null,
  content jsonb not null,
  state text not null default 'queued' check (state in ('queued', 'sending', 'sent', 'failed', 'expired', 'cancelled')),
  priority smallint not null default 0,
  due_at timestamptz not null,
  expires_at timestamptz not null,
  attempts smallint not null default 0,
  -- An earlier call ended without an answer: it may have reached the follower.
  uncertain boolean not null default false,
  called_at timestamptz,
  finished_at timestamptz,
  -- Meta's message id or comment id
  platform_message_id text,
  -- The follower's id in the conversation that a private reply opened
  recipient_person_id text,
  read_at timestamptz,
  failure_reason text,
  failure_detail text,
  created_at timestamptz not null,
  primary key (creator_id, id)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 5000);
create index deliveries_queued on deliveries (connection_id, lane, priority desc, expires_at, id) where state = 'queued';
create index deliveries_sending on deliveries (connection_id) where state = 'sending';
create index deliveries_called on deliveries (connection_id, lane, called_at) where called_at is not null;
create index deliveries_by_interaction on deliveries (creator_id, interaction_id);
create index deliveries_by_message on deliveries (connection_id, platform_message_id) where platform_message_id is not null;
call protect_tenant_table('deliveries');

-- What a lane must remember over a restart: when Meta or the creator closed it.
create table lane_states (
  creator_id uuid not null references creators on delete cascade,
  connection_id uuid not null,
  lane text not null,
  closed_until timestamptz,
  closed_reason text,
  updated_at timestamptz not null,
  primary key (creator_id, connection_id, lane)
);
call protect_tenant_table('lane_states');

-- Who was answered by which automation and when: keeps a person from being answered twice.
create table answered_people (
  creator_id uuid not null references creators on delete cascade,
  automation_id uuid not null,
  person_id text not null,
  interaction_id uuid not null,
  answered_at timestamptz not null,
  primary key (creator_id, automation_id, person_id)
) with (fillfactor = 85);
call protect_tenant_table('answered_people');

-- A follower as one connection knows her.
create table people (
  creator_id uuid not null references creators on delete cascade,
  connection_id uuid not null,
  -- Instagram-scoped id
  id text not null,
  username text,
  -- Her last message, tap or story reply: Meta lets us write for 24 hours from here.
  last_wrote_at timestamptz,
  first_seen_at timestamptz not null,
  primary key (creator_id, connection_id, id)
);
call protect_tenant_table('people');

-- Short links: /l/{code}/{delivery}
create table links (
  creator_id uuid not null references creators on delete cascade,
  id uuid not null,
  code text not null unique,
  automation_id uuid not null,
  url text not null,
  created_at timestamptz not null,
  primary key (creator_id, id)
);
create index links_by_automation on links (creator_id, automation_id);
call protect_tenant_table('links');

create table clicks (
  creator_id uuid not null references creators on delete cascade,
  id uuid not null,
  link_id uuid not null,
  delivery_id uuid,
  clicked_at timestamptz not null,
  -- Why a click does not count (a previewer, a bot, a HEAD request); null for a person's.
  not_counted_because text,
  primary key (creator_id, id)
);
create index clicks_by_link on clicks (creator_id, link_id, clicked_at);
create index clicks_by_delivery on clicks (creator_id, delivery_id) where delivery_id is not null;
call protect_tenant_table('clicks');
