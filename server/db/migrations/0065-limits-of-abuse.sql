-- Requests count submissions in the transaction that keeps them: one that fails is not counted.
grant select, insert, update on tries to creator_hq_app;

-- Who said that they did not enter their address, for each creator it was entered with.
create table not_me_addresses (
  -- Keyed: nobody reads an address out of it, and it is the same for every creator.
  email_hash text not null,
  creator_id uuid not null,
  since timestamptz not null,
  constraint not_me_addresses_pkey primary key (email_hash, creator_id),
  constraint not_me_addresses_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table not_me_addresses is 'hashes of addresses that their owners did not enter | nobody | with the creator';
create index not_me_addresses_by_creator on not_me_addresses (creator_id);
call protect_tenant_table('not_me_addresses');
