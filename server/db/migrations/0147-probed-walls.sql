-- What a stranger and a member see of a locked post, as a blog's caches give it out.
create table site_probes (
  creator_id uuid not null,
  site_id uuid not null,
  probed_at timestamptz not null,
  -- How the plugin shows locked parts because of it.
  shows text not null,
  finding text not null,
  -- The post that was looked at; null: none could be.
  page_url text,
  -- Locked words of it, how many of them a stranger saw, and in how many ways that was tried.
  words integer not null,
  seen integer not null,
  ways integer not null,
  -- The ways by which something was seen.
  leaks text[] not null,
  members_see boolean not null,
  -- As answers name it.
  cache text,
  constraint site_probes_pkey primary key (creator_id, site_id),
  constraint site_probes_shows_check check (shows in ('inline', 'fragment')),
  constraint site_probes_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade,
  constraint site_probes_site_fkey foreign key (creator_id, site_id) references sites(creator_id, id) on delete cascade
);
comment on table site_probes is 'what strangers and members see of a locked post of a blog | team | with the blog';
create index site_probes_by_age on site_probes (probed_at);
call protect_tenant_table('site_probes');
grant select, insert, update, delete on site_probes to creator_hq_app, creator_hq_engine;

-- When somebody asked for a look.
alter table sites add column checks_from timestamptz;
