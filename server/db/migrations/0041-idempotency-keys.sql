-- Calls of the API that were made with an Idempotency-Key, so that the same call again makes nothing twice
-- (server/http/once.ts). A day old they go.
create table idempotency_keys (
  creator_id uuid not null references creators on delete cascade,
  id uuid not null,
  -- The token that called, or the person in the browser
  caller_id uuid not null,
  -- SHA-256: of the key, and of method, address and body
  key_hash text not null,
  request_hash text not null,
  created_at timestamptz not null,
  -- What was asked for stands in the database
  committed boolean not null default false,
  -- What was answered, sealed: it may hold a secret that is shown once. Null while the call is under way, and when its end was lost
  answer text,
  primary key (creator_id, id),
  unique (creator_id, caller_id, key_hash)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);
call protect_tenant_table('idempotency_keys');
grant select, insert, update, delete on idempotency_keys to creator_hq_app;
