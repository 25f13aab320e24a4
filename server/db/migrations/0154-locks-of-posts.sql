-- For whom a post of the blog is, and what of it: {"for": "members", "of": "recipe"}; null: everybody reads all of it.
alter table blog_posts add column lock jsonb;
