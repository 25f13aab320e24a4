/**
 * Addresses given in DMs become contacts. The engine writes them down as it always did; a job reads what is new. Who gave an
 * address nobody had is its contact. Where one has it already anybody may have typed it: that is a suggestion to join.
 */
import { sql } from 'kysely';
import { parseEmailAddress } from '#contract/email-address.ts';
import type { Clock } from '#server/clock.ts';
import type { CreatorTransaction, Database } from '#server/db/database.ts';
import { applyNewsletterAct, findOrMakeContact } from './address-contacts.ts';
import type { SecretDeps } from './creator-secret.ts';
import { join, link } from './joining.ts';

type Deps = SecretDeps & { db: Database; clock: Clock };
type Given = {
  creator_id: string;
  id: string;
  connection_id: string;
  person_id: string;
  email: string;
  language: string | null;
  agreed_at: Date;
};

const ADDRESSES_PER_RUN = 500;
/** In the ledger, of every address that was looked at. */
const IN_A_DM = 'in_dm';

export const addressJobs = [
  { name: 'link-addresses', everyMs: 5000, run: (deps: Deps) => linkGivenAddresses(deps) },
  { name: 'contacts-follow', everyMs: 5000, run: (deps: Pick<Deps, 'db' | 'clock'>) => followPeople(deps) },
];

/** @returns how many were looked at */
export async function linkGivenAddresses({ db, ...deps }: Deps): Promise<number> {
  const { rows } = await sql<Given>`
    select creator_id, id, connection_id, person_id, email, language, agreed_at from consents
    where how is null and person_id is not null order by agreed_at limit ${ADDRESSES_PER_RUN}
  `.execute(db.engine);
  for (const [creatorId, given] of Map.groupBy(rows, (row) => row.creator_id)) {
    const linked = new Map<string, string | null>();
    await db.withCreator(creatorId, async (trx) => {
      for (const one of given) linked.set(one.id, await linkOne(deps, trx, one));
    });
    await sql`
      update consents c set how = ${IN_A_DM}, contact_id = g.contact_id
      from unnest(${[...linked.keys()]}::uuid[], ${[...linked.values()]}::uuid[]) as g (id, contact_id)
      where c.creator_id = ${creatorId} and c.id = g.id and c.person_id is not null
    `.execute(db.engine);
  }
  return rows.length;
}

/** @returns the contact that is theirs; null: it may be somebody else's, or they are gone */
async function linkOne(
  deps: SecretDeps & { clock: Clock },
  trx: CreatorTransaction,
  { creator_id: creatorId, connection_id: connectionId, person_id: personId, email, language, agreed_at: at }: Given,
): Promise<string | null> {
  const { rows } = await sql<{ contact_id: string | null }>`
    select contact_id from people where creator_id = ${creatorId} and connection_id = ${connectionId} and id = ${personId}
    for update
  `.execute(trx);
  const [person] = rows;
  if (person === undefined || parseEmailAddress(email) === null) return null;
  const found = await findOrMakeContact(trx, deps, { creatorId, email, name: null, language, source: 'dm', at });
  if (!found.isNew) return (await isTheirs(trx, creatorId, person.contact_id, found.id)) ? found.id : null;
  if (person.contact_id === null) await link(trx, creatorId, { connectionId, personId }, found.id);
  else {
    const both = { creatorId, contactId: person.contact_id, otherId: found.id, userId: null };
    await join(deps, trx, { ...both, why: 'same_person_gave_both' });
  }
  await applyNewsletterAct(trx, deps, {
    creatorId,
    contactId: found.id,
    act: 'ticks',
    at,
    how: IN_A_DM,
    mayAsk: false,
  });
  return found.id;
}

async function isTheirs(trx: CreatorTransaction, creatorId: string, theirs: string | null, found: string) {
  if (theirs === null) return false;
  const { rows } = await sql`
    select from contacts one, contacts other
    where one.creator_id = ${creatorId} and one.id = ${theirs} and other.creator_id = ${creatorId} and other.id = ${found}
      and case when one.joined_to is null then one.id else one.joined_to end = case when other.joined_to is null then other.id else other.joined_to end
  `.execute(trx);
  return rows.length > 0;
}

const LATE_MS = 10 * 60_000;
const FIRST_LOOK_MS = 7 * 24 * 3_600_000;
const lookedAt = new WeakMap<Database, Date>();

/** A contact is where its people are in the list; comments must not wait for its row. */
export async function followPeople({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  const now = clock.now();
  const last = lookedAt.get(db);
  const since = last === undefined ? now.getTime() - FIRST_LOOK_MS : last.getTime() - LATE_MS;
  await sql`
    update contacts c set last_seen_at = p.last_seen_at
    from (
      select p.creator_id, case when own.joined_to is null then own.id else own.joined_to end as id, max(p.last_seen_at) as last_seen_at
      from people p join contacts own on own.creator_id = p.creator_id and own.id = p.contact_id
      where p.contact_id is not null and p.last_seen_at > ${new Date(since)} group by 1, 2
    ) as p
    where c.creator_id = p.creator_id and c.id = p.id and c.last_seen_at < p.last_seen_at
  `.execute(db.engine);
  lookedAt.set(db, now);
}
