-- Whether they hold or held a pass: searches of members leave the many contacts out who never did.
alter table contacts add column has_pass boolean not null default false;
update contacts c set has_pass = true where exists (select from passes p where p.creator_id = c.creator_id and p.contact_id = c.id);
create index contacts_members_by_email on contacts (creator_id, email_key text_pattern_ops) include (id) where has_pass and email_key is not null;
create index contacts_members_by_name on contacts (creator_id, name_key text_pattern_ops) include (id) where has_pass and name_key is not null;
create index contacts_members_by_last_name on contacts (creator_id, name_last text_pattern_ops) include (id) where has_pass and name_last is not null;

-- Which of a contact's passes counts, and when they were last seen, without reading their rows.
drop index passes_by_contact;
create index passes_by_contact on passes (creator_id, contact_id) include (id, begins_at, ends_at, ended_at);
drop index fan_devices_by_contact;
create index fan_devices_by_contact on fan_devices (creator_id, contact_id, seen_at);
