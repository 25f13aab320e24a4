-- Prices of plans. One is never changed: a new one begins, and those who pay the old one keep it.
create table plan_prices (
  plan_id text not null,
  billing_interval text not null,
  cents integer not null,
  currency text not null default 'usd',
  -- Null until somebody buys at it.
  stripe_price_id text,
  since timestamptz not null,
  until timestamptz,
  constraint plan_prices_pkey primary key (plan_id, billing_interval, since),
  constraint plan_prices_plan_id_fkey foreign key (plan_id) references plans(id),
  constraint plan_prices_billing_interval_check check (billing_interval in ('month', 'year')),
  constraint plan_prices_cents_check check (cents > 0)
);
comment on table plan_prices is 'what plans cost and did cost | nobody | for good';
create unique index plan_prices_now on plan_prices (plan_id, billing_interval) where until is null;
create unique index plan_prices_at_stripe on plan_prices (stripe_price_id);
grant select on plan_prices to creator_hq_app;
grant select, insert, update, delete on plan_prices to creator_hq_engine;
insert into plan_prices (plan_id, billing_interval, cents, since)
select plans.id, price.key, price.value::integer, now()
from plans, jsonb_each_text(plans.price) as price
where price.key in ('month', 'year') and price.value::integer > 0;
alter table plans drop column price;

alter table subscriptions
  add column stripe_price_id text,
  add column current_period_end timestamptz,
  add column trial_end timestamptz,
  -- Since when its last invoice waits for money.
  add column late_since timestamptz,
  drop constraint subscriptions_status_check,
  add constraint subscriptions_status_check check (
    status in ('active', 'canceled', 'past_due', 'incomplete', 'incomplete_expired', 'trialing', 'unpaid', 'paused')
  );

create table past_subscriptions (
  creator_id uuid not null,
  stripe_subscription_id text not null,
  plan_id text not null,
  billing_interval text not null,
  status text not null,
  began_at timestamptz not null,
  ended_at timestamptz not null,
  constraint past_subscriptions_pkey primary key (creator_id, stripe_subscription_id),
  constraint past_subscriptions_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade,
  constraint past_subscriptions_plan_id_fkey foreign key (plan_id) references plans(id),
  constraint past_subscriptions_billing_interval_check check (billing_interval in ('month', 'year')),
  constraint past_subscriptions_status_check check (status in ('canceled', 'incomplete_expired'))
);
comment on table past_subscriptions is 'plans that ended | creator | account';
call protect_tenant_table('past_subscriptions');
grant select on past_subscriptions to creator_hq_app;
grant select, insert, update, delete on past_subscriptions to creator_hq_engine;

-- Creators as Stripe knows them. Fetches are numbered as they begin; an older one never overwrites what a newer one wrote.
create table stripe_customers (
  creator_id uuid not null,
  customer_id text not null,
  fetches_begun bigint not null default 0,
  fetch_written bigint not null default 0,
  synced_at timestamptz,
  constraint stripe_customers_pkey primary key (creator_id),
  constraint stripe_customers_customer_id_key unique (customer_id),
  constraint stripe_customers_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table stripe_customers is 'which customer of Stripe a creator is, and when it was last asked | creator | account';
create index stripe_customers_by_sync on stripe_customers (synced_at nulls first);
call protect_tenant_table('stripe_customers');
grant select, insert, update, delete on stripe_customers to creator_hq_engine;

create table checkouts (
  creator_id uuid not null,
  id uuid not null,
  plan_id text not null,
  billing_interval text not null,
  -- Of Stripe; null while it is made.
  session_id text,
  url text,
  state text not null default 'open',
  begun_at timestamptz not null,
  constraint checkouts_pkey primary key (creator_id, id),
  constraint checkouts_session_id_key unique (session_id),
  constraint checkouts_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade,
  constraint checkouts_plan_id_fkey foreign key (plan_id) references plans(id),
  constraint checkouts_billing_interval_check check (billing_interval in ('month', 'year')),
  constraint checkouts_state_check check (state in ('open', 'over'))
);
comment on table checkouts is 'payments begun on Stripe''s page | creator | account';
create unique index checkouts_open on checkouts (creator_id) where state = 'open';
call protect_tenant_table('checkouts');
grant select, insert, update, delete on checkouts to creator_hq_engine;

-- Calls to Stripe that change something: planned here first, so that each has its effect once, whatever breaks.
create table stripe_calls (
  key text not null,
  -- Null: of the whole install, as a product.
  creator_id uuid,
  verb text not null,
  params jsonb not null,
  state text not null default 'planned',
  -- What it made or changed.
  stripe_id text,
  problem text,
  planned_at timestamptz not null,
  settled_at timestamptz,
  constraint stripe_calls_pkey primary key (key),
  constraint stripe_calls_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade,
  constraint stripe_calls_state_check check (state in ('planned', 'done', 'refused', 'unknown'))
);
comment on table stripe_calls is 'what was asked of Stripe, and its answer | creator | 400 days';
create index stripe_calls_planned on stripe_calls (planned_at) where state = 'planned';
create index stripe_calls_by_creator on stripe_calls (creator_id);
create index stripe_calls_settled on stripe_calls (settled_at);
call protect_tenant_table('stripe_calls');
grant select, insert, update, delete on stripe_calls to creator_hq_engine;

create table stripe_events (
  id text not null,
  type text not null,
  received_at timestamptz not null,
  constraint stripe_events_pkey primary key (id)
);
comment on table stripe_events is 'ids of Stripe''s events that came | nobody | 30 days';
create index stripe_events_by_time on stripe_events (received_at);
grant select, insert, update, delete on stripe_events to creator_hq_engine;
