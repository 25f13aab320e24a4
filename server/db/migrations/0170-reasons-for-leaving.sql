-- Why a member canceled, if they said so.
alter table passes add column left_because text
  check (left_because in ('price', 'use', 'content', 'trouble', 'other'));
create index passes_left_because on passes (creator_id, left_because) where left_because is not null;
