-- Which day it is for a creator at a moment.
create or replace function day_of(creator uuid, at timestamp with time zone)
returns date
language sql
stable
as $$
  select (at at time zone coalesce((select time_zone from creators where id = creator), 'UTC'))::date
$$;
