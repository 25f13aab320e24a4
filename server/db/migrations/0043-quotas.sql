-- Deleted sets, libraries and recipes were kept for nothing: what is deleted goes, so that deleting makes room.
delete from keywords where archived_at is not null;
delete from replies where archived_at is not null;
delete from recipes where archived_at is not null;
drop index keywords_by_name, replies_by_name, recipes_by_address;
alter table keywords drop column archived_at;
alter table replies drop column archived_at;
alter table recipes drop column archived_at;
create unique index keywords_by_name on keywords (creator_id, lower(name));
create unique index replies_by_name on replies (creator_id, kind, lower(name));
create unique index recipes_by_address on recipes (creator_id, md5(url_key));

-- How much text a row holds, so that the sum over a creator needs none of it read. Joining texts is as immutable as they are.
create function text_bytes(texts text[]) returns integer language sql immutable parallel safe
  return coalesce(octet_length(array_to_string(texts, ',')), 0);
alter table keywords add column bytes integer not null
  generated always as (text_bytes(words) + text_bytes(excluded_words)) stored;
alter table replies add column bytes integer not null
  generated always as (text_bytes(texts) + octet_length(translations::text)) stored;
alter table recipes add column bytes integer not null
  generated always as (octet_length(url) + octet_length(message_text) + text_bytes(keyword_ideas)) stored;
alter table automations add column bytes integer not null
  generated always as (
    text_bytes(words) + text_bytes(excluded_words) + text_bytes(caption_words) + text_bytes(public_replies)
    + octet_length(message_text) + octet_length(buttons::text) + octet_length(variants::text)
    + octet_length(translations::text) + coalesce(octet_length(draft::text), 0)
  ) stored;
