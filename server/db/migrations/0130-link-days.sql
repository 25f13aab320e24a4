-- Who followed app links, by day and from where: sums, so that figures do not count millions of clicks. '' stands for unknown, '*' for all of a day.
create table link_days (
  creator_id uuid not null,
  link_id uuid not null,
  day date not null,
  channel text not null,
  app text not null,
  country text not null,
  -- What the opening page told; '' for who followed.
  told text not null,
  people integer not null,
  constraint link_days_pkey primary key (creator_id, link_id, day, channel, app, country, told),
  constraint link_days_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table link_days is 'who followed app links: sums by day, place, app and country | nobody | account';
call protect_tenant_table('link_days');
grant select on link_days to creator_hq_app;

insert into link_days
select creator_id, link_id, day, case grouping(channel) when 1 then '*' else channel end, case grouping(app) when 1 then '*' else app end,
  case grouping(country) when 1 then '*' else country end, told, count(*)
from (
  select c.creator_id, c.link_id, (c.clicked_at at time zone 'UTC')::date as day, coalesce(c.channel, '') as channel,
    coalesce(c.app, '') as app, coalesce(c.country, '') as country, coalesce(c.not_counted_because, '') as told
  from clicks c join links l on l.creator_id = c.creator_id and l.id = c.link_id and l.app_link_id is not null
  where c.not_counted_because is null or c.not_counted_because in ('opened', 'stayed')
) as followed
group by grouping sets ((creator_id, link_id, day, told, channel, app, country), (creator_id, link_id, day, told));

create index link_days_as_a_whole on link_days (creator_id, link_id, day) where channel = '*';
create index clicks_of_messages on clicks (creator_id, link_id, clicked_at) where delivery_id is not null;
