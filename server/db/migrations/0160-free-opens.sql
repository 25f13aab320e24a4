-- How many locked posts a month those open who entered without paying.
alter table membership_settings
  add column free_opens smallint not null default 0,
  add constraint membership_settings_free_opens_check check (free_opens between 0 and 3);
comment on table membership_settings is 'how readers enter without paying and what they open, how long late payers read on | team | with the creator';

-- Locked posts that readers who do not pay opened.
create table free_opens (
  creator_id uuid not null,
  contact_id uuid not null,
  -- Its first day, as the creator counts.
  month date not null,
  site_id uuid not null,
  -- As the blog has it.
  post_id bigint not null,
  opened_at timestamptz not null,
  -- So long it stays open.
  until timestamptz not null,
  constraint free_opens_pkey primary key (creator_id, contact_id, month, site_id, post_id),
  constraint free_opens_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade,
  constraint free_opens_contact_fkey foreign key (creator_id, contact_id) references contacts(creator_id, id) on delete cascade,
  constraint free_opens_site_fkey foreign key (creator_id, site_id) references sites(creator_id, id) on delete cascade
);
comment on table free_opens is 'locked posts that a reader opened without paying | followers | 62 days, at most with the contact';
create index free_opens_by_site on free_opens (creator_id, site_id);
create index free_opens_by_age on free_opens (opened_at);
call protect_tenant_table('free_opens');
grant select, insert, update, delete on free_opens to creator_hq_app, creator_hq_engine;
