-- What a membership changes to when what is paid is over.
alter table passes
  add column schedule_id text,
  add column next_stripe_price_id text,
  add column next_at timestamptz;
