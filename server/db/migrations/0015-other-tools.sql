-- Figures by day of one automation and of one post; what goes out to other tools; tokens that let other tools in.

alter table outcome_counts drop constraint outcome_counts_counted_by_check;
-- `automation_day` and `post_day` are named `<id> <day>`: the day (UTC) on which the follower wrote.
alter table outcome_counts add constraint outcome_counts_counted_by_check
  check (counted_by in ('post', 'automation', 'day', 'post_day', 'automation_day'));
-- `day` is that of comments only; this one of everything that is counted.
alter table outcome_deltas add column received_on date;

create or replace function count_new_interactions() returns trigger language plpgsql as $$
begin
  insert into outcome_deltas (creator_id, post_id, automation_id, day, received_on, counted, reason, change)
  select creator_id, counted_post(kind, post_id), automation_id, counted_day(kind, received_at),
    (received_at at time zone 'UTC')::date, outcome, reason, count(*)
  from new_rows
  where is_counted(kind, post_id, automation_id)
  group by 1, 2, 3, 4, 5, 6, 7;
  return null;
end
$$;

create or replace function count_changed_interactions() returns trigger language plpgsql as $$
begin
  insert into outcome_deltas (creator_id, post_id, automation_id, day, received_on, counted, reason, change)
  select creator_id, counted_post(kind, post_id), automation_id, counted_day(kind, received_at),
    (received_at at time zone 'UTC')::date, outcome, reason, sum(change)
  from (
    select *, 1 as change from new_rows
    union all
    select *, -1 as change from old_rows
  ) as both_rows
  where is_counted(kind, post_id, automation_id)
  group by 1, 2, 3, 4, 5, 6, 7
  having sum(change) <> 0;
  return null;
end
$$;

create or replace function count_deleted_interactions() returns trigger language plpgsql as $$
begin
  insert into outcome_deltas (creator_id, post_id, automation_id, day, received_on, counted, reason, change)
  select creator_id, counted_post(kind, post_id), automation_id, counted_day(kind, received_at),
    (received_at at time zone 'UTC')::date, outcome, reason, -count(*)
  from old_rows
  -- Deleted together with its creator: there is nobody left to count for.
  where is_counted(kind, post_id, automation_id)
    and exists (select from creators where creators.id = old_rows.creator_id)
  group by 1, 2, 3, 4, 5, 6, 7;
  return null;
end
$$;

-- What is opened or clicked later in a conversation counts for what began it, once.
create or replace function count_reached_delivery() returns trigger language plpgsql as $$
declare
  began uuid := coalesce(
    (select interaction_id from conversations where creator_id = new.creator_id and id = new.conversation_id),
    new.interaction_id
  );
begin
  insert into outcome_deltas (creator_id, post_id, automation_id, day, received_on, counted, reason, change)
  select creator_id, counted_post(kind, post_id), automation_id, counted_day(kind, received_at),
    (received_at at time zone 'UTC')::date, tg_argv[0], '', 1
  from interactions
  where creator_id = new.creator_id and id = began
    and is_counted(kind, post_id, automation_id)
    and not exists (
      select from deliveries as other
      where other.creator_id = new.creator_id and other.id <> new.id
        and (other.interaction_id = began or other.conversation_id = new.conversation_id)
        and case tg_argv[0] when 'opened' then other.read_at else other.clicked_at end is not null
    );
  return null;
end
$$;

-- What was there before.
insert into outcome_counts (creator_id, counted_by, counted_id, counted, reason, count)
select creator_id, counted_by, counted_id, outcome, reason, count(*)
from (
  select i.*, (received_at at time zone 'UTC')::date as received_on from interactions i
  where is_counted(kind, post_id, automation_id)
) as i
cross join lateral (values
  ('post_day', counted_post(kind, post_id) || ' ' || received_on),
  ('automation_day', automation_id || ' ' || received_on)
) as key (counted_by, counted_id)
where counted_id is not null
group by 1, 2, 3, 4, 5;
insert into outcome_counts (creator_id, counted_by, counted_id, counted, reason, count)
select creator_id, counted_by, counted_id, counted, '', count(distinct began)
from (
  select i.*, i.id as began, (i.received_at at time zone 'UTC')::date as received_on, reached.counted
  from deliveries d
  left join conversations c on c.creator_id = d.creator_id and c.id = d.conversation_id
  join interactions i on i.creator_id = d.creator_id and i.id = coalesce(c.interaction_id, d.interaction_id)
  cross join lateral (values ('opened', d.read_at), ('clicked', d.clicked_at)) as reached (counted, at)
  where reached.at is not null and d.kind <> 'public_reply' and is_counted(i.kind, i.post_id, i.automation_id)
) as i
cross join lateral (values
  ('post_day', counted_post(kind, post_id) || ' ' || received_on),
  ('automation_day', automation_id || ' ' || received_on)
) as key (counted_by, counted_id)
where counted_id is not null
group by 1, 2, 3, 4;

