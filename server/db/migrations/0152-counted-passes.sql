-- What figures of members are made of, changed with every pass: see server/features/fans/pass-counts.ts.
create table pass_counts (
  creator_id uuid not null,
  counted text not null,
  -- A tier, or a currency.
  of text not null,
  -- The last one on which they read, `infinity` for good; or on which they joined or left.
  day date not null,
  n integer not null,
  -- What is paid a year.
  amount bigint not null,
  constraint pass_counts_pkey primary key (creator_id, counted, of, day),
  constraint pass_counts_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table pass_counts is 'how many read, pay, joined and left, by day | nobody | with the creator';
call protect_tenant_table('pass_counts');
grant select, insert, update, delete on pass_counts to creator_hq_app, creator_hq_engine;
create index passes_by_end on passes (creator_id, ends_at) where ended_at is null;
drop index passes_by_tier;
create index passes_by_tier on passes (creator_id, tier_id, source);

with passes_as_counted as (
  select p.*, ended_at is null as is_open, (coalesce(ends_at, 'infinity') at time zone 'UTC')::date as last_day from passes p
), parts as (
  select creator_id, 'member' as counted, '' as of, max(last_day) as day, 1 as n, 0 as amount
    from passes_as_counted where is_open group by creator_id, contact_id
  union all select creator_id, 'tier', tier_id::text, max(last_day), 1, 0
    from passes_as_counted where is_open group by creator_id, contact_id, tier_id
  union all select creator_id, 'paying', currency, last_day, 1, amount * case billing_interval when 'year' then 1 else 12 end
    from passes_as_counted where is_open and source = 'stripe' and status <> 'trialing'
  union all select creator_id, 'late', '', 'infinity', 1, 0 from passes_as_counted where is_open and late_since is not null
  union all select creator_id, 'joined', '', (begins_at at time zone 'UTC')::date, 1, 0 from passes_as_counted where source = 'stripe'
  union all select creator_id, 'left', '', (ended_at at time zone 'UTC')::date, 1, 0
    from passes_as_counted where source = 'stripe' and not is_open
)
insert into pass_counts select creator_id, counted, of, day, sum(n), sum(amount) from parts group by 1, 2, 3, 4;
