-- A person made anew: gone again when only something from before they were erased made them; else what outlived it comes back.
create or replace function keep_erased_away()
returns trigger
language plpgsql
as $$
begin
  if not exists (select from erased_people e where e.creator_id in (select creator_id from new_rows)) then return null; end if;
  delete from people p using new_rows n, erased_people e
  where p.creator_id = n.creator_id and p.connection_id = n.connection_id and p.id = n.id
    and e.creator_id = n.creator_id and e.connection_id = n.connection_id
    and e.person_hash = erased_hash(n.creator_id, n.connection_id, n.id)
    and coalesce(n.last_seen_at, n.last_wrote_at, n.first_seen_at) <= e.erased_at;
  update people p set stopped_at = e.stopped_at, email_asked_at = e.email_asked_at
  from new_rows n, erased_people e
  where p.creator_id = n.creator_id and p.connection_id = n.connection_id and p.id = n.id
    and e.creator_id = n.creator_id and e.connection_id = n.connection_id
    and e.person_hash = erased_hash(n.creator_id, n.connection_id, n.id);
  return null;
end
$$;
