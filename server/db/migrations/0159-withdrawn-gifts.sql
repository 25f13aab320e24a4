-- When a gift that its giver withdrew from is ended and given back, unless they take it back.
alter table gifts add column withdraws_at timestamptz;
create index gifts_withdrawn on gifts (withdraws_at) where withdraws_at is not null;