-- The post under which somebody gave her address.
alter table consents add column post_id text;
create index consents_by_automation on consents (creator_id, automation_id, agreed_at) where automation_id is not null;
create index consents_by_post on consents (creator_id, post_id, agreed_at) where post_id is not null;
create function consent_post() returns trigger language plpgsql as $$
begin
  new.post_id := (
    select i.post_id
    from conversations c join interactions i on i.creator_id = c.creator_id and i.id = c.interaction_id
    where c.creator_id = new.creator_id and c.automation_id = new.automation_id and c.connection_id = new.connection_id
      and (c.person_id = new.person_id or i.person_id = new.person_id)
    order by c.created_at desc limit 1
  );
  return new;
end
$$;
create index conversations_by_person on conversations (creator_id, automation_id, person_id);
create trigger consent_post before insert on consents
  for each row when (new.automation_id is not null and new.post_id is null) execute function consent_post();

-- Comparing wordings: who got which, and whether she clicked.
create index deliveries_by_variant on deliveries (creator_id, automation_id, variant) where variant is not null;
alter table automations
  -- Messages from before do not count: the wordings were others, or the creator began anew.
  add column variants_since timestamptz,
  -- How often it was tested which is better; see server/features/figures/comparison.ts.
  add column variant_looks smallint not null default 0,
  -- When the comparison ended by itself
  add column variant_decided_at timestamptz;
-- Another text is another comparison.
create function compare_anew() returns trigger language plpgsql as $$
begin
  new.variants_since := new.updated_at;
  new.variant_looks := 0;
  new.variant_winner := null;
  new.variant_decided_at := null;
  return new;
end
$$;
create trigger compare_anew before update on automations
  for each row when (
    old.variants is distinct from new.variants
    or (new.variants <> '[]' and old.message_text is distinct from new.message_text)
  )
  execute function compare_anew();

-- Where a creator wants to hear of what happens.
create table outgoing_endpoints (
  creator_id uuid not null references creators on delete cascade,
  id uuid not null,
  url text not null,
  -- Sealed (server/platforms/secrets.ts): each request is signed with it.
  secret text not null,
  types text[] not null,
  created_at timestamptz not null,
  created_by uuid references users on delete set null,
  switched_off_at timestamptz,
  -- Null: somebody of the team switched it off.
  switched_off_because text,
  -- Since when every try has failed
  failing_since timestamptz,
  last_delivered_at timestamptz,
  primary key (creator_id, id)
);
create index outgoing_endpoints_on on outgoing_endpoints (creator_id) where switched_off_at is null;
call protect_tenant_table('outgoing_endpoints');

-- One row per event and endpoint: queue and log in one.
create table outgoing_events (
  creator_id uuid not null references creators on delete cascade,
  id uuid not null default gen_random_uuid(),
  endpoint_id uuid not null,
  type text not null check (type in ('interaction', 'delivery', 'contact', 'click', 'test')),
  data jsonb not null,
  happened_at timestamptz not null,
  state text not null default 'queued' check (state in ('queued', 'delivered', 'failed')),
  -- The next try; while one is under way, when it counts as lost.
  due_at timestamptz not null,
  -- No try after this
  expires_at timestamptz not null,
  attempts integer not null default 0,
  -- [{"at": "…", "status": 500, "error": null, "ms": 120}], newest last
  log jsonb not null default '[]',
  primary key (creator_id, id),
  foreign key (creator_id, endpoint_id) references outgoing_endpoints on delete cascade
) with (fillfactor = 80);
create index outgoing_events_due on outgoing_events (endpoint_id, due_at) where state = 'queued';
create index outgoing_events_newest on outgoing_events (creator_id, endpoint_id, happened_at desc, id desc);
create index outgoing_events_old on outgoing_events (happened_at);
call protect_tenant_table('outgoing_events');

-- One statement of the engine is one look into an index that is empty while nobody has an endpoint.
create function tell_interactions() returns trigger language plpgsql as $$
begin
  if not exists (select from outgoing_endpoints where switched_off_at is null) then return null; end if;
  insert into outgoing_events (creator_id, endpoint_id, type, happened_at, due_at, expires_at, data)
  select n.creator_id, e.id, 'interaction', n.received_at, now(), now() + interval '24 hours', jsonb_build_object(
    'id', n.id, 'kind', n.kind, 'connectionId', n.connection_id, 'postId', n.post_id, 'personId', n.person_id,
    'username', n.username, 'text', n.text, 'occurredAt', to_utc(n.occurred_at), 'outcome', n.outcome,
    'reason', n.reason, 'automationId', n.automation_id)
  from new_rows n
  join outgoing_endpoints e on e.creator_id = n.creator_id and e.switched_off_at is null and 'interaction' = any(e.types);
  return null;
