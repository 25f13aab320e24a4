create table plans (
  id text primary key,
  name text not null,
  -- Cents by billing interval, e.g. {"month": 2900, "year": 29000}; empty for a free plan.
  price jsonb not null default '{}'
);
insert into plans (id, name) values ('free-plan', 'Free');

create table creators (
  id uuid primary key,
  handle text not null,
  created_at timestamptz not null default now(),
  created_by uuid references users on delete set null
);
create unique index creators_by_handle on creators (lower(handle));
call protect_tenant_table('creators', 'id');

create table memberships (
  creator_id uuid not null references creators on delete cascade,
  id uuid not null,
  user_id uuid not null references users on delete cascade,
  role text not null check (role in ('owner', 'collaborator')),
  created_at timestamptz not null default now(),
  primary key (creator_id, id),
  unique (user_id, creator_id)
);
call protect_tenant_table('memberships');

create table subscriptions (
  creator_id uuid not null references creators on delete cascade,
  id uuid not null,
  plan_id text not null references plans,
  billing_interval text not null default 'month' check (billing_interval in ('month', 'year')),
  status text not null
    check (status in ('active', 'canceled', 'past_due', 'incomplete', 'incomplete_expired', 'trialing', 'unpaid')),
  cancel_at timestamptz,
  canceled_at timestamptz,
  stripe_subscription_id text not null,
  created_at timestamptz not null default now(),
  primary key (creator_id, id),
  unique (creator_id)
);
call protect_tenant_table('subscriptions');

-- Whose screens a session shows. A person removed from the creator falls back to another of hers.
alter table sessions add foreign key (current_creator_id) references creators on delete set null;
