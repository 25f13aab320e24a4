-- What a creator takes off for readers who have a code.
create table discount_codes (
  creator_id uuid not null,
  id uuid not null,
  code text not null,
  percent_off smallint,
  -- In the smallest unit of the currency.
  amount_off integer,
  currency text,
  duration text not null,
  months smallint,
  most_uses integer,
  last_day text,
  -- When that day is over, as the creator counts.
  over_at timestamptz,
  new_only boolean not null,
  -- Null: any.
  tier_id uuid,
  made_at timestamptz not null,
  closed_at timestamptz,
  uses integer not null default 0,
  stripe_coupon_id text,
  constraint discount_codes_pkey primary key (creator_id, id),
  constraint discount_codes_off_check check (num_nonnulls(percent_off, amount_off) = 1 and (amount_off is null) = (currency is null)),
  constraint discount_codes_percent_check check (percent_off between 1 and 100),
  constraint discount_codes_amount_check check (amount_off > 0),
  constraint discount_codes_duration_check check (duration in ('once', 'months', 'forever') and (duration = 'months') = (months is not null)),
  constraint discount_codes_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade,
  constraint discount_codes_tier_fkey foreign key (creator_id, tier_id) references tiers(creator_id, id) on delete cascade
);
comment on table discount_codes is 'codes that take something off a membership: words, amounts, days, how often used | team | with the creator';
create unique index discount_codes_open on discount_codes (creator_id, lower(code)) where closed_at is null;
create index discount_codes_by_tier on discount_codes (creator_id, tier_id);
call protect_tenant_table('discount_codes');
grant select, insert, update, delete on discount_codes to creator_hq_app, creator_hq_engine;

alter table fan_checkouts
  add column code_id uuid,
  add constraint fan_checkouts_code_fkey foreign key (creator_id, code_id) references discount_codes(creator_id, id) on delete cascade;
create index fan_checkouts_by_code on fan_checkouts (creator_id, code_id) where code_id is not null;

alter table passes
  -- What a code takes off, in words.
  add column discount text,
  -- The price that they were told they will pay, and when.
  add column moves_to uuid,
  add column moves_told_at timestamptz,
  add column move_mailed_at timestamptz;
create index passes_by_price on passes (creator_id, stripe_price_id) where source = 'stripe' and ended_at is null and cancel_at is null;
create index passes_moving on passes (renews_at) where moves_to is not null and ended_at is null;
