-- A connection is one connected platform account (an Instagram professional account, a Facebook Page).
create table connections (
  creator_id uuid not null references creators on delete cascade,
  id uuid not null,
  platform text not null check (platform in ('instagram', 'facebook')),
  -- Instagram: the professional account id (17841…), equal to a webhook's entry.id. Facebook: the Page id.
  account_id text not null,
  -- Which of the 16 shards works its events and lanes; server/engine/shards.ts computes the same.
  shard smallint not null generated always as (('x' || substr(md5(account_id), 1, 1))::bit(4)::integer) stored,
  -- Instagram Login's second, app-scoped id; deauthorize and data-deletion calls name it.
  app_scoped_id text,
  -- Facebook Login: the person who granted the Page, by her app-scoped id.
  facebook_user_id text,
  -- The Page whose token speaks for this account; null for an account connected by Instagram Login.
  page_id text,
  username text not null,
  name text,
  avatar_url text,
  followers_count bigint,
  account_type text,
  missing_permissions text[] not null default '{}',
  missing_webhooks text[] not null default '{}',
  webhooks_checked_at timestamptz,
  -- Meta had unsubscribed us in silence and we subscribed again.
  webhooks_repaired_at timestamptz,
  -- The last health check, whether it came to something or not.
  checked_at timestamptz,
  figures_refreshed_at timestamptz,
  -- Meta refuses the token: nothing is sent until the creator signs in again.
  requires_auth_at timestamptz,
  requires_auth_reason text,
  -- Meta barred the account from messaging for a while.
  barred_until timestamptz,
  barred_count integer not null default 0,
  connected_at timestamptz not null,
  connected_by uuid references users on delete set null,
  disconnected_at timestamptz,
  disconnected_reason text,
  primary key (creator_id, id)
);
-- An account answers for one creator at a time: a webhook names the account, never the creator.
create unique index connections_one_creator_each on connections (platform, account_id) where disconnected_at is null;
call protect_tenant_table('connections');

create table tokens (
  creator_id uuid not null references creators on delete cascade,
  id uuid not null,
  kind text not null check (kind in ('FACEBOOK_BUSINESS_USER', 'FACEBOOK_BUSINESS_PAGE', 'INSTAGRAM_BUSINESS_USER')),
  -- The person, Page or Instagram account the token speaks for, by Meta's id.
  subject_id text not null,
  -- AES-256-GCM: key id, nonce, ciphertext and tag, see server/platforms/secrets.
  secret text not null,
  scopes text[] not null default '{}',
  issued_at timestamptz not null,
  expires_at timestamptz,
  refreshed_at timestamptz,
  invalid_at timestamptz,
  invalid_reason text,
  primary key (creator_id, id),
  unique (creator_id, kind, subject_id)
);
-- Deauthorize and data-deletion calls name a person, never a creator.
create index connections_by_app_scoped_id on connections (app_scoped_id) where app_scoped_id is not null;
create index connections_by_facebook_user on connections (facebook_user_id) where facebook_user_id is not null;
create index connections_by_check on connections (checked_at nulls first) where disconnected_at is null;

create index tokens_by_expiry on tokens (expires_at) where invalid_at is null;
call protect_tenant_table('tokens');

-- One row per sign-in at Meta under way.
create table oauth_attempts (
  -- SHA-256 over the state in the address and the secret in the browser's cookie: neither alone finds the row.
  state_hash text primary key,
  user_id uuid not null references users on delete cascade,
  session_id uuid not null,
  creator_id uuid not null references creators on delete cascade,
  login text not null check (login in ('instagram', 'facebook')),
  code_verifier text,
  return_to text,
  created_at timestamptz not null,
  expires_at timestamptz not null
);

-- Meta's data-deletion callback promises a page that tells the status.
create table data_deletions (
  confirmation_code text primary key,
  -- Forgotten when the deletion is done.
  platform_user_id text,
  requested_at timestamptz not null,
  finished_at timestamptz
);

create table posts (
  creator_id uuid not null references creators on delete cascade,
  -- Meta's media id: webhooks and interactions name posts by it, also before the first sync.
  id text not null,
  connection_id uuid not null,
  caption text not null default '',
  media_type text,
  product_type text,
  permalink text,
  picture_url text,
  comments_count bigint,
  like_count bigint,
  posted_at timestamptz not null,
  synced_at timestamptz not null,
  gone_at timestamptz,
  primary key (creator_id, id),
  foreign key (creator_id, connection_id) references connections on delete cascade
);
create index posts_newest on posts (creator_id, posted_at desc, id desc);
call protect_tenant_table('posts');
