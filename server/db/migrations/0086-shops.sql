-- Where a creator's lists can be bought, and what else every list goes by.
create table shop_settings (
  creator_id uuid not null,
  id uuid not null,
  version integer not null default 0,
  -- In the creator's order, as in contract/shops.ts; empty: nobody chose.
  shops jsonb not null default '[]',
  -- By marketplace.
  amazon_tags jsonb not null default '{}',
  -- The creator's own key, sealed, and its last four characters.
  instacart_secret text,
  instacart_key_end text,
  instacart_partner_id text,
  -- What Instacart says is wrong with the key in use, in words.
  instacart_problem text,
  disclosure text not null default '',
  measures text not null default 'us',
  country text,
  pantry jsonb not null default '[]',
  constraint shop_settings_pkey primary key (creator_id, id),
  constraint shop_settings_one unique (creator_id),
  constraint shop_settings_measures_check check (measures in ('us', 'uk', 'metric', 'au')),
  constraint shop_settings_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table shop_settings is 'shops of lists: order, sealed key, partner id and tags of the creator | creator | with the creator';
call protect_tenant_table('shop_settings');
grant select, insert, update on shop_settings to creator_hq_app;

-- Pages that shops made of lists. A shop ends them; they are renewed while shoppers open them.
create table shop_pages (
  creator_id uuid not null,
  id uuid not null,
  shop text not null,
  -- A recipe's id or a plan's.
  list_kind text not null,
  list_id uuid not null,
  -- Of what the shop is told.
  hash text not null,
  -- What the shop is told, to tell it again.
  list jsonb not null,
  -- Of what starts ticked: the one that stands in for others.
  is_usual boolean not null,
  state text not null,
  url text,
  lines jsonb not null default '[]',
  made_at timestamptz,
  ends_at timestamptz,
  used_at timestamptz not null,
  -- When it is to be made, or made anew.
  try_at timestamptz not null,
  failing_since timestamptz,
  constraint shop_pages_pkey primary key (creator_id, id),
  constraint shop_pages_one unique (creator_id, shop, hash),
  constraint shop_pages_list_kind_check check (list_kind in ('recipe', 'plan')),
  constraint shop_pages_state_check check (state in ('waiting', 'ready', 'refused')),
  constraint shop_pages_url_check check ((state = 'ready') <= (url is not null and ends_at is not null)),
  constraint shop_pages_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table shop_pages is 'pages that shops made of lists: foods, address, when last opened by anybody | nobody | 400 days after they were last opened';
create index shop_pages_usual on shop_pages (creator_id, shop, list_id) where is_usual;
create index shop_pages_due on shop_pages (try_at) where state <> 'refused';
create index shop_pages_by_age on shop_pages (used_at);
call protect_tenant_table('shop_pages');
grant select, insert, update on shop_pages to creator_hq_app;
