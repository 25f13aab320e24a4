-- For how many days members read on after a payment failed.
alter table membership_settings
  add column late_days smallint not null default 7,
  add constraint membership_settings_late_days_check check (late_days between 0 and 14);
comment on table membership_settings is 'whether readers enter without paying, how long late payers read on | team | with the creator';
