-- A row for every tap was as many rows as a stranger liked to make. One row now stands for the taps of a network in a minute.
alter table clicks add column times integer not null default 1;
create index clicks_without_message on clicks (clicked_at) where delivery_id is null;
