-- The word that a caption asks followers to write, read when the post is synced; null: it asks for none.
alter table posts add column asked_word text;
-- Every post is read once more with the next sync, which finds the words and keeps the pictures.
update connections set posts_fully_synced_at = null where posts_fully_synced_at is not null;

-- Our small copy of a post's picture: the addresses that Instagram gives expire after some days.
create table post_pictures (
  creator_id uuid not null,
  post_id text not null,
  -- Of which address, without its host and signature: another cover is another picture.
  source text not null,
  content_type text not null,
  bytes bytea not null,
  kept_at timestamptz not null,
  constraint post_pictures_pkey primary key (creator_id, post_id),
  constraint post_pictures_size check (length(bytes) <= 65536),
  constraint post_pictures_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade,
  constraint post_pictures_creator_id_post_id_fkey foreign key (creator_id, post_id) references posts(creator_id, id) on delete cascade
);
comment on table post_pictures is 'small pictures of the creator''s posts | creator | until the post is deleted on Instagram; at most with the post';
call protect_tenant_table('post_pictures');
grant select on post_pictures to creator_hq_app;

-- When the team saw that the first follower got a link; they see it once.
alter table creators add column first_link_seen_at timestamptz;
update creators c set first_link_seen_at = now()
where exists (select from interactions i where i.creator_id = c.id and i.listed_as = 'replied')
  or exists (select from outcome_counts o where o.creator_id = c.id and o.counted_by = 'automation' and o.counted = 'replied' and o.count > 0);
