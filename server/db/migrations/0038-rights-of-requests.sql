-- The role that answers requests gets nothing by default any more: what it may do is granted table by table, and
-- server/db/rights.security.test.ts holds the whole list. The engine, jobs and sign-in keep theirs.
alter default privileges in schema public revoke all on tables from creator_hq_app;
alter default privileges in schema public revoke all on sequences from creator_hq_app;

-- Names and addresses of people: only of those who belong to the creator that the transaction is for.
revoke all on users from creator_hq_app;
grant select (id, name, email, image) on users to creator_hq_app;
alter table users enable row level security;
create policy engine on users to creator_hq_engine using (true) with check (true);
create policy same_team on users for select to creator_hq_app using (
  id in (select m.user_id from memberships m where m.creator_id = (select current_creator_id()))
);

-- Whether a platform is paused is told by a function: a row lock needs the right to update, which requests must not have.
revoke all on platform_pauses from creator_hq_app;
create function platform_paused_since(which text) returns timestamptz
language sql volatile security definer set search_path = public, pg_temp
as $$ select paused_at from platform_pauses where platform = which for share $$;
revoke all on function platform_paused_since from public;
grant execute on function platform_paused_since to creator_hq_app, creator_hq_engine;

-- Written by the engine's role alone, or not by requests at all.
revoke all on link_hosts from creator_hq_app;
revoke insert, update, delete on admin_visits, subscriptions, notices_sent from creator_hq_app;
revoke insert, delete on creators, memberships from creator_hq_app;
revoke all on sequence event_log_ids, parked_events_id_seq from creator_hq_app;

-- For migrations only.
revoke all on procedure protect_tenant_table from public;
