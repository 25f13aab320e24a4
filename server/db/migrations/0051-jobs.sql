-- One queue for all work outside requests (server/jobs): what recurs, and what was asked for once and goes when it is done.
create table jobs (
  name text not null,
  -- Ids, not rows. Two jobs of one name with the same payload are one; what recurs has none.
  payload jsonb not null default '{}' check (octet_length(payload::text) <= 1000),
  -- The payload's creatorId, if it has one
  creator_id uuid references creators on delete cascade,
  created_at timestamptz not null default now(),
  -- While it runs, when another worker may take it over
  due_at timestamptz not null,
  lease_id uuid,
  -- Asked for once more while it ran
  again boolean not null default false,
  last_succeeded_at timestamptz,
  last_failed_at timestamptz,
  last_failure text,
  failures_in_a_row integer not null default 0,
  held_until timestamptz,
  held_because text,
  primary key (name, payload)
);
create index jobs_due on jobs (name, due_at);
create index jobs_by_creator on jobs (creator_id) where creator_id is not null;
call protect_tenant_table('jobs');
grant select, insert, update on jobs to creator_hq_app;
insert into jobs
  (name, due_at, last_succeeded_at, last_failed_at, last_failure, failures_in_a_row, held_until, held_because)
select name, next_at, last_succeeded_at, last_failed_at, last_failure, failures_in_a_row, held_until, held_because
from recurring_jobs;
drop table recurring_jobs;
