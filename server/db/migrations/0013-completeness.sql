-- Nothing overlooked, and the creator's hand on the queue.

-- A comment that no webhook told of: our reading of the post found it.
alter table interactions add column found_by_reading boolean not null default false;
create index interactions_found on interactions (creator_id, post_id) where found_by_reading;

-- How far the comments of a post have been read at the platform.
create table comment_readings (
  creator_id uuid not null references creators on delete cascade,
  post_id text not null,
  connection_id uuid not null,
  next_at timestamptz not null,
  -- Everything written before this is known; null until one reading went through.
  read_to timestamptz,
  -- A reading under way: where it goes on, when it began, what it listed so far.
  cursor text,
  started_at timestamptz,
  reads_whole boolean not null default false,
  listed_so_far integer not null default 0,
  -- What the last reading to the first comment came to.
  whole_at timestamptz,
  listed integer,
  platform_counted integer,
  seen integer,
  -- Readings in a row that failed
  failures smallint not null default 0,
  primary key (creator_id, post_id),
  foreign key (creator_id, connection_id) references connections on delete cascade
);
create index comment_readings_due on comment_readings (next_at);
create index comment_readings_by_connection on comment_readings (creator_id, connection_id);
call protect_tenant_table('comment_readings');

-- What held up a connection when its comments were last read: when it is over, its posts are read at once.
create table reading_states (
  creator_id uuid not null references creators on delete cascade,
  connection_id uuid not null,
  held_up boolean not null,
  repaired_at timestamptz,
  primary key (creator_id, connection_id),
  foreign key (creator_id, connection_id) references connections on delete cascade
);
call protect_tenant_table('reading_states');

-- The creator's hand on the queue of a connection. No row: full speed, by deadline.
create table queue_controls (
  creator_id uuid not null references creators on delete cascade,
  connection_id uuid not null,
  paused_at timestamptz,
  -- Share of the platform's rate until then
  slowed_to_percent smallint check (slowed_to_percent between 1 and 99),
  slowed_until timestamptz,
  sorted text not null default 'deadline' check (sorted in ('deadline', 'newest')),
  first_post_id text,
  changed_by uuid references users on delete set null,
  changed_at timestamptz not null,
  primary key (creator_id, connection_id),
  foreign key (creator_id, connection_id) references connections on delete cascade
);
call protect_tenant_table('queue_controls');

-- When each post's queue will be through, as the worker last worked it out (server/features/queue/forecast.ts).
create table queue_forecasts (
  creator_id uuid not null references creators on delete cascade,
  connection_id uuid not null,
  forecast jsonb not null,
  made_at timestamptz not null,
  primary key (creator_id, connection_id),
  foreign key (creator_id, connection_id) references connections on delete cascade
);
call protect_tenant_table('queue_forecasts');

-- Answers sent afterwards to people who had asked before; the browser gives the id, so that a second try is the same one.
create table catch_ups (
  creator_id uuid not null references creators on delete cascade,
  id uuid not null,
  -- Null: across posts
  post_id text,
  people integer not null,
  started_at timestamptz not null,
  started_by uuid references users on delete set null,
  cancelled_at timestamptz,
  primary key (creator_id, id)
);
call protect_tenant_table('catch_ups');
alter table deliveries add column catch_up_id uuid;
create index deliveries_by_catch_up on deliveries (creator_id, catch_up_id) where catch_up_id is not null;
