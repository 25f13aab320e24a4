-- Blogs with our plugin. One of them is believed to be the creator's; another place with the same key is a copy of it.
create table sites (
  creator_id uuid not null,
  id uuid not null,
  -- Host, port and path, without "www." and what is behind them; empty: a plugin that never told.
  place text not null,
  url text not null,
  kind text not null default 'wordpress',
  is_live boolean not null,
  -- The API key it last called with.
  key_id uuid,
  plugin_version text,
  wordpress_version text,
  php_version text,
  cards text[] not null default '{}',
  caches text[] not null default '{}',
  outbox_depth integer,
  cron_is_healthy boolean,
  -- Sealed. Null until it registers.
  signing_key text,
  old_signing_key text,
  first_heard_at timestamptz not null,
  last_heard_at timestamptz not null,
  constraint sites_pkey primary key (creator_id, id),
  constraint sites_place unique (creator_id, place),
  constraint sites_kind_check check (kind in ('wordpress', 'script')),
  constraint sites_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table sites is 'blogs with our plugin: address, versions, sealed signing keys | team | until removed, or with the creator';
create unique index sites_live on sites (creator_id) where is_live;
call protect_tenant_table('sites');
grant select, insert, update, delete on sites to creator_hq_app;

insert into sites (creator_id, id, place, url, is_live, key_id, plugin_version, first_heard_at, last_heard_at)
select creator_id, gen_random_uuid(),
  coalesce(regexp_replace(lower(substring(site_url from '^https?://([^?#]+)')), '^www\.|/+$', '', 'g'), ''),
  coalesce(site_url, ''), true, id, plugin_version, coalesce(last_used_at, created_at), coalesce(last_used_at, created_at)
from api_keys where ended_at is null and plugin_version is not null;
-- These columns of api_keys have moved; they go with a later release, so that processes of before run beside this one.
comment on column api_keys.plugin_version is 'in sites; to be dropped';
comment on column api_keys.site_url is 'in sites; to be dropped';

-- Forms that readers of the blog fill in. Those that were archived stay: submissions name them.
create table forms (
  creator_id uuid not null,
  id uuid not null,
  -- Public: it stands in the pages of the blog.
  key text not null,
  kind text not null,
  name text not null,
  -- As contract/forms.ts says.
  design jsonb not null,
  -- What readers said yes to, by version and language: {"1": {"en": "…"}}.
  wordings jsonb not null,
  version integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  archived_at timestamptz,
  constraint forms_pkey primary key (creator_id, id),
  constraint forms_key_key unique (key),
  constraint forms_kind_check check (kind in ('save', 'signup', 'gate')),
  constraint forms_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table forms is 'forms for the blog: texts and looks | creator | with the creator';
call protect_tenant_table('forms');
grant select, insert, update, delete on forms to creator_hq_app;

-- One press of a form's button. Its address is the contact's.
create table submissions (
  creator_id uuid not null,
  id uuid not null,
  -- Made where the button was pressed: it is one submission, however often it comes.
  attempt uuid not null,
  form_id uuid not null,
  form_version integer not null,
  site_id uuid,
  contact_id uuid,
  result text not null,
  -- Came from a copy of the site: nobody gets a mail.
  is_test boolean not null,
  wants_newsletter boolean not null,
  page_url text not null,
  -- A recipe that was saved; null: a sign-up.
  address_key text,
  -- A keyed hash, made on the blog, of where the network of the reader is.
  network text,
  network_until timestamptz,
  submitted_at timestamptz not null,
  received_at timestamptz not null,
  constraint submissions_pkey primary key (creator_id, id),
  constraint submissions_attempt unique (creator_id, attempt),
  constraint submissions_result_check check (result in ('on_its_way', 'please_confirm', 'already_sent', 'later')),
  constraint submissions_form_fkey foreign key (creator_id, form_id) references forms(creator_id, id) on delete cascade,
  constraint submissions_site_fkey foreign key (creator_id, site_id) references sites(creator_id, id) on delete set null (site_id),
  constraint submissions_contact_fkey foreign key (creator_id, contact_id) references contacts(creator_id, id) on delete cascade,
  constraint submissions_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table submissions is 'presses of a form''s button: page, result, keyed hash of the network | followers | 13 months; the hash 1 day; or until erased';
create index submissions_by_contact on submissions (creator_id, contact_id, received_at desc) where contact_id is not null;
create index submissions_by_form on submissions (creator_id, form_id, received_at desc);
create index submissions_by_site on submissions (creator_id, site_id) where site_id is not null;
create index submissions_with_network on submissions (network_until) where network_until is not null;
create index submissions_by_age on submissions (received_at);
call protect_tenant_table('submissions');
grant select, insert, update, delete on submissions to creator_hq_app;

-- Recipes readers keep: one row for each card of a page, by its address without what does not tell pages apart.
create table saved_recipes (
  creator_id uuid not null,
  id uuid not null,
  contact_id uuid not null,
  address_key text not null,
  url text not null,
  title text not null,
  picture_url text,
  -- Name, anchor, ingredients, times and yield, as the blog told them at the last save; null: no card was found.
  recipe jsonb,
  times integer not null default 1,
  first_saved_at timestamptz not null,
  last_saved_at timestamptz not null,
  constraint saved_recipes_pkey primary key (creator_id, id),
  constraint saved_recipes_contact_fkey foreign key (creator_id, contact_id) references contacts(creator_id, id) on delete cascade,
  constraint saved_recipes_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table saved_recipes is 'recipes that readers saved: page, title, picture, ingredients, when | followers | until erased, or with the creator';
create unique index saved_recipes_once on saved_recipes (creator_id, contact_id, md5(address_key));
create index saved_recipes_by_page on saved_recipes (creator_id, md5(address_key));
call protect_tenant_table('saved_recipes');
grant select, insert, update, delete on saved_recipes to creator_hq_app;
