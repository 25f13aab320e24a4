/** Everything that happened with one person, in one list. */
import { type RawBuilder, sql } from 'kysely';
import type { Consent, ContactMail, TimelineEntry } from '#contract/contacts.ts';
import type { Reason } from '#contract/outcomes.ts';
import type { Clock } from '#server/clock.ts';
import type { CreatorTransaction, Database } from '#server/db/database.ts';
import type { Somebody } from '#server/db/holds.ts';
import type { DeliveryContent } from '#server/engine/deciding/message-plan.ts';
import * as interactions from '#server/features/interactions/interactions.ts';
import { saysOf } from '#server/features/interactions/reason-words.ts';
import { shownMessage } from '#server/features/interactions/shown-message.ts';
import { type PagePosition, pageFrom, readPosition } from '#server/http/page-position.ts';
import { findHuman, somebodyOf } from './human.ts';
import { MAIL_TITLE } from './queries.ts';

const PAGE_SIZE = 50;

type Kind = 'interaction' | 'delivery' | 'own_message' | 'click' | 'consent' | 'mail' | 'change';
type Place = { id: string; kind: Kind; at: Date; position: string };

/** Newest first. @throws AppError not_found, invalid_input */
export async function timeline(
  deps: { clock: Clock; db: Pick<Database, 'engine'> },
  trx: CreatorTransaction,
  creatorId: string,
  contactId: string,
  query: { after?: string | undefined; limit?: number | undefined },
): Promise<{ items: TimelineEntry[]; next: string | null }> {
  const limit = query.limit ?? PAGE_SIZE;
  const after = readPosition(query.after, 'uuid');
  const all = await somebodyOf(trx, await findHuman(trx, creatorId, contactId));
  const parts = all.map((whose) => sql`(${placesOf(whose, { after, limit: limit + 1 })})`);
  const { rows } = await sql<Place>`
    select distinct * from (${sql.join(parts, sql` union all `)}) as every_one order by at desc, id desc limit ${limit + 1}
  `.execute(trx);
  const { items: places, next } = pageFrom(rows, limit);
  const entries = await readEntries(deps, trx, all, places);
  // Rows deleted between the two reads are left out.
  return { items: places.flatMap((place) => entries.get(`${place.kind} ${place.id}`) ?? []), next };
}

/** An interaction is answered within these days or not at all; a conversation lasts a month at most. */
const ANSWERED_WITHIN_DAYS = 60;

/**
 * Where each entry stands. Interactions are read as far as the page goes, however much there is. Answers stand where they
 * were sent: those that reached them are found by their id, others by what they answer. NOTE: a message's id of Meta may be
 * longer than a position takes, hence its hash; `offset 0` keeps the planner from joining whole tables for the little
 * that is theirs.
 */
function placesOf(
  { creatorId, connectionId, ids, contactIds }: Somebody,
  page: { after: PagePosition | null; limit: number },
): RawBuilder<unknown> {
  const before = (at: string) =>
    page.after === null
      ? sql`true`
      : sql`(${sql.ref(at)}, id) < (${page.after.at}::timestamptz, ${page.after.id}::uuid)`;
  return sql`
    with done as materialized (
      select i.* from unnest(${ids}::text[]) as theirs (id) cross join lateral (
        select id, occurred_at from interactions
        where creator_id = ${creatorId} and connection_id = ${connectionId} and person_id = theirs.id and ${before('occurred_at')}
        order by occurred_at desc, id desc limit ${page.limit}
      ) as i
      order by i.occurred_at desc, i.id desc limit ${page.limit}
    ), began as materialized (
      select case when count(*) < ${page.limit} then '-infinity' else min(occurred_at) end
        - interval '${sql.raw(String(ANSWERED_WITHIN_DAYS))} days' as at
      from done
    ), answers as materialized (
      select id, clicked_at, case when state = 'sent' then coalesce(finished_at, created_at) else created_at end as at
      from deliveries
      where creator_id = ${creatorId} and connection_id = ${connectionId} and recipient_person_id = any(${ids})
      union all
      select d.* from interactions i cross join lateral (
        select id, clicked_at, case when state = 'sent' then coalesce(finished_at, created_at) else created_at end
        from deliveries where creator_id = ${creatorId} and interaction_id = i.id and recipient_person_id is null offset 0
      ) as d
      where i.creator_id = ${creatorId} and i.connection_id = ${connectionId} and i.person_id = any(${ids})
        and i.occurred_at >= (select at from began)
        and ${page.after === null ? sql`true` : sql`i.occurred_at <= ${page.after.at}::timestamptz`}
    ), entries as (
      select 'interaction' as kind, id, occurred_at as at from done
      union all
      select 'delivery', id, at from answers
      union all
      select 'own_message', md5(platform_id)::uuid, sent_at from own_messages
      where creator_id = ${creatorId} and connection_id = ${connectionId} and person_id = any(${ids})
      union all
      select 'click', c.id, c.clicked_at from answers cross join lateral (
        select id, clicked_at from clicks
        where creator_id = ${creatorId} and delivery_id = answers.id and not_counted_because is null offset 0
      ) as c
      where answers.clicked_at is not null
      union all
      select 'consent', id, agreed_at from consents
      where creator_id = ${creatorId}
        and ((connection_id = ${connectionId} and person_id = any(${ids})) or contact_id = any(${contactIds}::uuid[]))
      union all
      select 'mail', id, created_at from reader_mails
      where creator_id = ${creatorId} and contact_id = any(${contactIds}::uuid[])
      union all
      select 'change', id, changed_at from contact_changes
      where creator_id = ${creatorId} and connection_id = ${connectionId} and person_id = any(${ids})
    )
    select kind, id::text, at, at::text as position from entries
    where ${before('at')}
    order by at desc, entries.id desc limit ${page.limit}`;
}

