-- Nothing to count it by: a message that no automation answered. A tap belongs to the conversation it is part of.
create or replace function is_counted(kind text, post_id text, automation_id uuid)
returns boolean
language sql
immutable
as $$
  select kind in ('comment', 'live_comment')
    or (kind <> 'button_tap' and (counted_post(kind, post_id) is not null or automation_id is not null))
$$;
