/** Who speaks with them: automations, the creator, or nobody. */
import { sql } from 'kysely';
import type { Contact } from '#contract/contacts.ts';
import type { Clock, Ids } from '#server/clock.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import { callOff } from '#server/engine/outcomes/calling-off.ts';
import { AppError } from '#server/errors.ts';
import { type ContactKey, peopleOf, writeContactId } from './contact-id.ts';
import { readRowOf } from './contact-rows.ts';
import { viewOf } from './contact-view.ts';
import { findHuman } from './human.ts';
import * as queries from './queries.ts';

type Deps = { clock: Clock; ids: Pick<Ids, 'uuid'> };
type Whose = { creatorId: string; contactId: string; userId: string };

const MINUTE_MS = 60_000;

/** Keeps automations quiet for so many minutes; null: until somebody hands back. @throws AppError not_found */
export async function takeOver(
  deps: Deps,
  trx: CreatorTransaction,
  whose: Whose,
  minutes: number | null,
): Promise<Contact> {
  const now = deps.clock.now();
  const until = minutes === null ? null : later(now, minutes);
  const set = () => sql`taken_over_until = ${until ?? 'infinity'}`;
  const contact = await change(deps, trx, whose, { what: 'taken_over', until }, set);
  await callOffTheirs(trx, whose, 'taken_over', now);
  return contact;
}

/** @throws AppError not_found */
export function handBack(deps: Deps, trx: CreatorTransaction, whose: Whose): Promise<Contact> {
  return change(deps, trx, whose, { what: 'handed_back' }, () => sql`taken_over_until = null`);
}

/** Nothing automatic goes to them any more; what waited for them is called off. @throws AppError not_found */
export async function block(deps: Deps, trx: CreatorTransaction, whose: Whose): Promise<Contact> {
  const contact = await change(
    deps,
    trx,
    whose,
    { what: 'blocked' },
    (now) => sql`blocked_at = coalesce(blocked_at, ${now})`,
  );
  await callOffTheirs(trx, whose, 'blocked', deps.clock.now());
  return contact;
}

async function callOffTheirs(trx: CreatorTransaction, whose: Whose, reason: 'blocked' | 'taken_over', now: Date) {
  const human = await findHuman(trx, whose.creatorId, whose.contactId);
  for (const key of human.people) {
    const ids = await queries.findIdsOf(trx, whose.creatorId, key);
    await callOff(trx, { people: peopleOf(whose.creatorId, key, ids) }, reason, now);
  }
}

/** @throws AppError not_found */
export function unblock(deps: Deps, trx: CreatorTransaction, whose: Whose): Promise<Contact> {
  return change(deps, trx, whose, { what: 'unblocked' }, () => sql`blocked_at = null`);
}

async function change(
  deps: Deps,
  trx: CreatorTransaction,
  { creatorId, contactId, userId }: Whose,
  entry: { what: 'taken_over' | 'handed_back' | 'blocked' | 'unblocked'; until?: Date | null },
  set: (now: Date) => ReturnType<typeof sql>,
): Promise<Contact> {
  const human = await findHuman(trx, creatorId, contactId, { lock: true });
  if (human.people.length === 0) throw new AppError('not_possible_now', 'No account of yours knows them.');
  const now = deps.clock.now();
  const before = viewOf(await readRowOf(trx, human), now);
  for (const key of human.people) {
    const ids = await queries.findIdsOf(trx, creatorId, key);
    await sql`update people set ${set(now)}
      where creator_id = ${creatorId} and connection_id = ${key.connectionId} and id = any(${ids})`.execute(trx);
  }
  const after = viewOf(await readRowOf(trx, human), now);
  // A second press changes nothing and is no event.
  if (before.takenOver?.until !== after.takenOver?.until || before.blockedAt !== after.blockedAt) {
    await writeDown(deps, trx, { creatorId, key: human.people[0]!, userId, ...entry });
  }
  return after;
}

/** After they were answered by hand: for the time chosen in the settings, and never shorter than it is already. */
export async function takeOverAsChosen(
  deps: { clock: Clock; ids: Pick<Ids, 'uuid'> },
  trx: CreatorTransaction,
  { creatorId, key, ids, userId }: { creatorId: string; key: ContactKey; ids: string[]; userId: string },
): Promise<void> {
  const now = deps.clock.now();
  const minutes = await readTakeoverMinutes(trx, creatorId);
  const until = minutes === null ? null : later(now, minutes);
  const before = viewOf(await readRowOf(trx, await findHuman(trx, creatorId, writeContactId(key))), now);
  await sql`
    update people set taken_over_until = greatest(taken_over_until, ${until ?? 'infinity'}::timestamptz)
    where creator_id = ${creatorId} and connection_id = ${key.connectionId} and id = any(${ids})
  `.execute(trx);
  await callOff(trx, { people: peopleOf(creatorId, key, ids) }, 'taken_over', now);
  if (before.takenOver === null) await writeDown(deps, trx, { creatorId, key, userId, what: 'taken_over', until });
}

async function writeDown(
  { clock, ids }: Deps,
  trx: CreatorTransaction,
  entry: {
    creatorId: string;
    key: ContactKey;
    userId: string;
    what: 'taken_over' | 'handed_back' | 'blocked' | 'unblocked';
    until?: Date | null;
  },
): Promise<void> {
  const now = clock.now();
  await trx
    .insertInto('contact_changes')
    .values({
      creator_id: entry.creatorId,
      id: ids.uuid(now),
      connection_id: entry.key.connectionId,
      person_id: entry.key.personId,
      what: entry.what,
      until: entry.until ?? null,
      changed_at: now,
      changed_by: entry.userId,
    })
    .execute();
}

/** Minutes for which automations keep quiet after somebody of the team answered; null: until handed back. */
export async function readTakeoverMinutes(trx: CreatorTransaction, creatorId: string): Promise<number | null> {
  const row = await trx
    .selectFrom('creators')
    .select('takeover_minutes')
    .where('id', '=', creatorId)
    .executeTakeFirstOrThrow();
  return row.takeover_minutes;
}

export async function changeTakeoverMinutes(
  trx: CreatorTransaction,
  creatorId: string,
  minutes: number | null,
): Promise<void> {
  await trx.updateTable('creators').set({ takeover_minutes: minutes }).where('id', '=', creatorId).execute();
}

function later(now: Date, minutes: number): Date {
  return new Date(now.getTime() + minutes * MINUTE_MS);
}
