-- Writing down that a message arrived is half of what PostgreSQL does for it. Its row changed its place in every index of
-- the table; now nothing that an index knows of changes, and the second version of the row stays on its page.

-- The state by which indexes find a delivery: what is going out at this moment stands where it nearly always ends.
alter table deliveries
  add column listed_as text not null generated always as (case when state = 'sending' then 'sent' else state end) stored,
  add column given_up_at timestamptz
    generated always as (case when state in ('failed', 'expired') then finished_at end) stored;
-- Room on its page for the second version of each row, which is longer by what Meta answered.
alter table deliveries set (fillfactor = 42);

drop index deliveries_queued;
drop index deliveries_uncertain;
drop index deliveries_held;
drop index deliveries_given_up;
create index deliveries_queued on deliveries (connection_id, lane, priority desc, expires_at, id)
  where listed_as = 'queued';
create index deliveries_uncertain on deliveries (connection_id) where uncertain and listed_as = 'queued';
create index deliveries_held on deliveries (creator_id) where held_from is not null and listed_as = 'queued';
create index deliveries_given_up on deliveries (given_up_at) where given_up_at is not null;

-- New rows stand at the end of the index, beside each other, however many creators there are; and a plan made while the
-- table was small finds one row by it, not all of a creator (server/engine/queries.ts).
alter table deliveries drop constraint deliveries_pkey, add primary key (id, creator_id);
alter table interactions drop constraint interactions_pkey, add primary key (id, creator_id);

-- Whom it goes to is known before it goes, or nearly always: Meta's answer may name another id for the same person. A
-- message is found by its person then; an index of the messages' ids would change with each answer.
update deliveries set recipient_person_id = recipient
where kind = 'message' and recipient_person_id is null and platform_message_id is not null;
drop index deliveries_by_message;

-- What is `sending`, by the batch that made it so: written in the same commit, deleted when the last of it is recorded. A
-- row that stays because its worker died names deliveries that may have ended since: their own state says.
drop index deliveries_sending;
create table calls_under_way (
  batch_id uuid primary key,
  delivery_ids uuid[] not null
);
revoke all on calls_under_way from creator_hq_app;
insert into calls_under_way (batch_id, delivery_ids)
select gen_random_uuid(), array_agg(id) from deliveries where state = 'sending' having count(*) > 0;
-- Its few rows come and go by the hundred a minute.
alter table calls_under_way set (autovacuum_vacuum_threshold = 500, autovacuum_vacuum_scale_factor = 0);

create function deliveries_under_way() returns setof uuid language sql stable as $$
  select distinct unnest(delivery_ids) from calls_under_way
$$;

-- As before, but for the id of whom it would have gone to.
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
      set state = 'cancelled', finished_at = d.created_at, recipient = 'erased', recipient_person_id = null,
        content = '{"text": "", "buttons": []}'
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
