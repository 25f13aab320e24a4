-- Pages of blogs without our plugin, as we read them last: the browser is not asked what stands there.
create table script_pages (
  creator_id uuid not null,
  site_id uuid not null,
  url_key text not null,
  url text not null,
  -- The creator's forms in it. Null: it could not be read.
  form_keys text[],
  -- As contract/plugin.ts says.
  page jsonb,
  read_at timestamptz not null,
  constraint script_pages_pkey primary key (creator_id, url_key),
  constraint script_pages_site_fkey foreign key (creator_id, site_id) references sites(creator_id, id) on delete cascade,
  constraint script_pages_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table script_pages is 'pages of blogs with our script: address, title, picture, recipe | nobody | 1 day';
create index script_pages_of_site on script_pages (creator_id, site_id);
create index script_pages_by_age on script_pages (read_at);
call protect_tenant_table('script_pages');
grant select, insert, update, delete on script_pages to creator_hq_app;
