-- Of two tiers, the one with the greater rank opens what the other does, too.
alter table tiers add column rank integer not null default 0;
update tiers t set rank = (
  select count(*) from tiers o where o.creator_id = t.creator_id and (o.made_at, o.id) < (t.made_at, t.id)
);

create table membership_settings (
  creator_id uuid not null,
  -- Whoever enters with an address reads what is for readers.
  free_readers boolean not null default false,
  constraint membership_settings_pkey primary key (creator_id),
  constraint membership_settings_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table membership_settings is 'whether readers enter without paying | team | with the creator';
call protect_tenant_table('membership_settings');
grant select, insert, update, delete on membership_settings to creator_hq_app, creator_hq_engine;

-- Who is no contact yet, until they have typed the code.
alter table fan_entries alter column contact_id drop not null, add column email text;
comment on table fan_entries is 'codes by which readers enter (hashed), addresses of new ones | followers | 7 days, at most with the contact';
