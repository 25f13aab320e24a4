-- A check found what no event had told.
alter table stripe_customers add column repaired_at timestamptz;
comment on column stripe_customers.repaired_at is 'when a check last found the copy to be other than Stripe, and mended it';

-- Those who pay a price of before, and were told that they will pay the present one.
create table price_moves (
  creator_id uuid not null,
  stripe_price_id text not null,
  cents integer not null,
  told_at timestamptz not null,
  mailed_at timestamptz,
  constraint price_moves_pkey primary key (creator_id),
  constraint price_moves_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table price_moves is 'the price that a creator was told they will pay, and when | creator | account';
call protect_tenant_table('price_moves');
grant select on price_moves to creator_hq_app;
grant select, insert, update, delete on price_moves to creator_hq_engine;