/** By `kind id`. */
async function readEntries(
  deps: { clock: Clock; db: Pick<Database, 'engine'> },
  trx: CreatorTransaction,
  all: Somebody[],
  places: Place[],
): Promise<Map<string, TimelineEntry>> {
  const whose = all[0]!;
  const idsOf = (kind: Kind) => places.filter((place) => place.kind === kind).map(({ id }) => id);
  const at = new Map(places.map((place) => [`${place.kind} ${place.id}`, place.at.toISOString()]));
  const entries = new Map<string, TimelineEntry>();
  const add = (kind: Kind, id: string, entry: TimelineEntry) => entries.set(`${kind} ${id}`, entry);
  const when = (kind: Kind, id: string) => ({ id, at: at.get(`${kind} ${id}`)! });

  for (const interaction of await interactions.listByIds(deps, trx, whose.creatorId, idsOf('interaction'))) {
    add('interaction', interaction.id, { ...when('interaction', interaction.id), what: 'interaction', interaction });
  }
  const deliveries = await findDeliveries(trx, whose, idsOf('delivery'));
  const changes = await findChanges(trx, whose, idsOf('change'));
  const names = await findNames(deps.db, [
    ...deliveries.map((row) => row.sent_by),
    ...changes.map((row) => row.changed_by),
  ]);
  const now = deps.clock.now();
  for (const row of deliveries) {
    add('delivery', row.id, {
      ...when('delivery', row.id),
      what: 'message',
      from: row.sent_by === null ? 'automation' : 'team',
      name: row.sent_by === null ? row.automation_name : (names.get(row.sent_by) ?? null),
      public: row.kind === 'public_reply',
      ...shownMessage(row.content),
      state: row.state,
      readAt: row.read_at?.toISOString() ?? null,
      failure:
        row.failure_reason === null
          ? null
          : saysOf({ outcome: row.state, reason: row.failure_reason as Reason, waitingUntil: null }, now),
    });
  }
  for (const row of await findOwnMessages(trx, all, idsOf('own_message'))) {
    add('own_message', row.id, {
      ...when('own_message', row.id),
      what: 'message',
      from: 'app',
      name: null,
      public: false,
      text: row.text,
      buttons: [],
      state: 'sent',
      readAt: null,
      failure: null,
    });
  }
  for (const row of await findClicks(trx, whose, idsOf('click'))) {
    add('click', row.id, { ...when('click', row.id), what: 'click', url: row.url ?? '' });
  }
  for (const { id, title, url, ...line } of await findConsents(trx, whose, idsOf('consent'))) {
    const isSave = line.purpose === 'save' && line.act === 'given';
    const said = isSave ? { what: 'save' as const, title, url } : { what: 'consent' as const, ...line };
    add('consent', id, { ...when('consent', id), ...said });
  }
  for (const { id, ...mail } of await findMails(trx, whose, idsOf('mail'))) {
    add('mail', id, { ...when('mail', id), what: 'mail', ...mail });
  }
  for (const row of changes) {
    add('change', row.id, {
      ...when('change', row.id),
      what: 'change',
      change: row.what,
      until: row.until?.toISOString() ?? null,
      by: row.changed_by === null ? null : (names.get(row.changed_by) ?? null),
    });
  }
  return entries;
}

