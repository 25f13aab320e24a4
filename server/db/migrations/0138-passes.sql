-- What fans of a creator can get.
create table tiers (
  creator_id uuid not null,
  id uuid not null,
  name text not null,
  made_at timestamptz not null,
  constraint tiers_pkey primary key (creator_id, id),
  constraint tiers_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table tiers is 'what readers can get from a creator: names | team | with the creator';
call protect_tenant_table('tiers');
grant select, insert, update, delete on tiers to creator_hq_app, creator_hq_engine;

-- What lets a contact in for a span of time.
create table passes (
  creator_id uuid not null,
  id uuid not null,
  contact_id uuid not null,
  tier_id uuid not null,
  source text not null,
  begins_at timestamptz not null,
  -- Null: for good.
  ends_at timestamptz,
  -- Taken away before that.
  ended_at timestamptz,
  note text,
  constraint passes_pkey primary key (creator_id, id),
  constraint passes_source_check check (source in ('given')),
  constraint passes_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade,
  constraint passes_contact_fkey foreign key (creator_id, contact_id) references contacts(creator_id, id) on delete cascade,
  constraint passes_tier_fkey foreign key (creator_id, tier_id) references tiers(creator_id, id) on delete cascade
);
comment on table passes is 'who reads what is for members, until when, and why | followers | with the contact';
create index passes_by_contact on passes (creator_id, contact_id);
create index passes_by_tier on passes (creator_id, tier_id);
call protect_tenant_table('passes');
grant select, insert, update, delete on passes to creator_hq_app, creator_hq_engine;

-- Browsers in which a contact entered.
create table fan_devices (
  creator_id uuid not null,
  id uuid not null,
  contact_id uuid not null,
  site_id uuid not null,
  secret_hash text not null,
  entered_at timestamptz not null,
  seen_at timestamptz not null,
  ended_at timestamptz,
  constraint fan_devices_pkey primary key (creator_id, id),
  constraint fan_devices_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade,
  constraint fan_devices_contact_fkey foreign key (creator_id, contact_id) references contacts(creator_id, id) on delete cascade,
  constraint fan_devices_site_fkey foreign key (creator_id, site_id) references sites(creator_id, id) on delete cascade
);
comment on table fan_devices is 'browsers in which members read: hash of a secret, when they were seen | followers | 400 days after they were seen last, at most with the contact';
create index fan_devices_by_contact on fan_devices (creator_id, contact_id);
create index fan_devices_by_site on fan_devices (creator_id, site_id);
create index fan_devices_by_age on fan_devices (seen_at);
call protect_tenant_table('fan_devices');
grant select, insert, update, delete on fan_devices to creator_hq_app, creator_hq_engine;

-- Members on their way in: the code that was mailed, and once it was typed, the grant that the blog hands in.
create table fan_entries (
  creator_id uuid not null,
  id uuid not null,
  contact_id uuid not null,
  site_id uuid not null,
  code_hash text not null,
  tries smallint not null default 0,
  -- The hash of what the blog gave the browser before it left.
  start text not null,
  to_path text not null,
  -- Else by a query, where a blog knows no paths.
  goes_by_path boolean not null,
  asked_at timestamptz not null,
  grant_hash text,
  granted_at timestamptz,
  constraint fan_entries_pkey primary key (creator_id, id),
  constraint fan_entries_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade,
  constraint fan_entries_contact_fkey foreign key (creator_id, contact_id) references contacts(creator_id, id) on delete cascade,
  constraint fan_entries_site_fkey foreign key (creator_id, site_id) references sites(creator_id, id) on delete cascade
);
comment on table fan_entries is 'hashes of codes by which members enter, and where they were | followers | 7 days, at most with the contact';
create index fan_entries_by_contact on fan_entries (creator_id, contact_id);
create index fan_entries_by_site on fan_entries (creator_id, site_id);
create index fan_entries_by_grant on fan_entries (creator_id, grant_hash) where grant_hash is not null;
create index fan_entries_by_age on fan_entries (asked_at);
call protect_tenant_table('fan_entries');
grant select, insert, update, delete on fan_entries to creator_hq_app, creator_hq_engine;
