/** Readers whom their creator lets in no longer: they get no code and buy nothing, and what was theirs to read waits until they are let in again. */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { parseEmailAddress } from '#contract/email-address.ts';
import type { Clock } from '#server/clock.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import type { Tables } from '#server/db/types.ts';
import type { SecretDeps } from '#server/features/contacts/creator-secret.ts';
import { noteChange } from './passes.ts';

export const BLOCKED = 'This address can’t be used here. Write to the creator.';

/** In a statement. @param creatorId, of with the names of their tables: `fans` has such columns too. @param of a contact's id */
export function isBlocked(creatorId: RawBuilder<unknown>, of: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from fans b where b.creator_id = ${creatorId} and b.contact_id = ${of} and b.blocked_at is not null
  )`;
}

export async function isReaderBlocked(
  db: Kysely<Tables>,
  { creatorId, contactId }: { creatorId: string; contactId: string },
): Promise<boolean> {
  const fan = await db
    .selectFrom('fans')
    .select('blocked_at')
    .where('creator_id', '=', creatorId)
    .where('contact_id', '=', contactId)
    .executeTakeFirst();
  return fan?.blocked_at != null;
}

export async function isAddressBlocked(
  db: Kysely<Tables>,
  { creatorId, email }: { creatorId: string; email: string },
): Promise<boolean> {
  const contact = await db
    .selectFrom('contacts as c')
    .select(isBlocked(sql.ref('c.creator_id'), sql.ref('c.id')).as('isBlocked'))
    .where('c.creator_id', '=', creatorId)
    .where('c.email_key', '=', parseEmailAddress(email)?.key ?? '')
    .executeTakeFirst();
  return contact?.isBlocked === true;
}

/** Once. Whoever does this logs them out. */
export async function block(
  deps: { clock: Clock } & SecretDeps,
  trx: CreatorTransaction,
  { creatorId, contactId }: { creatorId: string; contactId: string },
): Promise<void> {
  const { rows } = await sql`
    insert into fans as f (creator_id, contact_id, blocked_at) values (${creatorId}, ${contactId}, ${deps.clock.now()})
    on conflict (creator_id, contact_id) do update set blocked_at = excluded.blocked_at where f.blocked_at is null returning 1
  `.execute(trx);
  if (rows.length === 0) return;
  await noteChange(deps, trx, { creatorId, contactId, what: 'Blocked, and logged out on all devices.' });
}

export async function unblock(
  deps: { clock: Clock } & SecretDeps,
  trx: CreatorTransaction,
  { creatorId, contactId }: { creatorId: string; contactId: string },
): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('fans')
    .set({ blocked_at: null })
    .where('creator_id', '=', creatorId)
    .where('contact_id', '=', contactId)
    .where('blocked_at', 'is not', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return;
  await noteChange(deps, trx, { creatorId, contactId, what: 'Let in again.' });
}
