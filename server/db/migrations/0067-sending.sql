-- Whom mails to readers are from.
create table senders (
  creator_id uuid not null,
  -- Null: the name of the creator's account.
  name text,
  -- Null: from the address that all mails come from.
  address text,
  reply_to text,
  postal_address text not null default '',
  updated_at timestamptz not null,
  constraint senders_pkey primary key (creator_id),
  constraint senders_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table senders is 'whom mails to readers are from: name, addresses | creator | with the creator';
call protect_tenant_table('senders');
grant select, insert, update on senders to creator_hq_app;

-- Domains that a creator's mails are signed for (DKIM).
create table sending_domains (
  creator_id uuid not null,
  id uuid not null,
  -- As DNS writes it: lower case, punycode.
  domain text not null,
  selector text not null,
  -- Sealed.
  private_key text not null,
  public_key text not null,
  state text not null default 'waiting',
  -- What name servers said, as contract/sending.ts has it; null: not asked yet.
  seen jsonb,
  added_at timestamptz not null,
  checked_at timestamptz,
  due_at timestamptz not null,
  -- Since when a verified one was not found any more.
  missing_since timestamptz,
  constraint sending_domains_pkey primary key (creator_id, id),
  constraint sending_domains_once unique (creator_id, domain),
  constraint sending_domains_state_check check (state in ('waiting', 'verified', 'shaky')),
  constraint sending_domains_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table sending_domains is 'domains that mails are signed for: sealed keys, what DNS said | creator | until removed, or with the creator';
create index sending_domains_due on sending_domains (due_at);
call protect_tenant_table('sending_domains');
grant select, insert, update, delete on sending_domains to creator_hq_app;
