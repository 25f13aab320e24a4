-- Words that a creator's recipes use in a sense of their own, learned once for all of them.
create table ingredient_words (
  creator_id uuid not null,
  id uuid not null,
  -- As contract/ingredients/own-words.ts says.
  kind text not null,
  name text not null,
  means text not null default '',
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint ingredient_words_pkey primary key (creator_id, id),
  constraint ingredient_words_kind_check check (kind in ('unit', 'food', 'brand', 'preparation', 'ignore', 'alias')),
  constraint ingredient_words_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table ingredient_words is 'words of ingredients that the creator taught | nobody | account';
create unique index ingredient_words_by_name on ingredient_words (creator_id, lower(name));
call protect_tenant_table('ingredient_words');
grant select, insert, update, delete on ingredient_words to creator_hq_app;
