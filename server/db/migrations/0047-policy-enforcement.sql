-- Meta bars a Page for its policies until it says otherwise; unlike `barred_until` no time tells when that ends.
alter table connections add column policy_blocked boolean not null default false;
alter table connections add column policy_reason text;
-- When Meta last said either: webhooks overtake each other
alter table connections add column policy_changed_at timestamptz;
