/** At a start, before anything is sent: what the list knows and the database does not. */
import { type Kysely, sql } from 'kysely';
import type { SuppressionReason } from '#contract/suppressions.ts';
import type { Database } from '#server/db/database.ts';
import type { Tables } from '#server/db/types.ts';
import { applyNewsletterAct, suppress } from '../address-contacts.ts';
import { creatorHashes } from '../creator-secret.ts';
import { type ErasingDeps, erase } from '../erasure.ts';
import { AWAY, type NewsletterAct } from '../newsletter-status.ts';
import type { NoMailLine, NoMailList } from './list.ts';
import { lineOf, type Standing } from './listing.ts';

export type TakingUpDeps = ErasingDeps & { noMailList: NoMailList };

const CONTACTS_A_STEP = 10_000;
const LINES_A_STEP = 1_000;

/**
 * @param options.isAlone the database lies in the same folder as the list: one that knows a list and finds none was restored
 * @returns how many lines the database did not know; `waits`: newsletters wait, for the list is missing
 */
export async function takeUpNoMailList(
  deps: TakingUpDeps,
  { isAlone }: { isAlone: boolean },
): Promise<{ takenUp: number; waits: boolean }> {
  const { db, noMailList: list } = deps;
  await beginKnowing(db.engine, list, isAlone);
  const { rows } = await sql<{ known: number; isListed: boolean }>`
    select position as known, listed_at is not null as "isListed" from no_mail_lists where id = ${list.id}
  `.execute(db.engine);
  const { known, isListed } = rows[0]!;
  const takenUp = await takeUp(deps, known);
  await noteTakenUp(db.engine, list, takenUp > 0 ? await list.position() : known);
  if (!isListed) await listAll(deps);
  return { takenUp, waits: await doNewslettersWait(db.engine) };
}

/** Somebody who knows better says so: `npm run admin -- send-newsletters`. @returns whether they waited */
export async function letNewslettersGo(db: Pick<Database, 'engine'>): Promise<boolean> {
  const { rows } = await sql`
    update no_mail_lists set newsletters_wait = false where newsletters_wait returning 1
  `.execute(db.engine);
  return rows.length > 0;
}

export async function doNewslettersWait(db: Kysely<Tables>): Promise<boolean> {
  const { rows } = await sql`select from no_mail_lists where newsletters_wait limit 1`.execute(db);
  return rows.length > 0;
}

/**
 * A list that this database may not have seen. In a copy, newsletters wait until every list that it knows was taken up: those of
 * other workers, too. The built-in database lies beside its list: a list that is new tells of a copy there.
 */
async function beginKnowing(engine: Kysely<Tables>, list: NoMailList, isAlone: boolean): Promise<void> {
  const isEmpty = (await list.position()) === 0;
  await sql`
    with here as (
      select system_identifier || ' ' || (select oid from pg_database where datname = current_database()) as database
      from pg_control_system()
    ), others as (
      update no_mail_lists n set newsletters_wait = true, database = here.database from here
      where n.id <> ${list.id} and (n.database <> here.database
        or (${isAlone && isEmpty} and not exists (select from no_mail_lists where id = ${list.id})))
    )
    insert into no_mail_lists as n (id, database) select ${list.id}, database from here
    on conflict (id) do update set database = excluded.database
  `.execute(engine);
}

async function noteTakenUp(engine: Kysely<Tables>, list: NoMailList, position: number): Promise<void> {
  await sql`
    update no_mail_lists set position = greatest(position, ${position}), newsletters_wait = false where id = ${list.id}
  `.execute(engine);
}

async function takeUp(deps: TakingUpDeps, known: number): Promise<number> {
  const byCreator = new Map<string, Map<string, NoMailLine>>();
  let count = 0;
  for await (const line of deps.noMailList.linesAfter(known)) {
    const lines = byCreator.get(line.creatorId) ?? new Map<string, NoMailLine>();
    byCreator.set(line.creatorId, lines.set(line.hash, line));
    count++;
  }
  for (const [creatorId, lines] of byCreator) await takeUpOf(deps, creatorId, lines);
  return count;
}

/** Who came back is left as the database has them. */
async function takeUpOf(deps: TakingUpDeps, creatorId: string, lines: Map<string, NoMailLine>): Promise<void> {
  const { db, clock } = deps;
  const creator = await db.engine.selectFrom('creators').select('id').where('id', '=', creatorId).executeTakeFirst();
  if (creator === undefined) return;
  const hashOf = await creatorHashes(db.engine, deps, creatorId, clock.now());
  const contacts = new Map<string, string>();
  for await (const { id, key } of contactsOf(db.engine, creatorId)) {
    const hash = hashOf('suppression', key);
    if (lines.has(hash)) contacts.set(hash, id);
  }
  for (const line of lines.values()) {
    if (line.reason !== null) await keepAwayAgain(deps, line as Away, contacts.get(line.hash) ?? null);
  }
}

