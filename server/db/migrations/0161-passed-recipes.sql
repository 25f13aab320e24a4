-- A link with which a member opens one locked post for a friend.
create table passed_recipes (
  creator_id uuid not null,
  id uuid not null,
  -- Whose it is.
  contact_id uuid not null,
  site_id uuid not null,
  -- As the blog has it.
  post_id bigint not null,
  link_hash text not null,
  -- Its first day, as the creator counts.
  month date not null,
  made_at timestamptz not null,
  -- For the first time.
  opened_at timestamptz,
  ended_at timestamptz,
  constraint passed_recipes_pkey primary key (creator_id, id),
  constraint passed_recipes_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade,
  constraint passed_recipes_contact_fkey foreign key (creator_id, contact_id) references contacts(creator_id, id) on delete cascade,
  constraint passed_recipes_site_fkey foreign key (creator_id, site_id) references sites(creator_id, id) on delete cascade
);
comment on table passed_recipes is 'which locked posts a member opened for a friend, by hashed links | followers | 62 days, at most with the contact';
create unique index passed_recipes_by_link on passed_recipes (creator_id, link_hash);
create index passed_recipes_by_contact on passed_recipes (creator_id, contact_id, month);
create index passed_recipes_by_site on passed_recipes (creator_id, site_id);
create index passed_recipes_by_age on passed_recipes (made_at);
call protect_tenant_table('passed_recipes');
grant select, insert, update, delete on passed_recipes to creator_hq_app, creator_hq_engine;

-- In which browsers it was opened.
create table passed_opens (
  creator_id uuid not null,
  passed_id uuid not null,
  device_id uuid not null,
  opened_at timestamptz not null,
  -- When somebody became a member there.
  joined_at timestamptz,
  constraint passed_opens_pkey primary key (creator_id, passed_id, device_id),
  constraint passed_opens_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade,
  constraint passed_opens_passed_fkey foreign key (creator_id, passed_id) references passed_recipes(creator_id, id) on delete cascade,
  constraint passed_opens_device_fkey foreign key (creator_id, device_id) references fan_devices(creator_id, id) on delete cascade
);
comment on table passed_opens is 'browsers in which friends opened passed recipes, when one became a member | followers | 62 days after the link was made';
create index passed_opens_by_device on passed_opens (creator_id, device_id);
create index passed_opens_joined on passed_opens (creator_id, joined_at) where joined_at is not null;
call protect_tenant_table('passed_opens');
grant select, insert, update, delete on passed_opens to creator_hq_app, creator_hq_engine;

-- Of a friend, whom nobody knows.
alter table fan_devices alter column contact_id drop not null;
-- The browser of a friend, who became a member.
alter table fan_checkouts add column friend_device uuid;
