/**
 * Keys that a blog and this hub share, 32 bytes as base64url, sealed here. Of a change the blog is told first, and nothing is signed with the new
 * key before it says that it has it: no browser's word becomes worthless meanwhile.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { Clock } from '#server/clock.ts';
import type { CreatorTransaction, Database } from '#server/db/database.ts';
import type { SitesTable } from '#server/db/types.ts';
import { AppError } from '#server/errors.ts';
import { type Keys, openOrNull, seal } from '#server/secrets.ts';

type Deps = { clock: Clock; keys: Pick<Keys, 'encryptionKeys'> };
type Kept = Pick<Selectable<SitesTable>, 'signing_key' | 'old_signing_key' | 'next_signing_key' | 'dead_signing_key'>;

const KEY_BYTES = 32;
const DAY_MS = 86_400_000;
const CHANGED_AFTER_DAYS = 365;
/** A blog that is away would not hear of it. */
const HEARD_WITHIN_DAYS = 2;

export function newKey(keys: Deps['keys']): { key: string; sealed: string } {
  const key = randomBytes(KEY_BYTES).toString('base64url');
  return { key, sealed: seal(keys.encryptionKeys, key) };
}

/** How a blog says which keys it has. */
export function fingerprintOf(key: string): string {
  return createHash('sha256').update(Buffer.from(key, 'base64url')).digest('base64url').slice(0, 16);
}

/** @returns those that are good, at most two: the one in use first. Empty: none can be opened */
export function keysOf({ keys }: Pick<Deps, 'keys'>, site: Kept): string[] {
  const all = [site.signing_key, site.next_signing_key, site.old_signing_key].map((sealed) => opened(keys, sealed));
  return all[0] === null ? [] : all.filter((key) => key !== null).slice(0, 2);
}

/** The raw keys that sign a call to the blog: it takes the call when it has one of them. */
export function callKeysOf({ keys }: Pick<Deps, 'keys'>, site: Kept): Buffer[] {
  const dead = opened(keys, site.dead_signing_key);
  const all = dead === null ? keysOf({ keys }, site) : [...keysOf({ keys }, site), dead];
  return all.map((key) => Buffer.from(key, 'base64url'));
}

/** @param has fingerprints that the blog named @returns columns that change because of them */
export function afterHearing({ keys }: Pick<Deps, 'keys'>, site: Kept, has: string[]) {
  const knows = (sealed: string | null) => {
    const key = opened(keys, sealed);
    return key !== null && has.includes(fingerprintOf(key));
  };
  if (knows(site.next_signing_key)) {
    return { old_signing_key: site.signing_key, signing_key: site.next_signing_key, next_signing_key: null };
  }
  return site.dead_signing_key !== null && knows(site.signing_key) ? { dead_signing_key: null } : {};
}

/** Of blogs whose key is a year old. @returns those to tell */
export async function beginYearlyChanges({
  db,
  clock,
  keys,
}: Deps & { db: Database }): Promise<{ creatorId: string; siteId: string }[]> {
  const now = clock.now();
  const before = (days: number) => new Date(now.getTime() - days * DAY_MS);
  const due = await db.engine
    .selectFrom('sites')
    .select(['creator_id', 'id'])
    .where('kind', '=', 'wordpress')
    .where('is_live', '=', true)
    .where('key_made_at', '<', before(CHANGED_AFTER_DAYS))
    .where('last_heard_at', '>', before(HEARD_WITHIN_DAYS))
    .execute();
  for (const { creator_id, id } of due) {
    await db.engine
      .updateTable('sites')
      .set({ next_signing_key: newKey(keys).sealed, old_signing_key: null, key_made_at: now })
      .where('creator_id', '=', creator_id)
      .where('id', '=', id)
      .execute();
  }
  return due.map(({ creator_id, id }) => ({ creatorId: creator_id, siteId: id }));
}

/**
 * Makes everything worthless that was signed for a blog.
 *
 * @throws AppError not_found
 */
export async function replaceKey(
  { clock, keys }: Deps,
  trx: CreatorTransaction,
  { creatorId, siteId }: { creatorId: string; siteId: string },
): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('sites')
    .set((eb) => ({
      dead_signing_key: eb.ref('signing_key'),
      ...{ signing_key: newKey(keys).sealed, old_signing_key: null, next_signing_key: null },
      key_made_at: clock.now(),
    }))
    .where('creator_id', '=', creatorId)
    .where('id', '=', siteId)
    .where('kind', '=', 'wordpress')
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new AppError('not_found', 'This site was removed meanwhile.');
}

function opened(keys: Deps['keys'], sealed: string | null): string | null {
  return sealed === null ? null : openOrNull(keys.encryptionKeys, sealed);
}
