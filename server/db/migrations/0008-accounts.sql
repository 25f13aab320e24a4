-- Team, support's visits, flags, settings of people and creators.

-- One open invite for an address and creator. The link's token is in the mail only; here is its hash.
create table invites (
  creator_id uuid not null references creators on delete cascade,
  id uuid not null,
  email text not null,
  role text not null check (role in ('owner', 'collaborator')),
  token_hash text not null unique,
  invited_by uuid references users on delete set null,
  sent_at timestamptz not null,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  declined_at timestamptz,
  revoked_at timestamptz,
  primary key (creator_id, id)
);
create unique index invites_open on invites (creator_id, email)
  where accepted_at is null and declined_at is null and revoked_at is null;
create index invites_by_email on invites (email)
  where accepted_at is null and declined_at is null and revoked_at is null;
call protect_tenant_table('invites');

-- An admin inside a creator account. Over when ended, when the hour is over, or with the session.
create table admin_visits (
  creator_id uuid not null references creators on delete cascade,
  id uuid not null,
  admin_id uuid references users on delete set null,
  admin_name text not null,
  reason text not null,
  return_to text,
  started_at timestamptz not null,
  until timestamptz not null,
  ended_at timestamptz,
  primary key (creator_id, id)
);
-- Every request asks for the visit of its session.
create unique index admin_visits_by_id on admin_visits (id);
call protect_tenant_table('admin_visits');
alter table sessions add column admin_visit_id uuid;

-- What admins did. No foreign keys: the log outlives whom it names.
create table audit_log (
  id uuid primary key,
  at timestamptz not null,
  admin_id uuid,
  admin_name text not null,
  creator_id uuid,
  visit_id uuid,
  what text not null,
  detail text not null default ''
);
create index audit_log_newest on audit_log (at desc, id desc);
create index audit_log_by_creator on audit_log (creator_id, at desc, id desc) where creator_id is not null;
create index audit_log_by_visit on audit_log (visit_id) where visit_id is not null;
-- Appended to and read, never changed. Names several creators, so requests of one do not read it themselves.
revoke update, delete on audit_log from creator_hq_engine;
revoke all on audit_log from creator_hq_app;

-- A flag's value for everyone (creator_id null) or one creator; what is not here is off.
create table flag_values (
  flag text not null,
  creator_id uuid references creators on delete cascade,
  is_on boolean not null,
  changed_at timestamptz not null
);
create unique index flag_values_once on flag_values (flag, creator_id) nulls not distinct;
revoke all on flag_values from creator_hq_app;

create table notification_choices (
  creator_id uuid not null references creators on delete cascade,
  user_id uuid not null references users on delete cascade,
  connection_trouble boolean not null default true,
  invites boolean not null default true,
  weekly_figures boolean not null default true,
  primary key (creator_id, user_id)
);
call protect_tenant_table('notification_choices');

-- Mails about a thing that were sent, so that none is sent twice.
create table notices_sent (
  creator_id uuid not null references creators on delete cascade,
  user_id uuid not null references users on delete cascade,
  about text not null,
  sent_at timestamptz not null,
  primary key (creator_id, user_id, about)
);
call protect_tenant_table('notices_sent');

-- Keys of the WordPress plugin. The key itself is shown once; here is its hash.
create table api_keys (
  creator_id uuid not null references creators on delete cascade,
  id uuid not null,
  key_hash text not null unique,
  prefix text not null,
  created_at timestamptz not null,
  created_by uuid references users on delete set null,
  last_used_at timestamptz,
  plugin_version text,
  site_url text,
  ended_at timestamptz,
  primary key (creator_id, id)
);
create unique index api_keys_current on api_keys (creator_id) where ended_at is null;
call protect_tenant_table('api_keys');

alter table creators
  add column billing_email text,
  add column delete_requested_at timestamptz,
  add column delete_requested_by uuid references users on delete set null,
  add column delete_at timestamptz;
create index creators_to_delete on creators (delete_at) where delete_at is not null;

alter table plans
  add column tagline text not null default '',
  add column features text[] not null default '{}',
  add column position integer not null default 0;
update plans set tagline = 'For creators with under 25K followers.', position = 0,
  features = array['Comment for DM on every post', 'All your words and replies', 'One team of any size']
  where id = 'free-plan';
-- Prices are placeholders of this install until billing is set up; an operator changes them here.
insert into plans (id, name, price, tagline, features, position) values
  ('creator-plan', 'Creator', '{"month": 2900, "year": 29000}', 'For growing kitchens with any number of followers.',
    array['Everything in Free', 'No follower limit', 'Priority in support'], 1),
  ('studio-plan', 'Studio', '{"month": 7900, "year": 79000}', 'For several brands and the people who run them.',
    array['Everything in Creator', 'Several accounts under one roof', 'A person to call'], 2);

-- Meta's own pauses, and ours for an outage: banners tell of them, what came meanwhile is answered afterwards.
alter table connections add column webhooks_paused_at timestamptz;

-- Where mail programs unsubscribe the recipient with one click (RFC 8058); null: the mail is no subscription.
alter table mails add column unsubscribe_url text;
