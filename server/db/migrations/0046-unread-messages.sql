-- Messages of which a webhook told no more than their id, until they were read at the platform (features/catch-up/unread-messages.ts).
create table unread_messages (
  creator_id uuid not null references creators on delete cascade,
  connection_id uuid not null,
  mid text not null,
  -- Another app answers in that conversation
  standby boolean not null,
  received_at timestamptz not null,
  next_at timestamptz not null,
  failures smallint not null default 0,
  primary key (creator_id, connection_id, mid),
  foreign key (creator_id, connection_id) references connections on delete cascade
);
create index unread_messages_due on unread_messages (next_at);
call protect_tenant_table('unread_messages');
