-- Whether a platform is paused as a whole: what is connected meanwhile must be paused too. One row for each platform, so
-- that a pause and a connecting account lock it and none slips through.
create table platform_pauses (
  platform text primary key,
  paused_at timestamptz
);
insert into platform_pauses (platform, paused_at)
  select platform, (select min(webhooks_paused_at) from connections c where c.platform = p.platform and disconnected_at is null)
  from unnest(array['instagram', 'facebook']) as p(platform);
