import { createHmac } from 'node:crypto';
import type { LoginFlavour } from '../control/types.ts';
import type { World } from '../state/world.ts';

const TO_ESCAPE = /[/\u0080-\uffff]/g;

/** Meta's bytes: every non-ASCII code unit as `\uXXXX` [D], `/` as `\/` [C]. A receiver that re-serialises gets another hash. */
export function escapeBody(json: string): string {
  return json.replace(TO_ESCAPE, (unit) =>
    unit === '/' ? '\\/' : `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** [?] Which secret signs Instagram-Login events is only known from clients: switchable. Page and Facebook-Login events: the Meta app's. */
export function webhookSecret(world: World, flavour: LoginFlavour): string {
  const instagrams = flavour === 'instagram' && world.settings.switches.instagramWebhookSecret === 'instagram';
  return instagrams ? world.app.instagramAppSecret : world.app.metaAppSecret;
}

/** Headers of a webhook POST with its signatures. */
export function signedHeaders(world: World, flavour: LoginFlavour, body: string): Record<string, string> {
  const secret = webhookSecret(world, flavour);
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'user-agent': 'facebookexternalua', // [C]
    'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
  };
  if (world.settings.switches.signatureHeaders === 'both') {
    headers['x-hub-signature'] = `sha1=${createHmac('sha1', secret).update(body).digest('hex')}`;
  }
  return headers;
}

/** The `signed_request` of the deauthorize and data deletion callbacks. */
export function signedRequest(secret: string, payload: Record<string, unknown>): string {
  const encoded = Buffer.from(JSON.stringify({ algorithm: 'HMAC-SHA256', ...payload })).toString('base64url');
  return `${createHmac('sha256', secret).update(encoded).digest('base64url')}.${encoded}`;
}
