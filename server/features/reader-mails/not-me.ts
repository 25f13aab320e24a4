/** Addresses whose owners said that they did not enter them. At two creators it is no mistake: then nobody here writes there. */
import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import type { Clock } from '#server/clock.ts';
import type { Database } from '#server/db/database.ts';
import type { Keys } from '#server/secrets.ts';

type Deps = { db: Pick<Database, 'engine'>; clock: Clock; keys: Pick<Keys, 'secretKey'> };

const CREATORS_NEEDED = 2;

export async function noteNotMe(
  { db, clock, keys }: Deps,
  { creatorId, contactId }: { creatorId: string; contactId: string },
): Promise<void> {
  const contact = await db.engine
    .selectFrom('contacts')
    .select('email_key')
    .where('creator_id', '=', creatorId)
    .where('id', '=', contactId)
    .executeTakeFirst();
  if (!contact?.email_key) return;
  await db.engine
    .insertInto('not_me_addresses')
    .values({ email_hash: hashOf(keys, contact.email_key), creator_id: creatorId, since: clock.now() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** @returns those of the addresses that nobody here writes to */
export async function findShutEverywhere({ db, keys }: Pick<Deps, 'db' | 'keys'>, emailKeys: string[]) {
  const byHash = new Map(emailKeys.map((key) => [hashOf(keys, key), key]));
  const rows = await db.engine
    .selectFrom('not_me_addresses')
    .select('email_hash')
    .where('email_hash', 'in', [...byHash.keys()])
    .groupBy('email_hash')
    .having(sql<number>`count(*)`, '>=', CREATORS_NEEDED)
    .execute();
  return new Set(rows.map(({ email_hash: hash }) => byHash.get(hash)!));
}

/** The same for every creator; another SECRET_KEY begins anew. */
function hashOf({ secretKey }: Pick<Keys, 'secretKey'>, emailKey: string): string {
  return createHmac('sha256', secretKey).update(`not me\0${emailKey}`).digest('base64url');
}
