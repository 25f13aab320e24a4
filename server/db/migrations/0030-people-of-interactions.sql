-- Rows that a trigger brings come with rows of a table whose creators were looked for and locked already.
drop trigger creators_exist on people;
create trigger creators_exist after insert on people
  referencing new table as new_rows for each statement when (pg_trigger_depth() = 0) execute function creators_exist();
