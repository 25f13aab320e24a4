/** The short link of a message: `/l/{code}` names where it leads, the last part the message it stands in. */

/** @param deliveryId a UUID, written as 22 letters of base64url so that the link stays short */
export function trackedUrl(baseUrl: string, code: string, deliveryId: string): string {
  return `${baseUrl}/l/${code}/${Buffer.from(deliveryId.replaceAll('-', ''), 'hex').toString('base64url')}`;
}

/** The delivery's id out of a link; null for anything else than what `trackedUrl` writes. */
export function deliveryIdOf(part: string): string | null {
  if (!/^[A-Za-z0-9_-]{22}$/.test(part)) return null;
  const hex = Buffer.from(part, 'base64url').toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
