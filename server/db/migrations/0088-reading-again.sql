-- What the page of a recipe said when it was read last, by the way it was read: only what changed there since is taken over.
create table recipe_readings (
  creator_id uuid not null,
  recipe_id uuid not null,
  -- The blog's plugin, the page itself and a glance at it may say the same in other words.
  way text not null,
  -- As `SourceLine` in contract/ingredients/merging-readings.ts.
  lines jsonb not null,
  read_at timestamptz not null,
  constraint recipe_readings_pkey primary key (creator_id, recipe_id, way),
  constraint recipe_readings_way_check check (way in ('plugin', 'page', 'guard')),
  constraint recipe_readings_recipe_fkey foreign key (creator_id, recipe_id) references recipes(creator_id, id) on delete cascade,
  constraint recipe_readings_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table recipe_readings is 'ingredients of recipes as their pages said them last | nobody | account';
call protect_tenant_table('recipe_readings');
grant select, insert, update, delete on recipe_readings to creator_hq_app;

-- Each time a page changed a recipe without the creator: what it was before, to undo it.
create table recipe_syncs (
  creator_id uuid not null,
  recipe_id uuid not null,
  id uuid not null,
  -- Of the ingredients; 0 before: there were none.
  version_before integer not null,
  version_after integer not null,
  -- Whose reading it was.
  made_by text not null,
  made_at timestamptz not null,
  changed smallint not null,
  added smallint not null,
  removed smallint not null,
  waiting smallint not null,
  -- As contract/recipe-ingredients.ts says.
  before jsonb not null,
  constraint recipe_syncs_pkey primary key (creator_id, id),
  constraint recipe_syncs_made_by_check check (made_by in ('plugin', 'guard', 'import')),
  constraint recipe_syncs_recipe_fkey foreign key (creator_id, recipe_id) references recipes(creator_id, id) on delete cascade,
  constraint recipe_syncs_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table recipe_syncs is 'ingredients of recipes before their pages changed them | nobody | 30 days';
create index recipe_syncs_of_recipe on recipe_syncs (creator_id, recipe_id, version_after);
create index recipe_syncs_by_age on recipe_syncs (made_at);
call protect_tenant_table('recipe_syncs');
grant select, insert, update, delete on recipe_syncs to creator_hq_app;
