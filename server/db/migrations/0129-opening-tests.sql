-- What a creator saw on their own phone: whether the app opened out of another one.
create table opening_tests (
  creator_id uuid not null,
  app text not null,
  system text not null,
  -- Id of a target of the opening rules; '' for any other address.
  target text not null,
  worked boolean not null,
  -- How it was tried, and since when that is known.
  rule text not null,
  tested_at timestamptz not null,
  constraint opening_tests_pkey primary key (creator_id, app, system, target),
  constraint opening_tests_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table opening_tests is 'whether apps opened on the creator''s phone | nobody | account';
call protect_tenant_table('opening_tests');
grant select on opening_tests to creator_hq_app;
