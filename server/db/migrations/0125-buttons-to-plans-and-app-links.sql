-- Buttons of automations lead to meal plans and app links too, each by a link of its own.
drop index links_of_app_links;
create unique index links_of_app_links on links (creator_id, app_link_id) where app_link_id is not null and automation_id is null;
create index links_by_app_link on links (creator_id, app_link_id) where app_link_id is not null;
drop index links_of_meal_plans;
create unique index links_of_meal_plans on links (creator_id, meal_plan_id, part) where meal_plan_id is not null and automation_id is null;
create index links_by_meal_plan on links (creator_id, meal_plan_id) where meal_plan_id is not null;

-- App links are watched as the addresses of automations are.
alter table link_uses drop constraint link_uses_pkey;
alter table link_uses alter column automation_id drop not null;
alter table link_uses add column app_link_id uuid;
alter table link_uses add constraint link_uses_of_one_check check (num_nonnulls(automation_id, app_link_id) = 1);
alter table link_uses add constraint link_uses_app_link_fkey
  foreign key (creator_id, app_link_id) references app_links(creator_id, id) on delete cascade;
create unique index link_uses_once on link_uses (creator_id, automation_id, app_link_id, link_id) nulls not distinct;
create index link_uses_by_app_link on link_uses (creator_id, app_link_id) where app_link_id is not null;
comment on table link_uses is 'automation or app link, and address | nobody | with the automation or app link';
