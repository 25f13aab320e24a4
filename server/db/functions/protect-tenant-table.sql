-- Every tenant table calls this once, in the migration that creates it.
create or replace procedure protect_tenant_table(IN tenant_table regclass, IN creator_column name DEFAULT 'creator_id'::name)
language plpgsql
as $$
begin
  execute format('alter table %s enable row level security', tenant_table);
  execute format('alter table %s force row level security', tenant_table);
  execute format(
    'create policy one_creator on %s to creator_hq_app using (%I = (select current_creator_id())) with check (%I = (select current_creator_id()))',
    tenant_table, creator_column, creator_column
  );
  execute format('create policy engine on %s to creator_hq_engine using (true) with check (true)', tenant_table);
end
$$;
revoke all on procedure protect_tenant_table(tenant_table regclass, creator_column name) from public;
