/**
 * Links in mails to readers, signed with the creator's own secret: they work whatever becomes of SECRET_KEY, and are the same on
 * every try of a mail. Those about a contact need no row of ours; those of one mail are found again by their hash.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Tables } from '#server/db/types.ts';
import { type CreatorHash, creatorHashes, type SecretDeps } from '#server/features/contacts/creator-secret.ts';

export const READER_PATH = '/e';

/** `unsubscribe` ends newsletters, `not_me` every mail; `cookbook` shows what they saved. */
export type AboutContact = 'unsubscribe' | 'not_me' | 'cookbook';
export type Contact = { creatorId: string; contactId: string };

const ID_BYTES = 16;
const MAC_BYTES = 32;

/** 256 bits. */
export function tokenOfMail(hash: CreatorHash, mailId: string, purpose: 'confirm' | 'tripwire'): string {
  return hash(purpose, mailId);
}

/** The part of a mail's token that is kept. */
export function hashOfToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

export function tokenOfContact(hash: CreatorHash, { creatorId, contactId }: Contact, purpose: AboutContact): string {
  const ids = Buffer.from((creatorId + contactId).replaceAll('-', ''), 'hex');
  return Buffer.concat([ids, Buffer.from(hash(purpose, contactId), 'base64url')]).toString('base64url');
}

/** Null for one that we did not make, or whose creator is gone. */
export async function readTokenOfContact(
  db: Kysely<Tables>,
  deps: SecretDeps,
  token: string,
  purpose: AboutContact,
  at: Date,
): Promise<Contact | null> {
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length !== 2 * ID_BYTES + MAC_BYTES) return null;
  const [creatorId, contactId] = [0, ID_BYTES].map((from) => uuidOf(bytes.subarray(from, from + ID_BYTES)));
  const contact = { creatorId: creatorId!, contactId: contactId! };
  const creator = await db.selectFrom('creators').select('id').where('id', '=', contact.creatorId).executeTakeFirst();
  if (creator === undefined) return null;
  const hash = await creatorHashes(db, deps, contact.creatorId, at);
  return timingSafeEqual(bytes, Buffer.from(tokenOfContact(hash, contact, purpose), 'base64url')) ? contact : null;
}

function uuidOf(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
