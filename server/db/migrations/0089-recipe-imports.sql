-- A creator's whole blog, whose recipes are read in the background.
create table recipe_imports (
  creator_id uuid not null,
  id uuid not null,
  -- Origin of the blog.
  site text not null,
  state text not null default 'running',
  -- How its pages were found; null: they are still looked for.
  way text,
  -- Why it stopped, in words.
  failure text,
  made_at timestamptz not null,
  finished_at timestamptz,
  undo_began_at timestamptz,
  undone_at timestamptz,
  constraint recipe_imports_pkey primary key (creator_id, id),
  constraint recipe_imports_state_check check (state in ('running', 'paused', 'done', 'failed')),
  constraint recipe_imports_way_check check (way in ('plugin', 'wprm', 'sitemap')),
  constraint recipe_imports_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table recipe_imports is 'blogs whose recipes were brought in: address, when, what became of it | nobody | account';
call protect_tenant_table('recipe_imports');
grant select, insert, update on recipe_imports to creator_hq_app;

-- What was found there; those that wait are read next, so that it goes on where it was.
create table recipe_import_pages (
  creator_id uuid not null,
  import_id uuid not null,
  place integer not null,
  url text not null,
  state text not null default 'waiting',
  -- Of `READ_FAILURES` in contract/recipe-reading.ts.
  because text,
  -- A page that ends the program is left out in the end.
  tries smallint not null default 0,
  recipe_id uuid,
  -- Of the ingredients, as the import left them.
  version integer,
  found_at timestamptz not null,
  -- Null: nobody asked for it.
  undone boolean,
  constraint recipe_import_pages_pkey primary key (creator_id, import_id, place),
  constraint recipe_import_pages_state_check check (state in ('waiting', 'made', 'updated', 'same', 'no_recipe', 'not_read')),
  constraint recipe_import_pages_import_fkey foreign key (creator_id, import_id) references recipe_imports(creator_id, id) on delete cascade,
  constraint recipe_import_pages_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table recipe_import_pages is 'pages of blogs whose recipes were brought in, and what became of each | nobody | 60 days';
create index recipe_import_pages_by_age on recipe_import_pages (found_at);
call protect_tenant_table('recipe_import_pages');
grant select, insert, update, delete on recipe_import_pages to creator_hq_app;
