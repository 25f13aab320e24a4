/**
 * The form of Meta's deauthorize and data-deletion calls: `<signature>.<payload>`, both base64url, the signature over
 * the payload as it is written (reference section 5).
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { idOf, isObject, parseMetaJson } from './json.ts';

/**
 * @param secrets all that may have signed: which one signs for Instagram Login is not settled [?]
 * @returns the app-scoped id of the person it is about; null when it is not Meta's
 */
export function readSignedRequest(signedRequest: string, secrets: string[]): { userId: string } | null {
  const dot = signedRequest.indexOf('.');
  if (dot < 1) return null;
  const given = Buffer.from(signedRequest.slice(0, dot), 'base64url');
  const payload = signedRequest.slice(dot + 1);
  const signed = secrets.some((secret) => {
    const expected = createHmac('sha256', secret).update(payload).digest();
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  if (!signed) return null;
  let content: unknown;
  try {
    content = parseMetaJson(Buffer.from(payload, 'base64url').toString('utf8'));
  } catch {
    return null;
  }
  if (!isObject(content) || String(content.algorithm).toUpperCase() !== 'HMAC-SHA256') return null;
  const userId = idOf(content.user_id);
  return userId === null ? null : { userId };
}
