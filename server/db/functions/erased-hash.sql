create or replace function erased_hash(creator_id uuid, connection_id uuid, person_id text)
returns text
language sql
immutable parallel safe
as $$ select encode(sha256(convert_to(creator_id::text || connection_id::text || person_id, 'UTF8')), 'hex') $$;
