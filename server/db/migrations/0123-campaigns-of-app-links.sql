-- What is added to the address when it is followed, as `utm_source=instagram&utm_medium={channel}`; empty: nothing.
alter table app_links add column campaign text not null default '';
comment on table app_links is 'short links of any address: name, address, campaign, times | nobody | account';
