-- The creator whose data the current transaction may see; null means none.
create or replace function current_creator_id()
returns uuid
language sql
stable
as $$ select nullif(current_setting('app.creator_id', true), '')::uuid $$;
