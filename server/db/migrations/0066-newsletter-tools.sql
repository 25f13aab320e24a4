-- Newsletter tools that a creator connected: Kit, Mailchimp.
create table data_integrations (
  creator_id uuid not null,
  id uuid not null,
  tool text not null,
  -- The creator's API key there, sealed.
  secret text not null,
  account_name text not null,
  target_id text,
  target_name text,
  state text not null,
  -- Why it is not on, or cannot be reached, in words.
  because text,
  -- In a row, of the tool as a whole; the next try.
  failures integer not null default 0,
  paused_until timestamptz,
  -- Of the last minute: when, and how many.
  recent_calls jsonb not null default '[]',
  -- Where it tells us of changes: its name there, what signs them (sealed), and the secret part of our address.
  hook_id text,
  hook_secret text,
  hook_token text not null,
  asked_at timestamptz not null,
  connected_at timestamptz not null,
  connected_by uuid,
  constraint data_integrations_pkey primary key (creator_id, id),
  constraint data_integrations_one unique (creator_id, tool),
  constraint data_integrations_token unique (hook_token),
  constraint data_integrations_tool_check check (tool in ('kit', 'mailchimp')),
  constraint data_integrations_state_check check (state in ('on', 'off', 'reconnect')),
  constraint data_integrations_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table data_integrations is 'newsletter tools: sealed API key, account name there, tag or audience | team | until disconnected, or with the creator';
call protect_tenant_table('data_integrations');
grant select, insert, update, delete on data_integrations to creator_hq_app;

-- What each tool knows of each contact, and what it is still to be told.
create table integration_contacts (
  creator_id uuid not null,
  integration_id uuid not null,
  -- No foreign key: it stays until an erased contact is gone from the tool as well.
  contact_id uuid not null,
  remote_id text,
  state text not null,
  -- A hash of what was last sent; `left`: that they get no newsletter.
  sent text,
  failure text,
  due_at timestamptz not null,
  sent_at timestamptz,
  constraint integration_contacts_pkey primary key (creator_id, integration_id, contact_id),
  constraint integration_contacts_state_check check (state in ('waiting', 'sent', 'failed', 'removing')),
  constraint integration_contacts_integration_fkey foreign key (creator_id, integration_id) references data_integrations(creator_id, id) on delete cascade,
  constraint integration_contacts_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table integration_contacts is 'which contacts a newsletter tool knows, its id of them, what failed | followers | until erased there, or the tool is disconnected';
create index integration_contacts_due on integration_contacts (creator_id, integration_id, due_at, contact_id) where state in ('waiting', 'removing');
create index integration_contacts_by_contact on integration_contacts (creator_id, contact_id);
create index integration_contacts_failed on integration_contacts (creator_id, integration_id, contact_id) where state = 'failed';
call protect_tenant_table('integration_contacts');
grant select, insert, update, delete on integration_contacts to creator_hq_app;

-- Events of tools that were read; they tell the same one again.
create table integration_events (
  creator_id uuid not null,
  integration_id uuid not null,
  event_id text not null,
  read_at timestamptz not null,
  constraint integration_events_pkey primary key (creator_id, integration_id, event_id),
  constraint integration_events_integration_fkey foreign key (creator_id, integration_id) references data_integrations(creator_id, id) on delete cascade,
  constraint integration_events_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table integration_events is 'ids of events that newsletter tools told | nobody | 30 days';
create index integration_events_by_age on integration_events (read_at);
call protect_tenant_table('integration_events');
grant select, insert on integration_events to creator_hq_app;
