-- Recipes, which own the address that messages lead to, and the guard that looks whether such addresses still answer.
create table recipes (
  creator_id uuid not null references creators on delete cascade,
  id uuid not null,
  name text not null,
  url text not null,
  -- The address without what does not tell pages apart; see server/features/recipes/address-key.ts
  url_key text not null,
  picture_url text,
  keyword_ideas text[] not null default '{}',
  message_text text not null default '',
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  archived_at timestamptz,
  primary key (creator_id, id)
);
-- Of the hash: an address may be longer than an index takes.
create unique index recipes_by_address on recipes (creator_id, md5(url_key)) where archived_at is null;
call protect_tenant_table('recipes');

-- Follows the recipe; `url` is where it leads now.
alter table links add column recipe_id uuid;
create index links_by_recipe on links (creator_id, recipe_id) where recipe_id is not null;

-- Buttons of automations say whose address they have: [{"title": "…", "url": "…", "code": "…", "recipeId": "…" or null}]
alter table automations
  -- When a link of it is broken: the messages go out all the same, wait, or lead to `link_instead`.
  add column when_link_breaks text not null default 'send' check (when_link_breaks in ('send', 'hold', 'swap')),
  add column link_instead text,
  add constraint swap_names_link check (when_link_breaks <> 'swap' or link_instead is not null);

-- Addresses that automations which are on send, each once however many send it.
create table watched_links (
  creator_id uuid not null references creators on delete cascade,
  id uuid not null,
  url text not null,
  url_hash text not null,
  host text not null,
  -- `failing`: once; `broken`: again some time later
  state text not null default 'unchecked' check (state in ('unchecked', 'fine', 'failing', 'broken')),
  -- What was found, of contract/link-guard.ts; null: nothing
  problem text,
  failed_since timestamptz,
  broken_since timestamptz,
  checked_at timestamptz,
  next_check_at timestamptz not null,
  -- Being looked at; a worker that died lets go of it by then.
  claimed_until timestamptz,
  -- How many asked for it in the last hour
  busy integer not null default 0,
  -- What was on the page when it was first seen: {"title": "…", "heading": "…", "recipe": true}
  first_look jsonb,
  etag text,
  last_modified text,
  certificate_ends_at timestamptz,
  mailed_at timestamptz,
  primary key (creator_id, id),
  unique (creator_id, url_hash),
  constraint broken_since_when check ((state = 'broken') = (broken_since is not null))
);
create index watched_links_due on watched_links (next_check_at);
call protect_tenant_table('watched_links');

create table link_uses (
  creator_id uuid not null references creators on delete cascade,
  automation_id uuid not null,
  link_id uuid not null,
  primary key (creator_id, automation_id, link_id),
  foreign key (creator_id, automation_id) references automations on delete cascade,
  foreign key (creator_id, link_id) references watched_links on delete cascade
);
create index link_uses_by_link on link_uses (creator_id, link_id);
call protect_tenant_table('link_uses');

-- When a host may be asked next, by whomever: sites of creators are not ours to hurry.
create table link_hosts (
  host text primary key,
  next_at timestamptz not null
);

-- When it would have gone out, were its link not broken; null: it is not held back.
alter table deliveries add column held_from timestamptz;
create index deliveries_held on deliveries (creator_id) where held_from is not null and state = 'queued';

alter table notification_choices add column broken_links boolean not null default true;