async function* contactsOf(engine: Kysely<Tables>, creatorId: string): AsyncIterable<{ id: string; key: string }> {
  for (let after: string | null = null; ; ) {
    const { rows }: { rows: { id: string; key: string | null }[] } = await sql<{ id: string; key: string | null }>`
      select id, email_key as key from contacts where creator_id = ${creatorId} and (${after}::uuid is null or id > ${after}::uuid)
      order by id limit ${CONTACTS_A_STEP}
    `.execute(engine);
    for (const { id, key } of rows) if (key !== null) yield { id, key };
    if (rows.length < CONTACTS_A_STEP) return;
    after = rows.at(-1)!.id;
  }
}

type Away = NoMailLine & { reason: SuppressionReason };

/** What they did, done again. */
const ACT_OF: Record<SuppressionReason, NewsletterAct> = {
  unsubscribed: 'unsubscribes',
  erased: 'unsubscribes',
  team: 'unsubscribes',
  bounced: 'bounces',
  complained: 'complains',
  not_me: 'not_me',
};

async function keepAwayAgain(deps: TakingUpDeps, line: Away, contactId: string | null): Promise<void> {
  const { creatorId, hash, reason } = line;
  const at = new Date(line.at);
  const standing = contactId === null ? undefined : await findStanding(deps, creatorId, contactId);
  // What they did after it counts.
  if (standing !== undefined && (line.gone ? standing.firstSeenAt > at : (standing.newsletterAt ?? 0) > at)) return;
  if (standing !== undefined && line.gone) await erase(deps, { creatorId, contactId: contactId!, userId: null });
  const stays = standing !== undefined && !line.gone;
  await deps.db.withCreator(creatorId, async (trx) => {
    if (stays) {
      const act = { act: ACT_OF[reason], at, how: null, place: 'team' } as const;
      await applyNewsletterAct(trx, deps, { creatorId, contactId: contactId!, ...act });
    }
    const says = reason === 'unsubscribed' && stays ? null : reason;
    if (says !== null) await suppress(trx, { creatorId, hash, contactId: stays ? contactId : null, reason: says, at });
  });
}

function findStanding({ db }: TakingUpDeps, creatorId: string, contactId: string) {
  return db.engine
    .selectFrom('contacts')
    .select(['first_seen_at as firstSeenAt', 'newsletter_at as newsletterAt'])
    .where('creator_id', '=', creatorId)
    .where('id', '=', contactId)
    .executeTakeFirst();
}

/** Into a new list, everybody who is away by now. */
async function listAll({ db, noMailList: list, ...deps }: TakingUpDeps): Promise<void> {
  await db.engine.transaction().execute(async (trx) => {
    await sql`select from no_mail_lists where id = ${list.id} for update`.execute(trx);
    let to = await list.position();
    const { rows: creators } = await sql<{ id: string }>`select id from creators order by id`.execute(trx);
    for (const { id: creatorId } of creators) {
      const lines = await awayOf(trx, deps, creatorId);
      for (let from = 0; from < lines.length; from += LINES_A_STEP) {
        to = await list.append(lines.slice(from, from + LINES_A_STEP), to);
      }
    }
    await sql`
      update no_mail_lists set position = ${to}, listed_at = ${deps.clock.now()} where id = ${list.id}
    `.execute(trx);
  });
}

type Row = Standing & { key: string | null; hash: string | null };

async function awayOf(
  trx: Kysely<Tables>,
  deps: Omit<TakingUpDeps, 'db' | 'noMailList'>,
  creatorId: string,
): Promise<NoMailLine[]> {
  const { rows } = await sql<Row>`
    select email_key as key, newsletter, newsletter_at as "newsletterAt", null as hash, null as reason, null as since
    from contacts where creator_id = ${creatorId} and newsletter = any(${AWAY}::text[]) and email_key is not null
    union all
    select null, c.newsletter, c.newsletter_at, s.email_hash, s.reason, s.since
    from suppressions s left join contacts c on c.creator_id = s.creator_id and c.id = s.contact_id
    where s.creator_id = ${creatorId}
  `.execute(trx);
  if (rows.length === 0) return [];
  const hashOf = await creatorHashes(trx, deps, creatorId, deps.clock.now());
  const lines = rows.map(({ key, hash, ...standing }) =>
    lineOf({ creatorId, hash: hash ?? hashOf('suppression', key!) }, standing),
  );
  // Suppressions come last, and say more.
  return [...new Map(lines.map((line) => [line.hash, line])).values()];
}
