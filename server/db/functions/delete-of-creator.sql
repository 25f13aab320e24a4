create or replace function delete_of_creator()
returns trigger
language plpgsql
as $$
begin
  delete from interactions where creator_id = old.id;
  delete from deliveries where creator_id = old.id;
  delete from answered_people where creator_id = old.id;
  delete from people where creator_id = old.id;
  delete from outcome_deltas where creator_id = old.id;
  return null;
end
$$;
