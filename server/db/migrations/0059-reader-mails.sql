-- A mail to a reader: ids and facts. It is laid out at the moment of sending, from what is true then.
create table reader_mails (
  creator_id uuid not null,
  id uuid not null,
  contact_id uuid not null,
  kind text not null,
  -- The page and the recipe that were saved, as the blog named them; null: it is about none.
  about jsonb,
  -- The newsletter question that goes along, as the reader saw it; null: none.
  question text,
  submission_id uuid,
  -- Mails to one mail server are paced together.
  recipient_domain text not null,
  state text not null default 'waiting',
  created_at timestamptz not null,
  due_at timestamptz not null,
  lease_id uuid,
  attempts integer not null default 0,
  -- How often its sender died before it could note the answer: it may have arrived so many times more.
  unnoted integer not null default 0,
  last_failure text,
  finished_at timestamptz,
  constraint reader_mails_pkey primary key (creator_id, id),
  constraint reader_mails_kind_check check (kind in ('save', 'confirmation')),
  constraint reader_mails_state_check check (state in ('waiting', 'sending', 'accepted', 'delivered', 'deferred', 'bounced',
    'complained', 'held', 'suppressed', 'failed', 'cancelled', 'expired')),
  constraint reader_mails_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade,
  constraint reader_mails_contact_id_fkey foreign key (creator_id, contact_id) references contacts(creator_id, id) on delete cascade
);
comment on table reader_mails is 'mails to readers: what they are about, their fate | followers | 13 months; at most with the contact';
create index reader_mails_to_send on reader_mails (recipient_domain, creator_id, due_at, id) where state = 'waiting';
create index reader_mails_sending on reader_mails (recipient_domain) where state = 'sending';
create index reader_mails_by_contact on reader_mails (creator_id, contact_id);
create index reader_mails_ended on reader_mails (finished_at) where state in ('bounced', 'failed', 'expired');
create index reader_mails_newest on reader_mails (created_at);
call protect_tenant_table('reader_mails');
grant delete, insert, select, update on reader_mails to creator_hq_app;

-- The one tap that says yes to the newsletter. Its id is the mail's that asked.
create table confirmations (
  creator_id uuid not null,
  id uuid not null,
  contact_id uuid not null,
  token_hash text not null,
  -- Of a link in the same mail that only programs follow.
  tripwire_hash text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  tripped_at timestamptz,
  tripped_network text,
  -- The page was open before somebody's eyes; counts after a quiet minute.
  opened_at timestamptz,
  confirmed_at timestamptz,
  constraint confirmations_pkey primary key (creator_id, id),
  constraint confirmations_token_hash_key unique (token_hash),
  constraint confirmations_tripwire_hash_key unique (tripwire_hash),
  constraint confirmations_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade,
  constraint confirmations_contact_id_fkey foreign key (creator_id, contact_id) references contacts(creator_id, id) on delete cascade
);
comment on table confirmations is 'hashes of links that confirm a newsletter sign-up | followers | 30 days after they end; at most with the contact';
create index confirmations_by_contact on confirmations (creator_id, contact_id);
create index confirmations_opened on confirmations (opened_at) where opened_at is not null and confirmed_at is null;
create index confirmations_by_age on confirmations (expires_at);
call protect_tenant_table('confirmations');
grant select, update on confirmations to creator_hq_app;
