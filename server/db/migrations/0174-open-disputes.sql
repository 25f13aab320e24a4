-- Those that a creator can still answer, or whose bank has not decided, as Stripe listed them last.
alter table stripe_accounts add column open_disputes jsonb not null default '[]';
