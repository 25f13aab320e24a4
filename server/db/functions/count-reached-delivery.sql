-- What is opened or clicked later in a conversation counts for what began it, once.
create or replace function count_reached_delivery()
returns trigger
language plpgsql
as $$
declare
  began uuid := coalesce(
    (select interaction_id from conversations where creator_id = new.creator_id and id = new.conversation_id),
    new.interaction_id
  );
begin
  insert into outcome_deltas (creator_id, post_id, automation_id, day, counted_on, counted, reason, change)
  select creator_id, counted_post(kind, post_id), automation_id, counted_day(kind, counted_on(counted_on, received_at)),
    counted_on(counted_on, received_at), tg_argv[0], '', 1
  from interactions
  where creator_id = new.creator_id and id = began
    and is_counted(kind, post_id, automation_id) and not is_test
    and not exists (
      select from deliveries as other
      where other.creator_id = new.creator_id and other.id <> new.id
        and (other.interaction_id = began or other.conversation_id in (
          select id from conversations where creator_id = new.creator_id and interaction_id = began
        ))
        and case tg_argv[0] when 'opened' then other.read_at else other.clicked_at end is not null
    );
  return null;
end
$$;