async function findDeliveries(trx: CreatorTransaction, { creatorId }: Somebody, ids: string[]) {
  if (ids.length === 0) return [];
  const rows = await trx
    .selectFrom('deliveries as d')
    .leftJoin('automations as a', (join) =>
      join.onRef('a.creator_id', '=', 'd.creator_id').onRef('a.id', '=', 'd.automation_id'),
    )
    .select(['d.id', 'd.kind', 'd.state', 'd.content', 'd.sent_by', 'd.read_at', 'd.failure_reason'])
    .select('a.name as automation_name')
    .where('d.creator_id', '=', creatorId)
    .where('d.id', 'in', ids)
    .execute();
  return rows.map((row) => ({ ...row, content: row.content as Partial<DeliveryContent> }));
}

async function findOwnMessages(trx: CreatorTransaction, all: Somebody[], ids: string[]) {
  if (ids.length === 0) return [];
  const theirs = all.map((one) => sql`(connection_id = ${one.connectionId} and person_id = any(${one.ids}))`);
  const { rows } = await sql<{ id: string; text: string }>`
    select md5(platform_id)::uuid::text as id, text from own_messages
    where creator_id = ${all[0]!.creatorId} and (${sql.join(theirs, sql` or `)}) and md5(platform_id)::uuid = any(${ids}::uuid[])
  `.execute(trx);
  return rows;
}

async function findClicks(trx: CreatorTransaction, { creatorId }: Somebody, ids: string[]) {
  if (ids.length === 0) return [];
  return trx
    .selectFrom('clicks as c')
    .leftJoin('links as l', (join) => join.onRef('l.creator_id', '=', 'c.creator_id').onRef('l.id', '=', 'c.link_id'))
    .select(['c.id', 'l.url'])
    .where('c.creator_id', '=', creatorId)
    .where('c.id', 'in', ids)
    .execute();
}

async function findConsents(trx: CreatorTransaction, { creatorId }: Somebody, ids: string[]) {
  if (ids.length === 0) return [];
  type Row = Pick<Consent, 'id' | 'email' | 'wording' | 'purpose' | 'act'> & {
    title: string | null;
    url: string | null;
  };
  const { rows } = await sql<Row>`
    select l.id, l.email, l.wording, l.purpose, l.act, l.page_url as url, (
        select title from saved_recipes s
        where l.purpose = 'save' and s.creator_id = ${creatorId} and s.contact_id = l.contact_id and s.url = l.page_url limit 1
      ) as title
    from consents l where l.creator_id = ${creatorId} and l.id = any(${ids}::uuid[])
  `.execute(trx);
  return rows;
}

async function findMails(trx: CreatorTransaction, { creatorId }: Somebody, ids: string[]) {
  if (ids.length === 0) return [];
  const { rows } = await sql<Pick<ContactMail, 'id' | 'kind' | 'title' | 'state' | 'says' | 'isClicked'>>`
    select id, kind, ${MAIL_TITLE} as title, state, last_failure as says, clicked_at is not null as "isClicked" from reader_mails
    where creator_id = ${creatorId} and id = any(${ids}::uuid[])
  `.execute(trx);
  return rows;
}

async function findChanges(trx: CreatorTransaction, { creatorId }: Somebody, ids: string[]) {
  if (ids.length === 0) return [];
  return trx
    .selectFrom('contact_changes')
    .select(['id', 'what', 'until', 'changed_by'])
    .where('creator_id', '=', creatorId)
    .where('id', 'in', ids)
    .execute();
}

/** Names of the team's people belong to them and are out of reach of a creator's rights; the engine's role reads them. */
async function findNames({ engine }: Pick<Database, 'engine'>, ids: (string | null)[]): Promise<Map<string, string>> {
  const wanted = [...new Set(ids.filter((id) => id !== null))];
  if (wanted.length === 0) return new Map();
  const rows = await engine.selectFrom('users').select(['id', 'name']).where('id', 'in', wanted).execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}
