-- What is kept no longer than it should be, and what an erased person left behind.

-- How long a creator wants hers kept; null: as long as the operator keeps things (docs/privacy.md).
create table retention_choices (
  creator_id uuid primary key references creators on delete cascade,
  history_days integer check (history_days > 0),
  texts_days integer check (texts_days > 0),
  webhook_log_days integer check (webhook_log_days > 0),
  changed_at timestamptz not null,
  changed_by uuid references users on delete set null
);
call protect_tenant_table('retention_choices');

alter table creators
  -- What happened before is deleted: comments of that time are not read from the platform again.
  add column history_from timestamptz,
  -- Texts of before are cleared.
  add column texts_cleared_to timestamptz;
-- Of the comments found by reading (interactions.found_by_reading), those whose rows are deleted.
alter table comment_readings add column found_before integer not null default 0;

create index own_messages_by_time on own_messages (creator_id, sent_at);
create index contact_changes_by_time on contact_changes (creator_id, changed_at);

-- A mail about a creator goes when she goes; null: it is about a person's own login.
alter table mails add column about_creator_id uuid references creators on delete cascade;
create index mails_by_creator on mails (about_creator_id) where about_creator_id is not null;

-- Rows that are deleted because of their age stay counted: a figure says what was, not what is still kept.
create or replace function count_deleted_interactions() returns trigger language plpgsql as $$
begin
  if current_setting('app.counts_stay', true) = 'on' then return null; end if;
  insert into outcome_deltas (creator_id, post_id, automation_id, day, received_on, counted, reason, change)
  select creator_id, counted_post(kind, post_id), automation_id, counted_day(kind, received_at),
    (received_at at time zone 'UTC')::date, outcome, reason, -count(*)
  from old_rows
  -- Deleted together with its creator: there is nobody left to count for.
  where is_counted(kind, post_id, automation_id) and reason <> 'sending'
    and exists (select from creators where creators.id = old_rows.creator_id)
  group by 1, 2, 3, 4, 5, 6, 7;
  return null;
end
$$;

-- The platform's id of what an erased person did, so that it is recognised and does not name her.
create function erased_platform_id(creator_id uuid, connection_id uuid, platform_id text) returns text
language sql immutable parallel safe
as $$ select 'erased:' || erased_hash(creator_id, connection_id, platform_id) $$;

create or replace function see_people() returns trigger language plpgsql as $$
begin
  insert into people as p (creator_id, connection_id, id, username, first_seen_at, last_seen_at)
  select creator_id, connection_id, person_id,
    (array_agg(username order by occurred_at desc) filter (where username is not null))[1],
    min(occurred_at), max(least(occurred_at, received_at))
  from new_rows
  where reason <> 'own_comment' and reason <> 'self_test'
  group by 1, 2, 3
  -- Two batches at once take the rows in the same order.
  order by 1, 2, 3
  on conflict (creator_id, connection_id, id) do update
    set username = coalesce(excluded.username, p.username), last_seen_at = greatest(p.last_seen_at, excluded.last_seen_at);

  -- What somebody did before she was erased and we hear of only now: counted, not kept, not answered. What we had heard
  -- of before is not counted again.
  if exists (select from erased_people e where e.creator_id in (select creator_id from new_rows)) then
    with late as (
      select n.creator_id, n.id, n.automation_id, n.person_id, erased_platform_id(n.creator_id, n.connection_id, n.platform_id) as platform_id,
        exists (
          select from interactions i where i.connection_id = n.connection_id
            and i.platform_id = erased_platform_id(n.creator_id, n.connection_id, n.platform_id)
        ) as known
      from new_rows n join erased_people e
        on e.creator_id = n.creator_id and e.connection_id = n.connection_id
        and e.person_hash = erased_hash(n.creator_id, n.connection_id, n.person_id) and n.occurred_at <= e.erased_at
    ), called_off as (
      update deliveries d
      set state = 'cancelled', finished_at = d.created_at, recipient = 'erased', content = '{"text": "", "buttons": []}'
      from late where not late.known and d.creator_id = late.creator_id and d.interaction_id = late.id
    ), not_sent as (
      delete from deliveries d using late
      where late.known and d.creator_id = late.creator_id and d.interaction_id = late.id
    ), not_answered as (
      delete from answered_people a using late
      where a.creator_id = late.creator_id and a.automation_id = late.automation_id and a.person_id = late.person_id
    ), told_again as (
      delete from interactions i using late where late.known and i.creator_id = late.creator_id and i.id = late.id
    )
    update interactions i
    set text = '', username = null, person_id = 'erased', platform_id = late.platform_id,
      outcome = 'skipped', reason = 'erased', waiting_until = null
    from late where not late.known and i.creator_id = late.creator_id and i.id = late.id;
  end if;
  return null;
