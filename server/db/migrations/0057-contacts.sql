-- One human this creator knows by an address. Who is known by an account alone stays in people, without a contact.
create table contacts (
  creator_id uuid not null,
  id uuid not null,
  -- As they typed it. Null: brought together from accounts alone.
  email text,
  -- As contract/email-address.ts makes it; and for Gmail's addresses the mailbox that dots and "+" lead to.
  email_key text,
  gmail_mailbox text,
  name text,
  name_key text,
  name_last text generated always as ("substring"(name_key, '[^ ]+$'::text)) stored,
  language text,
  newsletter text not null default 'none',
  newsletter_at timestamptz,
  confirmed_at timestamptz,
  -- When a mail last asked whether they want the newsletter, and how often one did.
  asked_at timestamptz,
  asked_count smallint not null default 0,
  saved_count integer not null default 0,
  last_saved_at timestamptz,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  source text not null,
  -- The contact this address was joined to. Both keep their rows, so that they can be parted.
  joined_to uuid,
  constraint contacts_pkey primary key (creator_id, id),
  constraint contacts_newsletter_check check (newsletter in ('none', 'unconfirmed', 'confirmed', 'unsubscribed', 'bounced', 'complained')),
  constraint contacts_source_check check (source in ('blog', 'dm', 'file', 'tool', 'team')),
  constraint contacts_email_check check ((email is null) = (email_key is null)),
  constraint contacts_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table contacts is 'contacts: email, name, language, newsletter or not, how much they saved | followers | until erased, or with the creator';
create unique index contacts_by_email on contacts (creator_id, email_key text_pattern_ops) where email_key is not null;
create index contacts_by_mailbox on contacts (creator_id, gmail_mailbox) where gmail_mailbox is not null;
create index contacts_by_name on contacts (creator_id, name_key text_pattern_ops) where name_key is not null;
create index contacts_by_last_name on contacts (creator_id, name_last text_pattern_ops) where name_last is not null;
create index contacts_joined on contacts (creator_id, joined_to) where joined_to is not null;
create index contacts_newest on contacts (creator_id, last_seen_at desc, id desc) where joined_to is null;
create index contacts_by_newsletter on contacts (creator_id, newsletter, last_seen_at desc, id desc)
  where joined_to is null and newsletter <> 'none';
create index contacts_from_blog on contacts (creator_id, last_seen_at desc, id desc)
  where joined_to is null and (source = 'blog' or saved_count > 0);
call protect_tenant_table('contacts');
grant select, insert, update, delete on contacts to creator_hq_app;

-- No foreign key: it would be looked at for every comment. Null for whoever gave no address.
alter table people add column contact_id uuid;
create index people_linked on people (creator_id, contact_id) where contact_id is not null;
create index people_to_link on people (creator_id) where email is not null and contact_id is null;

-- Addresses that are not written to, or that a file does not bring back, by a hash that only the creator's secret makes.
create table suppressions (
  creator_id uuid not null,
  email_hash text not null,
  reason text not null,
  since timestamptz not null,
  note text,
  constraint suppressions_pkey primary key (creator_id, email_hash),
  constraint suppressions_reason_check check (reason in ('bounced', 'complained', 'not_me', 'unsubscribed', 'erased', 'team')),
  constraint suppressions_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table suppressions is 'hashes of addresses that are not written to, and why | nobody | with the creator: keeps erased and unsubscribed people away';
call protect_tenant_table('suppressions');
grant select, insert, update, delete on suppressions to creator_hq_app;

-- What makes a creator's hashes of addresses their own; it must outlast SECRET_KEY, so it is sealed and resealed.
create table creator_secrets (
  creator_id uuid not null,
  id uuid not null,
  secret text not null,
  made_at timestamptz not null,
  constraint creator_secrets_pkey primary key (creator_id, id),
  constraint creator_secrets_one unique (creator_id),
  constraint creator_secrets_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table creator_secrets is 'a sealed secret for hashes of addresses | nobody | with the creator';
call protect_tenant_table('creator_secrets');
grant select, insert, update on creator_secrets to creator_hq_app;

-- The ledger: who agreed to what, with the words they saw. Addresses asked for in DMs are its oldest rows.
alter table consents
  add column contact_id uuid,
  add column purpose text not null default 'newsletter',
  add column act text not null default 'given',
  add column how text,
  add column form_id uuid,
  add column form_version integer,
  add column page_url text;
alter table consents
  add constraint consents_purpose_check check (purpose in ('save', 'newsletter', 'gate', 'ads')) not valid,
  add constraint consents_act_check check (act in ('given', 'confirmed', 'declined', 'withdrawn', 'imported', 'not_me')) not valid;
create index consents_by_contact on consents (creator_id, contact_id, agreed_at desc) where contact_id is not null;
-- Addresses given in DMs of which no contact was made yet.
create index consents_to_read on consents (agreed_at) where contact_id is null and person_id is not null;
revoke update, delete on consents from creator_hq_app;

-- A link may lead from a mail.
alter table links alter column automation_id drop not null;
