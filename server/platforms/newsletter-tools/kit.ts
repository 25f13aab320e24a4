/**
 * Kit, version 4 of its API, by the creator's own key or by the operator's app (`kit-login.ts`). Facts: https://developers.kit.com
 * (rate limits, subscribers, bulk, webhook endpoints, signatures), read in November 2026. Where a shape was not seen there, [?] stands.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import * as z from 'zod/mini';
import { SIGNED_OUT } from './kit-login.ts';
import {
  askOfEach,
  askTool,
  type NewsletterTool,
  type RemoteContact,
  type RemoteState,
  type ToolAnswer,
  type ToolContact,
  type ToolEvent,
  ToolFailure,
  type ToolRequest,
  tellTool,
} from './tool.ts';

/** Of 120 with a key, and 600 of an app. Some are left for the creator's other programs. */
const CALLS_PER_MINUTE = { key: 100, login: 500 };
/** More are taken too, but answered later, elsewhere. For apps only. */
const AT_ONCE = 100;
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
const Bulk = z.object({
  subscribers: z.array(Subscriber),
  failures: z.array(
    z.object({ subscriber: z.object({ email_address: z.nullish(z.string()) }), errors: z.array(z.string()) }),
  ),
});
const Tagged = z.object({ failures: z.array(z.unknown()) });
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

/** A key of the creator's, or the access token of a login: another one than that which Kit just refused. */
export type KitAccess = { apiKey: string } | { token(refused?: string): Promise<string> };

/** @param url of the API: https://api.kit.com */
export function kitTool(url: string, access: KitAccess): NewsletterTool {
  const isByKey = 'apiKey' in access;
  const words = { name: 'Kit', failureOf: (answer: ToolAnswer) => failureOf(answer, isByKey) };
  const request = (method: string, path: string, body?: object) => ({
    method,
    url: `${url}/v4${path}`,
    headers: {},
    ...(body !== undefined && { body }),
  });
  /** A token may have ended: then once more with a new one. */
  async function signed<T>(unsigned: ToolRequest, send: (request: ToolRequest) => Promise<T>): Promise<T> {
    if (isByKey) return send({ ...unsigned, headers: { 'x-kit-api-key': access.apiKey } });
    const withToken = (token: string) => send({ ...unsigned, headers: { authorization: `Bearer ${token}` } });
    const token = await access.token();
    try {
      return await withToken(token);
    } catch (error) {
      if (!(error instanceof ToolFailure) || error.kind !== 'reconnect') throw error;
      return withToken(await access.token(token));
    }
  }
  const ask = <Shape>(unsigned: ToolRequest, shape: z.ZodMiniType<Shape>) =>
    signed(unsigned, (one) => askTool(words, one, shape));
  const tell = (unsigned: ToolRequest) => signed(unsigned, (one) => tellTool(words, one));

  async function subscribeOne({ email, firstName, remoteId }: ToolContact, tagId: string | null) {
    const body = { email_address: email, first_name: firstName, state: 'active' };
    const contact = remoteContact((await ask(request('POST', '/subscribers', body), One)).subscriber);
    if (remoteId === null && tagId !== null)
      await ask(request('POST', `/tags/${tagId}/subscribers/${contact.remoteId}`), One);
    return contact;
  }
  // Without `state`: [?] whether one that is given would change whom Kit knows.
  async function subscribeMany(contacts: ToolContact[], tagId: string | null) {
    const subscribers = contacts.map(({ email, firstName }) => ({ email_address: email, first_name: firstName }));
    const done = await ask(request('POST', '/bulk/subscribers', { subscribers }), Bulk);
    const taken = new Map(done.subscribers.map((one) => [one.email_address.toLowerCase(), remoteContact(one)]));
    const answers = contacts.map(({ email }) => taken.get(email.toLowerCase()) ?? whyNot(done.failures, email));
    const taggings = answers.flatMap((answer, at) =>
      answer instanceof ToolFailure || contacts[at]!.remoteId !== null
        ? []
        : [{ tag_id: Number(tagId), subscriber_id: Number(answer.remoteId) }],
    );
    if (tagId !== null && taggings.length > 0)
      await ask(request('POST', '/bulk/tags/subscribers', { taggings }), Tagged);
    return answers;
  }

  return {
    callsPerMinute: CALLS_PER_MINUTE[isByKey ? 'key' : 'login'],
    atOnce: isByKey ? 1 : AT_ONCE,
    async verify() {
      return { accountName: (await ask(request('GET', '/account'), Account)).account.name };
    },
    async targets() {
      const { tags } = await ask(request('GET', '/tags?per_page=1000'), Tags);
      return tags.map(({ id, name }) => ({ id: String(id), name }));
    },
    // Upserts by address; the state of whom Kit knows stays as it is.
    subscribe: (contacts, tagId) =>
      isByKey ? askOfEach(contacts, (one) => subscribeOne(one, tagId)) : subscribeMany(contacts, tagId),
    async unsubscribe({ remoteId }: ToolContact) {
      if (remoteId !== null) await tell(request('POST', `/subscribers/${remoteId}/unsubscribe`, {}));
    },
    // [?] No call was found that deletes a subscriber.
    async remove(remoteId) {
      await tell(request('POST', `/subscribers/${remoteId}/unsubscribe`, {}));
    },
    async listenAt(hookUrl) {
      const body = { url: hookUrl, events: EVENTS, name: 'Creator HQ' };
      const { webhook_endpoint: hook } = await ask(request('POST', '/webhook_endpoints', body), CreatedHook);
      return { id: String(hook.id), secret: hook.secret };
    },
    stopListening: (hookId) => tell(request('DELETE', `/webhook_endpoints/${hookId}`)),
    async leftSince(since, after) {
      const query = new URLSearchParams({
        status: 'all',
        updated_after: since.toISOString(),
        per_page: String(PER_PAGE),
        ...(after !== null && { after }),
      });
      const { subscribers, pagination } = await ask(request('GET', `/subscribers?${query}`), Page);
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

function whyNot(failures: z.infer<typeof Bulk>['failures'], email: string): ToolFailure {
  // [?] Kit's example names no address of those it refused.
  const own = failures.filter(
    ({ subscriber }) => (subscriber.email_address ?? email).toLowerCase() === email.toLowerCase(),
  );
  const says = own
    .flatMap(({ errors }) => errors)
    .join(' ')
    .slice(0, 200);
  return new ToolFailure('contact', says === '' ? 'Kit didn’t take them, and didn’t say why.' : `Kit says: ${says}`);
}

function failureOf({ status, json, text }: ToolAnswer, isByKey: boolean): ToolFailure {
  const says = wordsOf(json) ?? text.slice(0, 200);
  // Plain text "Retry later", without a Retry-After.
  if (status === 429) return new ToolFailure('later', 'Kit asks us to slow down.', { waitMs: WINDOW_MS });
  if (status === 401 || status === 403)
    return new ToolFailure('reconnect', isByKey ? 'Kit no longer accepts the API key.' : SIGNED_OUT);
  // 413: too much waits at Kit for now.
  if (status === 413 || status >= 500) return new ToolFailure('later', `Kit has a problem (${status}).`);
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
