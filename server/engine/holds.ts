/** Which data the engine's tables hold of whom; see server/db/holds.ts. In this order: interactions tell whose the rest is. */
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '#server/db/database.ts';
import type { Holds, OldRows, Somebody } from '#server/db/holds.ts';

const nothing = sql`null`;
const erasedId = (row: string) => sql`erased_platform_id(creator_id, connection_id, ${sql.ref(row)})`;

/** Ids of the person's interactions. */
export function interactionsOf({ creatorId, connectionId, ids }: Somebody): RawBuilder<unknown> {
  return sql`select id from interactions
    where creator_id = ${creatorId} and connection_id = ${connectionId} and person_id = any(${ids})`;
}

export const engineHolds: Holds = {
  parked_events: {
    exported: { leftOut: 'webhooks as received, of many people' },
    requests: 'nothing',
    // Those still to be worked off come out as erased.
    erasedByEngine: ({ creatorId, connectionId, ids }) => sql`
      delete from parked_events e
      using connections c, unnest(${ids}::text[]) as one(id)
      where c.creator_id = ${creatorId} and c.id = ${connectionId}
        and strpos(e.body, '"' || c.account_id || '"') > 0 and strpos(e.body, '"' || one.id || '"') > 0`,
    account: ({ creatorId, connectionId }) => sql`exists (
      select from connections where creator_id = ${creatorId} and id = ${connectionId}
        and strpos(body, '"' || account_id || '"') > 0)`,
    deleted: (creatorId) => sql`
      delete from parked_events e using connections c
      where c.creator_id = ${creatorId} and strpos(e.body, '"' || c.account_id || '"') > 0`,
    ages: [{ keep: 'parkedEventsDays', at: 'parked_at' }],
  },
  outcome_counts: { exported: { leftOut: 'sums of interactions and deliveries' }, large: true },
  outcome_deltas: { exported: { leftOut: 'sums of interactions and deliveries' }, large: true },
  lane_states: { exported: { leftOut: 'the state of our sending this minute' } },
  answered_people: {
    exported: { as: 'answeredPeople' },
    person: {
      rows: ({ ids }) => sql`person_id = any(${ids})`,
      copied: { as: 'answered', named: ['person_id', 'automation_id'] },
    },
    account: ({ creatorId, connectionId }) => sql`creator_id = ${creatorId} and automation_id in (
      select id from automations where creator_id = ${creatorId} and connection_id = ${connectionId})`,
    ages: [],
  },
  consents: {
    exported: { as: 'consents' },
    requests: 'insert select',
    person: {
      rows: ({ connectionId, ids, contactIds }) => sql`(
        (connection_id = ${connectionId} and person_id = any(${ids})) or contact_id = any(${contactIds}::uuid[]))`,
      // That somebody agreed, to what and when, is evidence; who it was is not kept.
      erased: { email: nothing, person_id: nothing, contact_id: nothing },
      erasedBy: ({ connectionId, ids, contactIds }) =>
        sql`select erase_from_ledger(${connectionId}, ${ids}::text[], ${contactIds}::uuid[])`,
      copied: { as: 'consent' },
    },
    account: 'goes',
    ages: [],
  },
  conversations: {
    exported: { as: 'conversations' },
    person: {
      rows: (who) => sql`connection_id = ${who.connectionId}
        and (person_id = any(${who.ids}) or interaction_id in (${interactionsOf(who)}))`,
      erased: {
        person_id: sql`'erased'`,
        plan: sql`plan || '{"username": null}'`,
        given_email: nothing,
        suggested_email: nothing,
      },
      copied: { as: 'conversation', without: ['plan'] },
    },
    account: 'goes',
    ages: [],
  },
  own_messages: {
    exported: { as: 'ownMessages' },
    person: { rows: 'person_id', copied: { as: 'own_message', named: ['platform_id'] } },
    account: 'goes',
    ages: [
      { keep: 'historyDays', at: 'sent_at' },
      { keep: 'textsDays', at: 'sent_at', only: sql`text <> ''`, clears: sql`text = ''` },
    ],
  },
  deliveries: {
    exported: { as: 'deliveries' },
    person: {
      rows: (who) => sql`interaction_id in (${interactionsOf(who)})`,
      erased: {
        content: sql`'{"text": "", "buttons": []}'`,
        recipient: sql`'erased'`,
        recipient_person_id: nothing,
        platform_message_id: nothing,
        failure_detail: nothing,
      },
      copied: { as: 'message' },
    },
    account: 'goes',
    ages: [],
  },
  interactions: {
    exported: { as: 'interactions' },
    person: {
      rows: 'person_id',
      first: othersThatName,
      erased: { text: sql`''`, username: nothing, person_id: sql`'erased'`, platform_id: erasedId('platform_id') },
      copied: { as: 'interaction' },
    },
    account: 'goes',
    ages: [
      { keep: 'historyDays', at: 'received_at', only: sql`outcome <> 'waiting'`, steps: deletingOldest },
      {
        keep: 'textsDays',
        at: 'received_at',
        only: sql`outcome <> 'waiting'`,
        clears: sql`text = ''`,
        steps: clearingTexts,
      },
    ],
  },
  people: {
    exported: { as: 'people', without: ['name_key'] },
    person: { rows: 'id', copied: { as: 'person', without: ['name_key', 'name_last'] } },
    account: 'goes',
    ages: [],
  },
};

