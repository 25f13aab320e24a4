/** A message as the addresses of lists name it: people pass these on, and its own links let a member in. */
import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import { deliveryIdOf } from '#server/engine/deciding/tracked-url.ts';

/** @param part the message's, out of its link @returns as long as that */
export function markOfMessage(secretKey: string, part: string): string {
  const cipher = createCipheriv('aes-128-ecb', keyOf(secretKey), null).setAutoPadding(false);
  return cipher.update(Buffer.from(part, 'base64url')).toString('base64url');
}

/** @returns the delivery's id, of none where the mark is made up; null for what is no mark */
export function messageOfMark(secretKey: string, mark: string): string | null {
  if (deliveryIdOf(mark) === null) return null;
  const decipher = createDecipheriv('aes-128-ecb', keyOf(secretKey), null).setAutoPadding(false);
  return deliveryIdOf(decipher.update(Buffer.from(mark, 'base64url')).toString('base64url'));
}

/** An id is one block, and no two are the same: that one needs no more than the block. */
function keyOf(secretKey: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, '', 'message marks', 16));
}
