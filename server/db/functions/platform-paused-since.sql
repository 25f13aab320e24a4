create or replace function platform_paused_since(which text)
returns timestamp with time zone
language sql
security definer
set search_path to public, pg_temp
as $$ select paused_at from platform_pauses where platform = which for share $$;
revoke all on function platform_paused_since(which text) from public;
grant execute on function platform_paused_since to creator_hq_app, creator_hq_engine;
