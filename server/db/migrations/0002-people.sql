-- People and how they sign in. Sign-in (better-auth) works through the engine role; see server/features/people.
create table users (
  id uuid primary key,
  name text not null,
  email text not null unique,
  email_verified boolean not null default false,
  image text,
  is_admin boolean not null default false,
  two_factor_enabled boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table sessions (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  token text not null unique,
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  current_creator_id uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index sessions_by_user on sessions (user_id);

create table credentials (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  account_id text not null,
  provider_id text not null,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  password text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (provider_id, account_id)
);
create index credentials_by_user on credentials (user_id);

create table verifications (
  id uuid primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index verifications_by_identifier on verifications (identifier);

create table two_factors (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  secret text not null,
  backup_codes text not null,
  verified boolean not null default true,
  failed_verification_count integer not null default 0,
  locked_until timestamptz
);
create unique index two_factors_by_user on two_factors (user_id);

-- Links that we mailed: confirm an address, set a new password. Each works once.
create table emailed_links (
  -- SHA-256 of the link's token: who reads this table cannot use the links.
  token_hash text primary key,
  purpose text not null check (purpose in ('confirm_email', 'reset_password')),
  -- Null for an address that nobody has: asking costs the same time whether it is known or not.
  user_id uuid references users on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index emailed_links_by_user on emailed_links (user_id);

-- Counts tries at passwords, codes and links, see server/features/people/guessing.ts. Losing it in a crash is fine.
create unlogged table tries (
  key text primary key,
  count integer not null,
  ends_at timestamptz not null
);

-- Requests of creators run as creator_hq_app. Nothing there reads secrets of people.
revoke all on users, sessions, credentials, verifications, two_factors, emailed_links, tries from creator_hq_app;
grant select (id, name, email, image) on users to creator_hq_app;
