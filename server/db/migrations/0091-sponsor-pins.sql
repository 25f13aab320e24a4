-- Products of sponsors, which lists show for a food and a time.
create table sponsor_pins (
  creator_id uuid not null,
  id uuid not null,
  version integer not null default 1,
  -- As the creator names them, and as lists tell them apart.
  foods text[] not null,
  food_keys text[] not null,
  -- Null: of every recipe.
  recipe_ids uuid[],
  product text not null,
  upcs text[] not null default '{}',
  -- By marketplace.
  asins jsonb not null default '{}',
  brand text not null default '',
  disclosure text not null,
  -- Whole days of this zone, the last one with it.
  from_day date not null,
  to_day date not null,
  time_zone text not null,
  begins_at timestamptz not null,
  ends_at timestamptz not null,
  proof_code text not null,
  proof_ended_at timestamptz,
  -- By day: {"2026-11-03": {"seen": 4, "went": 1}}; clicks go earlier.
  days jsonb not null default '{}',
  -- When shops last made pages with it, or without it again.
  pages_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint sponsor_pins_pkey primary key (creator_id, id),
  constraint sponsor_pins_proof_code_key unique (proof_code),
  constraint sponsor_pins_days_check check (from_day <= to_day and begins_at < ends_at),
  constraint sponsor_pins_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table sponsor_pins is 'products of sponsors on lists: foods, codes, days, sums of people by day | nobody | with the creator';
create index sponsor_pins_by_end on sponsor_pins (ends_at);
call protect_tenant_table('sponsor_pins');
grant select, insert, update, delete on sponsor_pins to creator_hq_app;

create index links_of_pins on links (creator_id, part) where part like 'pin %';
