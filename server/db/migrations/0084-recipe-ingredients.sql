-- What recipes need, line by line, and the list that shoppers open: it stays when its recipe is deleted.
create table recipe_ingredients (
  creator_id uuid not null,
  recipe_id uuid not null,
  -- Of the list: /s/CODE.
  list_code text not null,
  servings smallint,
  minutes smallint,
  measures text not null,
  language text not null,
  -- As contract/recipe-ingredients.ts says.
  lines jsonb not null,
  steps text[] not null default '{}',
  line_count smallint not null,
  to_check smallint not null,
  -- Names of the foods, to be searched.
  foods text not null,
  version integer not null default 1,
  updated_at timestamptz not null,
  -- Its name, address and picture when it was deleted.
  deleted_recipe jsonb,
  bytes integer not null generated always as (octet_length(lines::text) + text_bytes(steps)) stored,
  constraint recipe_ingredients_pkey primary key (creator_id, recipe_id),
  constraint recipe_ingredients_list_code_key unique (list_code),
  constraint recipe_ingredients_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table recipe_ingredients is 'ingredients of recipes, and the lists that messages lead to | nobody | account';
call protect_tenant_table('recipe_ingredients');
grant select, insert, update, delete on recipe_ingredients to creator_hq_app;

-- False: its list is its page, and the address is the list's.
alter table recipes add column has_page boolean not null default true;

-- "list": the shopping list of its recipe, which stays where the recipe's page moves.
alter table links add column part text;
-- Of no automation: the list itself ("list"), and each shop that it led to ("shop ID"); taps of them are counted as of any link.
create unique index links_of_list on links (creator_id, recipe_id, part) where automation_id is null and part_of is null;
