-- Mail servers of creators' own: their mails to readers leave through these instead of the shared one.
create table mail_servers (
  creator_id uuid not null,
  id uuid not null,
  host text not null,
  port integer not null,
  security text not null,
  username text not null,
  -- Sealed.
  password text not null,
  changed_at timestamptz not null,
  -- Since when it takes nothing, what it said then, how often in a row, and until when it is left alone. Null: it works.
  failing_since timestamptz,
  failure text,
  failures integer not null default 0,
  paused_until timestamptz,
  -- It does not get well by itself: owners were told.
  needs_owner boolean not null default false,
  constraint mail_servers_pkey primary key (creator_id, id),
  constraint mail_servers_one unique (creator_id),
  constraint mail_servers_security_check check (security in ('tls', 'starttls', 'none')),
  constraint mail_servers_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table mail_servers is 'a creator’s own mail server: name, login (sealed password), what it said when it failed | creator | until removed, or with the creator';
call protect_tenant_table('mail_servers');
grant select, insert, update, delete on mail_servers to creator_hq_app;

-- What was last seen of the operator's own mail server, return path and bounce mailbox.
create table mail_checks (
  name text primary key,
  state text not null,
  says text not null,
  checked_at timestamptz not null,
  -- Of a mail to ourselves that is on its way: by what it is known, and since when.
  token text,
  sent_at timestamptz,
  constraint mail_checks_name_check check (name in ('relay', 'spf', 'round_trip')),
  constraint mail_checks_state_check check (state in ('fine', 'waiting', 'trouble'))
);
comment on table mail_checks is 'whether the operator’s mail server, SPF record and bounce mailbox work | nobody | for good, a row each';