end
$$;

-- A conversation that something from before her erasure began.
create function keep_erased_out_of_conversations() returns trigger language plpgsql as $$
begin
  if not exists (select from erased_people e where e.creator_id in (select creator_id from new_rows)) then return null; end if;
  update conversations c
  set person_id = 'erased', plan = c.plan || '{"username": null}', given_email = null, suggested_email = null,
    state = 'ended', ended_because = 'erased', pending_delivery_id = null
  from new_rows n
  where c.creator_id = n.creator_id and c.id = n.id and c.person_id <> 'erased' and not exists (
    select from interactions i where i.creator_id = n.creator_id and i.id = n.interaction_id and i.person_id <> 'erased'
  );
  return null;
end
$$;
create trigger keep_erased_out after insert on conversations
  referencing new table as new_rows for each statement execute function keep_erased_out_of_conversations();

-- Other tools are told of what stayed, not of what an erased person did before.
create or replace function tell_interactions() returns trigger language plpgsql as $$
begin
  if not exists (select from outgoing_endpoints where switched_off_at is null) then return null; end if;
  insert into outgoing_events (creator_id, endpoint_id, type, happened_at, due_at, expires_at, data)
  select n.creator_id, e.id, 'interaction', n.received_at, now(), now() + interval '24 hours', jsonb_build_object(
    'id', n.id, 'kind', n.kind, 'connectionId', n.connection_id, 'postId', n.post_id, 'personId', n.person_id,
    'username', n.username, 'text', n.text, 'occurredAt', to_utc(n.occurred_at), 'outcome', n.outcome,
    'reason', n.reason, 'automationId', n.automation_id)
  from new_rows n
  join outgoing_endpoints e on e.creator_id = n.creator_id and e.switched_off_at is null and 'interaction' = any(e.types)
  where exists (select from interactions i where i.creator_id = n.creator_id and i.id = n.id and i.person_id = n.person_id);
  return null;
end
$$;
create or replace function tell_contacts() returns trigger language plpgsql as $$
begin
  if not exists (select from outgoing_endpoints where switched_off_at is null) then return null; end if;
  insert into outgoing_events (creator_id, endpoint_id, type, happened_at, due_at, expires_at, data)
  select n.creator_id, e.id, 'contact', n.first_seen_at, now(), now() + interval '24 hours', jsonb_build_object(
    'change', 'new', 'connectionId', n.connection_id, 'personId', n.id, 'username', n.username, 'email', n.email)
  from new_rows n
  join outgoing_endpoints e on e.creator_id = n.creator_id and e.switched_off_at is null and 'contact' = any(e.types)
  where exists (
    select from people p where p.creator_id = n.creator_id and p.connection_id = n.connection_id and p.id = n.id
  );
  return null;
end
$$;

-- The audit log is only ever added to (0008); these are the three ways in which something leaves it, and nothing else does.
create function forget_old_audit(before timestamptz, most integer) returns integer
language sql security definer set search_path = public, pg_temp
as $$
  with gone as (
    delete from audit_log where id in (
      select id from audit_log where at < least(before, now() - interval '89 days') order by at limit most
    ) returning 1
  )
  select count(*)::integer from gone
$$;
create function erase_from_audit(creator uuid, contact_id text) returns void
language sql security definer set search_path = public, pg_temp
as $$
  update audit_log set detail = replace(detail, contact_id, 'erased')
  where creator_id = creator and contact_id <> '' and strpos(detail, contact_id) > 0
$$;
-- Who of support did what stays, the reasons go with the creator.
create function clear_audit_of(creator uuid) returns void
language sql security definer set search_path = public, pg_temp
as $$ update audit_log set detail = '' where creator_id = creator $$;
revoke all on function forget_old_audit, erase_from_audit, clear_audit_of from public;
grant execute on function forget_old_audit, erase_from_audit, clear_audit_of to creator_hq_engine;
