-- Custom Keywords: named sets of words that any automation can listen for.
create table keywords (
  creator_id uuid not null references creators on delete cascade,
  id uuid not null,
  name text not null,
  words text[] not null,
  mode text not null check (mode in ('whole_word', 'contains', 'exact', 'all_words')),
  excluded_words text[] not null default '{}',
  typo_tolerance boolean not null default true,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  archived_at timestamptz,
  primary key (creator_id, id)
);
create unique index keywords_by_name on keywords (creator_id, lower(name)) where archived_at is null;
call protect_tenant_table('keywords');

-- Custom Replies: texts with variants. Public replies are used by automations, messages are starting points for a text.
create table replies (
  creator_id uuid not null references creators on delete cascade,
  id uuid not null,
  name text not null,
  kind text not null check (kind in ('public_reply', 'message')),
  -- They take turns without repeats.
  texts text[] not null,
  -- For followers whose words told an automation their language: [{"language": "es", "texts": ["…"]}]
  translations jsonb not null default '[]',
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  archived_at timestamptz,
  primary key (creator_id, id)
);
create unique index replies_by_name on replies (creator_id, kind, lower(name)) where archived_at is null;
call protect_tenant_table('replies');
