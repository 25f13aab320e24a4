-- Further tags of a creator's own, each with its marketplace, in their order; the main one of each marketplace is in amazon_tags.
alter table shop_settings add column amazon_more_tags jsonb not null default '[]';
-- By marketplace: what is led to in place of a search there.
alter table app_links add column products_abroad jsonb not null default '{}';
