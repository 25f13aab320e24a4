-- Members who come with a file from another tool: judged before anything is changed, then let in until what they paid there is over.
create table member_moves (
  creator_id uuid not null,
  id uuid not null,
  state text not null default 'ready',
  file_name text not null,
  -- Where it comes from, as members are told; null: another one.
  tool text,
  -- Names in the file's order, and what each is used for.
  columns jsonb not null,
  uses jsonb not null,
  -- Which tier here each name of the file is.
  tiers jsonb not null default '{}',
  row_count integer not null,
  -- The last line that was written.
  done_to integer not null default 0,
  made_by uuid,
  made_at timestamptz not null,
  finished_at timestamptz,
  constraint member_moves_pkey primary key (creator_id, id),
  constraint member_moves_state_check check (state in ('ready', 'running', 'done', 'undone')),
  constraint member_moves_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table member_moves is 'files of members from other tools: name, columns, tiers | team | with the creator; 7 days if it never ran';
create index member_moves_by_age on member_moves (made_at);
call protect_tenant_table('member_moves');
grant select, insert, update, delete on member_moves to creator_hq_app, creator_hq_engine;

create table member_move_rows (
  creator_id uuid not null,
  move_id uuid not null,
  -- Of the file, where the row ends.
  line integer not null,
  cells jsonb not null,
  email text,
  email_key text,
  name text,
  tier_name text not null default '',
  tier_id uuid,
  billing_interval text,
  paid_until timestamptz,
  -- As it would be; once it ran, as it came to be.
  verdict text not null,
  why text,
  pass_id uuid,
  mailed_at timestamptz,
  made_at timestamptz not null,
  constraint member_move_rows_pkey primary key (creator_id, move_id, line),
  constraint member_move_rows_move_fkey foreign key (creator_id, move_id) references member_moves(creator_id, id) on delete cascade,
  constraint member_move_rows_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table member_move_rows is 'rows of files of members: address, name, until when they paid, what became of them | followers | 7 days';
create index member_move_rows_to_mail on member_move_rows (creator_id, move_id, line) where pass_id is not null and mailed_at is null;
create index member_move_rows_by_key on member_move_rows (creator_id, email_key) where email_key is not null;
create index member_move_rows_by_age on member_move_rows (made_at);
call protect_tenant_table('member_move_rows');
grant select, insert, update, delete on member_move_rows to creator_hq_app, creator_hq_engine;

-- With which file they came, paid for elsewhere until it ends: a membership that they begin here is not charged before.
alter table passes add column move_id uuid;
create index passes_by_move on passes (creator_id, move_id) where move_id is not null;
