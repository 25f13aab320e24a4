-- Amazon's cart is no shop any more: it asked shoppers to sign in and stayed empty.
update shop_settings
set shops = (select coalesce(jsonb_agg(shop order by place), '[]') from jsonb_array_elements(shops) with ordinality as one (shop, place)
  where shop ->> 'kind' <> 'amazon_cart')
where shops @> '[{"kind": "amazon_cart"}]';
