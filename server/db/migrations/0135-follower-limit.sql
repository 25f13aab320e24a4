create table follower_days (
  creator_id uuid not null,
  connection_id uuid not null,
  day date not null,
  followers integer not null,
  constraint follower_days_pkey primary key (creator_id, connection_id, day),
  constraint follower_days_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade,
  constraint follower_days_connection_fkey foreign key (creator_id, connection_id)
    references connections(creator_id, id) on delete cascade
);
comment on table follower_days is 'how many followers an account had, once a day | creator | 60 days';
create index follower_days_by_day on follower_days (day);
call protect_tenant_table('follower_days');
grant select on follower_days to creator_hq_app;
grant select, insert, update, delete on follower_days to creator_hq_engine;

-- Creators whom the free plan is not for, or soon will not be.
create table follower_limits (
  creator_id uuid not null,
  checked_on date not null,
  -- Two daily readings in a row were at or over the limit.
  crossed_at timestamptz,
  -- How many of the mails about it went out, and when the mail server took the first.
  mails smallint not null default 0,
  accepted_at timestamptz,
  -- Since then new comments are not answered.
  limited_since timestamptz,
  -- At their pace they pass it then.
  forecast_on date,
  foretold_at timestamptz,
  constraint follower_limits_pkey primary key (creator_id),
  constraint follower_limits_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table follower_limits is 'where a creator stands before the free plan''s limit | creator | account';
create index follower_limits_crossed on follower_limits (crossed_at) where crossed_at is not null;
call protect_tenant_table('follower_limits');
grant select on follower_limits to creator_hq_app;
grant select, insert, update, delete on follower_limits to creator_hq_engine;
