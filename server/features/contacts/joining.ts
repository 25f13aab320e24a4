/**
 * Joining two who are one person, parting them again within 30 days exactly as they were, and remembering who is not the same.
 * Nothing is copied: an address keeps its row and points to the contact it was joined to.
 */
import { sql } from 'kysely';
import type { Clock } from '#server/clock.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import { AppError } from '#server/errors.ts';
import type { ContactKey } from './contact-id.ts';
import { creatorHashes, type SecretDeps } from './creator-secret.ts';
import { findHuman, type Human, refreshWhole } from './human.ts';
import { type NewsletterStatus, strictest } from './newsletter-status.ts';
import { noMailChanged } from './no-mail/changed.ts';

type Deps = SecretDeps & { clock: Clock };
export type JoinReason = 'by_hand' | 'same_person_gave_both';

export const PARTED_WITHIN_DAYS = 30;
const DAY_MS = 24 * 3_600_000;

/** The rows a join changed, as they were before. */
type Before = {
  /** The contact was made for the join. */
  made: boolean;
  /** Contacts that had been joined to the other one. */
  moved: string[];
  lastSeenAt: string | null;
  source: string | null;
  statuses: { id: string; newsletter: NewsletterStatus; newsletter_at: string | null }[];
};

/**
 * The older contact stands for both; the stricter newsletter counts for all addresses.
 *
 * @returns the join's id
 * @throws AppError not_found, invalid_input
 */
export async function join(
  deps: Deps,
  trx: CreatorTransaction,
  {
    creatorId,
    contactId,
    otherId,
    userId,
    why,
  }: {
    creatorId: string;
    contactId: string;
    otherId: string;
    userId: string | null;
    why: JoinReason;
  },
): Promise<string> {
  const { clock, ids } = deps;
  const one = await findHuman(trx, creatorId, contactId, { lock: true });
  const other = await findHuman(trx, creatorId, otherId, { lock: true });
  if (isSame(one, other)) throw new AppError('invalid_input', 'They are one contact already.');
  const at = clock.now();
  const id = ids.uuid(at);
  const made = one.contactId === null && other.contactId === null;
  const [stays, goes] = inOrder(one, other);
  const whole =
    stays.contactId ??
    (await makeWithoutAddress(trx, creatorId, { id: ids.uuid(at), people: stays.people, at, source: 'team' }));
  const before: Before = { made, moved: [], lastSeenAt: null, source: null, statuses: [] };
  const person = goes.contactId === null ? goes.people[0]! : null;
  if (!made) Object.assign(before, await takeAlong(trx, creatorId, whole, goes));
  if (person !== null) await link(trx, creatorId, person, whole);
  else before.moved = await pointTo(trx, creatorId, goes, whole);
  before.statuses = await takeStricter(trx, deps, {
    creatorId,
    contactIds: [...stays.contactIds, ...goes.contactIds],
    at,
  });
  await refreshWhole(trx, creatorId, [whole]);
  await trx
    .insertInto('joins')
    .values({
      creator_id: creatorId,
      id,
      contact_id: whole,
      other_contact_id: goes.contactId,
      connection_id: person?.connectionId ?? null,
      person_id: person?.personId ?? null,
      what: 'joined',
      why,
      before: JSON.stringify(before),
      made_at: at,
      made_by: userId,
    })
    .execute();
  return id;
}

function isSame(one: Human, other: Human): boolean {
  if (one.contactId !== null || other.contactId !== null) return one.contactId === other.contactId;
  const [first, second] = [one.people[0]!, other.people[0]!];
  return first.connectionId === second.connectionId && first.personId === second.personId;
}

/** Ids of contacts grow with time. */
function inOrder(one: Human, other: Human): [Human, Human] {
  if (other.contactId === null) return [one, other];
  return one.contactId === null || other.contactId < one.contactId ? [other, one] : [one, other];
}

export async function makeWithoutAddress(
  trx: CreatorTransaction,
  creatorId: string,
  { id, people, at, source }: { id: string; people: ContactKey[]; at: Date; source: 'team' | 'dm' },
): Promise<string> {
  await sql`
    insert into contacts (creator_id, id, first_seen_at, last_seen_at, source)
    values (${creatorId}, ${id}, ${at}, ${at}, ${source})
  `.execute(trx);
  for (const person of people) await link(trx, creatorId, person, id);
  await sql`
    update contacts c set last_seen_at = p.seen, first_seen_at = p.first
    from (
      select coalesce(max(last_seen_at), max(first_seen_at)) as seen, min(first_seen_at) as first from people
      where creator_id = ${creatorId} and contact_id = ${id}
    ) as p
    where c.creator_id = ${creatorId} and c.id = ${id}
  `.execute(trx);
  return id;
}

