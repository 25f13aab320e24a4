-- Short links that a creator makes of any address, and where they led before.
create table app_links (
  creator_id uuid not null,
  id uuid not null,
  version integer not null default 1,
  name text not null,
  address text not null,
  -- Out of the browser that another app has of its own.
  opens_app boolean not null,
  begins_at timestamptz,
  ends_at timestamptz,
  -- Where it leads outside of these times; null: to a page that says so.
  elsewhere text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint app_links_pkey primary key (creator_id, id),
  constraint app_links_times_check check (begins_at < ends_at),
  constraint app_links_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table app_links is 'short links of any address: name, address, times | nobody | account';
create unique index app_links_by_name on app_links (creator_id, lower(name));
create index app_links_last_changed on app_links (creator_id, updated_at desc, id desc);
call protect_tenant_table('app_links');
grant select, insert, update, delete on app_links to creator_hq_app;

create table app_link_changes (
  creator_id uuid not null,
  id uuid not null,
  app_link_id uuid not null,
  -- Where it led until then.
  address text not null,
  changed_at timestamptz not null,
  changed_by text not null,
  constraint app_link_changes_pkey primary key (creator_id, id),
  constraint app_link_changes_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade,
  constraint app_link_changes_link_fkey foreign key (creator_id, app_link_id) references app_links(creator_id, id) on delete cascade
);
comment on table app_link_changes is 'where short links led before, until when, who changed it | team | with the link';
create index app_link_changes_of_link on app_link_changes (creator_id, app_link_id, changed_at);
call protect_tenant_table('app_link_changes');
grant select, insert, update, delete on app_link_changes to creator_hq_app;

alter table links add column app_link_id uuid;
create unique index links_of_app_links on links (creator_id, app_link_id) where app_link_id is not null;
