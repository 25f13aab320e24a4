-- What a creator's money lines come to, by month of UTC: added with them, as lines never change.
create table money_sums (
  creator_id uuid not null,
  month text not null,
  currency text not null,
  figure text not null,
  amount bigint not null,
  constraint money_sums_pkey primary key (creator_id, month, currency, figure),
  constraint money_sums_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table money_sums is 'sums of money lines by month | nobody | with the creator';
call protect_tenant_table('money_sums');
grant select on money_sums to creator_hq_app;
grant select, insert, update, delete on money_sums to creator_hq_engine;
create index money_lines_refunds on money_lines (creator_id, at desc, id desc) where category = 'refund';
create index money_lines_disputes on money_lines (creator_id, at desc, id desc) where category in ('dispute', 'dispute_reversal');
create index money_lines_paid_out on money_lines (creator_id, at desc, id desc) where category in ('payout', 'payout_reversal');
create index money_lines_our_fee on money_lines (creator_id, at desc, id desc) where our_fee <> 0;
create index money_lines_other on money_lines (creator_id, at desc, id desc)
  where not is_ours or category not in ('charge', 'refund', 'dispute', 'dispute_reversal');

insert into money_sums
select creator_id, to_char(at at time zone 'UTC', 'YYYY-MM'), currency, figure, sum(part.amount)
from money_lines, lateral (values
  ('gross', case when is_ours and category = 'charge' then amount end),
  ('refunds', case when is_ours and category = 'refund' then amount end),
  ('disputes', case when is_ours and category in ('dispute', 'dispute_reversal') then amount end),
  ('stripeFees', case when is_ours then -stripe_fee end),
  ('ourFee', case when is_ours then -our_fee end),
  ('other', case when category not in ('payout', 'payout_reversal')
    and (not is_ours or category not in ('charge', 'refund', 'dispute', 'dispute_reversal'))
    then case when is_ours then amount else net end end),
  ('net', case when category not in ('payout', 'payout_reversal') then net end),
  ('paidOut', case when category in ('payout', 'payout_reversal') then net end)
) as part (figure, amount)
group by 1, 2, 3, 4 having sum(part.amount) is not null;

-- The last code that was mailed to a member.
create index mails_fan_codes on mails (about_creator_id, recipient, created_at desc, id desc) where kind = 'fan_code';
