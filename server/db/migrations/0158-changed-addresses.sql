-- A membership moves from the contact of one address to that of another, once the code that was mailed to it was typed.
create table address_changes (
  creator_id uuid not null,
  id uuid not null,
  contact_id uuid not null,
  -- Of the new address, once it was changed.
  to_contact_id uuid,
  email text not null,
  -- Mistyped by who paid a moment ago.
  is_typo boolean not null,
  code_hash text not null,
  tries smallint not null default 0,
  asked_at timestamptz not null,
  changed_at timestamptz,
  told_at timestamptz,
  undone_at timestamptz,
  constraint address_changes_pkey primary key (creator_id, id),
  constraint address_changes_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade,
  constraint address_changes_contact_fkey foreign key (creator_id, contact_id) references contacts(creator_id, id) on delete cascade,
  constraint address_changes_to_contact_fkey foreign key (creator_id, to_contact_id) references contacts(creator_id, id) on delete cascade,
  constraint address_changes_done_check check ((to_contact_id is null) = (changed_at is null))
);
comment on table address_changes is 'members who change their address: to which, a code (hashed) | followers | 7 days, at most with the contact';
create index address_changes_by_contact on address_changes (creator_id, contact_id);
create index address_changes_by_to_contact on address_changes (creator_id, to_contact_id) where to_contact_id is not null;
create index address_changes_by_age on address_changes (asked_at);
call protect_tenant_table('address_changes');
grant select, insert, update, delete on address_changes to creator_hq_app, creator_hq_engine;
