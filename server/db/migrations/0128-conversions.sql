-- Links to Amazon in the posts of a blog, as its plugin tells of them, and the app links that stand there instead while a page is drawn.
alter table blog_posts add column amazon_links text[] not null default '{}';
alter table blog_posts add column links_problem text;

create table conversions (
  creator_id uuid not null,
  -- Of the address.
  id uuid not null,
  address text not null,
  app_link_id uuid not null,
  is_on boolean not null default true,
  created_at timestamptz not null,
  constraint conversions_pkey primary key (creator_id, id),
  constraint conversions_app_link_fkey foreign key (creator_id, app_link_id) references app_links(creator_id, id) on delete cascade,
  constraint conversions_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table conversions is 'addresses in a blog that are shown as short links | nobody | account';
create index conversions_by_app_link on conversions (creator_id, app_link_id);
call protect_tenant_table('conversions');
grant select, insert, update on conversions to creator_hq_app;
