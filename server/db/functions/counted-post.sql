-- Messages answer no post.
create or replace function counted_post(kind text, post_id text)
returns text
language sql
immutable
as $$
  select case when kind in ('comment', 'live_comment', 'story_reply') then post_id end
$$;
