-- What a blog's plugin is told before it asks: words given to browsers before a moment have to be asked about again.
alter table fan_devices add column asks_from timestamptz;
create index fan_devices_asking on fan_devices (creator_id, site_id, asks_from) where asks_from is not null;

alter table sites add column asks_from timestamptz;
-- The blog is given it beside the one in use, which it takes the place of once the blog says that it has it.
alter table sites add column next_signing_key text;
-- Of a blog that was hacked: signs the call that says so, and nothing else.
alter table sites add column dead_signing_key text;
alter table sites add column key_made_at timestamptz not null default now();
update sites set key_made_at = first_heard_at;
-- Why the last call to the blog failed.
alter table sites add column call_trouble text;
alter table sites add column clock_off_s integer;
-- A hash of what plugins and theme it has.
alter table sites add column stack text;
alter table sites add column posts_locked integer;
alter table sites add column posts_public integer;
