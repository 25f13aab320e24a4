-- Recipes of some days with one shopping list, and what of them people see.
create table meal_plans (
  creator_id uuid not null,
  id uuid not null,
  version integer not null default 1,
  name text not null,
  note text not null,
  picture_url text,
  kind text not null,
  -- The date of a week's first day; null: a week of any time.
  starts_on date,
  -- Names of what a free plan is divided into.
  sections jsonb not null,
  meals jsonb not null,
  -- What is changed in the list of this plan alone, on top of its recipes.
  changes jsonb not null,
  list_code text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  bytes integer not null generated always as (octet_length(note) + octet_length(meals::text) + octet_length(changes::text)) stored,
  constraint meal_plans_pkey primary key (creator_id, id),
  constraint meal_plans_list_code_key unique (list_code),
  constraint meal_plans_kind_check check (kind in ('week', 'free')),
  constraint meal_plans_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table meal_plans is 'meal plans: names, notes, meals, changes of their lists | nobody | account';
create unique index meal_plans_by_name on meal_plans (creator_id, lower(name));
create index meal_plans_last_changed on meal_plans (creator_id, updated_at desc, id desc);
create index meal_plans_by_recipe on meal_plans using gin (meals jsonb_path_ops);
call protect_tenant_table('meal_plans');
grant select, insert, update, delete on meal_plans to creator_hq_app;

create table published_meal_plans (
  creator_id uuid not null,
  meal_plan_id uuid not null,
  -- All that the page shows: nothing that changes later shows in it.
  content jsonb not null,
  published_at timestamptz not null,
  bytes integer not null generated always as (octet_length(content::text)) stored,
  constraint published_meal_plans_pkey primary key (creator_id, meal_plan_id),
  constraint published_meal_plans_plan_fkey foreign key (creator_id, meal_plan_id) references meal_plans(creator_id, id) on delete cascade,
  constraint published_meal_plans_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table published_meal_plans is 'meal plans as people see them | nobody | until taken back';
call protect_tenant_table('published_meal_plans');
grant select, insert, update, delete on published_meal_plans to creator_hq_app;

alter table links add column meal_plan_id uuid;
create unique index links_of_meal_plans on links (creator_id, meal_plan_id, part) where meal_plan_id is not null;
