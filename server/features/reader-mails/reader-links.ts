/**
 * Links in mails to readers, signed with the creator's own secret: they work whatever becomes of SECRET_KEY, and are the same on
 * every try of a mail. Those about a contact need no row of ours; those of one mail are found again by their hash.
 */
import { createHash } from 'node:crypto';
import type { CreatorHash } from '#server/features/contacts/creator-secret.ts';

export const READER_PATH = '/e';

/** `unsubscribe` ends newsletters, `not_me` every mail. */
type AboutContact = 'unsubscribe' | 'not_me';
type Contact = { creatorId: string; contactId: string };

/** 256 bits. */
export function tokenOfMail(hash: CreatorHash, mailId: string, purpose: 'confirm' | 'tripwire'): string {
  return hash(purpose, mailId);
}

/** What is kept of a token of a mail. */
export function hashOfToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

export function tokenOfContact(hash: CreatorHash, { creatorId, contactId }: Contact, purpose: AboutContact): string {
  const ids = Buffer.from((creatorId + contactId).replaceAll('-', ''), 'hex');
  return Buffer.concat([ids, Buffer.from(hash(purpose, contactId), 'base64url')]).toString('base64url');
}
