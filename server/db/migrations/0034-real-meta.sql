-- One row, once this install was started with a Meta app: the demo does not come back by accident. See server/real-meta.ts.
create table real_meta (
  only_row boolean primary key default true check (only_row),
  first_at timestamptz not null
);
revoke all on real_meta from creator_hq_app;
-- Accounts are connected and the demo was never entered: Meta was real.
insert into real_meta (first_at)
select min(connected_at) from connections
where not exists (select from users where email = 'demo@creator-hq.test')
having count(*) > 0;
