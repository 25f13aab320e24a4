-- A creator's own rules for links to Amazon. Null: not decided, and no rule is assumed.
alter table shop_settings
  -- By channel, as in contract/amazon-rules.ts.
  add column amazon_channels jsonb,
  add column amazon_by_country boolean not null default false;
