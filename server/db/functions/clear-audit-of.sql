-- Who of support did what stays, the reasons go with the creator.
create or replace function clear_audit_of(creator uuid)
returns void
language sql
security definer
set search_path to public, pg_temp
as $$ update audit_log set detail = '' where creator_id = creator $$;
revoke all on function clear_audit_of(creator uuid) from public;
grant execute on function clear_audit_of to creator_hq_engine;
