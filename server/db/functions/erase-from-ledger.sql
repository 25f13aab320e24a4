-- That somebody agreed, to what and when, is evidence; who it was is not kept. Requests may not change the ledger but by this.
create or replace function erase_from_ledger(connection uuid, person_ids text[], contact_ids uuid[])
returns void
language sql
security definer
set search_path to public, pg_temp
as $$
  update consents
  set email = 'erased:' || erased_hash(creator_id, coalesce(connection_id, contact_id), coalesce(person_id, contact_id::text)),
    person_id = null, contact_id = null
  where creator_id = current_creator_id()
    and ((connection_id = connection and person_id = any(person_ids)) or contact_id = any(contact_ids))
$$;
revoke all on function erase_from_ledger(connection uuid, person_ids text[], contact_ids uuid[]) from public;
grant execute on function erase_from_ledger to creator_hq_app, creator_hq_engine;
