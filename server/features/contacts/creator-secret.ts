/** A secret of each creator for hashes that must outlast SECRET_KEY; sealed at rest, and resealed when keys are rotated. */
import { createHmac, randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Ids } from '#server/clock.ts';
import type { Tables } from '#server/db/types.ts';
import { type EncryptionKey, openOrNull, seal } from '#server/secrets.ts';

export type SecretDeps = { ids: Ids; keys: { encryptionKeys: EncryptionKey[] } };

export type HashPurpose =
  | 'suppression'
  | 'confirm'
  | 'tripwire'
  | 'unsubscribe'
  | 'not_me'
  | 'cookbook'
  | 'mail_link'
  | 'mail_click'
  | 'fan_code'
  | 'fan_address'
  | 'fan_gift'
  | 'fan_keep'
  | 'fan_go_on'
  | 'opening_test';
/** HMAC-SHA-256 with a creator's secret, base64url. The purpose keeps hashes of one kind from being those of another. */
export type CreatorHash = (purpose: HashPurpose, text: string) => string;

/** As `creatorHashes`, for one. */
export async function creatorHash(
  db: Kysely<Tables>,
  deps: SecretDeps,
  { creatorId, purpose, text }: { creatorId: string; purpose: HashPurpose; text: string },
  at: Date,
): Promise<string> {
  return (await creatorHashes(db, deps, creatorId, at))(purpose, text);
}

/**
 * Reads the creator's secret, or makes it. One whose key was lost is replaced: hashes from before then match nothing.
 *
 * @param db of the creator's, or the engine's
 */
export async function creatorHashes(
  db: Kysely<Tables>,
  deps: SecretDeps,
  creatorId: string,
  at: Date,
): Promise<CreatorHash> {
  const secret = await readSecret(db, deps, creatorId, at);
  return (purpose, text) => createHmac('sha256', secret).update(`${purpose}\n${text}`).digest('base64url');
}

async function readSecret(trx: Kysely<Tables>, { ids, keys }: SecretDeps, creatorId: string, at: Date) {
  const known = openedOrNull(keys.encryptionKeys, await find(trx, creatorId));
  if (known !== null) return known;
  const made = randomBytes(32).toString('base64url');
  const secret = seal(keys.encryptionKeys, made);
  const row = await trx
    .insertInto('creator_secrets')
    .values({ creator_id: creatorId, id: ids.uuid(at), secret, made_at: at })
    .onConflict((conflict) => conflict.column('creator_id').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (row !== undefined) return made;
  // Another made one meanwhile, or nobody can open it any more.
  const others = openedOrNull(keys.encryptionKeys, await find(trx, creatorId));
  if (others !== null) return others;
  await trx.updateTable('creator_secrets').set({ secret }).where('creator_id', '=', creatorId).execute();
  return made;
}

function openedOrNull(keys: EncryptionKey[], sealed: string | undefined): string | null {
  return sealed === undefined ? null : openOrNull(keys, sealed);
}

async function find(trx: Kysely<Tables>, creatorId: string): Promise<string | undefined> {
  const row = await trx
    .selectFrom('creator_secrets')
    .select('secret')
    .where('creator_id', '=', creatorId)
    .executeTakeFirst();
  return row?.secret;
}
