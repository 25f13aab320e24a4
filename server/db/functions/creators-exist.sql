-- A foreign key looks once for every row, five times for one comment. A batch is of few creators: where every comment
-- writes, one look per statement locks them against being deleted meanwhile, just as the key did.
create or replace function creators_exist()
returns trigger
language plpgsql
as $$
declare
  given integer := (select count(distinct creator_id) from new_rows);
  found integer;
begin
  perform from creators where id in (select creator_id from new_rows) for key share;
  get diagnostics found = row_count;
  if found < given then
    raise foreign_key_violation using message = format('a row of %s names a creator that is not there', tg_table_name);
  end if;
  return null;
end
$$;
