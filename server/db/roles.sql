-- Two roles share the work. `creator_hq_app` serves requests: row-level security is forced on it, so a
-- statement sees one creator's rows or none. `creator_hq_engine` runs the message engine, jobs and sign-in,
-- which look across creators. Roles belong to the whole PostgreSQL cluster, hence the "if not exists".
do $$
begin
  if not exists (select from pg_roles where rolname = 'creator_hq_app') then
    create role creator_hq_app nologin;
  end if;
  if not exists (select from pg_roles where rolname = 'creator_hq_engine') then
    create role creator_hq_engine nologin;
  end if;
exception
  -- NOTE: another database of the same cluster may be migrating at this very moment.
  when duplicate_object or unique_violation then null;
end
$$;

do $$
begin
  execute format('grant creator_hq_app, creator_hq_engine to %I', current_user);
exception
  -- NOTE: two migrating databases of one cluster can both grant; the loser finds it granted.
  when unique_violation or internal_error then null;
end
$$;

grant usage on schema public to creator_hq_app, creator_hq_engine;
-- What requests may do with a table is granted table by table.
alter default privileges in schema public grant select, insert, update, delete on tables to creator_hq_engine;
alter default privileges in schema public grant usage, select on sequences to creator_hq_engine;
-- Readiness compares it with the program's own list.
grant select on schema_migrations to creator_hq_app, creator_hq_engine;