/** The contact of an address is theirs. */
export async function link(
  trx: CreatorTransaction,
  creatorId: string,
  key: ContactKey,
  contactId: string,
): Promise<void> {
  await sql`
    update people p set contact_id = c.id,
      email_asked_at = case when c.newsletter = 'confirmed' then coalesce(p.email_asked_at, c.confirmed_at) else p.email_asked_at end
    from contacts c
    where p.creator_id = ${creatorId} and p.connection_id = ${key.connectionId} and p.id = ${key.personId}
      and c.creator_id = ${creatorId} and c.id = ${contactId}
  `.execute(trx);
  await sql`
    update contacts c set last_seen_at = greatest(c.last_seen_at, p.last_seen_at), has_people = true
    from people p
    where p.creator_id = ${creatorId} and p.connection_id = ${key.connectionId} and p.id = ${key.personId}
      and c.creator_id = ${creatorId} and c.id = (select case when joined_to is null then id else joined_to end from contacts where creator_id = ${creatorId} and id = ${contactId})
  `.execute(trx);
}

/** @returns those that were joined to it before */
async function pointTo(trx: CreatorTransaction, creatorId: string, goes: Human, whole: string): Promise<string[]> {
  await sql`
    update contacts set joined_to = ${whole}
    where creator_id = ${creatorId} and id = any(${goes.contactIds}::uuid[])
  `.execute(trx);
  return goes.contactIds.filter((id) => id !== goes.contactId);
}

/** When it was seen, and whether the blog knows it. @returns what it was before */
async function takeAlong(trx: CreatorTransaction, creatorId: string, whole: string, goes: Human) {
  const { rows } = await sql<Pick<Before, 'lastSeenAt' | 'source'>>`
    update contacts c set last_seen_at = greatest(old.last_seen_at, others.last_seen_at),
      source = case when others.from_blog then 'blog' else old.source end
    from contacts old, (
      select max(last_seen_at) as last_seen_at, coalesce(bool_or(source = 'blog'), false) as from_blog from contacts
      where creator_id = ${creatorId} and id = any(${goes.contactIds}::uuid[])
    ) as others
    where c.creator_id = ${creatorId} and c.id = ${whole} and old.creator_id = c.creator_id and old.id = c.id
    returning old.last_seen_at::text as "lastSeenAt", old.source
  `.execute(trx);
  return rows[0]!;
}

/** People who left by one address left by all. @returns the changes */
async function takeStricter(
  trx: CreatorTransaction,
  deps: Deps,
  { creatorId, contactIds, at }: { creatorId: string; contactIds: string[]; at: Date },
): Promise<Before['statuses']> {
  const { rows } = await sql<Before['statuses'][number] & { key: string | null }>`
    select id, email_key as key, newsletter, newsletter_at::text as newsletter_at from contacts
    where creator_id = ${creatorId} and id = any(${contactIds}::uuid[])
  `.execute(trx);
  const all = strictest(rows.map(({ newsletter }) => newsletter));
  if (all !== 'complained' && all !== 'unsubscribed') return [];
  const changed = rows.filter(
    ({ newsletter }) => newsletter !== all && newsletter !== 'bounced' && newsletter !== 'complained',
  );
  await sql`
    update contacts set newsletter = ${all}, newsletter_at = ${at}
    where creator_id = ${creatorId} and id = any(${changed.map(({ id }) => id)}::uuid[])
  `.execute(trx);
  const hashOf = await creatorHashes(trx, deps, creatorId, at);
  const listed = changed.flatMap(({ id, key }) =>
    key === null ? [] : [{ creatorId, hash: hashOf('suppression', key), contactId: id }],
  );
  await noMailChanged(trx, at, ...listed);
  return changed.map(({ key, ...status }) => status);
}

/**
 * Later events stay where they happened; people who left meanwhile stay away.
 *
 * @throws AppError not_found; not_possible_now after 30 days
 */
