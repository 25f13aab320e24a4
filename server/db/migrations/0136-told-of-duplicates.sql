-- Two fetches may find the same second plan: its owners are written to once.
alter table stripe_calls add column told_at timestamptz;
comment on column stripe_calls.told_at is 'when the owners were written to about it';
