-- A reader saves a page: which post is it?
create index blog_posts_by_address on blog_posts (creator_id, md5(url_key));
