-- Of a member's price, what is left after their code: what they paid last. Null: not fetched from Stripe since.
alter table passes add column charged integer;
