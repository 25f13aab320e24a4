alter table subscriptions
  -- What it changes to at the end of a period, by a schedule at Stripe.
  add column schedule_id text,
  add column next_plan_id text,
  add column next_interval text,
  add column next_at timestamptz,
  -- Why its last invoice waits for money, in Stripe's word for it, and when Stripe asks again.
  add column pay_needed text,
  add column retry_at timestamptz,
  -- How many of the mails about it went out.
  add column late_mails smallint not null default 0,
  add column trial_mails smallint not null default 0,
  -- Support gave it until then.
  add column given_until timestamptz,
  add constraint subscriptions_next_plan_id_fkey foreign key (next_plan_id) references plans(id),
  add constraint subscriptions_next_interval_check check (next_interval in ('month', 'year'));
create index subscriptions_late on subscriptions (late_since) where late_since is not null;
create index subscriptions_given on subscriptions (given_until) where given_until is not null;
create index subscriptions_in_trial on subscriptions (trial_end) where status = 'trialing';

alter table plans
  add column trial_days integer not null default 0,
  add column on_sale boolean not null default true,
  add constraint plans_trial_days_check check (trial_days between 0 and 90);
