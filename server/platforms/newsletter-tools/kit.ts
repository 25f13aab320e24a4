/**
 * Kit, version 4 of its API, by the creator's own key. Facts: https://developers.kit.com (rate limits, subscribers, webhook
 * endpoints, signatures), read in November 2026. Where a shape was not seen there, [?] stands.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import * as z from 'zod/mini';
import {
  askTool,
  type NewsletterTool,
  type RemoteContact,
  type RemoteState,
  type ToolAnswer,
  type ToolContact,
  type ToolEvent,
  ToolFailure,
  tellTool,
} from './tool.ts';

/** A key's; 600 for an app with OAuth. Some are left for the creator's other programs. */
const CALLS_PER_MINUTE = 100;
const WINDOW_MS = 60_000;
const SIGNED_FOR_MS = 5 * 60_000;
const PER_PAGE = 500;
/** Those Kit delivers today. */
const EVENTS = ['subscriber.unsubscribed', 'subscriber.bounced', 'subscriber.complained'];

const STATES: Record<string, RemoteState> = {
  active: 'subscribed',
  inactive: 'pending',
  cancelled: 'unsubscribed',
  bounced: 'bounced',
  complained: 'complained',
};

const Subscriber = z.object({ id: z.number(), email_address: z.string(), state: z.string() });
const One = z.object({ subscriber: Subscriber });
const Account = z.object({ account: z.object({ name: z.string() }) });
const Tags = z.object({ tags: z.array(z.object({ id: z.number(), name: z.string() })) });
const Page = z.object({
  subscribers: z.array(Subscriber),
  pagination: z.object({ has_next_page: z.boolean(), end_cursor: z.nullable(z.string()) }),
});
// [?] whether the object has a name around it.
const CreatedHook = z.object({ webhook_endpoint: z.object({ id: z.number(), secret: z.string() }) });
const Delivery = z.object({
  events: z.array(z.object({ id: z.string(), data: z.object({ subscriber: z.optional(Subscriber) }) })),
});

/** @param url of the API: https://api.kit.com */
export function kitTool(url: string, apiKey: string): NewsletterTool {
  const headers = { 'x-kit-api-key': apiKey };
  const request = (method: string, path: string, body?: object) => ({
    method,
    url: `${url}/v4${path}`,
    headers,
    ...(body !== undefined && { body }),
  });

  return {
    callsPerMinute: CALLS_PER_MINUTE,
    async verify() {
      return { accountName: (await askTool(KIT, request('GET', '/account'), Account)).account.name };
    },
    async targets() {
      const { tags } = await askTool(KIT, request('GET', '/tags?per_page=1000'), Tags);
      return tags.map(({ id, name }) => ({ id: String(id), name }));
    },
    // Upserts by address; the state of whom Kit knows stays as it is.
    async subscribe({ email, firstName, remoteId }, tagId) {
      const body = { email_address: email, first_name: firstName, state: 'active' };
      const contact = remoteContact((await askTool(KIT, request('POST', '/subscribers', body), One)).subscriber);
      if (remoteId === null && tagId !== null)
        await askTool(KIT, request('POST', `/tags/${tagId}/subscribers/${contact.remoteId}`), One);
      return contact;
    },
    async unsubscribe({ remoteId }: ToolContact) {
      if (remoteId !== null) await tellTool(KIT, request('POST', `/subscribers/${remoteId}/unsubscribe`, {}));
    },
    // [?] No call was found that deletes a subscriber.
    async remove(remoteId) {
      await tellTool(KIT, request('POST', `/subscribers/${remoteId}/unsubscribe`, {}));
    },
    async listenAt(hookUrl) {
      const body = { url: hookUrl, events: EVENTS, name: 'Creator HQ' };
      const { webhook_endpoint: hook } = await askTool(KIT, request('POST', '/webhook_endpoints', body), CreatedHook);
      return { id: String(hook.id), secret: hook.secret };
    },
    stopListening: (hookId) => tellTool(KIT, request('DELETE', `/webhook_endpoints/${hookId}`)),
    async leftSince(since, after) {
      const query = new URLSearchParams({
        status: 'all',
        updated_after: since.toISOString(),
        per_page: String(PER_PAGE),
        ...(after !== null && { after }),
      });
      const { subscribers, pagination } = await askTool(KIT, request('GET', `/subscribers?${query}`), Page);
      return {
        contacts: subscribers.map(remoteContact).filter(({ state }) => state !== 'subscribed' && state !== 'pending'),
        next: pagination.has_next_page ? pagination.end_cursor : null,
      };
    },
  };
}

function remoteContact({ id, email_address: email, state }: z.infer<typeof Subscriber>): RemoteContact {
  return { remoteId: String(id), email, state: STATES[state] ?? 'pending' };
}

const KIT = { name: 'Kit', failureOf };

function failureOf({ status, json, text }: ToolAnswer): ToolFailure {
  const says = wordsOf(json) ?? text.slice(0, 200);
  // Plain text "Retry later", without a Retry-After.
  if (status === 429) return new ToolFailure('later', 'Kit asks us to slow down.', { waitMs: WINDOW_MS });
  if (status === 401 || status === 403) return new ToolFailure('reconnect', 'Kit no longer accepts the API key.');
  if (status >= 500) return new ToolFailure('later', `Kit has a problem (${status}).`);
  if (status === 422) return new ToolFailure('contact', `Kit says: ${says}`);
  return new ToolFailure('ours', `Kit didn’t accept this (${status}): ${says}`);
}

function wordsOf(json: Record<string, unknown> | null): string | null {
  const errors = json?.errors;
  return Array.isArray(errors) ? errors.map(String).join(' ').slice(0, 200) : null;
}

/**
 * `X-Kit-Signature: t=<seconds>,v1=<hex>[,v1=…]` over `<t>.<body>`; several while its secret changes.
 *
 * @returns null when it is not Kit's, or older than five minutes
 */
export function readKitDelivery(
  bytes: Buffer,
  header: string | undefined,
  secret: string,
  now: Date,
): ToolEvent[] | null {
  const parts = (header ?? '').split(',').map((part) => part.trim().split('=', 2) as [string, string | undefined]);
  const at = Number(parts.find(([name]) => name === 't')?.[1]);
  if (!Number.isFinite(at) || Math.abs(now.getTime() - at * 1000) > SIGNED_FOR_MS) return null;
  const expected = createHmac('sha256', secret).update(`${at}.`).update(bytes).digest();
  const isSigned = parts.some(([name, value]) => {
    const given = Buffer.from(value ?? '', 'hex');
    return name === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
  if (!isSigned) return null;
  const read = z.safeParse(Delivery, readJson(bytes));
  if (!read.success) return [];
  return read.data.events.flatMap(({ id, data: { subscriber } }) =>
    subscriber === undefined ? [] : [{ id, ...remoteContact(subscriber) }],
  );
}

function readJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return null;
  }
}
