-- Conditions that contacts answer to, under a name.
create table segments (
  creator_id uuid not null,
  id uuid not null,
  name text not null,
  -- As contract/segments.ts writes it.
  segment text not null,
  created_at timestamptz not null,
  constraint segments_pkey primary key (creator_id, id),
  constraint segments_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table segments is 'named conditions on contacts | creator | until deleted, or with the creator';
create unique index segments_by_name on segments (creator_id, lower(name));
call protect_tenant_table('segments');
grant select, insert, update, delete on segments to creator_hq_app;

-- Who pressed a form's button, or any of a site, is read from these alone.
create index submissions_of_form on submissions (creator_id, form_id, contact_id) where contact_id is not null;
create index submissions_of_site on submissions (creator_id, site_id, contact_id) where contact_id is not null and site_id is not null;
drop index submissions_by_site;