end
$$;

create function to_utc(at timestamptz) returns text language sql stable as $$
  select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;

create function tell_deliveries() returns trigger language plpgsql as $$
begin
  if not exists (select from outgoing_endpoints where switched_off_at is null) then return null; end if;
  insert into outgoing_events (creator_id, endpoint_id, type, happened_at, due_at, expires_at, data)
  select n.creator_id, e.id, 'delivery', coalesce(n.finished_at, now()), now(), now() + interval '24 hours',
    jsonb_build_object(
    'id', n.id, 'interactionId', n.interaction_id, 'automationId', n.automation_id, 'connectionId', n.connection_id,
    'kind', n.kind, 'state', n.state, 'text', n.content ->> 'text', 'variant', n.variant,
    'failure', n.failure_reason, 'finishedAt', to_utc(n.finished_at))
  from new_rows n join old_rows o on o.creator_id = n.creator_id and o.id = n.id
  join outgoing_endpoints e on e.creator_id = n.creator_id and e.switched_off_at is null and 'delivery' = any(e.types)
  where n.state <> o.state and n.state in ('sent', 'failed', 'expired', 'cancelled');
  return null;
end
$$;

create function tell_contacts() returns trigger language plpgsql as $$
begin
  if not exists (select from outgoing_endpoints where switched_off_at is null) then return null; end if;
  insert into outgoing_events (creator_id, endpoint_id, type, happened_at, due_at, expires_at, data)
  select n.creator_id, e.id, 'contact', n.first_seen_at, now(), now() + interval '24 hours', jsonb_build_object(
    'change', 'new', 'connectionId', n.connection_id, 'personId', n.id, 'username', n.username, 'email', n.email)
  from new_rows n
  join outgoing_endpoints e on e.creator_id = n.creator_id and e.switched_off_at is null and 'contact' = any(e.types);
  return null;
end
$$;

create function tell_consents() returns trigger language plpgsql as $$
begin
  if not exists (select from outgoing_endpoints where switched_off_at is null) then return null; end if;
  insert into outgoing_events (creator_id, endpoint_id, type, happened_at, due_at, expires_at, data)
  select n.creator_id, e.id, 'contact', n.agreed_at, now(), now() + interval '24 hours', jsonb_build_object(
    'change', 'email', 'connectionId', n.connection_id, 'personId', n.person_id, 'username', p.username,
    'email', n.email)
  from new_rows n
  left join people p on p.creator_id = n.creator_id and p.connection_id = n.connection_id and p.id = n.person_id
  join outgoing_endpoints e on e.creator_id = n.creator_id and e.switched_off_at is null and 'contact' = any(e.types);
  return null;
end
$$;

create function tell_clicks() returns trigger language plpgsql as $$
begin
  if not exists (select from outgoing_endpoints where switched_off_at is null) then return null; end if;
  insert into outgoing_events (creator_id, endpoint_id, type, happened_at, due_at, expires_at, data)
  select n.creator_id, e.id, 'click', n.clicked_at, now(), now() + interval '24 hours', jsonb_build_object(
    'id', n.id, 'url', l.url, 'deliveryId', n.delivery_id, 'automationId', l.automation_id,
    'clickedAt', to_utc(n.clicked_at))
  from new_rows n join links l on l.creator_id = n.creator_id and l.id = n.link_id
  join outgoing_endpoints e on e.creator_id = n.creator_id and e.switched_off_at is null and 'click' = any(e.types)
  where n.not_counted_because is null;
  return null;
end
$$;

create trigger tell_new after insert on interactions
  referencing new table as new_rows for each statement execute function tell_interactions();
create trigger tell_finished after update on deliveries
  referencing old table as old_rows new table as new_rows for each statement execute function tell_deliveries();
create trigger tell_new after insert on people
  referencing new table as new_rows for each statement execute function tell_contacts();
create trigger tell_new after insert on consents
  referencing new table as new_rows for each statement execute function tell_consents();
create trigger tell_new after insert on clicks
  referencing new table as new_rows for each statement execute function tell_clicks();

-- Other tools act for one person in one creator, within the scopes she gave.
create table api_tokens (
  creator_id uuid not null references creators on delete cascade,
  id uuid not null,
  user_id uuid not null references users on delete cascade,
  name text not null,
  token_hash text not null unique,
  prefix text not null,
  scopes text[] not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz,
  primary key (creator_id, id)
);
create index api_tokens_of_person on api_tokens (user_id);
call protect_tenant_table('api_tokens');
