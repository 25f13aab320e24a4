-- What moved the balance of a creator's Stripe account, added as it comes and never changed.
create table money_lines (
  creator_id uuid not null,
  -- Stripe's.
  id text not null,
  at timestamptz not null,
  category text not null,
  -- In the smallest unit of the currency.
  amount bigint not null,
  stripe_fee bigint not null,
  our_fee bigint not null,
  net bigint not null,
  currency text not null,
  -- Of a member; else of something else that they sell there.
  is_ours boolean not null,
  -- Of refunds and disputes, too.
  charge text,
  contact_id uuid,
  constraint money_lines_pkey primary key (creator_id, id),
  constraint money_lines_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table money_lines is 'what moved the balance of a creator''s Stripe account: amounts, fees, days, from which member | followers, creator | with the creator; from whom, with the contact';
create index money_lines_newest on money_lines (creator_id, at desc, id desc);
create index money_lines_by_contact on money_lines (creator_id, contact_id) where contact_id is not null;
create index money_lines_by_charge on money_lines (creator_id, charge) where charge is not null;
call protect_tenant_table('money_lines');
grant select, update on money_lines to creator_hq_app;
grant select, insert, update, delete on money_lines to creator_hq_engine;

-- What Stripe pays out to a creator's bank.
create table payouts (
  creator_id uuid not null,
  id text not null,
  amount bigint not null,
  currency text not null,
  status text not null,
  arrives_at timestamptz not null,
  made_at timestamptz not null,
  -- In Stripe's words.
  failure text,
  constraint payouts_pkey primary key (creator_id, id),
  constraint payouts_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table payouts is 'what Stripe pays out to a creator''s bank: amounts, days, why not | creator | with the creator';
create index payouts_newest on payouts (creator_id, made_at desc, id desc);
call protect_tenant_table('payouts');
grant select on payouts to creator_hq_app;
grant select, insert, update, delete on payouts to creator_hq_engine;

alter table stripe_accounts
  add column last_line text,
  -- By currency: available and pending together.
  add column balance jsonb,
  add column balance_at timestamptz;
