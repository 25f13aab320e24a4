-- Lists of recipes show what changed last first.
create index recipes_last_changed on recipes (creator_id, updated_at, id);