/** Our public answers call them by their handle and came back to us as comments of the account's own; answers to them name their comment. */
function othersThatName(who: Somebody): RawBuilder<unknown>[] {
  const theirs = sql`creator_id = ${who.creatorId} and connection_id = ${who.connectionId} and person_id = any(${who.ids})`;
  return [
    sql`
      update interactions i set text = ''
      from (select distinct post_id from interactions where ${theirs} and post_id is not null) as posts,
        (select distinct lower(username) as name from interactions where ${theirs} and username is not null) as names
      where i.creator_id = ${who.creatorId} and i.post_id = posts.post_id and i.reason = 'own_comment'
        and strpos(lower(i.text), '@' || names.name) > 0`,
    sql`
      update interactions i set parent_id = ${erasedId('parent.platform_id')}
      from (select post_id, platform_id from interactions where ${theirs}) as parent
      where i.creator_id = ${who.creatorId} and i.post_id = parent.post_id and i.parent_id = parent.platform_id`,
  ];
}

/** The oldest things that happened, with all that hangs on them. Figures count them for good (`server/db/functions/count-deleted-interactions.sql`). */
export function deletingOldest(db: Database, { creatorId, before, most }: OldRows): () => Promise<number> {
  return () =>
    db.engine.transaction().execute(async (trx) => {
      await sql`select set_config('app.counts_stay', 'on', true)`.execute(trx);
      const { numAffectedRows = 0n } = await sql`
        with old as materialized (
          select id, post_id, found_by_reading from interactions
          where creator_id = ${creatorId} and received_at < ${before} and outcome <> 'waiting'
          order by received_at, id limit ${most} for update skip locked
        ), messages as (
          delete from deliveries d using old where d.creator_id = ${creatorId} and d.interaction_id = old.id returning d.id
        ), opened_links as (
          delete from clicks c using messages m where c.creator_id = ${creatorId} and c.delivery_id = m.id
        ), sequences as (
          delete from conversations v using old where v.creator_id = ${creatorId} and v.interaction_id = old.id
        ), still_told as (
          update comment_readings r set found_before = r.found_before + found.count
          from (select post_id, count(*)::int as count from old where found_by_reading group by post_id) as found
          where r.creator_id = ${creatorId} and r.post_id = found.post_id
        )
        delete from interactions i using old where i.creator_id = ${creatorId} and i.id = old.id
      `.execute(trx);
      return Number(numAffectedRows);
    });
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** Clears what people wrote and what was sent to them, oldest first. That something happened stays. */
function clearingTexts(db: Database, { creatorId, before, clearedTo, most }: OldRows): () => Promise<number> {
  let after: { at: Date | null; id: string } = { at: clearedTo, id: FIRST_ID };
  return async () => {
    const { rows } = await sql<{ at: Date; id: string; count: number }>`
      with old as materialized (
        select id, received_at from interactions
        where creator_id = ${creatorId} and received_at < ${before} and outcome <> 'waiting'
          and (received_at, id) > (coalesce(${after.at}::timestamptz, '-infinity'), ${after.id}::uuid)
        order by received_at, id limit ${most}
      ), messages as (
        update deliveries d set content = '{"text": "", "buttons": []}', failure_detail = null
        from old where d.creator_id = ${creatorId} and d.interaction_id = old.id and d.state not in ('queued', 'sending')
      ), sequences as (
        update conversations v set plan = v.plan || '{"username": null}', given_email = null, suggested_email = null
        from old where v.creator_id = ${creatorId} and v.interaction_id = old.id and v.state = 'ended'
      ), words as (
        update interactions i set text = ''
        from old where i.creator_id = ${creatorId} and i.id = old.id and i.text <> ''
      )
      select received_at as at, id, (count(*) over ())::int as count from old order by received_at desc, id desc limit 1
    `.execute(db.engine);
    if (rows[0]) after = rows[0];
    return rows[0]?.count ?? 0;
  };
}
