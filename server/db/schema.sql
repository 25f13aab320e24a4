-- Written by scripts/schema.ts from the migrated database. Do not edit.

CREATE OR REPLACE FUNCTION public.clear_audit_of(creator uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$ update audit_log set detail = '' where creator_id = creator $function$;

CREATE OR REPLACE FUNCTION public.count_changed_interactions()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into outcome_deltas (creator_id, post_id, automation_id, day, counted_on, counted, reason, change)
  select creator_id, counted_post(kind, post_id), automation_id, counted_day(kind, counted_on(counted_on, received_at)),
    counted_on(counted_on, received_at), counted, because, sum(change)
  from (
    select *, 1 as change from new_rows
    union all
    select *, -1 as change from old_rows
  ) as both_rows cross join lateral counted_as(outcome, reason, automation_id, is_test)
  where is_counted(kind, post_id, automation_id) and reason <> 'sending'
  group by 1, 2, 3, 4, 5, 6, 7
  having sum(change) <> 0;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.count_deleted_interactions()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if current_setting('app.counts_stay', true) = 'on' then return null; end if;
  insert into outcome_deltas (creator_id, post_id, automation_id, day, counted_on, counted, reason, change)
  select creator_id, counted_post(kind, post_id), automation_id, counted_day(kind, counted_on(counted_on, received_at)),
    counted_on(counted_on, received_at), counted, because, -count(*)
  from old_rows cross join lateral counted_as(outcome, reason, automation_id, is_test)
  -- Deleted together with its creator: there is nobody left to count for.
  where is_counted(kind, post_id, automation_id) and reason <> 'sending'
    and exists (select from creators where creators.id = old_rows.creator_id)
  group by 1, 2, 3, 4, 5, 6, 7;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.count_new_interactions()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into outcome_deltas (creator_id, post_id, automation_id, day, counted_on, counted, reason, change)
  select creator_id, counted_post(kind, post_id), automation_id, counted_day(kind, counted_on(counted_on, received_at)),
    counted_on(counted_on, received_at), counted, because, count(*)
  from new_rows cross join lateral counted_as(outcome, reason, automation_id, is_test)
  where is_counted(kind, post_id, automation_id) and reason <> 'sending'
  group by 1, 2, 3, 4, 5, 6, 7;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.count_reached_delivery()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  began uuid := coalesce(
    (select interaction_id from conversations where creator_id = new.creator_id and id = new.conversation_id),
    new.interaction_id
  );
begin
  insert into outcome_deltas (creator_id, post_id, automation_id, day, counted_on, counted, reason, change)
  select creator_id, counted_post(kind, post_id), automation_id, counted_day(kind, counted_on(counted_on, received_at)),
    counted_on(counted_on, received_at), tg_argv[0], '', 1
  from interactions
  where creator_id = new.creator_id and id = began
    and is_counted(kind, post_id, automation_id) and not is_test
    and not exists (
      select from deliveries as other
      where other.creator_id = new.creator_id and other.id <> new.id
        and (other.interaction_id = began or other.conversation_id in (
          select id from conversations where creator_id = new.creator_id and interaction_id = began
        ))
        and case tg_argv[0] when 'opened' then other.read_at else other.clicked_at end is not null
    );
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.counted_as(outcome text, reason text, automation_id uuid, is_test boolean)
 RETURNS TABLE(counted text, because text)
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select case when is_test then 'skipped' else outcome end, case when is_test then 'already_answered' else reason end
  union all select 'matched', '' where automation_id is not null
$function$;

CREATE OR REPLACE FUNCTION public.counted_day(kind text, counted_on date)
 RETURNS date
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select case when kind in ('comment', 'live_comment') then counted_on end
$function$;

CREATE OR REPLACE FUNCTION public.counted_on(counted_on date, received_at timestamp with time zone)
 RETURNS date
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select coalesce(counted_on, (received_at at time zone 'UTC')::date)
$function$;

CREATE OR REPLACE FUNCTION public.counted_post(kind text, post_id text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select case when kind in ('comment', 'live_comment', 'story_reply') then post_id end
$function$;

CREATE OR REPLACE FUNCTION public.creators_exist()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  given integer := (select count(distinct creator_id) from new_rows);
  found integer;
begin
  perform from creators where id in (select creator_id from new_rows) for key share;
  get diagnostics found = row_count;
  if found < given then
    raise foreign_key_violation using message = format('a row of %s names a creator that is not there', tg_table_name);
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.current_creator_id()
 RETURNS uuid
 LANGUAGE sql
 STABLE
AS $function$ select nullif(current_setting('app.creator_id', true), '')::uuid $function$;

CREATE OR REPLACE FUNCTION public.day_of(creator uuid, at timestamp with time zone)
 RETURNS date
 LANGUAGE sql
 STABLE
AS $function$
  select (at at time zone coalesce((select time_zone from creators where id = creator), 'UTC'))::date
$function$;

CREATE OR REPLACE FUNCTION public.delete_of_creator()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from interactions where creator_id = old.id;
  delete from deliveries where creator_id = old.id;
  delete from answered_people where creator_id = old.id;
  delete from people where creator_id = old.id;
  delete from outcome_deltas where creator_id = old.id;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.deliveries_under_way()
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE
AS $function$
  select distinct unnest(delivery_ids) from calls_under_way
$function$;

CREATE OR REPLACE FUNCTION public.erase_from_audit(creator uuid, contact_id text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  update audit_log set detail = replace(detail, contact_id, 'erased')
  where creator_id = creator and contact_id <> '' and strpos(detail, contact_id) > 0
$function$;

CREATE OR REPLACE FUNCTION public.erase_from_ledger(connection uuid, person_ids text[], contact_ids uuid[])
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  update consents
  set email = 'erased:' || erased_hash(creator_id, coalesce(connection_id, contact_id), coalesce(person_id, contact_id::text)),
    person_id = null, contact_id = null
  where creator_id = current_creator_id()
    and ((connection_id = connection and person_id = any(person_ids)) or contact_id = any(contact_ids))
$function$;

CREATE OR REPLACE FUNCTION public.erased_hash(creator_id uuid, connection_id uuid, person_id text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$ select encode(sha256(convert_to(creator_id::text || connection_id::text || person_id, 'UTF8')), 'hex') $function$;

CREATE OR REPLACE FUNCTION public.erased_platform_id(creator_id uuid, connection_id uuid, platform_id text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$ select 'erased:' || erased_hash(creator_id, connection_id, platform_id) $function$;

CREATE OR REPLACE FUNCTION public.forget_old_audit(before timestamp with time zone, most integer)
 RETURNS integer
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  with gone as (
    delete from audit_log where id in (
      select id from audit_log where at < least(before, now() - interval '89 days') order by at limit most
    ) returning 1
  )
  select count(*)::integer from gone
$function$;

CREATE OR REPLACE FUNCTION public.is_counted(kind text, post_id text, automation_id uuid)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select kind in ('comment', 'live_comment')
    or (kind <> 'button_tap' and (counted_post(kind, post_id) is not null or automation_id is not null))
$function$;

CREATE OR REPLACE FUNCTION public.keep_erased_away()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not exists (select from erased_people e where e.creator_id in (select creator_id from new_rows)) then return null; end if;
  delete from people p using new_rows n, erased_people e
  where p.creator_id = n.creator_id and p.connection_id = n.connection_id and p.id = n.id
    and e.creator_id = n.creator_id and e.connection_id = n.connection_id
    and e.person_hash = erased_hash(n.creator_id, n.connection_id, n.id)
    and coalesce(n.last_seen_at, n.last_wrote_at, n.first_seen_at) <= e.erased_at;
  update people p set stopped_at = e.stopped_at, email_asked_at = e.email_asked_at
  from new_rows n, erased_people e
  where p.creator_id = n.creator_id and p.connection_id = n.connection_id and p.id = n.id
    and e.creator_id = n.creator_id and e.connection_id = n.connection_id
    and e.person_hash = erased_hash(n.creator_id, n.connection_id, n.id);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.platform_paused_since(which text)
 RETURNS timestamp with time zone
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$ select paused_at from platform_pauses where platform = which for share $function$;

CREATE OR REPLACE PROCEDURE public.protect_tenant_table(IN tenant_table regclass, IN creator_column name DEFAULT 'creator_id'::name)
 LANGUAGE plpgsql
AS $procedure$
begin
  execute format('alter table %s enable row level security', tenant_table);
  execute format('alter table %s force row level security', tenant_table);
  execute format(
    'create policy one_creator on %s to creator_hq_app using (%I = (select current_creator_id())) with check (%I = (select current_creator_id()))',
    tenant_table, creator_column, creator_column
  );
  execute format('create policy engine on %s to creator_hq_engine using (true) with check (true)', tenant_table);
end
$procedure$;

CREATE OR REPLACE FUNCTION public.text_bytes(texts text[])
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN COALESCE(octet_length(array_to_string(texts, ','::text)), 0);

create table address_changes (
  creator_id uuid not null,
  id uuid not null,
  contact_id uuid not null,
  to_contact_id uuid,
  email text not null,
  is_typo boolean not null,
  code_hash text not null,
  tries smallint not null default 0,
  asked_at timestamp with time zone not null,
  changed_at timestamp with time zone,
  told_at timestamp with time zone,
  undone_at timestamp with time zone,
  constraint address_changes_pkey PRIMARY KEY (creator_id, id),
  constraint address_changes_done_check CHECK ((to_contact_id IS NULL) = (changed_at IS NULL)),
  constraint address_changes_contact_fkey FOREIGN KEY (creator_id, contact_id) REFERENCES contacts(creator_id, id) ON DELETE CASCADE,
  constraint address_changes_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE,
  constraint address_changes_to_contact_fkey FOREIGN KEY (creator_id, to_contact_id) REFERENCES contacts(creator_id, id) ON DELETE CASCADE
);
comment on table address_changes is 'members who change their address: to which, a code (hashed) | followers | 7 days, at most with the contact';
CREATE INDEX address_changes_by_age ON address_changes USING btree (asked_at);
CREATE INDEX address_changes_by_contact ON address_changes USING btree (creator_id, contact_id);
CREATE INDEX address_changes_by_to_contact ON address_changes USING btree (creator_id, to_contact_id) WHERE (to_contact_id IS NOT NULL);
alter table address_changes enable row level security;
alter table address_changes force row level security;
create policy engine on address_changes for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on address_changes for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on address_changes to creator_hq_app;
grant delete, insert, select, update on address_changes to creator_hq_engine;

create table admin_visits (
  creator_id uuid not null,
  id uuid not null,
  admin_id uuid,
  admin_name text not null,
  reason text not null,
  return_to text,
  started_at timestamp with time zone not null,
  until timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint admin_visits_pkey PRIMARY KEY (creator_id, id),
  constraint admin_visits_admin_id_fkey FOREIGN KEY (admin_id) REFERENCES users(id) ON DELETE SET NULL,
  constraint admin_visits_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
);
comment on table admin_visits is 'support visits: who, when, why | support | 2 years (`KEEP_AUDIT_LOG_DAYS`), at most with the creator';
CREATE UNIQUE INDEX admin_visits_by_id ON admin_visits USING btree (id);
alter table admin_visits enable row level security;
alter table admin_visits force row level security;
create policy engine on admin_visits for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on admin_visits for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant select on admin_visits to creator_hq_app;
grant delete, insert, select, update on admin_visits to creator_hq_engine;

create table answered_people (
  creator_id uuid not null,
  automation_id uuid not null,
  person_id text not null,
  interaction_id uuid not null,
  answered_at timestamp with time zone not null,
  constraint answered_people_pkey PRIMARY KEY (creator_id, person_id, automation_id)
) with (autovacuum_analyze_scale_factor=0.2, fillfactor=85);
comment on table answered_people is 'which automation answered whom | followers | with the contact';
alter table answered_people enable row level security;
alter table answered_people force row level security;
create policy engine on answered_people for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on answered_people for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on answered_people to creator_hq_app;
grant delete, insert, select, update on answered_people to creator_hq_engine;

create table api_keys (
  creator_id uuid not null,
  id uuid not null,
  key_hash text not null,
  prefix text not null,
  created_at timestamp with time zone not null,
  created_by uuid,
  last_used_at timestamp with time zone,
  plugin_version text,
  site_url text,
  ended_at timestamp with time zone,
  constraint api_keys_pkey PRIMARY KEY (creator_id, id),
  constraint api_keys_key_hash_key UNIQUE (key_hash),
  constraint api_keys_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint api_keys_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
);
comment on table api_keys is 'hash of the WordPress plugin''s key | team | 90 days after its end';
CREATE UNIQUE INDEX api_keys_current ON api_keys USING btree (creator_id) WHERE (ended_at IS NULL);
alter table api_keys enable row level security;
alter table api_keys force row level security;
create policy engine on api_keys for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on api_keys for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on api_keys to creator_hq_app;
grant delete, insert, select, update on api_keys to creator_hq_engine;

create table api_tokens (
  creator_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  name text not null,
  token_hash text not null,
  prefix text not null,
  scopes text[] not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone,
  last_used_at timestamp with time zone,
  revoked_at timestamp with time zone,
  constraint api_tokens_pkey PRIMARY KEY (creator_id, id),
  constraint api_tokens_token_hash_key UNIQUE (token_hash),
  constraint api_tokens_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE,
  constraint api_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
comment on table api_tokens is 'hashes of API tokens | team | 90 days after their end';
CREATE INDEX api_tokens_of_person ON api_tokens USING btree (user_id);
alter table api_tokens enable row level security;
alter table api_tokens force row level security;
create policy engine on api_tokens for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on api_tokens for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on api_tokens to creator_hq_app;
grant delete, insert, select, update on api_tokens to creator_hq_engine;

create table app_link_changes (
  creator_id uuid not null,
  id uuid not null,
  app_link_id uuid not null,
  address text not null,
  changed_at timestamp with time zone not null,
  changed_by text not null,
  constraint app_link_changes_pkey PRIMARY KEY (creator_id, id),
  constraint app_link_changes_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE,
  constraint app_link_changes_link_fkey FOREIGN KEY (creator_id, app_link_id) REFERENCES app_links(creator_id, id) ON DELETE CASCADE
);
comment on table app_link_changes is 'where short links led before, until when, who changed it | team | with the link';
CREATE INDEX app_link_changes_of_link ON app_link_changes USING btree (creator_id, app_link_id, changed_at);
alter table app_link_changes enable row level security;
alter table app_link_changes force row level security;
create policy engine on app_link_changes for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on app_link_changes for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on app_link_changes to creator_hq_app;
grant delete, insert, select, update on app_link_changes to creator_hq_engine;

create table app_links (
  creator_id uuid not null,
  id uuid not null,
  version integer not null default 1,
  name text not null,
  address text not null,
  opens_app boolean not null,
  begins_at timestamp with time zone,
  ends_at timestamp with time zone,
  elsewhere text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  campaign text not null default ''::text,
  slug text,
  products_abroad jsonb not null default '{}'::jsonb,
  constraint app_links_pkey PRIMARY KEY (creator_id, id),
  constraint app_links_times_check CHECK (begins_at < ends_at),
  constraint app_links_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
);
comment on table app_links is 'short links of any address: name, address, campaign, times | nobody | account';
CREATE UNIQUE INDEX app_links_by_name ON app_links USING btree (creator_id, lower(name));
CREATE UNIQUE INDEX app_links_by_slug ON app_links USING btree (creator_id, slug) WHERE (slug IS NOT NULL);
CREATE INDEX app_links_last_changed ON app_links USING btree (creator_id, updated_at DESC, id DESC);
alter table app_links enable row level security;
alter table app_links force row level security;
create policy engine on app_links for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on app_links for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on app_links to creator_hq_app;
grant delete, insert, select, update on app_links to creator_hq_engine;

create table audit_log (
  id uuid not null,
  at timestamp with time zone not null,
  admin_id uuid,
  admin_name text not null,
  creator_id uuid,
  visit_id uuid,
  what text not null,
  detail text not null default ''::text,
  constraint audit_log_pkey PRIMARY KEY (id)
);
comment on table audit_log is 'what admins did, with the address called | support, followers | 2 years (`KEEP_AUDIT_LOG_DAYS`); reasons and addresses cleared with the creator or contact';
CREATE INDEX audit_log_by_creator ON audit_log USING btree (creator_id, at DESC, id DESC) WHERE (creator_id IS NOT NULL);
CREATE INDEX audit_log_by_visit ON audit_log USING btree (visit_id) WHERE (visit_id IS NOT NULL);
CREATE INDEX audit_log_newest ON audit_log USING btree (at DESC, id DESC);
grant insert, select on audit_log to creator_hq_engine;

create table automation_posts (
  creator_id uuid not null,
  automation_id uuid not null,
  post_id text not null,
  attached_at timestamp with time zone not null,
  constraint automation_posts_pkey PRIMARY KEY (creator_id, automation_id, post_id),
  constraint automation_posts_creator_id_automation_id_fkey FOREIGN KEY (creator_id, automation_id) REFERENCES automations(creator_id, id) ON DELETE CASCADE,
  constraint automation_posts_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
);
comment on table automation_posts is 'automation and post | nobody | account';
alter table automation_posts enable row level security;
alter table automation_posts force row level security;
create policy engine on automation_posts for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on automation_posts for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on automation_posts to creator_hq_app;
grant delete, insert, select, update on automation_posts to creator_hq_engine;

create table automations (
  creator_id uuid not null,
  id uuid not null,
  connection_id uuid not null,
  name text not null,
  post_id text,
  words text[] not null,
  mode text not null,
  excluded_words text[] not null default '{}'::text[],
  typo_tolerance boolean not null default true,
  priority integer not null default 0,
  message_text text not null,
  buttons jsonb not null default '[]'::jsonb,
  public_replies text[] not null default '{}'::text[],
  repeat_after_minutes integer default 1440,
  version integer not null default 1,
  switched_on_at timestamp with time zone,
  switched_on_by uuid,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  archived_at timestamp with time zone,
  trigger text not null default 'comment'::text,
  scope text not null default 'any'::text,
  caption_words text[] not null default '{}'::text[],
  keyword_ids uuid[] not null default '{}'::uuid[],
  reply_id uuid,
  variants jsonb not null default '[]'::jsonb,
  variant_winner text,
  translations jsonb not null default '[]'::jsonb,
  card jsonb,
  opening jsonb,
  follow_ask jsonb,
  email_ask jsonb,
  follow_up jsonb,
  prepared_as text,
  attached_at timestamp with time zone,
  variants_since timestamp with time zone,
  variant_looks smallint not null default 0,
  variant_decided_at timestamp with time zone,
  variant_tried jsonb,
  when_link_breaks text not null default 'send'::text,
  link_instead text,
  draft jsonb,
  draft_version integer not null default 0,
  bytes integer not null generated always as (((((((((text_bytes(words) + text_bytes(excluded_words)) + text_bytes(caption_words)) + text_bytes(public_replies)) + octet_length(message_text)) + octet_length((buttons)::text)) + octet_length((variants)::text)) + octet_length((translations)::text)) + COALESCE(octet_length((draft)::text), 0))) stored,
  constraint automations_pkey PRIMARY KEY (creator_id, id),
  constraint automations_mode_check CHECK (mode = ANY (ARRAY['whole_word'::text, 'contains'::text, 'exact'::text, 'all_words'::text, 'any_comment'::text])),
  constraint automations_prepared_as_check CHECK (prepared_as = 'next'::text),
  constraint automations_scope_check CHECK (scope = ANY (ARRAY['one'::text, 'any'::text, 'next'::text, 'caption'::text])),
  constraint automations_trigger_check CHECK (trigger = ANY (ARRAY['comment'::text, 'live_comment'::text, 'story_reply'::text, 'story_mention'::text, 'direct_message'::text])),
  constraint automations_when_link_breaks_check CHECK (when_link_breaks = ANY (ARRAY['send'::text, 'hold'::text, 'swap'::text])),
  constraint one_post CHECK ((scope = 'one'::text) = (post_id IS NOT NULL)),
  constraint swap_names_link CHECK (when_link_breaks <> 'swap'::text OR link_instead IS NOT NULL),
  constraint automations_creator_id_connection_id_fkey FOREIGN KEY (creator_id, connection_id) REFERENCES connections(creator_id, id) ON DELETE CASCADE,
  constraint automations_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE,
  constraint automations_switched_on_by_fkey FOREIGN KEY (switched_on_by) REFERENCES users(id) ON DELETE SET NULL
);
comment on table automations is 'the creator''s words and answers | nobody | account';
CREATE INDEX automations_by_connection ON automations USING btree (connection_id) WHERE (archived_at IS NULL);
CREATE INDEX automations_by_post ON automations USING btree (creator_id, post_id) WHERE (archived_at IS NULL);
CREATE INDEX automations_waiting ON automations USING btree (connection_id) WHERE ((scope = ANY (ARRAY['next'::text, 'caption'::text])) AND (switched_on_at IS NOT NULL) AND (archived_at IS NULL));
alter table automations enable row level security;
alter table automations force row level security;
create policy engine on automations for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on automations for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on automations to creator_hq_app;
grant delete, insert, select, update on automations to creator_hq_engine;

create table blog_posts (
  creator_id uuid not null,
  site_id uuid not null,
  wordpress_id bigint not null,
  url text not null,
  url_key text not null,
  title text not null,
  picture_url text,
  categories jsonb not null,
  recipe jsonb,
  published_at timestamp with time zone not null,
  changed_at timestamp with time zone not null,
  synced_at timestamp with time zone not null,
  gone_at timestamp with time zone,
  has_given boolean not null,
  recipe_id uuid,
  amazon_links text[] not null default '{}'::text[],
  links_problem text,
  lock jsonb,
  constraint blog_posts_pkey PRIMARY KEY (creator_id, site_id, wordpress_id),
  constraint blog_posts_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE,
  constraint blog_posts_recipe_fkey FOREIGN KEY (creator_id, recipe_id) REFERENCES recipes(creator_id, id) ON DELETE SET NULL (recipe_id),
  constraint blog_posts_site_fkey FOREIGN KEY (creator_id, site_id) REFERENCES sites(creator_id, id) ON DELETE CASCADE
);
comment on table blog_posts is 'posts of the blog: address, title, picture, categories, recipe card | nobody | until the site is removed, or with the creator';
CREATE INDEX blog_posts_by_address ON blog_posts USING btree (creator_id, md5(url_key));
CREATE INDEX blog_posts_by_card ON blog_posts USING btree (creator_id, site_id, ((recipe ->> 'anchor'::text))) WHERE (recipe_id IS NOT NULL);
CREATE INDEX blog_posts_by_recipe ON blog_posts USING btree (creator_id, recipe_id) WHERE (recipe_id IS NOT NULL);
alter table blog_posts enable row level security;
alter table blog_posts force row level security;
create policy engine on blog_posts for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on blog_posts for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on blog_posts to creator_hq_app;
grant delete, insert, select, update on blog_posts to creator_hq_engine;

create table broadcasts (
  creator_id uuid not null,
  id uuid not null,
  kind text not null,
  state text not null default 'draft'::text,
  version integer not null default 1,
  design jsonb not null,
  segment text,
  because text,
  asked_by text,
  asked_at timestamp with time zone,
  changed_by text not null,
  changed_at timestamp with time zone not null,
  send_at timestamp with time zone,
  gathered_to uuid,
  gathered_at timestamp with time zone,
  finished_at timestamp with time zone,
  figures jsonb,
  counted_at timestamp with time zone,
  is_watched boolean not null default true,
  recipe_id uuid,
  page_key text,
  daily_limit integer,
  next_at timestamp with time zone,
  constraint broadcasts_pkey PRIMARY KEY (creator_id, id),
  constraint broadcasts_kind_check CHECK (kind = ANY (ARRAY['broadcast'::text, 'digest'::text, 'correction'::text])),
  constraint broadcasts_state_check CHECK (state = ANY (ARRAY['draft'::text, 'scheduled'::text, 'gathering'::text, 'sending'::text, 'paused'::text, 'done'::text, 'cancelled'::text])),
  constraint broadcasts_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
);
comment on table broadcasts is 'newsletters: what they say, who gets them, figures, who wrote them | team | with the creator';
CREATE INDEX broadcasts_at_work ON broadcasts USING btree (state, send_at) WHERE (state = ANY (ARRAY['scheduled'::text, 'gathering'::text, 'sending'::text]));
CREATE INDEX broadcasts_followed ON broadcasts USING btree (counted_at) WHERE (state = ANY (ARRAY['paused'::text, 'done'::text, 'cancelled'::text]));
CREATE INDEX broadcasts_newest ON broadcasts USING btree (creator_id, changed_at DESC, id DESC);
alter table broadcasts enable row level security;
alter table broadcasts force row level security;
create policy engine on broadcasts for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on broadcasts for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on broadcasts to creator_hq_app;
grant delete, insert, select, update on broadcasts to creator_hq_engine;

create table calls_under_way (
  batch_id uuid not null,
  delivery_ids uuid[] not null,
  constraint calls_under_way_pkey PRIMARY KEY (batch_id)
) with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=500);
comment on table calls_under_way is 'ids of messages being sent | nobody | moments';
grant delete, insert, select, update on calls_under_way to creator_hq_engine;

create table catch_ups (
  creator_id uuid not null,
  id uuid not null,
  post_id text,
  people integer not null,
  started_at timestamp with time zone not null,
  started_by uuid,
  cancelled_at timestamp with time zone,
  constraint catch_ups_pkey PRIMARY KEY (creator_id, id),
  constraint catch_ups_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE,
  constraint catch_ups_started_by_fkey FOREIGN KEY (started_by) REFERENCES users(id) ON DELETE SET NULL
);
comment on table catch_ups is 'catch-ups: how many, when, by whom | team | activity';
alter table catch_ups enable row level security;
alter table catch_ups force row level security;
create policy engine on catch_ups for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on catch_ups for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on catch_ups to creator_hq_app;
grant delete, insert, select, update on catch_ups to creator_hq_engine;

create table checkouts (
  creator_id uuid not null,
  id uuid not null,
  plan_id text not null,
  billing_interval text not null,
  session_id text,
  url text,
  state text not null default 'open'::text,
  begun_at timestamp with time zone not null,
  constraint checkouts_pkey PRIMARY KEY (creator_id, id),
  constraint checkouts_session_id_key UNIQUE (session_id),
  constraint checkouts_billing_interval_check CHECK (billing_interval = ANY (ARRAY['month'::text, 'year'::text])),
  constraint checkouts_state_check CHECK (state = ANY (ARRAY['open'::text, 'over'::text])),
  constraint checkouts_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE,
  constraint checkouts_plan_id_fkey FOREIGN KEY (plan_id) REFERENCES plans(id)
);
comment on table checkouts is 'payments begun on Stripe''s page | creator | account';
CREATE UNIQUE INDEX checkouts_open ON checkouts USING btree (creator_id) WHERE (state = 'open'::text);
alter table checkouts enable row level security;
alter table checkouts force row level security;
create policy engine on checkouts for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on checkouts for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on checkouts to creator_hq_engine;

create table clicks (
  creator_id uuid not null,
  id uuid not null,
  link_id uuid not null,
  delivery_id uuid,
  clicked_at timestamp with time zone not null,
  not_counted_because text,
  times integer not null default 1,
  mail_id uuid,
  channel text,
  app text,
  country text,
  constraint clicks_pkey PRIMARY KEY (creator_id, id),
  constraint clicks_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE,
  constraint clicks_mail_id_fkey FOREIGN KEY (creator_id, mail_id) REFERENCES reader_mails(creator_id, id) ON DELETE SET NULL (mail_id) NOT VALID
);
comment on table clicks is 'openings of a link, in which mail, place, app and country, how often a minute; no address, no device | nobody | activity, or with its mail';
CREATE INDEX clicks_by_delivery ON clicks USING btree (creator_id, delivery_id) WHERE (delivery_id IS NOT NULL);
CREATE INDEX clicks_by_link ON clicks USING btree (creator_id, link_id, clicked_at);
CREATE INDEX clicks_by_mail ON clicks USING btree (creator_id, mail_id) WHERE (mail_id IS NOT NULL);
CREATE INDEX clicks_of_messages ON clicks USING btree (creator_id, link_id, clicked_at) WHERE (delivery_id IS NOT NULL);
CREATE INDEX clicks_without_message ON clicks USING btree (clicked_at) WHERE ((delivery_id IS NULL) AND (mail_id IS NULL));
alter table clicks enable row level security;
alter table clicks force row level security;
create policy engine on clicks for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on clicks for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on clicks to creator_hq_app;
grant delete, insert, select, update on clicks to creator_hq_engine;

create table comment_readings (
  creator_id uuid not null,
  post_id text not null,
  connection_id uuid not null,
  next_at timestamp with time zone not null,
  read_to timestamp with time zone,
  cursor text,
  started_at timestamp with time zone,
  reads_whole boolean not null default false,
  listed_so_far integer not null default 0,
  whole_at timestamp with time zone,
  listed integer,
  platform_counted integer,
  seen integer,
  failures smallint not null default 0,
  found_before integer not null default 0,
  constraint comment_readings_pkey PRIMARY KEY (creator_id, post_id),
  constraint comment_readings_creator_id_connection_id_fkey FOREIGN KEY (creator_id, connection_id) REFERENCES connections(creator_id, id) ON DELETE CASCADE,
  constraint comment_readings_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
);
comment on table comment_readings is 'how far a post''s comments were read | nobody | with the post';
CREATE INDEX comment_readings_by_connection ON comment_readings USING btree (creator_id, connection_id);
CREATE INDEX comment_readings_due ON comment_readings USING btree (next_at);
alter table comment_readings enable row level security;
alter table comment_readings force row level security;
create policy engine on comment_readings for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on comment_readings for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on comment_readings to creator_hq_app;
grant delete, insert, select, update on comment_readings to creator_hq_engine;

create table confirmations (
  creator_id uuid not null,
  id uuid not null,
  contact_id uuid not null,
  token_hash text not null,
  tripwire_hash text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  tripped_at timestamp with time zone,
  tripped_network text,
  opened_at timestamp with time zone,
  confirmed_at timestamp with time zone,
  constraint confirmations_pkey PRIMARY KEY (creator_id, id),
  constraint confirmations_token_hash_key UNIQUE (token_hash),
  constraint confirmations_tripwire_hash_key UNIQUE (tripwire_hash),
  constraint confirmations_contact_id_fkey FOREIGN KEY (creator_id, contact_id) REFERENCES contacts(creator_id, id) ON DELETE CASCADE,
  constraint confirmations_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
);
comment on table confirmations is 'hashes of links that confirm a newsletter sign-up | followers | 30 days after they end; at most with the contact';
CREATE INDEX confirmations_by_age ON confirmations USING btree (expires_at);
CREATE INDEX confirmations_by_contact ON confirmations USING btree (creator_id, contact_id);
CREATE INDEX confirmations_opened ON confirmations USING btree (opened_at) WHERE ((opened_at IS NOT NULL) AND (confirmed_at IS NULL));
alter table confirmations enable row level security;
alter table confirmations force row level security;
create policy engine on confirmations for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on confirmations for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant select, update on confirmations to creator_hq_app;
grant delete, insert, select, update on confirmations to creator_hq_engine;

create table connections (
  creator_id uuid not null,
  id uuid not null,
  platform text not null,
  account_id text not null,
  shard smallint not null generated always as (((('x'::text || substr(md5(account_id), 1, 1)))::bit(4))::integer) stored,
  app_scoped_id text,
  facebook_user_id text,
  page_id text,
  username text not null,
  name text,
  avatar_url text,
  followers_count bigint,
  account_type text,
  missing_permissions text[] not null default '{}'::text[],
  missing_webhooks text[] not null default '{}'::text[],
  webhooks_checked_at timestamp with time zone,
  webhooks_repaired_at timestamp with time zone,
  checked_at timestamp with time zone,
  figures_refreshed_at timestamp with time zone,
  requires_auth_at timestamp with time zone,
  requires_auth_reason text,
  barred_until timestamp with time zone,
  barred_count integer not null default 0,
  connected_at timestamp with time zone not null,
  connected_by uuid,
  disconnected_at timestamp with time zone,
  disconnected_reason text,
  posts_synced_at timestamp with time zone,
  posts_tried_at timestamp with time zone,
  posts_fully_synced_at timestamp with time zone,
  webhooks_paused_at timestamp with time zone,
  stories_tried_at timestamp with time zone,
  stories_read_at timestamp with time zone,
  lives_tried_at timestamp with time zone,
  policy_blocked boolean not null default false,
  policy_reason text,
  policy_changed_at timestamp with time zone,
  constraint connections_pkey PRIMARY KEY (creator_id, id),
  constraint connections_platform_check CHECK (platform = ANY (ARRAY['instagram'::text, 'facebook'::text])),
  constraint connections_connected_by_fkey FOREIGN KEY (connected_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint connections_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
);
comment on table connections is 'accounts at Meta: ids, handle, name, picture address | creator | account, or until they ask Meta for deletion';
CREATE INDEX connections_by_app_scoped_id ON connections USING btree (app_scoped_id) WHERE (app_scoped_id IS NOT NULL);
CREATE INDEX connections_by_check ON connections USING btree (checked_at NULLS FIRST) WHERE (disconnected_at IS NULL);
CREATE INDEX connections_by_facebook_user ON connections USING btree (facebook_user_id) WHERE (facebook_user_id IS NOT NULL);
CREATE UNIQUE INDEX connections_by_id ON connections USING btree (id);
CREATE UNIQUE INDEX connections_one_creator_each ON connections USING btree (platform, account_id) WHERE (disconnected_at IS NULL);
alter table connections enable row level security;
alter table connections force row level security;
create policy engine on connections for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on connections for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on connections to creator_hq_app;
grant delete, insert, select, update on connections to creator_hq_engine;

create table consents (
  creator_id uuid not null,
  id uuid not null,
  connection_id uuid,
  person_id text,
  email text not null,
  wording text not null,
  place text not null,
  language text,
  automation_id uuid,
  agreed_at timestamp with time zone not null,
  post_id text,
  contact_id uuid,
  purpose text not null default 'newsletter'::text,
  act text not null default 'given'::text,
  how text,
  form_id uuid,
  form_version integer,
  page_url text,
  constraint consents_pkey PRIMARY KEY (creator_id, id),
  constraint consents_act_check CHECK (act = ANY (ARRAY['given'::text, 'confirmed'::text, 'declined'::text, 'withdrawn'::text, 'imported'::text, 'not_me'::text])) NOT VALID,
  constraint consents_purpose_check CHECK (purpose = ANY (ARRAY['save'::text, 'newsletter'::text, 'gate'::text, 'ads'::text])) NOT VALID,
  constraint consents_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
);
comment on table consents is 'address, wording, when and where | followers | with the contact; wording and time stay as evidence, without the person';
CREATE INDEX consents_by_automation ON consents USING btree (creator_id, automation_id, agreed_at) WHERE (automation_id IS NOT NULL);
CREATE INDEX consents_by_contact ON consents USING btree (creator_id, contact_id, agreed_at DESC) WHERE (contact_id IS NOT NULL);
CREATE INDEX consents_by_email ON consents USING btree (creator_id, email);
CREATE INDEX consents_by_person ON consents USING btree (creator_id, connection_id, person_id) WHERE (person_id IS NOT NULL);
CREATE INDEX consents_by_post ON consents USING btree (creator_id, post_id, agreed_at) WHERE (post_id IS NOT NULL);
CREATE INDEX consents_to_read ON consents USING btree (agreed_at) WHERE ((how IS NULL) AND (person_id IS NOT NULL));
alter table consents enable row level security;
alter table consents force row level security;
create policy engine on consents for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on consents for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant insert, select on consents to creator_hq_app;
grant delete, insert, select, update on consents to creator_hq_engine;

create table contact_changes (
  creator_id uuid not null,
  id uuid not null,
  connection_id uuid not null,
  person_id text not null,
  what text not null,
  until timestamp with time zone,
  changed_at timestamp with time zone not null,
  changed_by uuid,
  constraint contact_changes_pkey PRIMARY KEY (creator_id, id),
  constraint contact_changes_what_check CHECK (what = ANY (ARRAY['taken_over'::text, 'handed_back'::text, 'blocked'::text, 'unblocked'::text])),
  constraint contact_changes_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint contact_changes_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
);
comment on table contact_changes is 'who took over, handed back, blocked | followers, team | activity';
CREATE INDEX contact_changes_by_person ON contact_changes USING btree (creator_id, connection_id, person_id, changed_at);
CREATE INDEX contact_changes_by_time ON contact_changes USING btree (creator_id, changed_at);
alter table contact_changes enable row level security;
alter table contact_changes force row level security;
create policy engine on contact_changes for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on contact_changes for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on contact_changes to creator_hq_app;
grant delete, insert, select, update on contact_changes to creator_hq_engine;

create table contact_tags (
  creator_id uuid not null,
  tag_id uuid not null,
  contact_id uuid not null,
  source text not null,
  given_at timestamp with time zone not null,
  constraint contact_tags_pkey PRIMARY KEY (creator_id, tag_id, contact_id),
  constraint contact_tags_source_check CHECK (source = ANY (ARRAY['team'::text, 'form'::text, 'file'::text, 'tool'::text])),
  constraint contact_tags_contact_fkey FOREIGN KEY (creator_id, contact_id) REFERENCES contacts(creator_id, id) ON DELETE CASCADE,
  constraint contact_tags_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE,
  constraint contact_tags_tag_fkey FOREIGN KEY (creator_id, tag_id) REFERENCES tags(creator_id, id) ON DELETE CASCADE
);
comment on table contact_tags is 'tags of contacts, and who gave them | followers | until taken away, or with the contact';
CREATE INDEX contact_tags_by_contact ON contact_tags USING btree (creator_id, contact_id);
alter table contact_tags enable row level security;
alter table contact_tags force row level security;
create policy engine on contact_tags for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on contact_tags for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on contact_tags to creator_hq_app;
grant delete, insert, select, update on contact_tags to creator_hq_engine;

create table contacts (
  creator_id uuid not null,
  id uuid not null,
  email text,
  email_key text,
  gmail_mailbox text,
  name text,
  name_key text,
  name_last text generated always as ("substring"(name_key, '[^ ]+$'::text)) stored,
  language text,
  newsletter text not null default 'none'::text,
  newsletter_at timestamp with time zone,
  confirmed_at timestamp with time zone,
  asked_at timestamp with time zone,
  asked_count smallint not null default 0,
  saved_count integer not null default 0,
  last_saved_at timestamp with time zone,
  first_seen_at timestamp with time zone not null,
  last_seen_at timestamp with time zone not null,
  source text not null,
  joined_to uuid,
  has_people boolean not null default false,
  has_joined boolean not null default false,
  newsletter_of_all text not null default 'none'::text,
  taken_out jsonb not null default '{}'::jsonb,
  has_pass boolean not null default false,
  constraint contacts_pkey PRIMARY KEY (creator_id, id),
  constraint contacts_email_check CHECK ((email IS NULL) = (email_key IS NULL)),
  constraint contacts_newsletter_check CHECK (newsletter = ANY (ARRAY['none'::text, 'unconfirmed'::text, 'confirmed'::text, 'unsubscribed'::text, 'bounced'::text, 'complained'::text])),
  constraint contacts_source_check CHECK (source = ANY (ARRAY['blog'::text, 'dm'::text, 'file'::text, 'tool'::text, 'team'::text])),
  constraint contacts_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
);
comment on table contacts is 'contacts: email, name, language, newsletter or not, saves counted and hidden | followers | until erased, or with the creator';
CREATE UNIQUE INDEX contacts_by_email ON contacts USING btree (creator_id, email_key text_pattern_ops) WHERE (email_key IS NOT NULL);
CREATE INDEX contacts_by_last_name ON contacts USING btree (creator_id, name_last text_pattern_ops) WHERE (name_last IS NOT NULL);
CREATE INDEX contacts_by_mailbox ON contacts USING btree (creator_id, gmail_mailbox) WHERE (gmail_mailbox IS NOT NULL);
CREATE INDEX contacts_by_name ON contacts USING btree (creator_id, name_key text_pattern_ops) WHERE (name_key IS NOT NULL);
CREATE INDEX contacts_by_newsletter ON contacts USING btree (creator_id, newsletter_of_all, last_seen_at DESC, id DESC) WHERE ((joined_to IS NULL) AND (newsletter_of_all <> 'none'::text));
CREATE INDEX contacts_from_blog ON contacts USING btree (creator_id, last_seen_at DESC, id DESC) WHERE ((joined_to IS NULL) AND ((source = 'blog'::text) OR (saved_count > 0)));
CREATE INDEX contacts_joined ON contacts USING btree (creator_id, joined_to) WHERE (joined_to IS NOT NULL);
CREATE INDEX contacts_members_by_email ON contacts USING btree (creator_id, email_key text_pattern_ops) INCLUDE (id) WHERE (has_pass AND (email_key IS NOT NULL));
CREATE INDEX contacts_members_by_last_name ON contacts USING btree (creator_id, name_last text_pattern_ops) INCLUDE (id) WHERE (has_pass AND (name_last IS NOT NULL));
CREATE INDEX contacts_members_by_name ON contacts USING btree (creator_id, name_key text_pattern_ops) INCLUDE (id) WHERE (has_pass AND (name_key IS NOT NULL));
CREATE INDEX contacts_newest ON contacts USING btree (creator_id, last_seen_at DESC, id DESC) WHERE (joined_to IS NULL);
alter table contacts enable row level security;
alter table contacts force row level security;
create policy engine on contacts for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on contacts for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on contacts to creator_hq_app;
grant delete, insert, select, update on contacts to creator_hq_engine;

create table conversations (
  creator_id uuid not null,
  id uuid not null,
  connection_id uuid not null,
  automation_id uuid not null,
  interaction_id uuid not null,
  person_id text not null,
  state text not null,
  ended_because text,
  plan jsonb not null,
  follow_asks smallint not null default 0,
  email_hints smallint not null default 0,
  given_email text,
  suggested_email text,
  pending_delivery_id uuid,
  delivered_at timestamp with time zone,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint conversations_pkey PRIMARY KEY (creator_id, id),
  constraint conversations_state_check CHECK (state = ANY (ARRAY['opening'::text, 'follow'::text, 'email'::text, 'delivered'::text, 'ended'::text])),
  constraint conversations_creator_id_connection_id_fkey FOREIGN KEY (creator_id, connection_id) REFERENCES connections(creator_id, id) ON DELETE CASCADE,
  constraint conversations_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
) with (fillfactor=80);
comment on table conversations is 'state of a message sequence | followers | activity; their words as texts';
CREATE INDEX conversations_by_interaction ON conversations USING btree (creator_id, interaction_id);
CREATE INDEX conversations_by_person ON conversations USING btree (creator_id, automation_id, person_id);
CREATE INDEX conversations_open ON conversations USING btree (connection_id, person_id) WHERE (state = ANY (ARRAY['opening'::text, 'follow'::text, 'email'::text]));
CREATE INDEX conversations_timing_out ON conversations USING btree (expires_at) WHERE (state = ANY (ARRAY['opening'::text, 'follow'::text, 'email'::text]));
alter table conversations enable row level security;
alter table conversations force row level security;
create policy engine on conversations for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on conversations for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on conversations to creator_hq_app;
grant delete, insert, select, update on conversations to creator_hq_engine;

create table conversions (
  creator_id uuid not null,
  id uuid not null,
  address text not null,
  app_link_id uuid not null,
  is_on boolean not null default true,
  created_at timestamp with time zone not null,
  constraint conversions_pkey PRIMARY KEY (creator_id, id),
  constraint conversions_app_link_fkey FOREIGN KEY (creator_id, app_link_id) REFERENCES app_links(creator_id, id) ON DELETE CASCADE,
  constraint conversions_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
);
comment on table conversions is 'addresses in a blog that are shown as short links | nobody | account';
CREATE INDEX conversions_by_app_link ON conversions USING btree (creator_id, app_link_id);
alter table conversions enable row level security;
alter table conversions force row level security;
create policy engine on conversions for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on conversions for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant insert, select, update on conversions to creator_hq_app;
grant delete, insert, select, update on conversions to creator_hq_engine;

create table creator_secrets (
  creator_id uuid not null,
  id uuid not null,
  secret text not null,
  made_at timestamp with time zone not null,
  constraint creator_secrets_pkey PRIMARY KEY (creator_id, id),
  constraint creator_secrets_one UNIQUE (creator_id),
  constraint creator_secrets_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
);
comment on table creator_secrets is 'a sealed secret for hashes of addresses | nobody | with the creator';
alter table creator_secrets enable row level security;
alter table creator_secrets force row level security;
create policy engine on creator_secrets for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on creator_secrets for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant insert, select, update on creator_secrets to creator_hq_app;
grant delete, insert, select, update on creator_secrets to creator_hq_engine;

create table creators (
  id uuid not null,
  handle text not null,
  created_at timestamp with time zone not null default now(),
  created_by uuid,
  billing_email text,
  delete_requested_at timestamp with time zone,
  delete_requested_by uuid,
  delete_at timestamp with time zone,
  takeover_minutes integer default 720,
  facebook_addon boolean not null default false,
  history_from timestamp with time zone,
  texts_cleared_to timestamp with time zone,
  time_zone text,
  first_link_seen_at timestamp with time zone,
  constraint creators_pkey PRIMARY KEY (id),
  constraint creators_takeover_minutes_check CHECK (takeover_minutes > 0),
  constraint creators_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint creators_delete_requested_by_fkey FOREIGN KEY (delete_requested_by) REFERENCES users(id) ON DELETE SET NULL
);
comment on table creators is 'handle, billing address, settings | creator | until deleted';
CREATE UNIQUE INDEX creators_by_handle ON creators USING btree (lower(handle));
CREATE INDEX creators_to_delete ON creators USING btree (delete_at) WHERE (delete_at IS NOT NULL);
alter table creators enable row level security;
alter table creators force row level security;
create policy engine on creators for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on creators for all to creator_hq_app
  using (id = ( SELECT current_creator_id() AS current_creator_id))
  with check (id = ( SELECT current_creator_id() AS current_creator_id));
CREATE TRIGGER delete_of_creator AFTER DELETE ON public.creators FOR EACH ROW EXECUTE FUNCTION delete_of_creator();
grant select, update on creators to creator_hq_app;
grant delete, insert, select, update on creators to creator_hq_engine;

create table credentials (
  id uuid not null,
  user_id uuid not null,
  account_id text not null,
  provider_id text not null,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamp with time zone,
  refresh_token_expires_at timestamp with time zone,
  scope text,
  password text,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint credentials_pkey PRIMARY KEY (id),
  constraint credentials_provider_id_account_id_key UNIQUE (provider_id, account_id),
  constraint credentials_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
comment on table credentials is 'password hashes | team | with the user';
CREATE INDEX credentials_by_user ON credentials USING btree (user_id);
grant delete, insert, select, update on credentials to creator_hq_engine;

create table data_deletions (
  confirmation_code text not null,
  platform_user_id text,
  requested_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  constraint data_deletions_pkey PRIMARY KEY (confirmation_code)
);
comment on table data_deletions is 'confirmation codes of Meta''s deletion requests | followers, creator | Meta''s id until done (minutes); the bare code for good, for its page';
grant delete, insert, select, update on data_deletions to creator_hq_engine;

create table data_integrations (
  creator_id uuid not null,
  id uuid not null,
  tool text not null,
  secret text not null,
  account_name text not null,
  target_id text,
  target_name text,
  state text not null,
  because text,
  failures integer not null default 0,
  paused_until timestamp with time zone,
  recent_calls jsonb not null default '[]'::jsonb,
  hook_id text,
  hook_secret text,
  hook_token text not null,
  asked_at timestamp with time zone not null,
  connected_at timestamp with time zone not null,
  connected_by uuid,
  refresh_secret text,
  expires_at timestamp with time zone,
  constraint data_integrations_pkey PRIMARY KEY (creator_id, id),
  constraint data_integrations_one UNIQUE (creator_id, tool),
  constraint data_integrations_token UNIQUE (hook_token),
  constraint data_integrations_state_check CHECK (state = ANY (ARRAY['on'::text, 'off'::text, 'reconnect'::text])),
  constraint data_integrations_tool_check CHECK (tool = ANY (ARRAY['kit'::text, 'mailchimp'::text])),
  constraint data_integrations_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
);
comment on table data_integrations is 'newsletter tools: sealed key or tokens, account name there, tag or audience | team | until disconnected, or with the creator';
alter table data_integrations enable row level security;
alter table data_integrations force row level security;
create policy engine on data_integrations for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on data_integrations for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on data_integrations to creator_hq_app;
grant delete, insert, select, update on data_integrations to creator_hq_engine;

create table deliveries (
  creator_id uuid not null,
  id uuid not null,
  connection_id uuid not null,
  interaction_id uuid not null,
  automation_id uuid,
  kind text not null,
  lane text not null,
  recipient text not null,
  content jsonb not null,
  state text not null default 'queued'::text,
  priority smallint not null default 0,
  due_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  attempts smallint not null default 0,
  uncertain boolean not null default false,
  called_at timestamp with time zone,
  finished_at timestamp with time zone,
  platform_message_id text,
  recipient_person_id text,
  read_at timestamp with time zone,
  failure_reason text,
  failure_detail text,
  created_at timestamp with time zone not null,
  clicked_at timestamp with time zone,
  conversation_id uuid,
  variant text,
  sent_by uuid,
  catch_up_id uuid,
  held_from timestamp with time zone,
  listed_as text not null generated always as (
CASE
    WHEN (state = 'sending'::text) THEN 'sent'::text
    ELSE state
END) stored,
  given_up_at timestamp with time zone generated always as (
CASE
    WHEN (state = ANY (ARRAY['failed'::text, 'expired'::text])) THEN finished_at
    ELSE NULL::timestamp with time zone
END) stored,
  called_off text,
  constraint deliveries_pkey PRIMARY KEY (id, creator_id),
  constraint deliveries_kind_check CHECK (kind = ANY (ARRAY['private_reply'::text, 'message'::text, 'public_reply'::text])),
  constraint deliveries_lane_check CHECK (lane = ANY (ARRAY['private_replies'::text, 'live_replies'::text, 'messages'::text, 'public_replies'::text, 'reads'::text])),
  constraint deliveries_state_check CHECK (state = ANY (ARRAY['queued'::text, 'sending'::text, 'sent'::text, 'failed'::text, 'expired'::text, 'cancelled'::text])),
  constraint deliveries_sent_by_fkey FOREIGN KEY (sent_by) REFERENCES users(id) ON DELETE SET NULL
) with (autovacuum_analyze_scale_factor=0.2, autovacuum_vacuum_scale_factor=0.05, autovacuum_vacuum_threshold=5000, fillfactor=42);
comment on table deliveries is 'what was sent to whom, when, Meta''s answer | followers | activity; words as texts';
CREATE INDEX deliveries_by_catch_up ON deliveries USING btree (creator_id, catch_up_id) WHERE (catch_up_id IS NOT NULL);
CREATE INDEX deliveries_by_conversation ON deliveries USING btree (creator_id, conversation_id) WHERE (conversation_id IS NOT NULL);
CREATE INDEX deliveries_by_interaction ON deliveries USING btree (creator_id, interaction_id);
CREATE INDEX deliveries_by_person ON deliveries USING btree (connection_id, recipient_person_id) WHERE (recipient_person_id IS NOT NULL);
CREATE INDEX deliveries_called ON deliveries USING btree (connection_id, lane, called_at) WHERE (called_at IS NOT NULL);
CREATE INDEX deliveries_compared ON deliveries USING btree (creator_id, automation_id, created_at) WHERE (variant IS NOT NULL);
CREATE INDEX deliveries_given_up ON deliveries USING btree (given_up_at) WHERE (given_up_at IS NOT NULL);
CREATE INDEX deliveries_held ON deliveries USING btree (creator_id) WHERE ((held_from IS NOT NULL) AND (listed_as = 'queued'::text));
CREATE INDEX deliveries_queued ON deliveries USING btree (connection_id, lane, priority DESC, expires_at, id) WHERE (listed_as = 'queued'::text);
CREATE INDEX deliveries_uncertain ON deliveries USING btree (connection_id) WHERE (uncertain AND (listed_as = 'queued'::text));
alter table deliveries enable row level security;
alter table deliveries force row level security;
create policy engine on deliveries for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on deliveries for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
CREATE TRIGGER count_clicked AFTER UPDATE OF clicked_at ON public.deliveries FOR EACH ROW WHEN (((old.clicked_at IS NULL) AND (new.clicked_at IS NOT NULL))) EXECUTE FUNCTION count_reached_delivery('clicked');
CREATE TRIGGER count_opened AFTER UPDATE OF read_at ON public.deliveries FOR EACH ROW WHEN (((old.read_at IS NULL) AND (new.read_at IS NOT NULL) AND (new.kind <> 'public_reply'::text))) EXECUTE FUNCTION count_reached_delivery('opened');
CREATE TRIGGER creators_exist AFTER INSERT ON public.deliveries REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION creators_exist();
grant delete, insert, select, update on deliveries to creator_hq_app;
grant delete, insert, select, update on deliveries to creator_hq_engine;

create table discount_codes (
  creator_id uuid not null,
  id uuid not null,
  code text not null,
  percent_off smallint,
  amount_off integer,
  currency text,
  duration text not null,
  months smallint,
  most_uses integer,
  last_day text,
  over_at timestamp with time zone,
  new_only boolean not null,
  tier_id uuid,
  made_at timestamp with time zone not null,
  closed_at timestamp with time zone,
  uses integer not null default 0,
  stripe_coupon_id text,
  constraint discount_codes_pkey PRIMARY KEY (creator_id, id),
  constraint discount_codes_amount_check CHECK (amount_off > 0),
  constraint discount_codes_duration_check CHECK ((duration = ANY (ARRAY['once'::text, 'months'::text, 'forever'::text])) AND (duration = 'months'::text) = (months IS NOT NULL)),
  constraint discount_codes_off_check CHECK (num_nonnulls(percent_off, amount_off) = 1 AND (amount_off IS NULL) = (currency IS NULL)),
  constraint discount_codes_percent_check CHECK (percent_off >= 1 AND percent_off <= 100),
  constraint discount_codes_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE,
  constraint discount_codes_tier_fkey FOREIGN KEY (creator_id, tier_id) REFERENCES tiers(creator_id, id) ON DELETE CASCADE
);
comment on table discount_codes is 'codes that take something off a membership: words, amounts, days, how often used | team | with the creator';
CREATE INDEX discount_codes_by_tier ON discount_codes USING btree (creator_id, tier_id);
CREATE UNIQUE INDEX discount_codes_open ON discount_codes USING btree (creator_id, lower(code)) WHERE (closed_at IS NULL);
alter table discount_codes enable row level security;
alter table discount_codes force row level security;
create policy engine on discount_codes for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on discount_codes for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on discount_codes to creator_hq_app;
grant delete, insert, select, update on discount_codes to creator_hq_engine;

create table email_template_versions (
  creator_id uuid not null,
  type text not null,
  version integer not null,
  design jsonb not null,
  published_at timestamp with time zone not null,
  published_by text not null,
  constraint email_template_versions_pkey PRIMARY KEY (creator_id, type, version),
  constraint email_template_versions_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE,
  constraint email_template_versions_template_fkey FOREIGN KEY (creator_id, type) REFERENCES email_templates(creator_id, type) ON DELETE CASCADE
);
comment on table email_template_versions is 'published templates of mails, who published them | team | the last 20 of each';
alter table email_template_versions enable row level security;
alter table email_template_versions force row level security;
create policy engine on email_template_versions for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on email_template_versions for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on email_template_versions to creator_hq_app;
grant delete, insert, select, update on email_template_versions to creator_hq_engine;

create table email_templates (
  creator_id uuid not null,
  type text not null,
  version integer not null default 0,
  draft jsonb,
  draft_version integer not null default 0,
  constraint email_templates_pkey PRIMARY KEY (creator_id, type),
  constraint email_templates_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
);
comment on table email_templates is 'which version of a mail''s template is sent, and its draft | team | with the creator';
alter table email_templates enable row level security;
alter table email_templates force row level security;
create policy engine on email_templates for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on email_templates for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on email_templates to creator_hq_app;
grant delete, insert, select, update on email_templates to creator_hq_engine;

create table emailed_links (
  token_hash text not null,
  purpose text not null,
  user_id uuid,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  email text,
  constraint emailed_links_pkey PRIMARY KEY (token_hash),
  constraint emailed_links_check CHECK ((purpose = 'sign_up'::text) = (email IS NOT NULL)),
  constraint emailed_links_purpose_check CHECK (purpose = ANY (ARRAY['confirm_email'::text, 'reset_password'::text, 'sign_up'::text])),
  constraint emailed_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
comment on table emailed_links is 'hashes of mailed links | team | hours; for sign-up seven days, with the address';
CREATE INDEX emailed_links_by_user ON emailed_links USING btree (user_id);
grant delete, insert, select, update on emailed_links to creator_hq_engine;

create table erased_people (
  creator_id uuid not null,
  connection_id uuid not null,
  person_hash text not null,
  erased_at timestamp with time zone not null,
  erased_by uuid,
  stopped_at timestamp with time zone,
  email_asked_at timestamp with time zone,
  constraint erased_people_pkey PRIMARY KEY (creator_id, connection_id, person_hash),
  constraint erased_people_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE,
  constraint erased_people_erased_by_fkey FOREIGN KEY (erased_by) REFERENCES users(id) ON DELETE SET NULL
);
comment on table erased_people is 'hash of an erased person''s id, their STOP, that they were asked for an address | nobody | account: keeps late webhooks out and STOP in force';
alter table erased_people enable row level security;
alter table erased_people force row level security;
create policy engine on erased_people for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on erased_people for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on erased_people to creator_hq_app;
grant delete, insert, select, update on erased_people to creator_hq_engine;

create table event_log (
  slot smallint not null default ((EXTRACT(minute FROM now()))::integer % 3),
  id bigint not null default nextval('event_log_ids'::regclass),
  shard smallint not null,
  received_at timestamp with time zone not null,
  body text not null,
  constraint event_log_pkey1 PRIMARY KEY (shard, id, slot)
);
comment on table event_log is 'webhooks to process, as received | followers | moments; up to 15 minutes after';
grant delete, insert, select, update on event_log to creator_hq_engine;

create table event_log_0 (
  slot smallint not null default ((EXTRACT(minute FROM now()))::integer % 3),
  id bigint not null default nextval('event_log_ids'::regclass),
  shard smallint not null,
  received_at timestamp with time zone not null,
  body text not null,
  constraint event_log_0_pkey PRIMARY KEY (shard, id, slot)
) with (autovacuum_enabled=false);
grant delete, insert, select, truncate, update on event_log_0 to creator_hq_engine;

create table event_log_1 (
  slot smallint not null default ((EXTRACT(minute FROM now()))::integer % 3),
  id bigint not null default nextval('event_log_ids'::regclass),
  shard smallint not null,
  received_at timestamp with time zone not null,
  body text not null,
  constraint event_log_1_pkey PRIMARY KEY (shard, id, slot)
) with (autovacuum_enabled=false);
grant delete, insert, select, truncate, update on event_log_1 to creator_hq_engine;

create table event_log_2 (
  slot smallint not null default ((EXTRACT(minute FROM now()))::integer % 3),
  id bigint not null default nextval('event_log_ids'::regclass),
  shard smallint not null,
  received_at timestamp with time zone not null,
  body text not null,
  constraint event_log_2_pkey PRIMARY KEY (shard, id, slot)
) with (autovacuum_enabled=false);
grant delete, insert, select, truncate, update on event_log_2 to creator_hq_engine;

create table event_log_positions (
  shard smallint not null,
  done_to bigint not null default 0,
  constraint event_log_positions_pkey PRIMARY KEY (shard)
) with (fillfactor=50);
comment on table event_log_positions is 'progress in the event log | nobody | for good';
grant delete, insert, select, update on event_log_positions to creator_hq_engine;

create table fan_checkouts (
  creator_id uuid not null,
  id uuid not null,
  email text not null,
  email_key text not null,
  tier_price_id uuid not null,
  session_id text,
  url text,
  state text not null default 'open'::text,
  begun_at timestamp with time zone not null,
  site_id uuid,
  start text,
  to_path text not null default '/'::text,
  goes_by_path boolean not null default true,
  contact_id uuid,
  code_id uuid,
  friend_device uuid,
  constraint fan_checkouts_pkey PRIMARY KEY (creator_id, id),
  constraint fan_checkouts_state_check CHECK (state = ANY (ARRAY['open'::text, 'over'::text, 'paid'::text])),
  constraint fan_checkouts_code_fkey FOREIGN KEY (creator_id, code_id) REFERENCES discount_codes(creator_id, id) ON DELETE CASCADE,
  constraint fan_checkouts_contact_fkey FOREIGN KEY (creator_id, contact_id) REFERENCES contacts(creator_id, id) ON DELETE CASCADE,
  constraint fan_checkouts_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE,
  constraint fan_checkouts_price_fkey FOREIGN KEY (creator_id, tier_price_id) REFERENCES tier_prices(creator_id, id) ON DELETE CASCADE
);
comment on table fan_checkouts is 'who was on their way to pay for a membership: address, price, where they came from | followers | 7 days, at most with the contact';
CREATE INDEX fan_checkouts_by_age ON fan_checkouts USING btree (begun_at);
CREATE INDEX fan_checkouts_by_code ON fan_checkouts USING btree (creator_id, code_id) WHERE (code_id IS NOT NULL);
CREATE INDEX fan_checkouts_by_contact ON fan_checkouts USING btree (creator_id, contact_id);
CREATE INDEX fan_checkouts_by_price ON fan_checkouts USING btree (creator_id, tier_price_id);
CREATE UNIQUE INDEX fan_checkouts_by_session ON fan_checkouts USING btree (creator_id, session_id) WHERE (session_id IS NOT NULL);
CREATE INDEX fan_checkouts_open ON fan_checkouts USING btree (creator_id, email_key) WHERE (state = 'open'::text);
alter table fan_checkouts enable row level security;
alter table fan_checkouts force row level security;
create policy engine on fan_checkouts for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on fan_checkouts for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on fan_checkouts to creator_hq_app;
grant delete, insert, select, update on fan_checkouts to creator_hq_engine;

create table fan_devices (
  creator_id uuid not null,
  id uuid not null,
  contact_id uuid,
  site_id uuid,
  secret_hash text not null,
  entered_at timestamp with time zone not null,
  seen_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  asks_from timestamp with time zone,
  told_at timestamp with time zone,
  constraint fan_devices_pkey PRIMARY KEY (creator_id, id),
  constraint fan_devices_contact_fkey FOREIGN KEY (creator_id, contact_id) REFERENCES contacts(creator_id, id) ON DELETE CASCADE,
  constraint fan_devices_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE,
  constraint fan_devices_site_fkey FOREIGN KEY (creator_id, site_id) REFERENCES sites(creator_id, id) ON DELETE CASCADE
);
comment on table fan_devices is 'browsers in which members read: hash of a secret, when they were seen | followers | 400 days after they were seen last, at most with the contact';
CREATE INDEX fan_devices_asking ON fan_devices USING btree (creator_id, site_id, asks_from) WHERE (asks_from IS NOT NULL);
CREATE INDEX fan_devices_by_age ON fan_devices USING btree (seen_at);
CREATE INDEX fan_devices_by_contact ON fan_devices USING btree (creator_id, contact_id, seen_at);
CREATE INDEX fan_devices_by_site ON fan_devices USING btree (creator_id, site_id);
alter table fan_devices enable row level security;
alter table fan_devices force row level security;
create policy engine on fan_devices for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on fan_devices for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on fan_devices to creator_hq_app;
grant delete, insert, select, update on fan_devices to creator_hq_engine;

create table fan_entries (
  creator_id uuid not null,
  id uuid not null,
  contact_id uuid,
  site_id uuid,
  code_hash text not null,
  tries smallint not null default 0,
  start text,
  to_path text not null,
  goes_by_path boolean not null,
  asked_at timestamp with time zone not null,
  grant_hash text,
  granted_at timestamp with time zone,
  email text,
  delivery_id uuid,
  constraint fan_entries_pkey PRIMARY KEY (creator_id, id),
  constraint fan_entries_contact_fkey FOREIGN KEY (creator_id, contact_id) REFERENCES contacts(creator_id, id) ON DELETE CASCADE,
  constraint fan_entries_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE,
  constraint fan_entries_site_fkey FOREIGN KEY (creator_id, site_id) REFERENCES sites(creator_id, id) ON DELETE CASCADE
);
comment on table fan_entries is 'codes (hashed) or messages by which readers enter, new ones'' addresses | followers | 7 days, at most with the contact';
CREATE INDEX fan_entries_by_age ON fan_entries USING btree (asked_at);
CREATE INDEX fan_entries_by_contact ON fan_entries USING btree (creator_id, contact_id);
CREATE INDEX fan_entries_by_grant ON fan_entries USING btree (creator_id, grant_hash) WHERE (grant_hash IS NOT NULL);
CREATE UNIQUE INDEX fan_entries_by_message ON fan_entries USING btree (creator_id, delivery_id) WHERE (delivery_id IS NOT NULL);
CREATE INDEX fan_entries_by_site ON fan_entries USING btree (creator_id, site_id);
alter table fan_entries enable row level security;
alter table fan_entries force row level security;
create policy engine on fan_entries for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on fan_entries for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on fan_entries to creator_hq_app;
grant delete, insert, select, update on fan_entries to creator_hq_engine;

create table fans (
  creator_id uuid not null,
  contact_id uuid not null,
  customers text[] not null default '{}'::text[],
  fetches_begun bigint not null default 0,
  fetch_written bigint not null default 0,
  synced_at timestamp with time zone,
  blocked_at timestamp with time zone,
  constraint fans_pkey PRIMARY KEY (creator_id, contact_id),
  constraint fans_contact_fkey FOREIGN KEY (creator_id, contact_id) REFERENCES contacts(creator_id, id) ON DELETE CASCADE,
  constraint fans_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
);
comment on table fans is 'which customers of a creator''s Stripe account a contact is, or blocked | followers | with the contact';
CREATE INDEX fans_by_customer ON fans USING gin (customers);
CREATE INDEX fans_by_sync ON fans USING btree (synced_at NULLS FIRST);
alter table fans enable row level security;
alter table fans force row level security;
create policy engine on fans for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on fans for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on fans to creator_hq_app;
grant delete, insert, select, update on fans to creator_hq_engine;

create table feedback_events (
  source text not null,
  id text not null,
  what text not null,
  received_at timestamp with time zone not null,
  constraint feedback_events_pkey PRIMARY KEY (source, id)
);
comment on table feedback_events is 'ids of reports on mails: from whom, what kind | nobody | 30 days';
CREATE INDEX feedback_events_by_age ON feedback_events USING btree (received_at);
grant delete, insert, select, update on feedback_events to creator_hq_engine;

create table flag_values (
  flag text not null,
  creator_id uuid,
  is_on boolean not null,
  changed_at timestamp with time zone not null,
  constraint flag_values_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
);
comment on table flag_values is 'feature flags | nobody | account';
CREATE UNIQUE INDEX flag_values_once ON flag_values USING btree (flag, creator_id) NULLS NOT DISTINCT;
grant delete, insert, select, update on flag_values to creator_hq_engine;

create table follower_days (
  creator_id uuid not null,
  connection_id uuid not null,
  day date not null,
  followers integer not null,
  constraint follower_days_pkey PRIMARY KEY (creator_id, connection_id, day),
  constraint follower_days_connection_fkey FOREIGN KEY (creator_id, connection_id) REFERENCES connections(creator_id, id) ON DELETE CASCADE,
  constraint follower_days_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
);
comment on table follower_days is 'how many followers an account had, once a day | creator | 60 days';
CREATE INDEX follower_days_by_day ON follower_days USING btree (day);
alter table follower_days enable row level security;
alter table follower_days force row level security;
create policy engine on follower_days for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on follower_days for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant select on follower_days to creator_hq_app;
grant delete, insert, select, update on follower_days to creator_hq_engine;

create table follower_limits (
  creator_id uuid not null,
  checked_on date not null,
  crossed_at timestamp with time zone,
  mails smallint not null default 0,
  accepted_at timestamp with time zone,
  limited_since timestamp with time zone,
  forecast_on date,
  foretold_at timestamp with time zone,
  constraint follower_limits_pkey PRIMARY KEY (creator_id),
  constraint follower_limits_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
);
comment on table follower_limits is 'where a creator stands before the free plan''s limit | creator | account';
CREATE INDEX follower_limits_crossed ON follower_limits USING btree (crossed_at) WHERE (crossed_at IS NOT NULL);
alter table follower_limits enable row level security;
alter table follower_limits force row level security;
create policy engine on follower_limits for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on follower_limits for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant select on follower_limits to creator_hq_app;
grant delete, insert, select, update on follower_limits to creator_hq_engine;

create table forms (
  creator_id uuid not null,
  id uuid not null,
  key text not null,
  kind text not null,
  name text not null,
  design jsonb not null,
  wordings jsonb not null,
  version integer not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  archived_at timestamp with time zone,
  constraint forms_pkey PRIMARY KEY (creator_id, id),
  constraint forms_key_key UNIQUE (key),
  constraint forms_kind_check CHECK (kind = ANY (ARRAY['save'::text, 'signup'::text, 'gate'::text])),
  constraint forms_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
);
comment on table forms is 'forms for the blog: texts and looks | creator | with the creator';
alter table forms enable row level security;
alter table forms force row level security;
create policy engine on forms for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on forms for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on forms to creator_hq_app;
grant delete, insert, select, update on forms to creator_hq_engine;

create table free_opens (
  creator_id uuid not null,
  contact_id uuid not null,
  month date not null,
  site_id uuid not null,
  post_id bigint not null,
  opened_at timestamp with time zone not null,
  until timestamp with time zone not null,
  constraint free_opens_pkey PRIMARY KEY (creator_id, contact_id, month, site_id, post_id),
  constraint free_opens_contact_fkey FOREIGN KEY (creator_id, contact_id) REFERENCES contacts(creator_id, id) ON DELETE CASCADE,
  constraint free_opens_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE,
  constraint free_opens_site_fkey FOREIGN KEY (creator_id, site_id) REFERENCES sites(creator_id, id) ON DELETE CASCADE
);
comment on table free_opens is 'locked posts that a reader opened without paying | followers | 62 days, at most with the contact';
CREATE INDEX free_opens_by_age ON free_opens USING btree (opened_at);
CREATE INDEX free_opens_by_site ON free_opens USING btree (creator_id, site_id);
alter table free_opens enable row level security;
alter table free_opens force row level security;
create policy engine on free_opens for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on free_opens for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on free_opens to creator_hq_app;
grant delete, insert, select, update on free_opens to creator_hq_engine;

create table gifts (
  creator_id uuid not null,
  id uuid not null,
  tier_id uuid not null,
  months smallint not null,
  amount integer not null,
  currency text not null,
  giver_email text not null,
  email text not null,
  words text not null,
  begins_at timestamp with time zone not null,
  begun_at timestamp with time zone not null,
  session_id text,
  state text not null default 'open'::text,
  payment_intent text,
  contact_id uuid,
  thanked_at timestamp with time zone,
  told_at timestamp with time zone,
  withdraws_at timestamp with time zone,
  constraint gifts_pkey PRIMARY KEY (creator_id, id),
  constraint gifts_paid_check CHECK ((state = 'paid'::text) = (payment_intent IS NOT NULL)),
  constraint gifts_state_check CHECK (state = ANY (ARRAY['open'::text, 'over'::text, 'paid'::text])),
  constraint gifts_contact_fkey FOREIGN KEY (creator_id, contact_id) REFERENCES contacts(creator_id, id) ON DELETE CASCADE,
  constraint gifts_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE,
  constraint gifts_tier_fkey FOREIGN KEY (creator_id, tier_id) REFERENCES tiers(creator_id, id) ON DELETE CASCADE
);
comment on table gifts is 'memberships that were given: from which address to which, words, days, price | followers | 7 days if not paid, else 400 days after it began, at most with the contact';
CREATE INDEX gifts_by_age ON gifts USING btree (begun_at);
CREATE INDEX gifts_by_contact ON gifts USING btree (creator_id, contact_id);
CREATE INDEX gifts_by_payment ON gifts USING btree (creator_id, payment_intent) WHERE (payment_intent IS NOT NULL);
CREATE UNIQUE INDEX gifts_by_session ON gifts USING btree (creator_id, session_id) WHERE (session_id IS NOT NULL);
CREATE INDEX gifts_by_tier ON gifts USING btree (creator_id, tier_id);
CREATE INDEX gifts_open ON gifts USING btree (begun_at) WHERE (state = 'open'::text);
CREATE INDEX gifts_to_come ON gifts USING btree (begins_at) WHERE ((state = 'paid'::text) AND (told_at IS NULL));
CREATE INDEX gifts_withdrawn ON gifts USING btree (withdraws_at) WHERE (withdraws_at IS NOT NULL);
alter table gifts enable row level security;
alter table gifts force row level security;
create policy engine on gifts for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on gifts for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on gifts to creator_hq_app;
grant delete, insert, select, update on gifts to creator_hq_engine;

create table idempotency_keys (
  creator_id uuid not null,
  id uuid not null,
  caller_id uuid not null,
  key_hash text not null,
  request_hash text not null,
  created_at timestamp with time zone not null,
  committed boolean not null default false,
  answer text,
  constraint idempotency_keys_pkey PRIMARY KEY (creator_id, id),
  constraint idempotency_keys_creator_id_caller_id_key_hash_key UNIQUE (creator_id, caller_id, key_hash),
  constraint idempotency_keys_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
);
comment on table idempotency_keys is 'sealed answers of calls that created something | team | a day or two';
CREATE INDEX idempotency_keys_by_age ON idempotency_keys USING btree (created_at);
alter table idempotency_keys enable row level security;
alter table idempotency_keys force row level security;
create policy engine on idempotency_keys for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on idempotency_keys for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on idempotency_keys to creator_hq_app;
grant delete, insert, select, update on idempotency_keys to creator_hq_engine;

create table ignored_events (
  day date not null,
  what text not null,
  count bigint not null default 0,
  constraint ignored_events_pkey PRIMARY KEY (day, what)
);
comment on table ignored_events is 'counts of skipped events by kind | nobody | for good';
grant delete, insert, select, update on ignored_events to creator_hq_engine;

create table import_rows (
  creator_id uuid not null,
  import_id uuid not null,
  line integer not null,
  cells jsonb,
  email text,
  email_key text,
  email_hash text,
  gmail_mailbox text,
  name text,
  name_key text,
  said text,
  agreed_at timestamp with time zone,
  is_role boolean not null default false,
  suggestion text,
  verdict text,
  why text,
  outcome text,
  contact_id uuid,
  consent_id uuid,
  before jsonb,
  fingerprint text,
  undone boolean,
  is_cleared boolean not null default false,
  made_at timestamp with time zone not null,
  constraint import_rows_pkey PRIMARY KEY (creator_id, import_id, line),
  constraint import_rows_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE,
  constraint import_rows_import_fkey FOREIGN KEY (creator_id, import_id) REFERENCES imports(creator_id, id) ON DELETE CASCADE
);
comment on table import_rows is 'rows of imported files: address, name, what became of them | followers | 1 day; ids for undoing 8 days';
CREATE INDEX import_rows_by_age ON import_rows USING btree (made_at);
CREATE INDEX import_rows_by_contact ON import_rows USING btree (creator_id, contact_id) WHERE (contact_id IS NOT NULL);
CREATE INDEX import_rows_by_key ON import_rows USING btree (creator_id, import_id, email_key, line) WHERE (email_key IS NOT NULL);
alter table import_rows enable row level security;
alter table import_rows force row level security;
create policy engine on import_rows for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on import_rows for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on import_rows to creator_hq_app;
grant delete, insert, select, update on import_rows to creator_hq_engine;

create table imports (
  creator_id uuid not null,
  id uuid not null,
  state text not null default 'reading'::text,
  is_read boolean not null default false,
  file_name text not null,
  tool text,
  columns jsonb not null default '[]'::jsonb,
  uses jsonb not null default '[]'::jsonb,
  has_header boolean not null default true,
  row_count integer not null default 0,
  parsed_to integer not null default 0,
  done_to integer not null default 0,
  done_count integer not null default 0,
  counts jsonb,
  result jsonb,
  agreed text,
  wants_newsletter boolean not null default false,
  attested boolean not null default false,
  made_by uuid,
  made_at timestamp with time zone not null,
  run_at timestamp with time zone,
  finished_at timestamp with time zone,
  undo_until timestamp with time zone,
  undo_began_at timestamp with time zone,
  undone_at timestamp with time zone,
  undone jsonb,
  failure text,
  constraint imports_pkey PRIMARY KEY (creator_id, id),
  constraint imports_state_check CHECK (state = ANY (ARRAY['reading'::text, 'ready'::text, 'running'::text, 'done'::text, 'cancelled'::text, 'failed'::text])),
  constraint imports_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
);
comment on table imports is 'imported files: name, columns, figures, how people agreed | team | with the creator; 1 day if it never ran';
CREATE INDEX imports_by_age ON imports USING btree (made_at);
alter table imports enable row level security;
alter table imports force row level security;
create policy engine on imports for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on imports for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on imports to creator_hq_app;
grant delete, insert, select, update on imports to creator_hq_engine;

create table ingredient_words (
  creator_id uuid not null,
  id uuid not null,
  kind text not null,
  name text not null,
  means text not null default ''::text,
  version integer not null default 1,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint ingredient_words_pkey PRIMARY KEY (creator_id, id),
  constraint ingredient_words_kind_check CHECK (kind = ANY (ARRAY['unit'::text, 'food'::text, 'brand'::text, 'preparation'::text, 'ignore'::text, 'alias'::text])),
  constraint ingredient_words_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
);
comment on table ingredient_words is 'words of ingredients that the creator taught | nobody | account';
CREATE UNIQUE INDEX ingredient_words_by_name ON ingredient_words USING btree (creator_id, lower(name));
alter table ingredient_words enable row level security;
alter table ingredient_words force row level security;
create policy engine on ingredient_words for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on ingredient_words for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on ingredient_words to creator_hq_app;
grant delete, insert, select, update on ingredient_words to creator_hq_engine;

create table integration_contacts (
  creator_id uuid not null,
  integration_id uuid not null,
  contact_id uuid not null,
  remote_id text,
  state text not null,
  sent text,
  failure text,
  due_at timestamp with time zone not null,
  sent_at timestamp with time zone,
  constraint integration_contacts_pkey PRIMARY KEY (creator_id, integration_id, contact_id),
  constraint integration_contacts_state_check CHECK (state = ANY (ARRAY['waiting'::text, 'sent'::text, 'failed'::text, 'removing'::text, 'left'::text])) NOT VALID,
  constraint integration_contacts_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE,
  constraint integration_contacts_integration_fkey FOREIGN KEY (creator_id, integration_id) REFERENCES data_integrations(creator_id, id) ON DELETE CASCADE
);
comment on table integration_contacts is 'which contacts a newsletter tool knows, its id of them, what failed | followers | until erased there, or the tool is disconnected';
CREATE INDEX integration_contacts_by_contact ON integration_contacts USING btree (creator_id, contact_id);
CREATE INDEX integration_contacts_due ON integration_contacts USING btree (creator_id, integration_id, due_at, contact_id) WHERE (state = ANY (ARRAY['waiting'::text, 'removing'::text]));
CREATE INDEX integration_contacts_failed ON integration_contacts USING btree (creator_id, integration_id, contact_id) WHERE (state = 'failed'::text);
alter table integration_contacts enable row level security;
alter table integration_contacts force row level security;
create policy engine on integration_contacts for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on integration_contacts for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on integration_contacts to creator_hq_app;
grant delete, insert, select, update on integration_contacts to creator_hq_engine;

create table integration_events (
  creator_id uuid not null,
  integration_id uuid not null,
  event_id text not null,
  read_at timestamp with time zone not null,
  constraint integration_events_pkey PRIMARY KEY (creator_id, integration_id, event_id),
  constraint integration_events_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE,
  constraint integration_events_integration_fkey FOREIGN KEY (creator_id, integration_id) REFERENCES data_integrations(creator_id, id) ON DELETE CASCADE
);
comment on table integration_events is 'ids of events that newsletter tools told | nobody | 30 days';
CREATE INDEX integration_events_by_age ON integration_events USING btree (read_at);
alter table integration_events enable row level security;
alter table integration_events force row level security;
create policy engine on integration_events for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on integration_events for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant insert, select on integration_events to creator_hq_app;
grant delete, insert, select, update on integration_events to creator_hq_engine;

create table interactions (
  creator_id uuid not null,
  id uuid not null,
  connection_id uuid not null,
  kind text not null,
  platform_id text not null,
  post_id text,
  parent_id text,
  person_id text not null,
  username text,
  text text not null default ''::text,
  occurred_at timestamp with time zone not null,
  received_at timestamp with time zone not null,
  outcome text not null,
  reason text not null,
  automation_id uuid,
  matched_words text[] not null default '{}'::text[],
  waiting_until timestamp with time zone,
  outcome_at timestamp with time zone not null,
  found_by_reading boolean not null default false,
  listed_as text not null generated always as (
CASE
    WHEN (reason = 'sending'::text) THEN 'replied'::text
    ELSE outcome
END) stored,
  counted_on date,
  is_test boolean not null default false,
  constraint interactions_pkey PRIMARY KEY (id, creator_id),
  constraint interactions_kind_check CHECK (kind = ANY (ARRAY['comment'::text, 'live_comment'::text, 'story_reply'::text, 'story_mention'::text, 'direct_message'::text, 'button_tap'::text])),
  constraint interactions_outcome_check CHECK (outcome = ANY (ARRAY['replied'::text, 'waiting'::text, 'skipped'::text, 'missed'::text, 'failed'::text, 'expired'::text]))
) with (autovacuum_analyze_scale_factor=0.2, fillfactor=50);
comment on table interactions is 'who commented, wrote, tapped; words; outcome | followers | activity: 3 years (`KEEP_HISTORY_DAYS`); words 2 years (`KEEP_TEXTS_DAYS`)';
CREATE INDEX interactions_by_automation ON interactions USING btree (creator_id, automation_id, occurred_at DESC, id DESC) WHERE (automation_id IS NOT NULL);
CREATE INDEX interactions_by_kind ON interactions USING btree (creator_id, kind, occurred_at DESC, id DESC) WHERE (kind <> 'comment'::text);
CREATE INDEX interactions_by_outcome ON interactions USING btree (creator_id, listed_as, occurred_at DESC, id DESC);
CREATE INDEX interactions_by_person ON interactions USING btree (creator_id, person_id, occurred_at DESC, id DESC);
CREATE INDEX interactions_by_post ON interactions USING btree (creator_id, post_id, occurred_at DESC, id DESC) WHERE (post_id IS NOT NULL);
CREATE INDEX interactions_by_receipt ON interactions USING btree (creator_id, received_at DESC, id DESC);
CREATE INDEX interactions_found ON interactions USING btree (creator_id, post_id) WHERE found_by_reading;
CREATE INDEX interactions_newest ON interactions USING btree (creator_id, occurred_at DESC, id DESC);
CREATE UNIQUE INDEX interactions_once ON interactions USING btree (connection_id, platform_id);
alter table interactions enable row level security;
alter table interactions force row level security;
create policy engine on interactions for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on interactions for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
CREATE TRIGGER count_changed AFTER UPDATE ON public.interactions REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_changed_interactions();
CREATE TRIGGER count_deleted AFTER DELETE ON public.interactions REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_deleted_interactions();
CREATE TRIGGER count_new AFTER INSERT ON public.interactions REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_new_interactions();
CREATE TRIGGER creators_exist AFTER INSERT ON public.interactions REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION creators_exist();
grant delete, insert, select, update on interactions to creator_hq_app;
grant delete, insert, select, update on interactions to creator_hq_engine;

create table invites (
  creator_id uuid not null,
  id uuid not null,
  email text not null,
  role text not null,
  token_hash text not null,
  invited_by uuid,
  sent_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  accepted_at timestamp with time zone,
  declined_at timestamp with time zone,
  revoked_at timestamp with time zone,
  constraint invites_pkey PRIMARY KEY (creator_id, id),
  constraint invites_token_hash_key UNIQUE (token_hash),
  constraint invites_role_check CHECK (role = ANY (ARRAY['owner'::text, 'collaborator'::text])),
  constraint invites_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE,
  constraint invites_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES users(id) ON DELETE SET NULL
);
comment on table invites is 'team invites | team | 30 days after answered or expired';
CREATE INDEX invites_by_email ON invites USING btree (email) WHERE ((accepted_at IS NULL) AND (declined_at IS NULL) AND (revoked_at IS NULL));
CREATE UNIQUE INDEX invites_open ON invites USING btree (creator_id, email) WHERE ((accepted_at IS NULL) AND (declined_at IS NULL) AND (revoked_at IS NULL));
alter table invites enable row level security;
alter table invites force row level security;
create policy engine on invites for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on invites for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on invites to creator_hq_app;
grant delete, insert, select, update on invites to creator_hq_engine;

create table jobs (
  name text not null,
  payload jsonb not null default '{}'::jsonb,
  creator_id uuid,
  created_at timestamp with time zone not null default now(),
  due_at timestamp with time zone not null,
  lease_id uuid,
  again boolean not null default false,
  last_succeeded_at timestamp with time zone,
  last_failed_at timestamp with time zone,
  last_failure text,
  failures_in_a_row integer not null default 0,
  held_until timestamp with time zone,
  held_because text,
  constraint jobs_pkey PRIMARY KEY (name, payload),
  constraint jobs_payload_check CHECK (octet_length(payload::text) <= 1000),
  constraint jobs_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
);
CREATE INDEX jobs_by_creator ON jobs USING btree (creator_id) WHERE (creator_id IS NOT NULL);
CREATE INDEX jobs_due ON jobs USING btree (name, due_at);
alter table jobs enable row level security;
alter table jobs force row level security;
create policy engine on jobs for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on jobs for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant insert, select, update on jobs to creator_hq_app;
grant delete, insert, select, update on jobs to creator_hq_engine;

create table joins (
  creator_id uuid not null,
  id uuid not null,
  contact_id uuid not null,
  other_contact_id uuid,
  connection_id uuid,
  person_id text,
  what text not null,
  why text not null,
  before jsonb not null default '{}'::jsonb,
  made_at timestamp with time zone not null,
  made_by uuid,
  parted_at timestamp with time zone,
  constraint joins_pkey PRIMARY KEY (creator_id, id),
  constraint joins_what_check CHECK (what = ANY (ARRAY['joined'::text, 'parted'::text, 'dismissed'::text])),
  constraint joins_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
);
comment on table joins is 'who was joined with whom, or is another person | followers, team | with the contact';
CREATE INDEX joins_by_contact ON joins USING btree (creator_id, contact_id);
CREATE INDEX joins_by_other ON joins USING btree (creator_id, other_contact_id) WHERE (other_contact_id IS NOT NULL);
CREATE INDEX joins_by_person ON joins USING btree (creator_id, connection_id, person_id) WHERE (person_id IS NOT NULL);
alter table joins enable row level security;
alter table joins force row level security;
create policy engine on joins for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on joins for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on joins to creator_hq_app;
grant delete, insert, select, update on joins to creator_hq_engine;

create table keywords (
  creator_id uuid not null,
  id uuid not null,
  name text not null,
  words text[] not null,
  mode text not null,
  excluded_words text[] not null default '{}'::text[],
  typo_tolerance boolean not null default true,
  version integer not null default 1,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  bytes integer not null generated always as ((text_bytes(words) + text_bytes(excluded_words))) stored,
  constraint keywords_pkey PRIMARY KEY (creator_id, id),
  constraint keywords_mode_check CHECK (mode = ANY (ARRAY['whole_word'::text, 'contains'::text, 'exact'::text, 'all_words'::text])),
  constraint keywords_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
);
comment on table keywords is 'word lists | nobody | account';
CREATE UNIQUE INDEX keywords_by_name ON keywords USING btree (creator_id, lower(name));
alter table keywords enable row level security;
alter table keywords force row level security;
create policy engine on keywords for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on keywords for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on keywords to creator_hq_app;
grant delete, insert, select, update on keywords to creator_hq_engine;

create table lane_states (
  creator_id uuid not null,
  connection_id uuid not null,
  lane text not null,
  closed_until timestamp with time zone,
  closed_reason text,
  updated_at timestamp with time zone not null,
  constraint lane_states_pkey PRIMARY KEY (creator_id, connection_id, lane),
  constraint lane_states_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
);
comment on table lane_states is 'state of sending | nobody | account';
alter table lane_states enable row level security;
alter table lane_states force row level security;
create policy engine on lane_states for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on lane_states for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on lane_states to creator_hq_app;
grant delete, insert, select, update on lane_states to creator_hq_engine;

create table link_days (
  creator_id uuid not null,
  link_id uuid not null,
  day date not null,
  channel text not null,
  app text not null,
  country text not null,
  told text not null,
  people integer not null,
  constraint link_days_pkey PRIMARY KEY (creator_id, link_id, day, channel, app, country, told),
  constraint link_days_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
);
comment on table link_days is 'who followed app links: sums by day, place, app and country | nobody | account';
CREATE INDEX link_days_as_a_whole ON link_days USING btree (creator_id, link_id, day) WHERE (channel = '*'::text);
alter table link_days enable row level security;
alter table link_days force row level security;
create policy engine on link_days for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on link_days for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant select on link_days to creator_hq_app;
grant delete, insert, select, update on link_days to creator_hq_engine;

create table link_domains (
  creator_id uuid not null,
  id uuid not null,
  host text not null,
  token text not null,
  state text not null default 'waiting'::text,
  problem text,
  failed_since timestamp with time zone,
  checked_at timestamp with time zone,
  due_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  constraint link_domains_pkey PRIMARY KEY (creator_id, id),
  constraint link_domains_host_key UNIQUE (host),
  constraint link_domains_state_check CHECK (state = ANY (ARRAY['waiting'::text, 'works'::text, 'lost'::text])),
  constraint link_domains_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
);
comment on table link_domains is 'hosts of creators for their short links | nobody | account';
CREATE INDEX link_domains_due ON link_domains USING btree (due_at);
alter table link_domains enable row level security;
alter table link_domains force row level security;
create policy engine on link_domains for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on link_domains for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on link_domains to creator_hq_app;
grant delete, insert, select, update on link_domains to creator_hq_engine;

create table link_hosts (
  host text not null,
  next_at timestamp with time zone not null,
  constraint link_hosts_pkey PRIMARY KEY (host)
);
comment on table link_hosts is 'when a site may be checked next | nobody | for good';
grant delete, insert, select, update on link_hosts to creator_hq_engine;

create table link_uses (
  creator_id uuid not null,
  automation_id uuid,
  link_id uuid not null,
  app_link_id uuid,
  constraint link_uses_of_one_check CHECK (num_nonnulls(automation_id, app_link_id) = 1),
  constraint link_uses_app_link_fkey FOREIGN KEY (creator_id, app_link_id) REFERENCES app_links(creator_id, id) ON DELETE CASCADE,
  constraint link_uses_creator_id_automation_id_fkey FOREIGN KEY (creator_id, automation_id) REFERENCES automations(creator_id, id) ON DELETE CASCADE,
  constraint link_uses_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE,
  constraint link_uses_creator_id_link_id_fkey FOREIGN KEY (creator_id, link_id) REFERENCES watched_links(creator_id, id) ON DELETE CASCADE
);
comment on table link_uses is 'automation or app link, and address | nobody | with the automation or app link';
CREATE INDEX link_uses_by_app_link ON link_uses USING btree (creator_id, app_link_id) WHERE (app_link_id IS NOT NULL);
CREATE INDEX link_uses_by_link ON link_uses USING btree (creator_id, link_id);
CREATE UNIQUE INDEX link_uses_once ON link_uses USING btree (creator_id, automation_id, app_link_id, link_id) NULLS NOT DISTINCT;
alter table link_uses enable row level security;
alter table link_uses force row level security;
create policy engine on link_uses for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on link_uses for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on link_uses to creator_hq_app;
grant delete, insert, select, update on link_uses to creator_hq_engine;

create table links (
  creator_id uuid not null,
  id uuid not null,
  code text not null,
  automation_id uuid,
  url text not null,
  created_at timestamp with time zone not null,
  recipe_id uuid,
  part_of uuid,
  part text,
  app_link_id uuid,
  meal_plan_id uuid,
  constraint links_pkey PRIMARY KEY (creator_id, id),
  constraint links_code_key UNIQUE (code),
  constraint links_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
);
comment on table links is 'addresses messages lead to | nobody | account';
CREATE INDEX links_by_app_link ON links USING btree (creator_id, app_link_id) WHERE (app_link_id IS NOT NULL);
CREATE INDEX links_by_automation ON links USING btree (creator_id, automation_id);
CREATE INDEX links_by_meal_plan ON links USING btree (creator_id, meal_plan_id) WHERE (meal_plan_id IS NOT NULL);
CREATE INDEX links_by_recipe ON links USING btree (creator_id, recipe_id) WHERE (recipe_id IS NOT NULL);
CREATE UNIQUE INDEX links_of_app_links ON links USING btree (creator_id, app_link_id) WHERE ((app_link_id IS NOT NULL) AND (automation_id IS NULL));
CREATE UNIQUE INDEX links_of_list ON links USING btree (creator_id, recipe_id, part) WHERE ((automation_id IS NULL) AND (part_of IS NULL));
CREATE UNIQUE INDEX links_of_meal_plans ON links USING btree (creator_id, meal_plan_id, part) WHERE ((meal_plan_id IS NOT NULL) AND (automation_id IS NULL));
CREATE INDEX links_of_newsletter ON links USING btree (creator_id, part_of) WHERE (part_of IS NOT NULL);
CREATE INDEX links_of_pins ON links USING btree (creator_id, part) WHERE (part ~~ 'pin %'::text);
alter table links enable row level security;
alter table links force row level security;
create policy engine on links for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on links for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on links to creator_hq_app;
grant delete, insert, select, update on links to creator_hq_engine;

create table mail_checks (
  name text not null,
  state text not null,
  says text not null,
  checked_at timestamp with time zone not null,
  token text,
  sent_at timestamp with time zone,
  constraint mail_checks_pkey PRIMARY KEY (name),
  constraint mail_checks_name_check CHECK (name = ANY (ARRAY['relay'::text, 'spf'::text, 'round_trip'::text])),
  constraint mail_checks_state_check CHECK (state = ANY (ARRAY['fine'::text, 'waiting'::text, 'trouble'::text]))
);
comment on table mail_checks is 'whether the operator’s mail server, SPF record and bounce mailbox work | nobody | for good, a row each';
grant delete, insert, select, update on mail_checks to creator_hq_engine;

create table mail_servers (
  creator_id uuid not null,
  id uuid not null,
  host text not null,
  port integer not null,
  security text not null,
  username text not null,
  password text not null,
  changed_at timestamp with time zone not null,
  failing_since timestamp with time zone,
  failure text,
  failures integer not null default 0,
  paused_until timestamp with time zone,
  needs_owner boolean not null default false,
  constraint mail_servers_pkey PRIMARY KEY (creator_id, id),
  constraint mail_servers_one UNIQUE (creator_id),
  constraint mail_servers_security_check CHECK (security = ANY (ARRAY['tls'::text, 'starttls'::text, 'none'::text])),
  constraint mail_servers_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
);
comment on table mail_servers is 'a creator’s own mail server: name, login (sealed password), what it said when it failed | creator | until removed, or with the creator';
alter table mail_servers enable row level security;
alter table mail_servers force row level security;
create policy engine on mail_servers for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on mail_servers for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on mail_servers to creator_hq_app;
grant delete, insert, select, update on mail_servers to creator_hq_engine;

create table mails (
  id uuid not null,
  kind text not null,
  recipient text not null,
  subject text not null,
  html text not null,
  text text not null,
  state text not null default 'queued'::text,
  created_at timestamp with time zone not null,
  last_failure text,
  finished_at timestamp with time zone,
  unsubscribe_url text,
  about_creator_id uuid,
  from_name text,
  reply_to text,
  constraint mails_pkey PRIMARY KEY (id),
  constraint mails_state_check CHECK (state = ANY (ARRAY['queued'::text, 'sent'::text, 'failed'::text])),
  constraint mails_about_creator_id_fkey FOREIGN KEY (about_creator_id) REFERENCES creators(id) ON DELETE CASCADE
);
comment on table mails is 'team mail: weekly figures, invites, warnings | team, creator | 30 days; with the creator those about them, except the last, about their deletion';
CREATE INDEX mails_by_creator_and_recipient ON mails USING btree (about_creator_id, recipient, created_at DESC, id DESC) WHERE (about_creator_id IS NOT NULL);
CREATE INDEX mails_given_up ON mails USING btree (finished_at) WHERE (state = 'failed'::text);
CREATE INDEX mails_newest ON mails USING btree (created_at DESC, id DESC);
CREATE INDEX mails_to_send ON mails USING btree (created_at) WHERE (state = 'queued'::text);
grant delete, insert, select, update on mails to creator_hq_engine;

create table meal_plans (
  creator_id uuid not null,
  id uuid not null,
  version integer not null default 1,
  name text not null,
  note text not null,
  picture_url text,
  kind text not null,
  starts_on date,
  sections jsonb not null,
  meals jsonb not null,
  changes jsonb not null,
  list_code text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  bytes integer not null generated always as (((octet_length(note) + octet_length((meals)::text)) + octet_length((changes)::text))) stored,
  constraint meal_plans_pkey PRIMARY KEY (creator_id, id),
  constraint meal_plans_list_code_key UNIQUE (list_code),
  constraint meal_plans_kind_check CHECK (kind = ANY (ARRAY['week'::text, 'free'::text])),
  constraint meal_plans_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
);
comment on table meal_plans is 'meal plans: names, notes, meals, changes of their lists | nobody | account';
CREATE UNIQUE INDEX meal_plans_by_name ON meal_plans USING btree (creator_id, lower(name));
CREATE INDEX meal_plans_by_recipe ON meal_plans USING gin (meals jsonb_path_ops);
CREATE INDEX meal_plans_last_changed ON meal_plans USING btree (creator_id, updated_at DESC, id DESC);
alter table meal_plans enable row level security;
alter table meal_plans force row level security;
create policy engine on meal_plans for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on meal_plans for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on meal_plans to creator_hq_app;
grant delete, insert, select, update on meal_plans to creator_hq_engine;

create table member_move_rows (
  creator_id uuid not null,
  move_id uuid not null,
  line integer not null,
  cells jsonb not null,
  email text,
  email_key text,
  name text,
  tier_name text not null default ''::text,
  tier_id uuid,
  billing_interval text,
  paid_until timestamp with time zone,
  verdict text not null,
  why text,
  pass_id uuid,
  mailed_at timestamp with time zone,
  made_at timestamp with time zone not null,
  contact_id uuid,
  constraint member_move_rows_pkey PRIMARY KEY (creator_id, move_id, line),
  constraint member_move_rows_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE,
  constraint member_move_rows_move_fkey FOREIGN KEY (creator_id, move_id) REFERENCES member_moves(creator_id, id) ON DELETE CASCADE
);
comment on table member_move_rows is 'rows of files of members: address, name, until when they paid, what became of them | followers | 7 days';
CREATE INDEX member_move_rows_by_age ON member_move_rows USING btree (made_at);
CREATE INDEX member_move_rows_by_contact ON member_move_rows USING btree (creator_id, contact_id) WHERE (contact_id IS NOT NULL);
CREATE INDEX member_move_rows_by_key ON member_move_rows USING btree (creator_id, email_key) WHERE (email_key IS NOT NULL);
CREATE INDEX member_move_rows_to_mail ON member_move_rows USING btree (creator_id, move_id, line) WHERE ((pass_id IS NOT NULL) AND (mailed_at IS NULL));
alter table member_move_rows enable row level security;
alter table member_move_rows force row level security;
create policy engine on member_move_rows for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on member_move_rows for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on member_move_rows to creator_hq_app;
grant delete, insert, select, update on member_move_rows to creator_hq_engine;

create table member_moves (
  creator_id uuid not null,
  id uuid not null,
  state text not null default 'ready'::text,
  file_name text not null,
  tool text,
  columns jsonb not null,
  uses jsonb not null,
  tiers jsonb not null default '{}'::jsonb,
  row_count integer not null,
  done_to integer not null default 0,
  made_by uuid,
  made_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  constraint member_moves_pkey PRIMARY KEY (creator_id, id),
  constraint member_moves_state_check CHECK (state = ANY (ARRAY['ready'::text, 'running'::text, 'done'::text, 'undone'::text])),
  constraint member_moves_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
);
comment on table member_moves is 'files of members from other tools: name, columns, tiers | team | with the creator; 7 days if it never ran';
CREATE INDEX member_moves_by_age ON member_moves USING btree (made_at);
alter table member_moves enable row level security;
alter table member_moves force row level security;
create policy engine on member_moves for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on member_moves for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on member_moves to creator_hq_app;
grant delete, insert, select, update on member_moves to creator_hq_engine;

create table membership_ends (
  creator_id uuid not null,
  way text not null,
  asked_at timestamp with time zone not null,
  asked_by uuid,
  called_off_at timestamp with time zone,
  many integer not null,
  done integer not null default 0,
  done_at timestamp with time zone,
  constraint membership_ends_pkey PRIMARY KEY (creator_id),
  constraint membership_ends_way_check CHECK (way = ANY (ARRAY['leave'::text, 'close'::text])),
  constraint membership_ends_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
);
comment on table membership_ends is 'that a creator leaves with their members or closes memberships: when, by whom, how far | creator, team | with the creator';
alter table membership_ends enable row level security;
alter table membership_ends force row level security;
create policy engine on membership_ends for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on membership_ends for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on membership_ends to creator_hq_app;
grant delete, insert, select, update on membership_ends to creator_hq_engine;

create table membership_settings (
  creator_id uuid not null,
  free_readers boolean not null default false,
  late_days smallint not null default 7,
  free_opens smallint not null default 0,
  constraint membership_settings_pkey PRIMARY KEY (creator_id),
  constraint membership_settings_free_opens_check CHECK (free_opens >= 0 AND free_opens <= 3),
  constraint membership_settings_late_days_check CHECK (late_days >= 0 AND late_days <= 14),
  constraint membership_settings_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
);
comment on table membership_settings is 'how readers enter without paying and what they open, how long late payers read on | team | with the creator';
alter table membership_settings enable row level security;
alter table membership_settings force row level security;
create policy engine on membership_settings for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on membership_settings for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on membership_settings to creator_hq_app;
grant delete, insert, select, update on membership_settings to creator_hq_engine;

create table memberships (
  creator_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  role text not null,
  created_at timestamp with time zone not null default now(),
  constraint memberships_pkey PRIMARY KEY (creator_id, id),
  constraint memberships_user_id_creator_id_key UNIQUE (user_id, creator_id),
  constraint memberships_role_check CHECK (role = ANY (ARRAY['owner'::text, 'collaborator'::text])),
  constraint memberships_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE,
  constraint memberships_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
comment on table memberships is 'who works in which account | team | until removed';
alter table memberships enable row level security;
alter table memberships force row level security;
create policy engine on memberships for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on memberships for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant select, update on memberships to creator_hq_app;
grant delete, insert, select, update on memberships to creator_hq_engine;

create table money_lines (
  creator_id uuid not null,
  id text not null,
  at timestamp with time zone not null,
  category text not null,
  amount bigint not null,
  stripe_fee bigint not null,
  our_fee bigint not null,
  net bigint not null,
  currency text not null,
  is_ours boolean not null,
  charge text,
  contact_id uuid,
  constraint money_lines_pkey PRIMARY KEY (creator_id, id),
  constraint money_lines_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
);
comment on table money_lines is 'what moved the balance of a creator''s Stripe account: amounts, fees, days, from which member | followers, creator | with the creator; from whom, with the contact';
CREATE INDEX money_lines_by_charge ON money_lines USING btree (creator_id, charge) WHERE (charge IS NOT NULL);
CREATE INDEX money_lines_by_contact ON money_lines USING btree (creator_id, contact_id) WHERE (contact_id IS NOT NULL);
CREATE INDEX money_lines_disputes ON money_lines USING btree (creator_id, at DESC, id DESC) WHERE (category = ANY (ARRAY['dispute'::text, 'dispute_reversal'::text]));
CREATE INDEX money_lines_newest ON money_lines USING btree (creator_id, at DESC, id DESC);
CREATE INDEX money_lines_other ON money_lines USING btree (creator_id, at DESC, id DESC) WHERE ((NOT is_ours) OR (category <> ALL (ARRAY['charge'::text, 'refund'::text, 'dispute'::text, 'dispute_reversal'::text])));
CREATE INDEX money_lines_our_fee ON money_lines USING btree (creator_id, at DESC, id DESC) WHERE (our_fee <> 0);
CREATE INDEX money_lines_paid_out ON money_lines USING btree (creator_id, at DESC, id DESC) WHERE (category = ANY (ARRAY['payout'::text, 'payout_reversal'::text]));
CREATE INDEX money_lines_refunds ON money_lines USING btree (creator_id, at DESC, id DESC) WHERE (category = 'refund'::text);
alter table money_lines enable row level security;
alter table money_lines force row level security;
create policy engine on money_lines for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on money_lines for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant select, update on money_lines to creator_hq_app;
grant delete, insert, select, update on money_lines to creator_hq_engine;

create table money_sums (
  creator_id uuid not null,
  month text not null,
  currency text not null,
  figure text not null,
  amount bigint not null,
  constraint money_sums_pkey PRIMARY KEY (creator_id, month, currency, figure),
  constraint money_sums_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
);
comment on table money_sums is 'sums of money lines by month | nobody | with the creator';
alter table money_sums enable row level security;
alter table money_sums force row level security;
create policy engine on money_sums for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on money_sums for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant select on money_sums to creator_hq_app;
grant delete, insert, select, update on money_sums to creator_hq_engine;

create table newsletter_settings (
  creator_id uuid not null,
  writer text not null default 'here'::text,
  weekly text not null default 'off'::text,
  weekly_day smallint not null default 4,
  weekly_hour smallint not null default 9,
  weekly_since timestamp with time zone,
  weekly_ran_at timestamp with time zone,
  welcome boolean not null default false,
  seasons jsonb not null default '{}'::jsonb,
  constraint newsletter_settings_pkey PRIMARY KEY (creator_id),
  constraint newsletter_settings_weekly_check CHECK (weekly = ANY (ARRAY['off'::text, 'approve'::text, 'send'::text])) NOT VALID,
  constraint newsletter_settings_writer_check CHECK (writer = ANY (ARRAY['here'::text, 'kit'::text, 'mailchimp'::text])),
  constraint newsletter_settings_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
);
comment on table newsletter_settings is 'who sends newsletters | nobody | with the creator';
alter table newsletter_settings enable row level security;
alter table newsletter_settings force row level security;
create policy engine on newsletter_settings for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on newsletter_settings for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant insert, select, update on newsletter_settings to creator_hq_app;
grant delete, insert, select, update on newsletter_settings to creator_hq_engine;

create table no_mail_lists (
  id uuid not null,
  position bigint not null default 0,
  database text not null,
  listed_at timestamp with time zone,
  newsletters_wait boolean not null default false,
  constraint no_mail_lists_pkey PRIMARY KEY (id)
);
comment on table no_mail_lists is 'how far lists of no more mail are known | nobody | for good';
grant delete, insert, select, update on no_mail_lists to creator_hq_engine;

create table not_me_addresses (
  email_hash text not null,
  creator_id uuid not null,
  since timestamp with time zone not null,
  constraint not_me_addresses_pkey PRIMARY KEY (email_hash, creator_id),
  constraint not_me_addresses_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
);
comment on table not_me_addresses is 'hashes of addresses that their owners did not enter | nobody | with the creator';
CREATE INDEX not_me_addresses_by_creator ON not_me_addresses USING btree (creator_id);
alter table not_me_addresses enable row level security;
alter table not_me_addresses force row level security;
create policy engine on not_me_addresses for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on not_me_addresses for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on not_me_addresses to creator_hq_engine;

create table notices_sent (
  creator_id uuid not null,
  user_id uuid not null,
  about text not null,
  sent_at timestamp with time zone not null,
  constraint notices_sent_pkey PRIMARY KEY (creator_id, user_id, about),
  constraint notices_sent_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE,
  constraint notices_sent_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
comment on table notices_sent is 'warnings already sent, to whom | team | account';
alter table notices_sent enable row level security;
alter table notices_sent force row level security;
create policy engine on notices_sent for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on notices_sent for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant select on notices_sent to creator_hq_app;
grant delete, insert, select, update on notices_sent to creator_hq_engine;

create table notification_choices (
  creator_id uuid not null,
  user_id uuid not null,
  connection_trouble boolean not null default true,
  invites boolean not null default true,
  weekly_figures boolean not null default true,
  broken_links boolean not null default true,
  new_access boolean not null default true,
  constraint notification_choices_pkey PRIMARY KEY (creator_id, user_id),
  constraint notification_choices_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE,
  constraint notification_choices_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
comment on table notification_choices is 'which mails a user wants | team | until removed from the team';
alter table notification_choices enable row level security;
alter table notification_choices force row level security;
create policy engine on notification_choices for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on notification_choices for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on notification_choices to creator_hq_app;
grant delete, insert, select, update on notification_choices to creator_hq_engine;

create table oauth_attempts (
  state_hash text not null,
  user_id uuid not null,
  session_id uuid not null,
  creator_id uuid,
  login text not null,
  code_verifier text,
  return_to text,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint oauth_attempts_pkey PRIMARY KEY (state_hash),
  constraint oauth_attempts_login_check CHECK (login = ANY (ARRAY['instagram'::text, 'facebook'::text, 'kit'::text])),
  constraint oauth_attempts_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE,
  constraint oauth_attempts_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
comment on table oauth_attempts is 'logins at Meta and Kit in progress | team | an hour after they end';
grant delete, insert, select, update on oauth_attempts to creator_hq_engine;

create table opening_tests (
  creator_id uuid not null,
  app text not null,
  system text not null,
  target text not null,
  worked boolean not null,
  rule text not null,
  tested_at timestamp with time zone not null,
  constraint opening_tests_pkey PRIMARY KEY (creator_id, app, system, target),
  constraint opening_tests_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
);
comment on table opening_tests is 'whether apps opened on the creator''s phone | nobody | account';
alter table opening_tests enable row level security;
alter table opening_tests force row level security;
create policy engine on opening_tests for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on opening_tests for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant select on opening_tests to creator_hq_app;
grant delete, insert, select, update on opening_tests to creator_hq_engine;

create table outcome_counts (
  creator_id uuid not null,
  counted_by text not null,
  counted_id text not null,
  counted text not null,
  reason text not null,
  count bigint not null,
  constraint outcome_counts_pkey PRIMARY KEY (creator_id, counted_by, counted_id, counted, reason),
  constraint outcome_counts_counted_by_check CHECK (counted_by = ANY (ARRAY['post'::text, 'automation'::text, 'day'::text, 'post_day'::text, 'automation_day'::text])),
  constraint outcome_counts_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
) with (fillfactor=70);
comment on table outcome_counts is 'sums of outcomes by post, automation, day | nobody | account';
alter table outcome_counts enable row level security;
alter table outcome_counts force row level security;
create policy engine on outcome_counts for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on outcome_counts for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on outcome_counts to creator_hq_app;
grant delete, insert, select, update on outcome_counts to creator_hq_engine;

create table outcome_deltas (
  creator_id uuid not null,
  id bigint not null generated always as identity,
  post_id text,
  automation_id uuid,
  day date,
  counted text not null,
  reason text not null,
  change integer not null,
  counted_on date,
  constraint outcome_deltas_pkey PRIMARY KEY (creator_id, id)
) with (autovacuum_analyze_scale_factor=1, autovacuum_analyze_threshold=5000, autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_threshold=5000);
comment on table outcome_deltas is 'changes not yet in the sums | nobody | seconds';
alter table outcome_deltas enable row level security;
alter table outcome_deltas force row level security;
create policy engine on outcome_deltas for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on outcome_deltas for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on outcome_deltas to creator_hq_app;
grant delete, insert, select, update on outcome_deltas to creator_hq_engine;

create table outgoing_endpoints (
  creator_id uuid not null,
  id uuid not null,
  url text not null,
  secret text not null,
  types text[] not null,
  created_at timestamp with time zone not null,
  created_by uuid,
  switched_off_at timestamp with time zone,
  switched_off_because text,
  failing_since timestamp with time zone,
  last_delivered_at timestamp with time zone,
  old_secret text,
  old_secret_until timestamp with time zone,
  constraint outgoing_endpoints_pkey PRIMARY KEY (creator_id, id),
  constraint old_secret_ends CHECK ((old_secret IS NULL) = (old_secret_until IS NULL)),
  constraint outgoing_endpoints_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint outgoing_endpoints_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
);
comment on table outgoing_endpoints is 'addresses of other tools, sealed secrets | creator | until removed';
CREATE INDEX outgoing_endpoints_on ON outgoing_endpoints USING btree (creator_id) WHERE (switched_off_at IS NULL);
alter table outgoing_endpoints enable row level security;
alter table outgoing_endpoints force row level security;
create policy engine on outgoing_endpoints for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on outgoing_endpoints for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on outgoing_endpoints to creator_hq_app;
grant delete, insert, select, update on outgoing_endpoints to creator_hq_engine;

create table outgoing_events (
  creator_id uuid not null,
  id uuid not null default gen_random_uuid(),
  endpoint_id uuid not null,
  type text not null,
  data jsonb not null,
  happened_at timestamp with time zone not null,
  state text not null default 'queued'::text,
  due_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  attempts integer not null default 0,
  log jsonb not null default '[]'::jsonb,
  constraint outgoing_events_pkey PRIMARY KEY (creator_id, id),
  constraint outgoing_events_state_check CHECK (state = ANY (ARRAY['queued'::text, 'delivered'::text, 'failed'::text])),
  constraint outgoing_events_type_check CHECK (type = ANY (ARRAY['interaction'::text, 'delivery'::text, 'contact'::text, 'click'::text, 'member'::text, 'test'::text])),
  constraint outgoing_events_creator_id_endpoint_id_fkey FOREIGN KEY (creator_id, endpoint_id) REFERENCES outgoing_endpoints(creator_id, id) ON DELETE CASCADE,
  constraint outgoing_events_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
) with (fillfactor=80);
comment on table outgoing_events is 'what other tools were sent, their answers | followers | 30 days (`KEEP_WEBHOOK_LOG_DAYS`)';
CREATE INDEX outgoing_events_due ON outgoing_events USING btree (endpoint_id, due_at) WHERE (state = 'queued'::text);
CREATE INDEX outgoing_events_newest ON outgoing_events USING btree (creator_id, endpoint_id, happened_at DESC, id DESC);
CREATE INDEX outgoing_events_old ON outgoing_events USING btree (happened_at);
alter table outgoing_events enable row level security;
alter table outgoing_events force row level security;
create policy engine on outgoing_events for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on outgoing_events for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on outgoing_events to creator_hq_app;
grant delete, insert, select, update on outgoing_events to creator_hq_engine;

create table own_messages (
  creator_id uuid not null,
  connection_id uuid not null,
  platform_id text not null,
  person_id text not null,
  text text not null default ''::text,
  sent_at timestamp with time zone not null,
  constraint own_messages_pkey PRIMARY KEY (creator_id, connection_id, platform_id),
  constraint own_messages_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
);
comment on table own_messages is 'what the creator wrote in Meta''s apps | followers | activity; words as texts';
CREATE INDEX own_messages_by_person ON own_messages USING btree (creator_id, connection_id, person_id, sent_at);
CREATE INDEX own_messages_by_time ON own_messages USING btree (creator_id, sent_at);
alter table own_messages enable row level security;
alter table own_messages force row level security;
create policy engine on own_messages for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on own_messages for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on own_messages to creator_hq_app;
grant delete, insert, select, update on own_messages to creator_hq_engine;

create table parked_events (
  id bigint not null generated always as identity,
  shard smallint not null,
  received_at timestamp with time zone not null,
  body text not null,
  error text not null,
  parked_at timestamp with time zone not null default now(),
  constraint parked_events_pkey PRIMARY KEY (id)
);
comment on table parked_events is 'webhooks that failed, as received | followers | 30 days (`KEEP_PARKED_EVENTS_DAYS`)';
grant delete, insert, select, update on parked_events to creator_hq_engine;

create table pass_changes (
  creator_id uuid not null,
  id uuid not null,
  contact_id uuid not null,
  at timestamp with time zone not null,
  what text not null,
  detail text not null default ''::text,
  constraint pass_changes_pkey PRIMARY KEY (creator_id, id),
  constraint pass_changes_contact_fkey FOREIGN KEY (creator_id, contact_id) REFERENCES contacts(creator_id, id) ON DELETE CASCADE,
  constraint pass_changes_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
);
comment on table pass_changes is 'what happened to a membership: when, what, by whom | followers | with the contact';
CREATE INDEX pass_changes_by_contact ON pass_changes USING btree (creator_id, contact_id, at DESC);
alter table pass_changes enable row level security;
alter table pass_changes force row level security;
create policy engine on pass_changes for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on pass_changes for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on pass_changes to creator_hq_app;
grant delete, insert, select, update on pass_changes to creator_hq_engine;

create table pass_counts (
  creator_id uuid not null,
  counted text not null,
  of text not null,
  day date not null,
  n integer not null,
  amount bigint not null,
  constraint pass_counts_pkey PRIMARY KEY (creator_id, counted, of, day),
  constraint pass_counts_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
);
comment on table pass_counts is 'how many read, pay, joined and left, by day | nobody | with the creator';
alter table pass_counts enable row level security;
alter table pass_counts force row level security;
create policy engine on pass_counts for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on pass_counts for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on pass_counts to creator_hq_app;
grant delete, insert, select, update on pass_counts to creator_hq_engine;

create table passed_opens (
  creator_id uuid not null,
  passed_id uuid not null,
  device_id uuid not null,
  opened_at timestamp with time zone not null,
  joined_at timestamp with time zone,
  constraint passed_opens_pkey PRIMARY KEY (creator_id, passed_id, device_id),
  constraint passed_opens_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE,
  constraint passed_opens_device_fkey FOREIGN KEY (creator_id, device_id) REFERENCES fan_devices(creator_id, id) ON DELETE CASCADE,
  constraint passed_opens_passed_fkey FOREIGN KEY (creator_id, passed_id) REFERENCES passed_recipes(creator_id, id) ON DELETE CASCADE
);
comment on table passed_opens is 'browsers in which friends opened passed recipes, when one became a member | followers | 62 days after the link was made';
CREATE INDEX passed_opens_by_device ON passed_opens USING btree (creator_id, device_id);
CREATE INDEX passed_opens_joined ON passed_opens USING btree (creator_id, joined_at) WHERE (joined_at IS NOT NULL);
alter table passed_opens enable row level security;
alter table passed_opens force row level security;
create policy engine on passed_opens for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on passed_opens for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on passed_opens to creator_hq_app;
grant delete, insert, select, update on passed_opens to creator_hq_engine;

create table passed_recipes (
  creator_id uuid not null,
  id uuid not null,
  contact_id uuid not null,
  site_id uuid not null,
  post_id bigint not null,
  link_hash text not null,
  month date not null,
  made_at timestamp with time zone not null,
  opened_at timestamp with time zone,
  ended_at timestamp with time zone,
  constraint passed_recipes_pkey PRIMARY KEY (creator_id, id),
  constraint passed_recipes_contact_fkey FOREIGN KEY (creator_id, contact_id) REFERENCES contacts(creator_id, id) ON DELETE CASCADE,
  constraint passed_recipes_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE,
  constraint passed_recipes_site_fkey FOREIGN KEY (creator_id, site_id) REFERENCES sites(creator_id, id) ON DELETE CASCADE
);
comment on table passed_recipes is 'which locked posts a member opened for a friend, by hashed links | followers | 62 days, at most with the contact';
CREATE INDEX passed_recipes_by_age ON passed_recipes USING btree (made_at);
CREATE INDEX passed_recipes_by_contact ON passed_recipes USING btree (creator_id, contact_id, month);
CREATE UNIQUE INDEX passed_recipes_by_link ON passed_recipes USING btree (creator_id, link_hash);
CREATE INDEX passed_recipes_by_site ON passed_recipes USING btree (creator_id, site_id);
alter table passed_recipes enable row level security;
alter table passed_recipes force row level security;
create policy engine on passed_recipes for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on passed_recipes for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on passed_recipes to creator_hq_app;
grant delete, insert, select, update on passed_recipes to creator_hq_engine;

create table passes (
  creator_id uuid not null,
  id uuid not null,
  contact_id uuid not null,
  tier_id uuid not null,
  source text not null,
  begins_at timestamp with time zone not null,
  ends_at timestamp with time zone,
  ended_at timestamp with time zone,
  note text,
  stripe_subscription_id text,
  stripe_price_id text,
  status text,
  billing_interval text,
  amount integer,
  currency text,
  paid_until timestamp with time zone,
  renews_at timestamp with time zone,
  cancel_at timestamp with time zone,
  late_since timestamp with time zone,
  trial_end timestamp with time zone,
  withdraws_at timestamp with time zone,
  late_mails smallint not null default 0,
  told_charge text,
  is_refunded boolean not null default false,
  schedule_id text,
  next_stripe_price_id text,
  next_at timestamp with time zone,
  discount text,
  moves_to uuid,
  moves_told_at timestamp with time zone,
  move_mailed_at timestamp with time zone,
  move_id uuid,
  closed_at timestamp with time zone,
  charged integer,
  left_because text,
  constraint passes_pkey PRIMARY KEY (creator_id, id),
  constraint passes_left_because_check CHECK (left_because = ANY (ARRAY['price'::text, 'use'::text, 'content'::text, 'trouble'::text, 'other'::text])),
  constraint passes_source_check CHECK (source = ANY (ARRAY['given'::text, 'gift'::text, 'stripe'::text])),
  constraint passes_stripe_check CHECK ((source = 'stripe'::text) = (stripe_subscription_id IS NOT NULL)),
  constraint passes_contact_fkey FOREIGN KEY (creator_id, contact_id) REFERENCES contacts(creator_id, id) ON DELETE CASCADE,
  constraint passes_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE,
  constraint passes_tier_fkey FOREIGN KEY (creator_id, tier_id) REFERENCES tiers(creator_id, id) ON DELETE CASCADE
);
comment on table passes is 'who reads what is for members, until when, and why | followers | with the contact';
CREATE INDEX passes_by_contact ON passes USING btree (creator_id, contact_id) INCLUDE (id, begins_at, ends_at, ended_at);
CREATE INDEX passes_by_end ON passes USING btree (creator_id, ends_at) WHERE (ended_at IS NULL);
CREATE INDEX passes_by_move ON passes USING btree (creator_id, move_id) WHERE (move_id IS NOT NULL);
CREATE INDEX passes_by_price ON passes USING btree (creator_id, stripe_price_id) WHERE ((source = 'stripe'::text) AND (ended_at IS NULL) AND (cancel_at IS NULL));
CREATE UNIQUE INDEX passes_by_subscription ON passes USING btree (creator_id, stripe_subscription_id) WHERE (stripe_subscription_id IS NOT NULL);
CREATE INDEX passes_by_tier ON passes USING btree (creator_id, tier_id, source);
CREATE INDEX passes_closed ON passes USING btree (creator_id) WHERE ((closed_at IS NOT NULL) AND (ended_at IS NULL));
CREATE INDEX passes_ending ON passes USING btree (creator_id, begins_at DESC, contact_id DESC) WHERE ((cancel_at IS NOT NULL) AND (ended_at IS NULL));
CREATE INDEX passes_gifts ON passes USING btree (creator_id, begins_at DESC, contact_id DESC) WHERE ((source = 'gift'::text) AND (ended_at IS NULL));
CREATE INDEX passes_given ON passes USING btree (creator_id, begins_at DESC, contact_id DESC) WHERE ((source = 'given'::text) AND (ended_at IS NULL));
CREATE INDEX passes_late ON passes USING btree (late_since) WHERE ((late_since IS NOT NULL) AND (ended_at IS NULL));
CREATE INDEX passes_left_because ON passes USING btree (creator_id, left_because) WHERE (left_because IS NOT NULL);
CREATE INDEX passes_moving ON passes USING btree (renews_at) WHERE ((moves_to IS NOT NULL) AND (ended_at IS NULL));
CREATE INDEX passes_newest ON passes USING btree (creator_id, begins_at DESC, contact_id DESC);
CREATE INDEX passes_of_late ON passes USING btree (creator_id, begins_at DESC, contact_id DESC) WHERE ((late_since IS NOT NULL) AND (ended_at IS NULL));
CREATE INDEX passes_on_trial ON passes USING btree (creator_id, begins_at DESC, contact_id DESC) WHERE ((trial_end IS NOT NULL) AND (ended_at IS NULL));
CREATE UNIQUE INDEX passes_paid_once ON passes USING btree (creator_id, contact_id) WHERE ((source = 'stripe'::text) AND (ended_at IS NULL));
CREATE INDEX passes_withdrawn ON passes USING btree (withdraws_at) WHERE (withdraws_at IS NOT NULL);
alter table passes enable row level security;
alter table passes force row level security;
create policy engine on passes for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on passes for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on passes to creator_hq_app;
grant delete, insert, select, update on passes to creator_hq_engine;

create table past_subscriptions (
  creator_id uuid not null,
  stripe_subscription_id text not null,
  plan_id text not null,
  billing_interval text not null,
  status text not null,
  began_at timestamp with time zone not null,
  ended_at timestamp with time zone not null,
  constraint past_subscriptions_pkey PRIMARY KEY (creator_id, stripe_subscription_id),
  constraint past_subscriptions_billing_interval_check CHECK (billing_interval = ANY (ARRAY['month'::text, 'year'::text])),
  constraint past_subscriptions_status_check CHECK (status = ANY (ARRAY['canceled'::text, 'incomplete_expired'::text])),
  constraint past_subscriptions_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE,
  constraint past_subscriptions_plan_id_fkey FOREIGN KEY (plan_id) REFERENCES plans(id)
);
comment on table past_subscriptions is 'plans that ended | creator | account';
alter table past_subscriptions enable row level security;
alter table past_subscriptions force row level security;
create policy engine on past_subscriptions for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on past_subscriptions for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant select on past_subscriptions to creator_hq_app;
grant delete, insert, select, update on past_subscriptions to creator_hq_engine;

create table payouts (
  creator_id uuid not null,
  id text not null,
  amount bigint not null,
  currency text not null,
  status text not null,
  arrives_at timestamp with time zone not null,
  made_at timestamp with time zone not null,
  failure text,
  constraint payouts_pkey PRIMARY KEY (creator_id, id),
  constraint payouts_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
);
comment on table payouts is 'what Stripe pays out to a creator''s bank: amounts, days, why not | creator | with the creator';
CREATE INDEX payouts_newest ON payouts USING btree (creator_id, made_at DESC, id DESC);
alter table payouts enable row level security;
alter table payouts force row level security;
create policy engine on payouts for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on payouts for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant select on payouts to creator_hq_app;
grant delete, insert, select, update on payouts to creator_hq_engine;

create table people (
  creator_id uuid not null,
  connection_id uuid not null,
  id text not null,
  username text,
  last_wrote_at timestamp with time zone,
  first_seen_at timestamp with time zone not null,
  name text,
  picture_url text,
  follows boolean,
  followers integer,
  verified boolean,
  profile_at timestamp with time zone,
  stopped_at timestamp with time zone,
  taken_over_until timestamp with time zone,
  blocked_at timestamp with time zone,
  email text,
  email_asked_at timestamp with time zone,
  thanked_at timestamp with time zone,
  last_seen_at timestamp with time zone,
  name_key text,
  name_last text generated always as ("substring"(name_key, '[^ ]+$'::text)) stored,
  profile_tried_at timestamp with time zone,
  contact_id uuid,
  constraint people_pkey PRIMARY KEY (creator_id, connection_id, id)
) with (autovacuum_analyze_scale_factor=0.2);
comment on table people is 'contacts: Meta''s id, handle, name, picture address, follows or not, email | followers | until erased, or with the creator';
CREATE INDEX people_blocked ON people USING btree (creator_id, last_seen_at DESC, id DESC) WHERE (blocked_at IS NOT NULL);
CREATE INDEX people_by_email ON people USING btree (creator_id, email text_pattern_ops) WHERE (email IS NOT NULL);
CREATE INDEX people_by_following ON people USING btree (creator_id, follows, last_seen_at DESC, id DESC) WHERE (follows IS NOT NULL);
CREATE INDEX people_by_last_name ON people USING btree (creator_id, name_last text_pattern_ops) WHERE (name_last IS NOT NULL);
CREATE INDEX people_by_name ON people USING btree (creator_id, name_key text_pattern_ops) WHERE (name_key IS NOT NULL);
CREATE INDEX people_by_username ON people USING btree (creator_id, username text_pattern_ops);
CREATE INDEX people_linked ON people USING btree (creator_id, contact_id) WHERE (contact_id IS NOT NULL);
CREATE INDEX people_linked_by_username ON people USING btree (creator_id, username text_pattern_ops) WHERE (contact_id IS NOT NULL);
CREATE INDEX people_linked_seen ON people USING btree (last_seen_at) WHERE (contact_id IS NOT NULL);
CREATE INDEX people_newest ON people USING btree (creator_id, last_seen_at DESC, id DESC);
CREATE INDEX people_stopped ON people USING btree (creator_id, last_seen_at DESC, id DESC) WHERE (stopped_at IS NOT NULL);
CREATE INDEX people_taken_over ON people USING btree (creator_id, last_seen_at DESC, id DESC) WHERE (taken_over_until IS NOT NULL);
CREATE INDEX people_to_fold ON people USING btree (creator_id) WHERE ((name IS NOT NULL) AND (name_key IS NULL));
CREATE INDEX people_to_refresh ON people USING btree (last_wrote_at) WHERE (last_wrote_at IS NOT NULL);
CREATE INDEX people_with_email ON people USING btree (creator_id, last_seen_at DESC, id DESC) WHERE (email IS NOT NULL);
alter table people enable row level security;
alter table people force row level security;
create policy engine on people for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on people for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
CREATE TRIGGER creators_exist AFTER INSERT ON public.people REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION creators_exist();
CREATE TRIGGER keep_erased_away AFTER INSERT ON public.people REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_erased_away();
grant delete, insert, select, update on people to creator_hq_app;
grant delete, insert, select, update on people to creator_hq_engine;

create table plan_prices (
  plan_id text not null,
  billing_interval text not null,
  cents integer not null,
  currency text not null default 'usd'::text,
  stripe_price_id text,
  since timestamp with time zone not null,
  until timestamp with time zone,
  constraint plan_prices_pkey PRIMARY KEY (plan_id, billing_interval, since),
  constraint plan_prices_billing_interval_check CHECK (billing_interval = ANY (ARRAY['month'::text, 'year'::text])),
  constraint plan_prices_cents_check CHECK (cents > 0),
  constraint plan_prices_plan_id_fkey FOREIGN KEY (plan_id) REFERENCES plans(id)
);
comment on table plan_prices is 'what plans cost and did cost | nobody | for good';
CREATE UNIQUE INDEX plan_prices_at_stripe ON plan_prices USING btree (stripe_price_id);
CREATE UNIQUE INDEX plan_prices_now ON plan_prices USING btree (plan_id, billing_interval) WHERE (until IS NULL);
grant select on plan_prices to creator_hq_app;
grant delete, insert, select, update on plan_prices to creator_hq_engine;

create table plans (
  id text not null,
  name text not null,
  tagline text not null default ''::text,
  features text[] not null default '{}'::text[],
  position integer not null default 0,
  trial_days integer not null default 0,
  on_sale boolean not null default true,
  constraint plans_pkey PRIMARY KEY (id),
  constraint plans_trial_days_check CHECK (trial_days >= 0 AND trial_days <= 90)
);
comment on table plans is 'what is for sale | nobody | for good';
grant select on plans to creator_hq_app;
grant delete, insert, select, update on plans to creator_hq_engine;

create table platform_pauses (
  platform text not null,
  paused_at timestamp with time zone,
  constraint platform_pauses_pkey PRIMARY KEY (platform)
);
comment on table platform_pauses is 'whether a platform is paused | nobody | for good';
grant delete, insert, select, update on platform_pauses to creator_hq_engine;

create table post_pictures (
  creator_id uuid not null,
  post_id text not null,
  source text not null,
  content_type text not null,
  bytes bytea not null,
  kept_at timestamp with time zone not null,
  constraint post_pictures_pkey PRIMARY KEY (creator_id, post_id),
  constraint post_pictures_size CHECK (length(bytes) <= 65536),
  constraint post_pictures_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE,
  constraint post_pictures_creator_id_post_id_fkey FOREIGN KEY (creator_id, post_id) REFERENCES posts(creator_id, id) ON DELETE CASCADE
);
comment on table post_pictures is 'small pictures of the creator''s posts | creator | until the post is deleted on Instagram; at most with the post';
alter table post_pictures enable row level security;
alter table post_pictures force row level security;
create policy engine on post_pictures for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on post_pictures for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant select on post_pictures to creator_hq_app;
grant delete, insert, select, update on post_pictures to creator_hq_engine;

create table posts (
  creator_id uuid not null,
  id text not null,
  connection_id uuid not null,
  caption text not null default ''::text,
  media_type text,
  product_type text,
  permalink text,
  picture_url text,
  comments_count bigint,
  like_count bigint,
  posted_at timestamp with time zone not null,
  synced_at timestamp with time zone not null,
  gone_at timestamp with time zone,
  caption_key text not null default ''::text,
  offered_at timestamp with time zone,
  reading_planned boolean not null default false,
  asked_word text,
  tested_until timestamp with time zone,
  constraint posts_pkey PRIMARY KEY (creator_id, id),
  constraint posts_creator_id_connection_id_fkey FOREIGN KEY (creator_id, connection_id) REFERENCES connections(creator_id, id) ON DELETE CASCADE,
  constraint posts_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
);
comment on table posts is 'captions, picture addresses, counts | creator | account, or until they ask Meta for deletion';
CREATE INDEX posts_by_connection ON posts USING btree (creator_id, connection_id, posted_at DESC);
CREATE INDEX posts_newest ON posts USING btree (creator_id, posted_at DESC, id DESC);
CREATE INDEX posts_tested ON posts USING btree (connection_id) WHERE (tested_until IS NOT NULL);
CREATE INDEX posts_to_offer ON posts USING btree (connection_id) WHERE (offered_at IS NULL);
CREATE INDEX posts_to_plan ON posts USING btree (creator_id, id) WHERE (NOT reading_planned);
alter table posts enable row level security;
alter table posts force row level security;
create policy engine on posts for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on posts for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on posts to creator_hq_app;
grant delete, insert, select, update on posts to creator_hq_engine;

create table prepared_candidates (
  creator_id uuid not null,
  automation_id uuid not null,
  post_id text not null,
  found_at timestamp with time zone not null,
  constraint prepared_candidates_pkey PRIMARY KEY (creator_id, automation_id, post_id),
  constraint prepared_candidates_creator_id_automation_id_fkey FOREIGN KEY (creator_id, automation_id) REFERENCES automations(creator_id, id) ON DELETE CASCADE,
  constraint prepared_candidates_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE,
  constraint prepared_candidates_creator_id_post_id_fkey FOREIGN KEY (creator_id, post_id) REFERENCES posts(creator_id, id) ON DELETE CASCADE
);
comment on table prepared_candidates is 'posts an automation may belong to | nobody | with the automation';
CREATE INDEX prepared_candidates_by_post ON prepared_candidates USING btree (creator_id, post_id);
alter table prepared_candidates enable row level security;
alter table prepared_candidates force row level security;
create policy engine on prepared_candidates for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on prepared_candidates for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on prepared_candidates to creator_hq_app;
grant delete, insert, select, update on prepared_candidates to creator_hq_engine;

create table price_moves (
  creator_id uuid not null,
  stripe_price_id text not null,
  cents integer not null,
  told_at timestamp with time zone not null,
  mailed_at timestamp with time zone,
  constraint price_moves_pkey PRIMARY KEY (creator_id),
  constraint price_moves_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
);
comment on table price_moves is 'the price that a creator was told they will pay, and when | creator | account';
alter table price_moves enable row level security;
alter table price_moves force row level security;
create policy engine on price_moves for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on price_moves for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant select on price_moves to creator_hq_app;
grant delete, insert, select, update on price_moves to creator_hq_engine;

create table process_reports (
  process_id uuid not null,
  seen_at timestamp with time zone not null,
  report jsonb not null,
  constraint process_reports_pkey PRIMARY KEY (process_id)
);
comment on table process_reports is 'state of each process | nobody | a day';
grant delete, insert, select, update on process_reports to creator_hq_engine;

create table published_meal_plans (
  creator_id uuid not null,
  meal_plan_id uuid not null,
  content jsonb not null,
  published_at timestamp with time zone not null,
  bytes integer not null generated always as (octet_length((content)::text)) stored,
  constraint published_meal_plans_pkey PRIMARY KEY (creator_id, meal_plan_id),
  constraint published_meal_plans_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE,
  constraint published_meal_plans_plan_fkey FOREIGN KEY (creator_id, meal_plan_id) REFERENCES meal_plans(creator_id, id) ON DELETE CASCADE
);
comment on table published_meal_plans is 'meal plans as people see them | nobody | until taken back';
alter table published_meal_plans enable row level security;
alter table published_meal_plans force row level security;
create policy engine on published_meal_plans for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on published_meal_plans for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on published_meal_plans to creator_hq_app;
grant delete, insert, select, update on published_meal_plans to creator_hq_engine;

create table queue_controls (
  creator_id uuid not null,
  connection_id uuid not null,
  paused_at timestamp with time zone,
  slowed_to_percent smallint,
  slowed_until timestamp with time zone,
  sorted text not null default 'deadline'::text,
  first_post_id text,
  changed_by uuid,
  changed_at timestamp with time zone not null,
  constraint queue_controls_pkey PRIMARY KEY (creator_id, connection_id),
  constraint queue_controls_slowed_to_percent_check CHECK (slowed_to_percent >= 1 AND slowed_to_percent <= 99),
  constraint queue_controls_sorted_check CHECK (sorted = ANY (ARRAY['deadline'::text, 'newest'::text])),
  constraint queue_controls_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint queue_controls_creator_id_connection_id_fkey FOREIGN KEY (creator_id, connection_id) REFERENCES connections(creator_id, id) ON DELETE CASCADE,
  constraint queue_controls_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
);
comment on table queue_controls is 'pauses and orders of the queue | team | account';
alter table queue_controls enable row level security;
alter table queue_controls force row level security;
create policy engine on queue_controls for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on queue_controls for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on queue_controls to creator_hq_app;
grant delete, insert, select, update on queue_controls to creator_hq_engine;

create table queue_forecasts (
  creator_id uuid not null,
  connection_id uuid not null,
  forecast jsonb not null,
  made_at timestamp with time zone not null,
  constraint queue_forecasts_pkey PRIMARY KEY (creator_id, connection_id),
  constraint queue_forecasts_creator_id_connection_id_fkey FOREIGN KEY (creator_id, connection_id) REFERENCES connections(creator_id, id) ON DELETE CASCADE,
  constraint queue_forecasts_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
);
comment on table queue_forecasts is 'when the queue will end | nobody | until the next forecast';
alter table queue_forecasts enable row level security;
alter table queue_forecasts force row level security;
create policy engine on queue_forecasts for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on queue_forecasts for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on queue_forecasts to creator_hq_app;
grant delete, insert, select, update on queue_forecasts to creator_hq_engine;

create table reader_mails (
  creator_id uuid not null,
  id uuid not null,
  contact_id uuid not null,
  kind text not null,
  about jsonb,
  question text,
  submission_id uuid,
  recipient_domain text not null,
  state text not null default 'waiting'::text,
  created_at timestamp with time zone not null,
  due_at timestamp with time zone not null,
  lease_id uuid,
  attempts integer not null default 0,
  unnoted integer not null default 0,
  last_failure text,
  finished_at timestamp with time zone,
  reported text,
  reported_at timestamp with time zone,
  part_of uuid,
  lane smallint not null default 0,
  clicked_at timestamp with time zone,
  constraint reader_mails_pkey PRIMARY KEY (creator_id, id),
  constraint reader_mails_kind_check CHECK (kind = ANY (ARRAY['save'::text, 'confirmation'::text, 'broadcast'::text, 'digest'::text, 'correction'::text, 'welcome'::text])) NOT VALID,
  constraint reader_mails_reported_check CHECK (reported = ANY (ARRAY['delivered'::text, 'delayed'::text, 'hard'::text, 'soft'::text, 'about_us'::text, 'unknown'::text, 'complaint'::text])) NOT VALID,
  constraint reader_mails_state_check CHECK (state = ANY (ARRAY['waiting'::text, 'sending'::text, 'accepted'::text, 'delivered'::text, 'deferred'::text, 'bounced'::text, 'complained'::text, 'held'::text, 'suppressed'::text, 'failed'::text, 'cancelled'::text, 'expired'::text])),
  constraint reader_mails_contact_id_fkey FOREIGN KEY (creator_id, contact_id) REFERENCES contacts(creator_id, id) ON DELETE CASCADE,
  constraint reader_mails_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
);
comment on table reader_mails is 'mails to readers: what they are about, their fate, clicks | followers | 13 months; at most with the contact';
CREATE INDEX reader_mails_by_contact ON reader_mails USING btree (creator_id, contact_id);
CREATE UNIQUE INDEX reader_mails_by_id ON reader_mails USING btree (id);
CREATE INDEX reader_mails_clicked ON reader_mails USING btree (creator_id, clicked_at) WHERE (clicked_at IS NOT NULL);
CREATE INDEX reader_mails_ended ON reader_mails USING btree (finished_at) WHERE (state = ANY (ARRAY['bounced'::text, 'failed'::text, 'expired'::text]));
CREATE INDEX reader_mails_in_lane ON reader_mails USING btree (recipient_domain, creator_id, lane, due_at, id) WHERE (state = 'waiting'::text);
CREATE INDEX reader_mails_newest ON reader_mails USING btree (created_at);
CREATE UNIQUE INDEX reader_mails_of_many ON reader_mails USING btree (creator_id, part_of, contact_id) WHERE (part_of IS NOT NULL);
CREATE INDEX reader_mails_reported ON reader_mails USING btree (reported_at) WHERE (reported = 'about_us'::text);
CREATE INDEX reader_mails_sending ON reader_mails USING btree (recipient_domain) WHERE (state = 'sending'::text);
alter table reader_mails enable row level security;
alter table reader_mails force row level security;
create policy engine on reader_mails for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on reader_mails for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on reader_mails to creator_hq_app;
grant delete, insert, select, update on reader_mails to creator_hq_engine;

create table reading_states (
  creator_id uuid not null,
  connection_id uuid not null,
  held_up boolean not null,
  repaired_at timestamp with time zone,
  constraint reading_states_pkey PRIMARY KEY (creator_id, connection_id),
  constraint reading_states_creator_id_connection_id_fkey FOREIGN KEY (creator_id, connection_id) REFERENCES connections(creator_id, id) ON DELETE CASCADE,
  constraint reading_states_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
);
comment on table reading_states is 'what stopped reading | nobody | account';
alter table reading_states enable row level security;
alter table reading_states force row level security;
create policy engine on reading_states for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on reading_states for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on reading_states to creator_hq_app;
grant delete, insert, select, update on reading_states to creator_hq_engine;

create table real_meta (
  only_row boolean not null default true,
  first_at timestamp with time zone not null,
  constraint real_meta_pkey PRIMARY KEY (only_row),
  constraint real_meta_only_row_check CHECK (only_row)
);
comment on table real_meta is 'that a real Meta app was used, since when | nobody | for good';
grant delete, insert, select, update on real_meta to creator_hq_engine;

create table recipe_import_pages (
  creator_id uuid not null,
  import_id uuid not null,
  place integer not null,
  url text not null,
  state text not null default 'waiting'::text,
  because text,
  tries smallint not null default 0,
  recipe_id uuid,
  version integer,
  found_at timestamp with time zone not null,
  undone boolean,
  constraint recipe_import_pages_pkey PRIMARY KEY (creator_id, import_id, place),
  constraint recipe_import_pages_state_check CHECK (state = ANY (ARRAY['waiting'::text, 'made'::text, 'updated'::text, 'same'::text, 'no_recipe'::text, 'not_read'::text])),
  constraint recipe_import_pages_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE,
  constraint recipe_import_pages_import_fkey FOREIGN KEY (creator_id, import_id) REFERENCES recipe_imports(creator_id, id) ON DELETE CASCADE
);
comment on table recipe_import_pages is 'pages of blogs whose recipes were brought in, and what became of each | nobody | 60 days';
CREATE INDEX recipe_import_pages_by_age ON recipe_import_pages USING btree (found_at);
alter table recipe_import_pages enable row level security;
alter table recipe_import_pages force row level security;
create policy engine on recipe_import_pages for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on recipe_import_pages for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on recipe_import_pages to creator_hq_app;
grant delete, insert, select, update on recipe_import_pages to creator_hq_engine;

create table recipe_imports (
  creator_id uuid not null,
  id uuid not null,
  site text not null,
  state text not null default 'running'::text,
  way text,
  failure text,
  made_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  undo_began_at timestamp with time zone,
  undone_at timestamp with time zone,
  constraint recipe_imports_pkey PRIMARY KEY (creator_id, id),
  constraint recipe_imports_state_check CHECK (state = ANY (ARRAY['running'::text, 'paused'::text, 'done'::text, 'failed'::text])),
  constraint recipe_imports_way_check CHECK (way = ANY (ARRAY['plugin'::text, 'wprm'::text, 'sitemap'::text])),
  constraint recipe_imports_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
);
comment on table recipe_imports is 'blogs whose recipes were brought in: address, when, what became of it | nobody | account';
alter table recipe_imports enable row level security;
alter table recipe_imports force row level security;
create policy engine on recipe_imports for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on recipe_imports for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant insert, select, update on recipe_imports to creator_hq_app;
grant delete, insert, select, update on recipe_imports to creator_hq_engine;

create table recipe_ingredients (
  creator_id uuid not null,
  recipe_id uuid not null,
  list_code text not null,
  servings smallint,
  minutes smallint,
  measures text not null,
  language text not null,
  lines jsonb not null,
  steps text[] not null default '{}'::text[],
  line_count smallint not null,
  to_check smallint not null,
  foods text not null,
  version integer not null default 1,
  updated_at timestamp with time zone not null,
  deleted_recipe jsonb,
  bytes integer not null generated always as ((octet_length((lines)::text) + text_bytes(steps))) stored,
  constraint recipe_ingredients_pkey PRIMARY KEY (creator_id, recipe_id),
  constraint recipe_ingredients_list_code_key UNIQUE (list_code),
  constraint recipe_ingredients_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
);
comment on table recipe_ingredients is 'ingredients of recipes, and the lists that messages lead to | nobody | account';
alter table recipe_ingredients enable row level security;
alter table recipe_ingredients force row level security;
create policy engine on recipe_ingredients for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on recipe_ingredients for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on recipe_ingredients to creator_hq_app;
grant delete, insert, select, update on recipe_ingredients to creator_hq_engine;

create table recipe_readings (
  creator_id uuid not null,
  recipe_id uuid not null,
  way text not null,
  lines jsonb not null,
  read_at timestamp with time zone not null,
  constraint recipe_readings_pkey PRIMARY KEY (creator_id, recipe_id, way),
  constraint recipe_readings_way_check CHECK (way = ANY (ARRAY['plugin'::text, 'page'::text, 'guard'::text])),
  constraint recipe_readings_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE,
  constraint recipe_readings_recipe_fkey FOREIGN KEY (creator_id, recipe_id) REFERENCES recipes(creator_id, id) ON DELETE CASCADE
);
comment on table recipe_readings is 'ingredients of recipes as their pages said them last | nobody | account';
alter table recipe_readings enable row level security;
alter table recipe_readings force row level security;
create policy engine on recipe_readings for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on recipe_readings for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on recipe_readings to creator_hq_app;
grant delete, insert, select, update on recipe_readings to creator_hq_engine;

create table recipe_syncs (
  creator_id uuid not null,
  recipe_id uuid not null,
  id uuid not null,
  version_before integer not null,
  version_after integer not null,
  made_by text not null,
  made_at timestamp with time zone not null,
  changed smallint not null,
  added smallint not null,
  removed smallint not null,
  waiting smallint not null,
  before jsonb not null,
  constraint recipe_syncs_pkey PRIMARY KEY (creator_id, id),
  constraint recipe_syncs_made_by_check CHECK (made_by = ANY (ARRAY['plugin'::text, 'guard'::text, 'import'::text])),
  constraint recipe_syncs_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE,
  constraint recipe_syncs_recipe_fkey FOREIGN KEY (creator_id, recipe_id) REFERENCES recipes(creator_id, id) ON DELETE CASCADE
);
comment on table recipe_syncs is 'ingredients of recipes before their pages changed them | nobody | 30 days';
CREATE INDEX recipe_syncs_by_age ON recipe_syncs USING btree (made_at);
CREATE INDEX recipe_syncs_of_recipe ON recipe_syncs USING btree (creator_id, recipe_id, version_after);
alter table recipe_syncs enable row level security;
alter table recipe_syncs force row level security;
create policy engine on recipe_syncs for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on recipe_syncs for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on recipe_syncs to creator_hq_app;
grant delete, insert, select, update on recipe_syncs to creator_hq_engine;

create table recipes (
  creator_id uuid not null,
  id uuid not null,
  name text not null,
  url text not null,
  url_key text not null,
  picture_url text,
  keyword_ideas text[] not null default '{}'::text[],
  message_text text not null default ''::text,
  version integer not null default 1,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  bytes integer not null generated always as (((octet_length(url) + octet_length(message_text)) + text_bytes(keyword_ideas))) stored,
  post_gone_at timestamp with time zone,
  has_page boolean not null default true,
  constraint recipes_pkey PRIMARY KEY (creator_id, id),
  constraint recipes_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
);
comment on table recipes is 'recipes messages lead to | nobody | account';
CREATE UNIQUE INDEX recipes_by_address ON recipes USING btree (creator_id, md5(url_key));
CREATE INDEX recipes_by_name ON recipes USING btree (creator_id, lower(name));
CREATE INDEX recipes_last_changed ON recipes USING btree (creator_id, updated_at, id);
alter table recipes enable row level security;
alter table recipes force row level security;
create policy engine on recipes for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on recipes for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on recipes to creator_hq_app;
grant delete, insert, select, update on recipes to creator_hq_engine;

create table replies (
  creator_id uuid not null,
  id uuid not null,
  name text not null,
  kind text not null,
  texts text[] not null,
  translations jsonb not null default '[]'::jsonb,
  version integer not null default 1,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  bytes integer not null generated always as ((text_bytes(texts) + octet_length((translations)::text))) stored,
  constraint replies_pkey PRIMARY KEY (creator_id, id),
  constraint replies_kind_check CHECK (kind = ANY (ARRAY['public_reply'::text, 'message'::text])),
  constraint replies_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
);
comment on table replies is 'text libraries | nobody | account';
CREATE UNIQUE INDEX replies_by_name ON replies USING btree (creator_id, kind, lower(name));
alter table replies enable row level security;
alter table replies force row level security;
create policy engine on replies for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on replies for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on replies to creator_hq_app;
grant delete, insert, select, update on replies to creator_hq_engine;

create table reported_links (
  creator_id uuid not null,
  link_id uuid not null,
  times integer not null default 0,
  reasons text[] not null default '{}'::text[],
  last_reported_at timestamp with time zone,
  stopped_at timestamp with time zone,
  stops_all boolean not null default false,
  why text not null default ''::text,
  constraint reported_links_pkey PRIMARY KEY (creator_id, link_id),
  constraint reported_links_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE,
  constraint reported_links_link_fkey FOREIGN KEY (creator_id, link_id) REFERENCES links(creator_id, id) ON DELETE CASCADE
);
comment on table reported_links is 'short links that strangers reported, and those the operator stopped | nobody | until dismissed';
CREATE INDEX reported_links_lately ON reported_links USING btree (GREATEST(last_reported_at, stopped_at) DESC, link_id DESC);
CREATE INDEX reported_links_stopped ON reported_links USING btree (creator_id) WHERE (stopped_at IS NOT NULL);
alter table reported_links enable row level security;
alter table reported_links force row level security;
create policy engine on reported_links for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on reported_links for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on reported_links to creator_hq_engine;

create table retention_choices (
  creator_id uuid not null,
  history_days integer,
  texts_days integer,
  webhook_log_days integer,
  changed_at timestamp with time zone not null,
  changed_by uuid,
  constraint retention_choices_pkey PRIMARY KEY (creator_id),
  constraint retention_choices_history_days_check CHECK (history_days > 0),
  constraint retention_choices_texts_days_check CHECK (texts_days > 0),
  constraint retention_choices_webhook_log_days_check CHECK (webhook_log_days > 0),
  constraint retention_choices_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint retention_choices_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
);
comment on table retention_choices is 'how long the creator keeps things | team | account';
alter table retention_choices enable row level security;
alter table retention_choices force row level security;
create policy engine on retention_choices for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on retention_choices for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on retention_choices to creator_hq_app;
grant delete, insert, select, update on retention_choices to creator_hq_engine;

create table saved_recipes (
  creator_id uuid not null,
  id uuid not null,
  contact_id uuid not null,
  address_key text not null,
  url text not null,
  title text not null,
  picture_url text,
  recipe jsonb,
  times integer not null default 1,
  first_saved_at timestamp with time zone not null,
  last_saved_at timestamp with time zone not null,
  page_key text generated always as (split_part(address_key, '#'::text, 1)) stored,
  constraint saved_recipes_pkey PRIMARY KEY (creator_id, id),
  constraint saved_recipes_contact_fkey FOREIGN KEY (creator_id, contact_id) REFERENCES contacts(creator_id, id) ON DELETE CASCADE,
  constraint saved_recipes_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
);
comment on table saved_recipes is 'recipes that readers saved: page, title, picture, ingredients, when | followers | until erased, or with the creator';
CREATE INDEX saved_recipes_by_page ON saved_recipes USING btree (creator_id, md5(page_key));
CREATE UNIQUE INDEX saved_recipes_once ON saved_recipes USING btree (creator_id, contact_id, md5(address_key));
alter table saved_recipes enable row level security;
alter table saved_recipes force row level security;
create policy engine on saved_recipes for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on saved_recipes for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on saved_recipes to creator_hq_app;
grant delete, insert, select, update on saved_recipes to creator_hq_engine;

create table script_pages (
  creator_id uuid not null,
  site_id uuid not null,
  url_key text not null,
  url text not null,
  form_keys text[],
  page jsonb,
  read_at timestamp with time zone not null,
  constraint script_pages_pkey PRIMARY KEY (creator_id, url_key),
  constraint script_pages_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE,
  constraint script_pages_site_fkey FOREIGN KEY (creator_id, site_id) REFERENCES sites(creator_id, id) ON DELETE CASCADE
);
comment on table script_pages is 'pages of blogs with our script: address, title, picture, recipe | nobody | 1 day';
CREATE INDEX script_pages_by_age ON script_pages USING btree (read_at);
CREATE INDEX script_pages_of_site ON script_pages USING btree (creator_id, site_id);
alter table script_pages enable row level security;
alter table script_pages force row level security;
create policy engine on script_pages for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on script_pages for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on script_pages to creator_hq_app;
grant delete, insert, select, update on script_pages to creator_hq_engine;

create table segments (
  creator_id uuid not null,
  id uuid not null,
  name text not null,
  segment text not null,
  created_at timestamp with time zone not null,
  constraint segments_pkey PRIMARY KEY (creator_id, id),
  constraint segments_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
);
comment on table segments is 'named conditions on contacts | creator | until deleted, or with the creator';
CREATE UNIQUE INDEX segments_by_name ON segments USING btree (creator_id, lower(name));
alter table segments enable row level security;
alter table segments force row level security;
create policy engine on segments for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on segments for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on segments to creator_hq_app;
grant delete, insert, select, update on segments to creator_hq_engine;

create table senders (
  creator_id uuid not null,
  name text,
  address text,
  reply_to text,
  postal_address text not null default ''::text,
  updated_at timestamp with time zone not null,
  constraint senders_pkey PRIMARY KEY (creator_id),
  constraint senders_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
);
comment on table senders is 'whom mails to readers are from: name, addresses | creator | with the creator';
alter table senders enable row level security;
alter table senders force row level security;
create policy engine on senders for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on senders for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant insert, select, update on senders to creator_hq_app;
grant delete, insert, select, update on senders to creator_hq_engine;

create table sending_domains (
  creator_id uuid not null,
  id uuid not null,
  domain text not null,
  selector text not null,
  private_key text not null,
  public_key text not null,
  state text not null default 'waiting'::text,
  seen jsonb,
  added_at timestamp with time zone not null,
  checked_at timestamp with time zone,
  due_at timestamp with time zone not null,
  missing_since timestamp with time zone,
  verified_at timestamp with time zone,
  constraint sending_domains_pkey PRIMARY KEY (creator_id, id),
  constraint sending_domains_once UNIQUE (creator_id, domain),
  constraint sending_domains_state_check CHECK (state = ANY (ARRAY['waiting'::text, 'verified'::text, 'shaky'::text])),
  constraint sending_domains_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
);
comment on table sending_domains is 'domains that mails are signed for: sealed keys, what DNS said | creator | until removed, or with the creator';
CREATE INDEX sending_domains_due ON sending_domains USING btree (due_at);
alter table sending_domains enable row level security;
alter table sending_domains force row level security;
create policy engine on sending_domains for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on sending_domains for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on sending_domains to creator_hq_app;
grant delete, insert, select, update on sending_domains to creator_hq_engine;

create table sessions (
  id uuid not null,
  user_id uuid not null,
  token text not null,
  expires_at timestamp with time zone not null,
  ip_address text,
  user_agent text,
  current_creator_id uuid,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  admin_visit_id uuid,
  constraint sessions_pkey PRIMARY KEY (id),
  constraint sessions_token_key UNIQUE (token),
  constraint sessions_current_creator_id_fkey FOREIGN KEY (current_creator_id) REFERENCES creators(id) ON DELETE SET NULL,
  constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
comment on table sessions is 'sessions, with network address and browser | team | until ended';
CREATE INDEX sessions_by_user ON sessions USING btree (user_id);
grant delete, insert, select, update on sessions to creator_hq_engine;

create table shard_leases (
  shard smallint not null,
  holder uuid,
  fence bigint not null default 0,
  expires_at timestamp with time zone not null default '-infinity'::timestamp with time zone,
  constraint shard_leases_pkey PRIMARY KEY (shard)
);
comment on table shard_leases is 'which worker does what | nobody | for good';
grant delete, insert, select, update on shard_leases to creator_hq_engine;

create table shop_pages (
  creator_id uuid not null,
  id uuid not null,
  shop text not null,
  list_kind text not null,
  list_id uuid not null,
  hash text not null,
  list jsonb not null,
  is_usual boolean not null,
  state text not null,
  url text,
  lines jsonb not null default '[]'::jsonb,
  made_at timestamp with time zone,
  ends_at timestamp with time zone,
  used_at timestamp with time zone not null,
  try_at timestamp with time zone not null,
  failing_since timestamp with time zone,
  constraint shop_pages_pkey PRIMARY KEY (creator_id, id),
  constraint shop_pages_one UNIQUE (creator_id, shop, hash),
  constraint shop_pages_list_kind_check CHECK (list_kind = ANY (ARRAY['recipe'::text, 'plan'::text])),
  constraint shop_pages_state_check CHECK (state = ANY (ARRAY['waiting'::text, 'ready'::text, 'refused'::text])),
  constraint shop_pages_url_check CHECK ((state = 'ready'::text) <= (url IS NOT NULL AND ends_at IS NOT NULL)),
  constraint shop_pages_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
);
comment on table shop_pages is 'pages that shops made of lists: foods, address, when last opened by anybody | nobody | 400 days after they were last opened';
CREATE INDEX shop_pages_by_age ON shop_pages USING btree (used_at);
CREATE INDEX shop_pages_due ON shop_pages USING btree (try_at) WHERE (state <> 'refused'::text);
CREATE INDEX shop_pages_usual ON shop_pages USING btree (creator_id, shop, list_id) WHERE is_usual;
alter table shop_pages enable row level security;
alter table shop_pages force row level security;
create policy engine on shop_pages for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on shop_pages for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant insert, select, update on shop_pages to creator_hq_app;
grant delete, insert, select, update on shop_pages to creator_hq_engine;

create table shop_settings (
  creator_id uuid not null,
  id uuid not null,
  version integer not null default 0,
  shops jsonb not null default '[]'::jsonb,
  amazon_tags jsonb not null default '{}'::jsonb,
  instacart_secret text,
  instacart_key_end text,
  instacart_partner_id text,
  instacart_problem text,
  disclosure text not null default ''::text,
  measures text not null default 'us'::text,
  country text,
  pantry jsonb not null default '[]'::jsonb,
  amazon_channels jsonb,
  amazon_by_country boolean not null default false,
  amazon_more_tags jsonb not null default '[]'::jsonb,
  constraint shop_settings_pkey PRIMARY KEY (creator_id, id),
  constraint shop_settings_one UNIQUE (creator_id),
  constraint shop_settings_measures_check CHECK (measures = ANY (ARRAY['us'::text, 'uk'::text, 'metric'::text, 'au'::text])),
  constraint shop_settings_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
);
comment on table shop_settings is 'shops of lists: order, sealed key, partner id and tags of the creator | creator | with the creator';
alter table shop_settings enable row level security;
alter table shop_settings force row level security;
create policy engine on shop_settings for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on shop_settings for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant insert, select, update on shop_settings to creator_hq_app;
grant delete, insert, select, update on shop_settings to creator_hq_engine;

create table site_probes (
  creator_id uuid not null,
  site_id uuid not null,
  probed_at timestamp with time zone not null,
  shows text not null,
  finding text not null,
  page_url text,
  words integer not null,
  seen integer not null,
  ways integer not null,
  leaks text[] not null,
  members_see boolean not null,
  cache text,
  constraint site_probes_pkey PRIMARY KEY (creator_id, site_id),
  constraint site_probes_shows_check CHECK (shows = ANY (ARRAY['inline'::text, 'fragment'::text])),
  constraint site_probes_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE,
  constraint site_probes_site_fkey FOREIGN KEY (creator_id, site_id) REFERENCES sites(creator_id, id) ON DELETE CASCADE
);
comment on table site_probes is 'what strangers and members see of a locked post of a blog | team | with the blog';
CREATE INDEX site_probes_by_age ON site_probes USING btree (probed_at);
alter table site_probes enable row level security;
alter table site_probes force row level security;
create policy engine on site_probes for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on site_probes for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on site_probes to creator_hq_app;
grant delete, insert, select, update on site_probes to creator_hq_engine;

create table sites (
  creator_id uuid not null,
  id uuid not null,
  place text not null,
  url text not null,
  kind text not null default 'wordpress'::text,
  is_live boolean not null,
  key_id uuid,
  plugin_version text,
  wordpress_version text,
  php_version text,
  cards text[] not null default '{}'::text[],
  caches text[] not null default '{}'::text[],
  outbox_depth integer,
  cron_is_healthy boolean,
  signing_key text,
  old_signing_key text,
  first_heard_at timestamp with time zone not null,
  last_heard_at timestamp with time zone not null,
  is_known_copy boolean not null default false,
  posts_waiting integer,
  asks_from timestamp with time zone,
  next_signing_key text,
  dead_signing_key text,
  key_made_at timestamp with time zone not null default now(),
  call_trouble text,
  clock_off_s integer,
  stack text,
  posts_locked integer,
  posts_public integer,
  checks_from timestamp with time zone,
  rest_is_off boolean not null default false,
  constraint sites_pkey PRIMARY KEY (creator_id, id),
  constraint sites_place UNIQUE (creator_id, place),
  constraint sites_kind_check CHECK (kind = ANY (ARRAY['wordpress'::text, 'script'::text])),
  constraint sites_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
);
comment on table sites is 'blogs with our plugin: address, versions, sealed signing keys | team | until removed, or with the creator';
CREATE UNIQUE INDEX sites_live ON sites USING btree (creator_id) WHERE is_live;
alter table sites enable row level security;
alter table sites force row level security;
create policy engine on sites for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on sites for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on sites to creator_hq_app;
grant delete, insert, select, update on sites to creator_hq_engine;

create table sponsor_pins (
  creator_id uuid not null,
  id uuid not null,
  version integer not null default 1,
  foods text[] not null,
  food_keys text[] not null,
  recipe_ids uuid[],
  product text not null,
  upcs text[] not null default '{}'::text[],
  asins jsonb not null default '{}'::jsonb,
  brand text not null default ''::text,
  disclosure text not null,
  from_day date not null,
  to_day date not null,
  time_zone text not null,
  begins_at timestamp with time zone not null,
  ends_at timestamp with time zone not null,
  proof_code text not null,
  proof_ended_at timestamp with time zone,
  days jsonb not null default '{}'::jsonb,
  pages_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint sponsor_pins_pkey PRIMARY KEY (creator_id, id),
  constraint sponsor_pins_proof_code_key UNIQUE (proof_code),
  constraint sponsor_pins_days_check CHECK (from_day <= to_day AND begins_at < ends_at),
  constraint sponsor_pins_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
);
comment on table sponsor_pins is 'products of sponsors on lists: foods, codes, days, sums of people by day | nobody | with the creator';
CREATE INDEX sponsor_pins_by_end ON sponsor_pins USING btree (ends_at);
alter table sponsor_pins enable row level security;
alter table sponsor_pins force row level security;
create policy engine on sponsor_pins for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on sponsor_pins for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on sponsor_pins to creator_hq_app;
grant delete, insert, select, update on sponsor_pins to creator_hq_engine;

create table stories (
  creator_id uuid not null,
  id text not null,
  connection_id uuid not null,
  kind text not null,
  video boolean not null default false,
  caption text not null default ''::text,
  permalink text,
  posted_at timestamp with time zone not null,
  expires_at timestamp with time zone,
  ended_at timestamp with time zone,
  seen_at timestamp with time zone,
  insights jsonb,
  insights_at timestamp with time zone,
  constraint stories_pkey PRIMARY KEY (creator_id, id),
  constraint stories_check CHECK ((kind = 'live'::text) = (expires_at IS NULL)),
  constraint stories_kind_check CHECK (kind = ANY (ARRAY['story'::text, 'live'::text])),
  constraint stories_creator_id_connection_id_fkey FOREIGN KEY (creator_id, connection_id) REFERENCES connections(creator_id, id) ON DELETE CASCADE,
  constraint stories_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
);
comment on table stories is 'stories and lives: caption, figures | creator | account, or until they ask Meta for deletion';
CREATE INDEX stories_newest ON stories USING btree (creator_id, kind, posted_at DESC, id DESC);
CREATE INDEX stories_running ON stories USING btree (connection_id) WHERE (ended_at IS NULL);
alter table stories enable row level security;
alter table stories force row level security;
create policy engine on stories for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on stories for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on stories to creator_hq_app;
grant delete, insert, select, update on stories to creator_hq_engine;

create table story_pictures (
  creator_id uuid not null,
  story_id text not null,
  content_type text not null,
  bytes bytea not null,
  constraint story_pictures_pkey PRIMARY KEY (creator_id, story_id),
  constraint story_pictures_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE,
  constraint story_pictures_creator_id_story_id_fkey FOREIGN KEY (creator_id, story_id) REFERENCES stories(creator_id, id) ON DELETE CASCADE
);
comment on table story_pictures is 'pictures of the creator''s stories | creator | 1 year (`KEEP_STORY_PICTURES_DAYS`); within the hour of the creator taking the story down';
alter table story_pictures enable row level security;
alter table story_pictures force row level security;
create policy engine on story_pictures for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on story_pictures for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on story_pictures to creator_hq_app;
grant delete, insert, select, update on story_pictures to creator_hq_engine;

create table stripe_accounts (
  creator_id uuid not null,
  account_id text not null,
  state text not null,
  needs text[] not null default '{}'::text[],
  due_at timestamp with time zone,
  is_filled_in boolean not null default false,
  made_at timestamp with time zone not null,
  checked_at timestamp with time zone not null,
  last_line text,
  balance jsonb,
  balance_at timestamp with time zone,
  compared_at timestamp with time zone,
  left_at timestamp with time zone,
  open_disputes jsonb not null default '[]'::jsonb,
  differs_since timestamp with time zone,
  constraint stripe_accounts_pkey PRIMARY KEY (creator_id),
  constraint stripe_accounts_account_id_key UNIQUE (account_id),
  constraint stripe_accounts_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
);
comment on table stripe_accounts is 'a creator''s account at Stripe: its id, its state, what Stripe asks for | creator | with the creator';
CREATE INDEX stripe_accounts_by_check ON stripe_accounts USING btree (checked_at);
alter table stripe_accounts enable row level security;
alter table stripe_accounts force row level security;
create policy engine on stripe_accounts for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on stripe_accounts for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant select on stripe_accounts to creator_hq_app;
grant delete, insert, select, update on stripe_accounts to creator_hq_engine;

create table stripe_calls (
  key text not null,
  creator_id uuid,
  verb text not null,
  params jsonb not null,
  state text not null default 'planned'::text,
  stripe_id text,
  problem text,
  planned_at timestamp with time zone not null,
  settled_at timestamp with time zone,
  told_at timestamp with time zone,
  account text,
  is_followed boolean not null default false,
  constraint stripe_calls_pkey PRIMARY KEY (key),
  constraint stripe_calls_state_check CHECK (state = ANY (ARRAY['planned'::text, 'done'::text, 'refused'::text, 'unknown'::text])),
  constraint stripe_calls_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
);
comment on table stripe_calls is 'what was asked of Stripe, and its answer | creator | 400 days';
CREATE INDEX stripe_calls_by_creator ON stripe_calls USING btree (creator_id);
CREATE INDEX stripe_calls_planned ON stripe_calls USING btree (planned_at) WHERE (state = 'planned'::text);
CREATE INDEX stripe_calls_settled ON stripe_calls USING btree (settled_at);
CREATE INDEX stripe_calls_to_follow ON stripe_calls USING btree (settled_at) WHERE ((verb = 'end_subscription'::text) AND (state = 'done'::text) AND (NOT is_followed));
alter table stripe_calls enable row level security;
alter table stripe_calls force row level security;
create policy engine on stripe_calls for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on stripe_calls for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on stripe_calls to creator_hq_engine;

create table stripe_customers (
  creator_id uuid not null,
  customer_id text not null,
  fetches_begun bigint not null default 0,
  fetch_written bigint not null default 0,
  synced_at timestamp with time zone,
  repaired_at timestamp with time zone,
  constraint stripe_customers_pkey PRIMARY KEY (creator_id),
  constraint stripe_customers_customer_id_key UNIQUE (customer_id),
  constraint stripe_customers_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
);
comment on table stripe_customers is 'which customer of Stripe a creator is, and when it was last asked | creator | account';
CREATE INDEX stripe_customers_by_sync ON stripe_customers USING btree (synced_at NULLS FIRST);
alter table stripe_customers enable row level security;
alter table stripe_customers force row level security;
create policy engine on stripe_customers for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on stripe_customers for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on stripe_customers to creator_hq_engine;

create table stripe_events (
  id text not null,
  type text not null,
  received_at timestamp with time zone not null,
  constraint stripe_events_pkey PRIMARY KEY (id)
);
comment on table stripe_events is 'ids of Stripe''s events that came | nobody | 30 days';
CREATE INDEX stripe_events_by_time ON stripe_events USING btree (received_at);
grant delete, insert, select, update on stripe_events to creator_hq_engine;

create table submissions (
  creator_id uuid not null,
  id uuid not null,
  attempt uuid not null,
  form_id uuid not null,
  form_version integer not null,
  site_id uuid,
  contact_id uuid,
  result text not null,
  is_test boolean not null,
  wants_newsletter boolean not null,
  page_url text not null,
  address_key text,
  network text,
  network_until timestamp with time zone,
  submitted_at timestamp with time zone not null,
  received_at timestamp with time zone not null,
  constraint submissions_pkey PRIMARY KEY (creator_id, id),
  constraint submissions_attempt UNIQUE (creator_id, attempt),
  constraint submissions_result_check CHECK (result = ANY (ARRAY['on_its_way'::text, 'please_confirm'::text, 'already_sent'::text, 'later'::text])),
  constraint submissions_contact_fkey FOREIGN KEY (creator_id, contact_id) REFERENCES contacts(creator_id, id) ON DELETE CASCADE,
  constraint submissions_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE,
  constraint submissions_form_fkey FOREIGN KEY (creator_id, form_id) REFERENCES forms(creator_id, id) ON DELETE CASCADE,
  constraint submissions_site_fkey FOREIGN KEY (creator_id, site_id) REFERENCES sites(creator_id, id) ON DELETE SET NULL (site_id)
);
comment on table submissions is 'presses of a form''s button: page, result, keyed hash of the network | followers | 13 months; the hash 1 day; or until erased';
CREATE INDEX submissions_by_age ON submissions USING btree (received_at);
CREATE INDEX submissions_by_contact ON submissions USING btree (creator_id, contact_id, received_at DESC) WHERE (contact_id IS NOT NULL);
CREATE INDEX submissions_by_form ON submissions USING btree (creator_id, form_id, received_at DESC);
CREATE INDEX submissions_of_form ON submissions USING btree (creator_id, form_id, contact_id) WHERE (contact_id IS NOT NULL);
CREATE INDEX submissions_of_site ON submissions USING btree (creator_id, site_id, contact_id) WHERE ((contact_id IS NOT NULL) AND (site_id IS NOT NULL));
CREATE INDEX submissions_with_network ON submissions USING btree (network_until) WHERE (network_until IS NOT NULL);
alter table submissions enable row level security;
alter table submissions force row level security;
create policy engine on submissions for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on submissions for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on submissions to creator_hq_app;
grant delete, insert, select, update on submissions to creator_hq_engine;

create table subscriptions (
  creator_id uuid not null,
  id uuid not null,
  plan_id text not null,
  billing_interval text not null default 'month'::text,
  status text not null,
  cancel_at timestamp with time zone,
  canceled_at timestamp with time zone,
  stripe_subscription_id text not null,
  created_at timestamp with time zone not null default now(),
  stripe_price_id text,
  current_period_end timestamp with time zone,
  trial_end timestamp with time zone,
  late_since timestamp with time zone,
  schedule_id text,
  next_plan_id text,
  next_interval text,
  next_at timestamp with time zone,
  pay_needed text,
  retry_at timestamp with time zone,
  late_mails smallint not null default 0,
  trial_mails smallint not null default 0,
  given_until timestamp with time zone,
  constraint subscriptions_pkey PRIMARY KEY (creator_id, id),
  constraint subscriptions_creator_id_key UNIQUE (creator_id),
  constraint subscriptions_billing_interval_check CHECK (billing_interval = ANY (ARRAY['month'::text, 'year'::text])),
  constraint subscriptions_next_interval_check CHECK (next_interval = ANY (ARRAY['month'::text, 'year'::text])),
  constraint subscriptions_status_check CHECK (status = ANY (ARRAY['active'::text, 'canceled'::text, 'past_due'::text, 'incomplete'::text, 'incomplete_expired'::text, 'trialing'::text, 'unpaid'::text, 'paused'::text])),
  constraint subscriptions_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE,
  constraint subscriptions_next_plan_id_fkey FOREIGN KEY (next_plan_id) REFERENCES plans(id),
  constraint subscriptions_plan_id_fkey FOREIGN KEY (plan_id) REFERENCES plans(id)
);
comment on table subscriptions is 'the plan | creator | account';
CREATE INDEX subscriptions_given ON subscriptions USING btree (given_until) WHERE (given_until IS NOT NULL);
CREATE INDEX subscriptions_in_trial ON subscriptions USING btree (trial_end) WHERE (status = 'trialing'::text);
CREATE INDEX subscriptions_late ON subscriptions USING btree (late_since) WHERE (late_since IS NOT NULL);
alter table subscriptions enable row level security;
alter table subscriptions force row level security;
create policy engine on subscriptions for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on subscriptions for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant select on subscriptions to creator_hq_app;
grant delete, insert, select, update on subscriptions to creator_hq_engine;

create table suppressions (
  creator_id uuid not null,
  email_hash text not null,
  reason text not null,
  since timestamp with time zone not null,
  note text,
  id uuid not null default gen_random_uuid(),
  contact_id uuid,
  constraint suppressions_pkey PRIMARY KEY (creator_id, email_hash),
  constraint suppressions_reason_check CHECK (reason = ANY (ARRAY['bounced'::text, 'complained'::text, 'not_me'::text, 'unsubscribed'::text, 'erased'::text, 'team'::text])),
  constraint suppressions_contact_id_fkey FOREIGN KEY (creator_id, contact_id) REFERENCES contacts(creator_id, id) ON DELETE SET NULL (contact_id),
  constraint suppressions_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
);
comment on table suppressions is 'hashes of addresses not written to, why, and whose while a contact has it | followers | with the creator: keeps erased and unsubscribed people away';
CREATE INDEX suppressions_newest ON suppressions USING btree (creator_id, since DESC, id DESC);
CREATE INDEX suppressions_of_contact ON suppressions USING btree (creator_id, contact_id) WHERE (contact_id IS NOT NULL);
alter table suppressions enable row level security;
alter table suppressions force row level security;
create policy engine on suppressions for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on suppressions for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on suppressions to creator_hq_app;
grant delete, insert, select, update on suppressions to creator_hq_engine;

create table tags (
  creator_id uuid not null,
  id uuid not null,
  name text not null,
  created_at timestamp with time zone not null,
  constraint tags_pkey PRIMARY KEY (creator_id, id),
  constraint tags_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
);
comment on table tags is 'names of tags for contacts | creator | until deleted, or with the creator';
CREATE UNIQUE INDEX tags_by_name ON tags USING btree (creator_id, lower(name));
alter table tags enable row level security;
alter table tags force row level security;
create policy engine on tags for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on tags for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on tags to creator_hq_app;
grant delete, insert, select, update on tags to creator_hq_engine;

create table tier_prices (
  creator_id uuid not null,
  id uuid not null,
  tier_id uuid not null,
  billing_interval text not null,
  amount integer not null,
  since timestamp with time zone not null,
  until timestamp with time zone,
  stripe_price_id text,
  constraint tier_prices_pkey PRIMARY KEY (creator_id, id),
  constraint tier_prices_amount_check CHECK (amount > 0),
  constraint tier_prices_interval_check CHECK (billing_interval = ANY (ARRAY['month'::text, 'year'::text])),
  constraint tier_prices_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE,
  constraint tier_prices_tier_fkey FOREIGN KEY (creator_id, tier_id) REFERENCES tiers(creator_id, id) ON DELETE CASCADE
);
comment on table tier_prices is 'what memberships cost: amounts, since when | team | with the creator';
CREATE INDEX tier_prices_at_stripe ON tier_prices USING btree (creator_id, stripe_price_id) WHERE (stripe_price_id IS NOT NULL);
CREATE UNIQUE INDEX tier_prices_present ON tier_prices USING btree (creator_id, tier_id, billing_interval) WHERE (until IS NULL);
alter table tier_prices enable row level security;
alter table tier_prices force row level security;
create policy engine on tier_prices for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on tier_prices for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on tier_prices to creator_hq_app;
grant delete, insert, select, update on tier_prices to creator_hq_engine;

create table tiers (
  creator_id uuid not null,
  id uuid not null,
  name text not null,
  made_at timestamp with time zone not null,
  description text not null default ''::text,
  currency text not null default 'usd'::text,
  trial_days smallint not null default 0,
  archived_at timestamp with time zone,
  rank integer not null default 0,
  picture_url text,
  constraint tiers_pkey PRIMARY KEY (creator_id, id),
  constraint tiers_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
);
comment on table tiers is 'what readers can get from a creator: names | team | with the creator';
alter table tiers enable row level security;
alter table tiers force row level security;
create policy engine on tiers for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on tiers for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on tiers to creator_hq_app;
grant delete, insert, select, update on tiers to creator_hq_engine;

create table tokens (
  creator_id uuid not null,
  id uuid not null,
  kind text not null,
  subject_id text not null,
  secret text not null,
  scopes text[] not null default '{}'::text[],
  issued_at timestamp with time zone not null,
  expires_at timestamp with time zone,
  refreshed_at timestamp with time zone,
  invalid_at timestamp with time zone,
  invalid_reason text,
  constraint tokens_pkey PRIMARY KEY (creator_id, id),
  constraint tokens_creator_id_kind_subject_id_key UNIQUE (creator_id, kind, subject_id),
  constraint tokens_kind_check CHECK (kind = ANY (ARRAY['FACEBOOK_BUSINESS_USER'::text, 'FACEBOOK_BUSINESS_PAGE'::text, 'INSTAGRAM_BUSINESS_USER'::text])),
  constraint tokens_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
);
comment on table tokens is 'Meta''s tokens, encrypted | creator | until disconnected';
CREATE INDEX tokens_by_expiry ON tokens USING btree (expires_at) WHERE (invalid_at IS NULL);
alter table tokens enable row level security;
alter table tokens force row level security;
create policy engine on tokens for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on tokens for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on tokens to creator_hq_app;
grant delete, insert, select, update on tokens to creator_hq_engine;

create table tries (
  key text not null,
  count integer not null,
  ends_at timestamp with time zone not null,
  constraint tries_pkey PRIMARY KEY (key)
);
comment on table tries is 'attempts, by hash | nobody | minutes to a day';
grant insert, select, update on tries to creator_hq_app;
grant delete, insert, select, update on tries to creator_hq_engine;

create table two_factors (
  id uuid not null,
  user_id uuid not null,
  secret text not null,
  backup_codes text not null,
  verified boolean not null default true,
  failed_verification_count integer not null default 0,
  locked_until timestamp with time zone,
  constraint two_factors_pkey PRIMARY KEY (id),
  constraint two_factors_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
comment on table two_factors is 'second factors, encrypted; backup codes, hashed | team | until turned off';
CREATE UNIQUE INDEX two_factors_by_user ON two_factors USING btree (user_id);
grant delete, insert, select, update on two_factors to creator_hq_engine;

create table unread_messages (
  creator_id uuid not null,
  connection_id uuid not null,
  mid text not null,
  standby boolean not null,
  received_at timestamp with time zone not null,
  next_at timestamp with time zone not null,
  failures smallint not null default 0,
  constraint unread_messages_pkey PRIMARY KEY (creator_id, connection_id, mid),
  constraint unread_messages_creator_id_connection_id_fkey FOREIGN KEY (creator_id, connection_id) REFERENCES connections(creator_id, id) ON DELETE CASCADE,
  constraint unread_messages_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
);
comment on table unread_messages is 'ids of messages being read at Meta | nobody | a day at most';
CREATE INDEX unread_messages_due ON unread_messages USING btree (next_at);
alter table unread_messages enable row level security;
alter table unread_messages force row level security;
create policy engine on unread_messages for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on unread_messages for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on unread_messages to creator_hq_engine;

create table users (
  id uuid not null,
  name text not null,
  email text not null,
  email_verified boolean not null default false,
  image text,
  is_admin boolean not null default false,
  two_factor_enabled boolean not null default false,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint users_pkey PRIMARY KEY (id),
  constraint users_email_key UNIQUE (email)
);
comment on table users is 'logins: name, address | team | with the user';
alter table users enable row level security;
create policy engine on users for all to creator_hq_engine
  using (true)
  with check (true);
create policy same_team on users for select to creator_hq_app
  using (id IN ( SELECT m.user_id
   FROM memberships m
  WHERE (m.creator_id = ( SELECT current_creator_id() AS current_creator_id))));
grant delete, insert, select, update on users to creator_hq_engine;

create table verifications (
  id uuid not null,
  identifier text not null,
  value text not null,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint verifications_pkey PRIMARY KEY (id)
);
comment on table verifications is 'codes in progress | team | minutes';
CREATE INDEX verifications_by_identifier ON verifications USING btree (identifier);
grant delete, insert, select, update on verifications to creator_hq_engine;

create table waking_posts (
  creator_id uuid not null,
  post_id text not null,
  found_at timestamp with time zone not null,
  seen_at timestamp with time zone not null,
  comments integer not null,
  usual real not null,
  asking integer not null,
  dismissed_at timestamp with time zone,
  constraint waking_posts_pkey PRIMARY KEY (creator_id, post_id),
  constraint waking_posts_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE,
  constraint waking_posts_creator_id_post_id_fkey FOREIGN KEY (creator_id, post_id) REFERENCES posts(creator_id, id) ON DELETE CASCADE
);
comment on table waking_posts is 'old posts with new comments | nobody | with the post';
alter table waking_posts enable row level security;
alter table waking_posts force row level security;
create policy engine on waking_posts for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on waking_posts for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on waking_posts to creator_hq_app;
grant delete, insert, select, update on waking_posts to creator_hq_engine;

create table watched_links (
  creator_id uuid not null,
  id uuid not null,
  url text not null,
  url_hash text not null,
  host text not null,
  state text not null default 'unchecked'::text,
  problem text,
  failed_since timestamp with time zone,
  broken_since timestamp with time zone,
  checked_at timestamp with time zone,
  next_check_at timestamp with time zone not null,
  busy integer not null default 0,
  first_look jsonb,
  etag text,
  last_modified text,
  certificate_ends_at timestamp with time zone,
  mailed_at timestamp with time zone,
  constraint watched_links_pkey PRIMARY KEY (creator_id, id),
  constraint watched_links_creator_id_url_hash_key UNIQUE (creator_id, url_hash),
  constraint broken_since_when CHECK ((state = 'broken'::text) = (broken_since IS NOT NULL)),
  constraint watched_links_state_check CHECK (state = ANY (ARRAY['unchecked'::text, 'fine'::text, 'failing'::text, 'broken'::text])),
  constraint watched_links_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
);
comment on table watched_links is 'whether sent addresses still respond | nobody | account';
CREATE INDEX watched_links_due ON watched_links USING btree (next_check_at);
alter table watched_links enable row level security;
alter table watched_links force row level security;
create policy engine on watched_links for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on watched_links for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on watched_links to creator_hq_app;
grant delete, insert, select, update on watched_links to creator_hq_engine;

create table welcome_mails (
  creator_id uuid not null,
  id uuid not null,
  position integer not null,
  days smallint not null default 1,
  hour smallint not null default 9,
  version integer not null default 1,
  design jsonb not null,
  changed_by text not null,
  changed_at timestamp with time zone not null,
  constraint welcome_mails_pkey PRIMARY KEY (creator_id, id),
  constraint welcome_mails_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
);
comment on table welcome_mails is 'the welcome series: what its mails say, who wrote them | team | until deleted, or with the creator';
alter table welcome_mails enable row level security;
alter table welcome_mails force row level security;
create policy engine on welcome_mails for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on welcome_mails for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on welcome_mails to creator_hq_app;
grant delete, insert, select, update on welcome_mails to creator_hq_engine;

create table welcome_runs (
  creator_id uuid not null,
  contact_id uuid not null,
  position integer not null default 0,
  began_at timestamp with time zone not null,
  last_at timestamp with time zone not null,
  next_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  because text,
  constraint welcome_runs_pkey PRIMARY KEY (creator_id, contact_id),
  constraint welcome_runs_contact_id_fkey FOREIGN KEY (creator_id, contact_id) REFERENCES contacts(creator_id, id) ON DELETE CASCADE,
  constraint welcome_runs_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES creators(id) ON DELETE CASCADE
);
comment on table welcome_runs is 'how far contacts are in the welcome series | followers | with the contact';
CREATE INDEX welcome_runs_due ON welcome_runs USING btree (next_at) WHERE (ended_at IS NULL);
alter table welcome_runs enable row level security;
alter table welcome_runs force row level security;
create policy engine on welcome_runs for all to creator_hq_engine
  using (true)
  with check (true);
create policy one_creator on welcome_runs for all to creator_hq_app
  using (creator_id = ( SELECT current_creator_id() AS current_creator_id))
  with check (creator_id = ( SELECT current_creator_id() AS current_creator_id));
grant delete, insert, select, update on welcome_runs to creator_hq_app;
grant delete, insert, select, update on welcome_runs to creator_hq_engine;

create table worker_heartbeats (
  worker_id uuid not null,
  seen_at timestamp with time zone not null,
  constraint worker_heartbeats_pkey PRIMARY KEY (worker_id)
);
comment on table worker_heartbeats is 'live workers | nobody | for good';
grant delete, insert, select, update on worker_heartbeats to creator_hq_engine;

create view event_log_waiting as
 SELECT e.id,
    e.shard,
    e.received_at,
    e.body
   FROM (event_log_positions p
     JOIN event_log e ON (((e.shard = p.shard) AND (e.id > p.done_to))));

alter default privileges in schema public grant select, usage on sequences to creator_hq_engine;
alter default privileges in schema public grant delete, insert, select, update on tables to creator_hq_engine;
