-- Found by their page, with or without the recipe on it. A column: under row security no index is read for split_part.
alter table saved_recipes add column page_key text generated always as (split_part(address_key, '#', 1)) stored;
drop index saved_recipes_by_page;
create index saved_recipes_by_page on saved_recipes (creator_id, md5(page_key));
