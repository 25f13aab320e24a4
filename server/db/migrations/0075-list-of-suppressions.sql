-- The team sees who is not written to: whose address it is while a contact has it, and a name for each row.
alter table suppressions add column id uuid not null default gen_random_uuid();
alter table suppressions add column contact_id uuid;
alter table suppressions add constraint suppressions_contact_id_fkey foreign key (creator_id, contact_id)
  references contacts(creator_id, id) on delete set null (contact_id);
create index suppressions_newest on suppressions (creator_id, since desc, id desc);
create index suppressions_of_contact on suppressions (creator_id, contact_id) where contact_id is not null;
comment on table suppressions is 'hashes of addresses not written to, why, and whose while a contact has it | followers | with the creator: keeps erased and unsubscribed people away';
