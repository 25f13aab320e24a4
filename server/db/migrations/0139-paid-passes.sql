-- The creator's account at Stripe: payers, cards and money are there.
create table stripe_accounts (
  creator_id uuid not null,
  account_id text not null,
  state text not null,
  -- What Stripe still asks its owner for, in Stripe's words.
  needs text[] not null default '{}',
  due_at timestamptz,
  -- It was filled in once: it is never begun again.
  is_filled_in boolean not null default false,
  made_at timestamptz not null,
  checked_at timestamptz not null,
  constraint stripe_accounts_pkey primary key (creator_id),
  constraint stripe_accounts_account_id_key unique (account_id),
  constraint stripe_accounts_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table stripe_accounts is 'a creator''s account at Stripe: its id, its state, what Stripe asks for | creator | with the creator';
create index stripe_accounts_by_check on stripe_accounts (checked_at);
call protect_tenant_table('stripe_accounts');
grant select on stripe_accounts to creator_hq_app;
grant select, insert, update, delete on stripe_accounts to creator_hq_engine;

alter table tiers
  add column description text not null default '',
  add column currency text not null default 'usd',
  add column trial_days smallint not null default 0,
  add column archived_at timestamptz;

-- A price is never changed: another begins.
create table tier_prices (
  creator_id uuid not null,
  id uuid not null,
  tier_id uuid not null,
  billing_interval text not null,
  -- In the smallest unit of the tier's currency.
  amount integer not null,
  since timestamptz not null,
  until timestamptz,
  stripe_price_id text,
  constraint tier_prices_pkey primary key (creator_id, id),
  constraint tier_prices_interval_check check (billing_interval in ('month', 'year')),
  constraint tier_prices_amount_check check (amount > 0),
  constraint tier_prices_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade,
  constraint tier_prices_tier_fkey foreign key (creator_id, tier_id) references tiers(creator_id, id) on delete cascade
);
comment on table tier_prices is 'what memberships cost: amounts, since when | team | with the creator';
create unique index tier_prices_present on tier_prices (creator_id, tier_id, billing_interval) where until is null;
create index tier_prices_at_stripe on tier_prices (creator_id, stripe_price_id) where stripe_price_id is not null;
call protect_tenant_table('tier_prices');
grant select, insert, update, delete on tier_prices to creator_hq_app, creator_hq_engine;

-- A contact who pays or paid: which customers of the creator's account they are, and when Stripe was asked.
create table fans (
  creator_id uuid not null,
  contact_id uuid not null,
  customers text[] not null default '{}',
  fetches_begun bigint not null default 0,
  fetch_written bigint not null default 0,
  synced_at timestamptz,
  constraint fans_pkey primary key (creator_id, contact_id),
  constraint fans_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade,
  constraint fans_contact_fkey foreign key (creator_id, contact_id) references contacts(creator_id, id) on delete cascade
);
comment on table fans is 'which customers of a creator''s Stripe account a contact is | followers | with the contact';
create index fans_by_customer on fans using gin (customers);
create index fans_by_sync on fans (synced_at nulls first);
call protect_tenant_table('fans');
grant select, insert, update, delete on fans to creator_hq_app, creator_hq_engine;

alter table passes
  drop constraint passes_source_check,
  add constraint passes_source_check check (source in ('given', 'stripe')),
  -- Of those that are paid for, as Stripe says.
  add column stripe_subscription_id text,
  add column stripe_price_id text,
  add column status text,
  add column billing_interval text,
  add column amount integer,
  add column currency text,
  -- What was paid for; they read a little longer while a payment is under way or late.
  add column paid_until timestamptz,
  add column renews_at timestamptz,
  add column cancel_at timestamptz,
  add column late_since timestamptz,
  add column trial_end timestamptz,
  -- They withdrew from the contract: when it is ended and given back, unless they change their mind.
  add column withdraws_at timestamptz,
  add column late_mails smallint not null default 0,
  -- The last charge that was told of before it came.
  add column told_charge text,
  add column is_refunded boolean not null default false,
  add constraint passes_stripe_check check ((source = 'stripe') = (stripe_subscription_id is not null));
create unique index passes_by_subscription on passes (creator_id, stripe_subscription_id) where stripe_subscription_id is not null;
create unique index passes_paid_once on passes (creator_id, contact_id) where source = 'stripe' and ended_at is null;
create index passes_newest on passes (creator_id, begins_at desc, id desc);
create index passes_ending on passes (creator_id, begins_at desc, id desc) where cancel_at is not null and ended_at is null;
create index passes_on_trial on passes (creator_id, begins_at desc, id desc) where trial_end is not null and ended_at is null;
create index passes_given on passes (creator_id, begins_at desc, id desc) where source = 'given' and ended_at is null;
create index passes_of_late on passes (creator_id, begins_at desc, id desc) where late_since is not null and ended_at is null;
create index passes_over on passes (creator_id, ended_at desc) where ended_at is not null;
create index passes_withdrawn on passes (withdraws_at) where withdraws_at is not null;
create index passes_late on passes (late_since) where late_since is not null and ended_at is null;

-- Somebody on their way to pay.
create table fan_checkouts (
  creator_id uuid not null,
  id uuid not null,
  email text not null,
  email_key text not null,
  tier_price_id uuid not null,
  session_id text,
  url text,
  state text not null default 'open',
  begun_at timestamptz not null,
  -- Where on the blog they came from; null: they did not.
  site_id uuid,
  start text,
  to_path text not null default '/',
  goes_by_path boolean not null default true,
  contact_id uuid,
  constraint fan_checkouts_pkey primary key (creator_id, id),
  constraint fan_checkouts_state_check check (state in ('open', 'over', 'paid')),
  constraint fan_checkouts_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade,
  constraint fan_checkouts_contact_fkey foreign key (creator_id, contact_id) references contacts(creator_id, id) on delete cascade,
  constraint fan_checkouts_price_fkey foreign key (creator_id, tier_price_id) references tier_prices(creator_id, id) on delete cascade
);
comment on table fan_checkouts is 'who was on their way to pay for a membership: address, price, where they came from | followers | 7 days, at most with the contact';
create unique index fan_checkouts_by_session on fan_checkouts (creator_id, session_id) where session_id is not null;
create index fan_checkouts_open on fan_checkouts (creator_id, email_key) where state = 'open';
create index fan_checkouts_by_contact on fan_checkouts (creator_id, contact_id);
create index fan_checkouts_by_price on fan_checkouts (creator_id, tier_price_id);
create index fan_checkouts_by_age on fan_checkouts (begun_at);
call protect_tenant_table('fan_checkouts');
grant select, insert, update, delete on fan_checkouts to creator_hq_app, creator_hq_engine;

-- The story of a member.
create table pass_changes (
  creator_id uuid not null,
  id uuid not null,
  contact_id uuid not null,
  at timestamptz not null,
  what text not null,
  detail text not null default '',
  constraint pass_changes_pkey primary key (creator_id, id),
  constraint pass_changes_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade,
  constraint pass_changes_contact_fkey foreign key (creator_id, contact_id) references contacts(creator_id, id) on delete cascade
);
comment on table pass_changes is 'what happened to a membership: when, what, by whom | followers | with the contact';
create index pass_changes_by_contact on pass_changes (creator_id, contact_id, at desc);
call protect_tenant_table('pass_changes');
grant select, insert, update, delete on pass_changes to creator_hq_app, creator_hq_engine;

-- A browser at the hub itself, where members see their account.
alter table fan_devices alter column site_id drop not null;
alter table fan_entries alter column site_id drop not null, alter column start drop not null;

-- In which connected account a call is made; null: our own.
alter table stripe_calls add column account text;
