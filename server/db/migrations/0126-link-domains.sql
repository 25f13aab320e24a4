-- Hosts of creators under which their short links and lists are served.
create table link_domains (
  creator_id uuid not null,
  id uuid not null,
  host text not null,
  token text not null,
  state text not null default 'waiting',
  problem text,
  failed_since timestamptz,
  checked_at timestamptz,
  due_at timestamptz not null,
  created_at timestamptz not null,
  constraint link_domains_pkey primary key (creator_id, id),
  constraint link_domains_host_key unique (host),
  constraint link_domains_state_check check (state in ('waiting', 'works', 'lost')),
  constraint link_domains_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table link_domains is 'hosts of creators for their short links | nobody | account';
create index link_domains_due on link_domains (due_at);
call protect_tenant_table('link_domains');
grant select, insert, update, delete on link_domains to creator_hq_app;

-- The creator's own word in the address of an app link, under their own host only.
alter table app_links add column slug text;
create unique index app_links_by_slug on app_links (creator_id, slug) where slug is not null;
