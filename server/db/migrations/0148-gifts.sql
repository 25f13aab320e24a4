-- A membership for some months that one person pays for and another reads by; its pass has the same id.
create table gifts (
  creator_id uuid not null,
  id uuid not null,
  tier_id uuid not null,
  months smallint not null,
  -- In the smallest unit of the currency.
  amount integer not null,
  currency text not null,
  giver_email text not null,
  email text not null,
  words text not null,
  begins_at timestamptz not null,
  begun_at timestamptz not null,
  session_id text,
  state text not null default 'open',
  payment_intent text,
  -- Who got it, once it is paid.
  contact_id uuid,
  -- When the giver, and on its day who got it, were written to.
  thanked_at timestamptz,
  told_at timestamptz,
  constraint gifts_pkey primary key (creator_id, id),
  constraint gifts_state_check check (state in ('open', 'over', 'paid')),
  constraint gifts_paid_check check ((state = 'paid') = (payment_intent is not null)),
  constraint gifts_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade,
  constraint gifts_contact_fkey foreign key (creator_id, contact_id) references contacts(creator_id, id) on delete cascade,
  constraint gifts_tier_fkey foreign key (creator_id, tier_id) references tiers(creator_id, id) on delete cascade
);
comment on table gifts is 'memberships that were given: from which address to which, words, days, price | followers | 7 days if not paid, else 400 days after it began, at most with the contact';
create unique index gifts_by_session on gifts (creator_id, session_id) where session_id is not null;
create index gifts_by_payment on gifts (creator_id, payment_intent) where payment_intent is not null;
create index gifts_by_contact on gifts (creator_id, contact_id);
create index gifts_by_tier on gifts (creator_id, tier_id);
create index gifts_open on gifts (begun_at) where state = 'open';
create index gifts_to_come on gifts (begins_at) where state = 'paid' and told_at is null;
create index gifts_by_age on gifts (begun_at);
call protect_tenant_table('gifts');
grant select, insert, update, delete on gifts to creator_hq_app, creator_hq_engine;

alter table passes
  drop constraint passes_source_check,
  add constraint passes_source_check check (source in ('given', 'gift', 'stripe'));
create index passes_gifts on passes (creator_id, begins_at desc, contact_id desc) where source = 'gift' and ended_at is null;