export async function part(
  { clock }: Deps,
  trx: CreatorTransaction,
  { creatorId, joinId }: { creatorId: string; joinId: string },
): Promise<void> {
  const row = await trx
    .selectFrom('joins')
    .selectAll()
    .where('creator_id', '=', creatorId)
    .where('id', '=', joinId)
    .where('what', '=', 'joined')
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) throw new AppError('not_found', 'They aren’t joined.');
  const now = clock.now();
  if (now.getTime() - row.made_at.getTime() > PARTED_WITHIN_DAYS * DAY_MS) {
    throw new AppError(
      'not_possible_now',
      `Contacts can be separated for ${PARTED_WITHIN_DAYS} days after you join them.`,
    );
  }
  const before = row.before as Before;
  const { rows } = await sql<{ whole: string }>`
    select case when joined_to is null then id else joined_to end as whole from contacts where creator_id = ${creatorId} and id = ${row.contact_id}
  `.execute(trx);
  const whole = rows[0]?.whole ?? row.contact_id;
  // Its changes are undone where nobody changed the rows since.
  for (const status of before.statuses) {
    await sql`
      update contacts set newsletter = ${status.newsletter}, newsletter_at = ${status.newsletter_at}::timestamptz
      where creator_id = ${creatorId} and id = ${status.id} and newsletter_at = ${row.made_at}
    `.execute(trx);
  }
  if (row.person_id !== null) {
    await sql`
      update people set contact_id = null where creator_id = ${creatorId} and connection_id = ${row.connection_id}
        and id = ${row.person_id} and contact_id = ${row.contact_id}
    `.execute(trx);
  } else {
    await sql`
      update contacts set joined_to = case when id = ${row.other_contact_id} then null::uuid else ${row.other_contact_id}::uuid end
      where creator_id = ${creatorId} and joined_to = ${whole} and id = any(${[row.other_contact_id!, ...before.moved]}::uuid[])
    `.execute(trx);
  }
  await sql`update joins set what = 'parted', parted_at = ${now} where creator_id = ${creatorId} and id = ${joinId}`.execute(
    trx,
  );
  if (before.made && (await unmake(trx, creatorId, row.contact_id))) return;
  if (before.lastSeenAt !== null) {
    // As far as nothing newer came from those who stay.
    await sql`
      update contacts c set source = ${before.source}, last_seen_at = greatest(${before.lastSeenAt}::timestamptz, (
        select max(last_seen_at) from people where creator_id = ${creatorId} and contact_id = ${row.contact_id}), (
        select max(last_seen_at) from contacts where creator_id = ${creatorId} and joined_to = ${row.contact_id}))
      where c.creator_id = ${creatorId} and c.id = ${row.contact_id}
    `.execute(trx);
  }
  await refreshWhole(trx, creatorId, [
    whole,
    row.contact_id,
    ...(row.other_contact_id === null ? [] : [row.other_contact_id]),
  ]);
}

/** A contact that was made only for this join, when nothing else was put to it. */
async function unmake(trx: CreatorTransaction, creatorId: string, contactId: string): Promise<boolean> {
  const { rows } = await sql<{ others: number }>`
    select (
      (select count(*) from people where creator_id = ${creatorId} and contact_id = ${contactId})
      + 2 * (select count(*) from contacts where creator_id = ${creatorId} and (joined_to = ${contactId} or (id = ${contactId} and joined_to is not null)))
      + 2 * (select count(*) from contact_tags where creator_id = ${creatorId} and contact_id = ${contactId})
    )::int as others
  `.execute(trx);
  if (rows[0]!.others > 1) return false;
  await sql`update people set contact_id = null where creator_id = ${creatorId} and contact_id = ${contactId}`.execute(
    trx,
  );
  await sql`delete from contacts where creator_id = ${creatorId} and id = ${contactId} and email_key is null`.execute(
    trx,
  );
  return true;
}

/** "Not the same": they are suggested no more. @throws AppError not_found, invalid_input */
export async function dismiss(
  { clock, ids }: Deps,
  trx: CreatorTransaction,
  { creatorId, contactId, otherId, userId }: { creatorId: string; contactId: string; otherId: string; userId: string },
): Promise<void> {
  const one = await findHuman(trx, creatorId, contactId);
  const other = await findHuman(trx, creatorId, otherId);
  const [stays, goes] = inOrder(one, other);
  if (stays.contactId === null || isSame(one, other)) throw new AppError('invalid_input', 'No one suggested that.');
  const person = goes.contactId === null ? goes.people[0]! : null;
  const at = clock.now();
  await trx
    .insertInto('joins')
    .values({
      creator_id: creatorId,
      id: ids.uuid(at),
      contact_id: stays.contactId,
      other_contact_id: goes.contactId,
      connection_id: person?.connectionId ?? null,
      person_id: person?.personId ?? null,
      what: 'dismissed',
      why: 'by_hand',
      made_at: at,
      made_by: userId,
    })
    .execute();
}
