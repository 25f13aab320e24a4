-- Posts of the creator's blog, as its plugin tells of them; what was told last is what recipes were given last.
create table blog_posts (
  creator_id uuid not null,
  site_id uuid not null,
  -- The post's id in WordPress.
  wordpress_id bigint not null,
  url text not null,
  url_key text not null,
  title text not null,
  picture_url text,
  categories jsonb not null,
  -- The card in it, as contract/plugin.ts says.
  recipe jsonb,
  published_at timestamptz not null,
  changed_at timestamptz not null,
  synced_at timestamptz not null,
  -- No longer public, or deleted.
  gone_at timestamptz,
  -- Given to the creator's recipes once: one that they deleted does not come back.
  has_given boolean not null,
  recipe_id uuid,
  constraint blog_posts_pkey primary key (creator_id, site_id, wordpress_id),
  constraint blog_posts_site_fkey foreign key (creator_id, site_id) references sites(creator_id, id) on delete cascade,
  constraint blog_posts_recipe_fkey foreign key (creator_id, recipe_id) references recipes(creator_id, id)
    on delete set null (recipe_id),
  constraint blog_posts_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table blog_posts is 'posts of the blog: address, title, picture, categories, recipe card | nobody | until the site is removed, or with the creator';
create index blog_posts_by_recipe on blog_posts (creator_id, recipe_id) where recipe_id is not null;
call protect_tenant_table('blog_posts');
grant select, insert, update, delete on blog_posts to creator_hq_app;

-- Posts that the site said it has still to tell of; null: it never told.
alter table sites add column posts_waiting integer;

-- Its post on the blog is gone since; the recipe stays.
alter table recipes add column post_gone_at timestamptz;
