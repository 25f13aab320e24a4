-- Shown where readers join: a link of the creator's.
alter table tiers add column picture_url text;
-- Since when the lines of money and Stripe's balance are not the same; null: they are.
alter table stripe_accounts add column differs_since timestamptz;
