-- A file of contacts: read, judged before anything is changed, run in steps, and undone where nobody touched a contact since.
create table imports (
  creator_id uuid not null,
  id uuid not null,
  state text not null default 'reading',
  -- The whole file has arrived.
  is_read boolean not null default false,
  file_name text not null,
  -- The tool it seems to come from; null: unknown.
  tool text,
  -- Names in the file's order, and what each is used for.
  columns jsonb not null default '[]',
  uses jsonb not null default '[]',
  has_header boolean not null default true,
  row_count integer not null default 0,
  -- The last line that was parsed (reading) and written (running).
  parsed_to integer not null default 0,
  done_to integer not null default 0,
  done_count integer not null default 0,
  -- How many rows became what: before, and as it came to be.
  counts jsonb,
  result jsonb,
  -- How they agreed, in the creator's words.
  agreed text,
  wants_newsletter boolean not null default false,
  attested boolean not null default false,
  made_by uuid,
  made_at timestamptz not null,
  run_at timestamptz,
  finished_at timestamptz,
  undo_until timestamptz,
  undo_began_at timestamptz,
  undone_at timestamptz,
  undone jsonb,
  failure text,
  constraint imports_pkey primary key (creator_id, id),
  constraint imports_state_check check (state in ('reading', 'ready', 'running', 'done', 'cancelled', 'failed')),
  constraint imports_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table imports is 'imported files: name, columns, figures, how people agreed | team | with the creator; 1 day if it never ran';
create index imports_by_age on imports (made_at);
call protect_tenant_table('imports');
grant select, insert, update, delete on imports to creator_hq_app;

create table import_rows (
  creator_id uuid not null,
  import_id uuid not null,
  -- Of the file, where the row ends.
  line integer not null,
  cells jsonb,
  email text,
  email_key text,
  email_hash text,
  gmail_mailbox text,
  name text,
  name_key text,
  -- What the file itself says: `confirmed`, `unconfirmed`, `left`.
  said text,
  agreed_at timestamptz,
  is_role boolean not null default false,
  suggestion text,
  verdict text,
  why text,
  -- What the run made of it.
  outcome text,
  contact_id uuid,
  consent_id uuid,
  -- The contact as it was, but for a name; null: it is a new one.
  before jsonb,
  -- Of what the run wrote: whoever has another by then was touched.
  fingerprint text,
  undone boolean,
  -- Texts are gone; ids are left for undoing.
  is_cleared boolean not null default false,
  made_at timestamptz not null,
  constraint import_rows_pkey primary key (creator_id, import_id, line),
  constraint import_rows_import_fkey foreign key (creator_id, import_id) references imports(creator_id, id) on delete cascade,
  constraint import_rows_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table import_rows is 'rows of imported files: address, name, what became of them | followers | 1 day; ids for undoing 8 days';
create index import_rows_by_key on import_rows (creator_id, import_id, email_key, line) where email_key is not null;
create index import_rows_by_contact on import_rows (creator_id, contact_id) where contact_id is not null;
create index import_rows_by_age on import_rows (made_at);
call protect_tenant_table('import_rows');
grant select, insert, update, delete on import_rows to creator_hq_app;
