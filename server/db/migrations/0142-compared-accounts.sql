-- When all that members pay was compared with Stripe.
alter table stripe_accounts add column compared_at timestamptz;
