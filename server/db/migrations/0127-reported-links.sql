-- Short links that somebody reported to the operator, or that the operator stopped.
create table reported_links (
  creator_id uuid not null,
  link_id uuid not null,
  times integer not null default 0,
  reasons text[] not null default '{}',
  last_reported_at timestamptz,
  stopped_at timestamptz,
  stops_all boolean not null default false,
  why text not null default '',
  constraint reported_links_pkey primary key (creator_id, link_id),
  constraint reported_links_link_fkey foreign key (creator_id, link_id) references links(creator_id, id) on delete cascade,
  constraint reported_links_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table reported_links is 'short links that strangers reported, and those the operator stopped | nobody | until dismissed';
create index reported_links_stopped on reported_links (creator_id) where stopped_at is not null;
create index reported_links_lately on reported_links (greatest(last_reported_at, stopped_at) desc, link_id desc);
call protect_tenant_table('reported_links');
