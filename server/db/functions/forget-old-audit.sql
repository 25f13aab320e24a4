-- The audit log is only ever added to (0008); these are the three ways in which something leaves it, and nothing else does.
create or replace function forget_old_audit(before timestamp with time zone, most integer)
returns integer
language sql
security definer
set search_path to public, pg_temp
as $$
  with gone as (
    delete from audit_log where id in (
      select id from audit_log where at < least(before, now() - interval '89 days') order by at limit most
    ) returning 1
  )
  select count(*)::integer from gone
$$;
revoke all on function forget_old_audit(before timestamp with time zone, most integer) from public;
grant execute on function forget_old_audit to creator_hq_engine;
