-- Owners are told by mail of each new webhook address, API token and API key, unless they chose otherwise.
alter table notification_choices add column new_access boolean not null default true;
