create or replace function erase_from_audit(creator uuid, contact_id text)
returns void
language sql
security definer
set search_path to public, pg_temp
as $$
  update audit_log set detail = replace(detail, contact_id, 'erased')
  where creator_id = creator and contact_id <> '' and strpos(detail, contact_id) > 0
$$;
revoke all on function erase_from_audit(creator uuid, contact_id text) from public;
grant execute on function erase_from_audit to creator_hq_engine;
