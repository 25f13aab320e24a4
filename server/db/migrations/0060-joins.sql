-- Whether anything must be looked up beside the contact's own row.
alter table contacts
  add column has_people boolean not null default false,
  add column has_joined boolean not null default false,
  -- Of all addresses of theirs, where they are joined to this one.
  add column newsletter_of_all text not null default 'none';
update contacts set newsletter_of_all = newsletter where newsletter <> 'none';
drop index contacts_by_newsletter;
create index contacts_by_newsletter on contacts (creator_id, newsletter_of_all, last_seen_at desc, id desc)
  where joined_to is null and newsletter_of_all <> 'none';

-- Who was joined with whom, why and how to part them again; and who is not the same.
create table joins (
  creator_id uuid not null,
  id uuid not null,
  contact_id uuid not null,
  -- Another contact, or somebody whom an account knows.
  other_contact_id uuid,
  connection_id uuid,
  person_id text,
  what text not null,
  why text not null,
  -- What the join changed, as it was.
  before jsonb not null default '{}',
  made_at timestamptz not null,
  made_by uuid,
  parted_at timestamptz,
  constraint joins_pkey primary key (creator_id, id),
  constraint joins_what_check check (what in ('joined', 'parted', 'dismissed')),
  constraint joins_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table joins is 'who was joined with whom, or is another person | followers, team | with the contact';
create index joins_by_contact on joins (creator_id, contact_id);
create index joins_by_other on joins (creator_id, other_contact_id) where other_contact_id is not null;
create index joins_by_person on joins (creator_id, connection_id, person_id) where person_id is not null;
call protect_tenant_table('joins');
grant select, insert, update, delete on joins to creator_hq_app;

-- Addresses given in DMs that were not looked at yet: `how` says that they were.
drop index consents_to_read;
create index consents_to_read on consents (agreed_at) where how is null and person_id is not null;
drop index people_to_link;
-- Their contacts follow them in the list.
create index people_linked_seen on people (last_seen_at) where contact_id is not null;
