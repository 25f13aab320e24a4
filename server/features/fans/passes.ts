/** What lets a contact read what is for members: passes. The one writer of `tiers` and `passes`. */
import { sql } from 'kysely';
import type { Clock } from '#server/clock.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import { findOrMakeContact } from '#server/features/contacts/address-contacts.ts';
import type { SecretDeps } from '#server/features/contacts/creator-secret.ts';

type Deps = { clock: Clock } & SecretDeps;

/** @returns its id */
export async function makeTier(
  { clock, ids }: Pick<Deps, 'clock' | 'ids'>,
  trx: CreatorTransaction,
  { creatorId, name }: { creatorId: string; name: string },
): Promise<string> {
  const now = clock.now();
  const id = ids.uuid(now);
  await trx.insertInto('tiers').values({ creator_id: creatorId, id, name, made_at: now }).execute();
  return id;
}

/**
 * Lets somebody in without paying.
 *
 * @param given.endsAt null: for good
 * @returns the contact's id
 * @throws AppError invalid_input for what is no address
 */
export async function givePass(
  deps: Deps,
  trx: CreatorTransaction,
  given: { creatorId: string; email: string; tierId: string; endsAt: Date | null; note: string | null },
): Promise<string> {
  const { creatorId, email, tierId, endsAt, note } = given;
  const now = deps.clock.now();
  const contact = { creatorId, email, name: null, language: null, source: 'team', at: now } as const;
  const { id: contactId } = await findOrMakeContact(trx, deps, contact);
  await trx
    .insertInto('passes')
    .values({
      ...{ creator_id: creatorId, id: deps.ids.uuid(now), contact_id: contactId, tier_id: tierId, source: 'given' },
      ...{ begins_at: now, ends_at: endsAt, note },
    })
    .execute();
  return contactId;
}

/** Takes all passes of a contact away, at once. */
export async function endPasses(
  { clock }: Pick<Deps, 'clock'>,
  trx: CreatorTransaction,
  { creatorId, contactId }: { creatorId: string; contactId: string },
): Promise<void> {
  await trx
    .updateTable('passes')
    .set({ ended_at: clock.now() })
    .where('creator_id', '=', creatorId)
    .where('contact_id', '=', contactId)
    .where('ended_at', 'is', null)
    .execute();
}

/** Until when a contact reads on, in a statement that has its `contact_id` as `of`; `infinity` for good, null: they do not. */
export function readsUntil(of: ReturnType<typeof sql.ref>, now: Date) {
  return sql<Date | number | null>`(
    select max(coalesce(p.ends_at, 'infinity')) from passes p
    where p.creator_id = current_creator_id() and p.contact_id = ${of}
      and p.begins_at <= ${now} and p.ended_at is null and coalesce(p.ends_at, 'infinity') > ${now}
  )`;
}
