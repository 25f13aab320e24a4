-- The platform's id of what an erased person did, so that it is recognised and does not name them.
create or replace function erased_platform_id(creator_id uuid, connection_id uuid, platform_id text)
returns text
language sql
immutable parallel safe
as $$ select 'erased:' || erased_hash(creator_id, connection_id, platform_id) $$;
