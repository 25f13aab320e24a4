-- One recipe of the blog's plugin may be in several posts.
create index blog_posts_by_card on blog_posts (creator_id, site_id, (recipe ->> 'anchor')) where recipe_id is not null;
create index recipes_by_name on recipes (creator_id, lower(name));
