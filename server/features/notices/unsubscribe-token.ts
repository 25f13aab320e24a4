/** The token in the unsubscribe link of a mail: whose it is, signed, so that it works without logging in and for ever. */
import { createHmac, timingSafeEqual } from 'node:crypto';

type Whose = { creatorId: string; userId: string };

const ID_BYTES = 16;

export function unsubscribeToken(secretKey: string, { creatorId, userId }: Whose): string {
  const ids = Buffer.from((creatorId + userId).replaceAll('-', ''), 'hex');
  return Buffer.concat([ids, sign(secretKey, ids)]).toString('base64url');
}

/** Null for one that we did not make. */
export function readUnsubscribeToken(secretKey: string, token: string): Whose | null {
  const bytes = Buffer.from(token, 'base64url');
  const ids = bytes.subarray(0, 2 * ID_BYTES);
  const expected = sign(secretKey, ids);
  const given = bytes.subarray(2 * ID_BYTES);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
  return { creatorId: uuidOf(ids.subarray(0, ID_BYTES)), userId: uuidOf(ids.subarray(ID_BYTES)) };
}

function sign(secretKey: string, ids: Buffer): Buffer {
  return createHmac('sha256', secretKey).update('unsubscribe weekly figures\0').update(ids).digest();
}

function uuidOf(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
