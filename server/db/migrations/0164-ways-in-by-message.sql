-- The message whose link let a member in: each does so once.
alter table fan_entries add column delivery_id uuid;
create unique index fan_entries_by_message on fan_entries (creator_id, delivery_id) where delivery_id is not null;
comment on table fan_entries is 'codes (hashed) or messages by which readers enter, new ones'' addresses | followers | 7 days, at most with the contact';
