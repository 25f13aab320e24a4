-- Contacts: the people who came through social, found by name and by what they did, and erased for good.

alter table people
  -- The name as contract/matching folds it: "Zoë Müller" is found by "zoe mu". Null: not folded yet.
  add column name_key text,
  -- Its last word: she is found by "mu" too.
  add column name_last text generated always as (substring(name_key from '[^ ]+$')) stored,
  -- When her profile was last asked for, whatever came of it.
  add column profile_tried_at timestamptz;

-- Everybody who was there before.
update people set last_seen_at = coalesce(last_seen_at, last_wrote_at, first_seen_at) where last_seen_at is null;
insert into people as p (creator_id, connection_id, id, username, first_seen_at, last_seen_at)
select creator_id, connection_id, person_id,
  (array_agg(username order by occurred_at desc) filter (where username is not null))[1], min(occurred_at), max(occurred_at)
from interactions where reason <> 'own_comment'
group by creator_id, connection_id, person_id
on conflict (creator_id, connection_id, id) do update
  set username = coalesce(excluded.username, p.username), last_seen_at = greatest(p.last_seen_at, excluded.last_seen_at);

create index people_newest on people (creator_id, last_seen_at desc, id desc);
create index people_by_username on people (creator_id, username text_pattern_ops);
create index people_by_name on people (creator_id, name_key text_pattern_ops) where name_key is not null;
create index people_by_last_name on people (creator_id, name_last text_pattern_ops) where name_last is not null;
create index people_to_fold on people (creator_id) where name is not null and name_key is null;
create index people_by_email on people (creator_id, email text_pattern_ops) where email is not null;
-- Filters that few people pass; what many pass is found soon enough along people_newest.
create index people_with_email on people (creator_id, last_seen_at desc, id desc) where email is not null;
create index people_by_following on people (creator_id, follows, last_seen_at desc, id desc) where follows is not null;
create index people_stopped on people (creator_id, last_seen_at desc, id desc) where stopped_at is not null;
create index people_taken_over on people (creator_id, last_seen_at desc, id desc) where taken_over_until is not null;
create index people_blocked on people (creator_id, last_seen_at desc, id desc) where blocked_at is not null;
create index people_to_refresh on people (last_wrote_at) where last_wrote_at is not null;
-- The chat that a private reply opened is hers, also should Meta call her by another id there.
create index deliveries_by_person on deliveries (connection_id, recipient_person_id) where recipient_person_id is not null;

-- Whoever writes a name need not know how names are folded: a job does it (server/features/contacts/profiles.ts).
create function forget_name_key() returns trigger language plpgsql as $$
begin
  new.name_key := null;
  return new;
end
$$;
create trigger forget_name_key before update of name on people
  for each row when (old.name is distinct from new.name and old.name_key is not distinct from new.name_key)
  execute function forget_name_key();

-- What people of the team did with a contact; what she did herself is in interactions.
create table contact_changes (
  creator_id uuid not null references creators on delete cascade,
  id uuid not null,
  connection_id uuid not null,
  person_id text not null,
  what text not null check (what in ('taken_over', 'handed_back', 'blocked', 'unblocked')),
  -- Of a take-over; null: until handed back
  until timestamptz,
  changed_at timestamptz not null,
  changed_by uuid references users on delete set null,
  primary key (creator_id, id)
);
create index contact_changes_by_person on contact_changes (creator_id, connection_id, person_id, changed_at);
call protect_tenant_table('contact_changes');

-- Who was erased: a receipt without the person, and what keeps a late webhook from bringing her back.
create table erased_people (
  creator_id uuid not null references creators on delete cascade,
  connection_id uuid not null,
  -- See erased_hash
  person_hash text not null,
  erased_at timestamptz not null,
  erased_by uuid references users on delete set null,
  -- Outlive the rest, so that she is neither written to nor asked for her address again.
  stopped_at timestamptz,
  email_asked_at timestamptz,
  primary key (creator_id, connection_id, person_hash)
);
call protect_tenant_table('erased_people');

create function erased_hash(creator_id uuid, connection_id uuid, person_id text) returns text
language sql immutable parallel safe
as $$ select encode(sha256(convert_to(creator_id::text || connection_id::text || person_id, 'UTF8')), 'hex') $$;

-- Keeps people complete, commenters too: one statement for every batch of interactions, whoever writes them.
create function see_people() returns trigger language plpgsql as $$
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

  -- What somebody did before she was erased and we hear of only now: counted, not kept, not answered.
  if exists (select from erased_people e where e.creator_id in (select creator_id from new_rows)) then
    with late as (
      select n.creator_id, n.id
      from new_rows n join erased_people e
        on e.creator_id = n.creator_id and e.connection_id = n.connection_id
        and e.person_hash = erased_hash(n.creator_id, n.connection_id, n.person_id) and n.occurred_at <= e.erased_at
    ), called_off as (
      update deliveries d
      set state = 'cancelled', finished_at = d.created_at, recipient = 'erased', content = '{"text": "", "buttons": []}'
      from late where d.creator_id = late.creator_id and d.interaction_id = late.id
    )
    update interactions i
    set text = '', username = null, person_id = 'erased', outcome = 'skipped', reason = 'erased', waiting_until = null
    from late where i.creator_id = late.creator_id and i.id = late.id;
  end if;
  return null;
end
$$;
create trigger see_people after insert on interactions
  referencing new table as new_rows for each statement execute function see_people();

-- Somebody whom the creator wrote to in the platform's own app is a contact as well.
create function see_written_to() returns trigger language plpgsql as $$
begin
  delete from own_messages o using new_rows n, erased_people e
  where o.creator_id = n.creator_id and o.connection_id = n.connection_id and o.platform_id = n.platform_id
    and e.creator_id = n.creator_id and e.connection_id = n.connection_id
    and e.person_hash = erased_hash(n.creator_id, n.connection_id, n.person_id) and n.sent_at <= e.erased_at;
  insert into people as p (creator_id, connection_id, id, first_seen_at, last_seen_at)
  select creator_id, connection_id, person_id, min(sent_at), max(sent_at) from new_rows
  group by 1, 2, 3 order by 1, 2, 3
  on conflict (creator_id, connection_id, id) do update set last_seen_at = greatest(p.last_seen_at, excluded.last_seen_at);
  return null;
end
$$;
create trigger see_written_to after insert on own_messages
  referencing new table as new_rows for each statement execute function see_written_to();

-- A person made anew: gone again when only something from before her erasure made her; else what outlived it comes back.
create function keep_erased_away() returns trigger language plpgsql as $$
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
$$;
create trigger keep_erased_away after insert on people
  referencing new table as new_rows for each statement execute function keep_erased_away();
