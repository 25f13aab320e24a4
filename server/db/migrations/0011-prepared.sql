-- Automations that are made before their post, and old posts that wake up.
alter table automations
  -- It waited for the next post and became one for `post_id`; null for one that was made for its post.
  add column prepared_as text check (prepared_as = 'next'),
  -- Comments from before are not answered by themselves.
  add column attached_at timestamptz;
create index automations_waiting on automations (connection_id)
  where scope in ('next', 'caption') and switched_on_at is not null and archived_at is null;

-- When automations that wait for a post were offered this one; null: not yet.
alter table posts add column offered_at timestamptz;
update posts set offered_at = synced_at;
create index posts_to_offer on posts (connection_id) where offered_at is null;

-- Several posts or several automations fit: the creator is asked which.
create table prepared_candidates (
  creator_id uuid not null references creators on delete cascade,
  automation_id uuid not null,
  post_id text not null,
  found_at timestamptz not null,
  primary key (creator_id, automation_id, post_id),
  foreign key (creator_id, automation_id) references automations on delete cascade,
  foreign key (creator_id, post_id) references posts on delete cascade
);
create index prepared_candidates_by_post on prepared_candidates (creator_id, post_id);
call protect_tenant_table('prepared_candidates');

-- Old posts without an automation that people suddenly comment on. Gone when an automation answers or the spike is over.
create table waking_posts (
  creator_id uuid not null references creators on delete cascade,
  post_id text not null,
  found_at timestamptz not null,
  -- When it was last found awake
  seen_at timestamptz not null,
  -- Of the last hours; how many are usual in as many hours; how many ask for something
  comments integer not null,
  usual real not null,
  asking integer not null,
  dismissed_at timestamptz,
  primary key (creator_id, post_id),
  foreign key (creator_id, post_id) references posts on delete cascade
);
call protect_tenant_table('waking_posts');
