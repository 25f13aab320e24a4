/**
 * Mailchimp, version 3.0 of its Marketing API, by a key. Facts: https://mailchimp.com/developer/marketing/api/ and reports of
 * users, as of November 2026. A bare 403 is throttling; at most ten calls at once, we make one at a time.
 */
import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import {
  askOfEach,
  askTool,
  type NewsletterTool,
  type RemoteContact,
  type RemoteState,
  type ToolAnswer,
  type ToolEvent,
  ToolFailure,
  tellTool,
} from './tool.ts';

/** `…-us21`: the data center that answers for the account. */
const KEY = /^[0-9a-zA-Z]{10,100}-([a-z]{2}\d{1,3})$/;
const CALLS_PER_MINUTE = 300;
const PAUSE_MS = 60_000;
const PER_PAGE = 500;

const STATES: Record<string, RemoteState> = {
  subscribed: 'subscribed',
  pending: 'pending',
  transactional: 'pending',
  unsubscribed: 'unsubscribed',
  // Taken out by the creator; that says nothing of what they want.
  archived: 'pending',
  cleaned: 'bounced',
};

const Account = z.object({ account_name: z.string() });
const Lists = z.object({ lists: z.array(z.object({ id: z.string(), name: z.string() })) });
const Member = z.object({ id: z.string(), email_address: z.string(), status: z.string() });
const Members = z.object({ members: z.array(Member), total_items: z.number() });
const CreatedHook = z.object({ id: z.string() });

/** @returns null: no key of Mailchimp's */
export function dataCenterOf(apiKey: string): string | null {
  return KEY.exec(apiKey)?.[1] ?? null;
}

/** @param url of the API; null: Mailchimp's own, at the data center of the key */
export function mailchimpTool(url: string | null, apiKey: string): NewsletterTool {
  const base = `${url ?? `https://${dataCenterOf(apiKey) ?? 'us1'}.api.mailchimp.com`}/3.0`;
  const authorization = `Basic ${Buffer.from(`creator-hq:${apiKey}`).toString('base64')}`;

  const request = (method: string, path: string, body?: object) => ({
    method,
    url: `${base}${path}`,
    headers: { authorization },
    ...(body !== undefined && { body }),
  });
  const audience = (targetId: string | null) => {
    if (targetId === null) throw new ToolFailure('ours', 'Choose an audience first.');
    return `/lists/${encodeURIComponent(targetId)}`;
  };

  return {
    callsPerMinute: CALLS_PER_MINUTE,
    atOnce: 1,
    async verify() {
      return { accountName: (await askTool(MAILCHIMP, request('GET', '/?fields=account_name'), Account)).account_name };
    },
    async targets() {
      return (await askTool(MAILCHIMP, request('GET', '/lists?count=100&fields=lists.id,lists.name'), Lists)).lists;
    },
    // Without `status` whoever is known stays as they are.
    subscribe: (contacts, targetId) =>
      askOfEach(contacts, async ({ email, firstName }) => {
        const body = {
          email_address: email,
          status_if_new: 'subscribed',
          ...(firstName !== null && { merge_fields: { FNAME: firstName } }),
        };
        return remoteContact(
          await askTool(MAILCHIMP, request('PUT', `${audience(targetId)}/members/${hashOf(email)}`, body), Member),
        );
      }),
    unsubscribe: ({ email }, targetId) =>
      tellTool(
        MAILCHIMP,
        request('PATCH', `${audience(targetId)}/members/${hashOf(email)}`, { status: 'unsubscribed' }),
      ),
    remove: (remoteId, targetId) =>
      tellTool(MAILCHIMP, request('POST', `${audience(targetId)}/members/${remoteId}/actions/delete-permanent`)),
    async listenAt(hookUrl, targetId) {
      const body = {
        url: hookUrl,
        events: { unsubscribe: true, cleaned: true },
        // Not of what we did ourselves.
        sources: { user: true, admin: true, api: false },
      };
      const { id } = await askTool(MAILCHIMP, request('POST', `${audience(targetId)}/webhooks`, body), CreatedHook);
      return { id, secret: null };
    },
    stopListening: (hookId, targetId) =>
      tellTool(MAILCHIMP, request('DELETE', `${audience(targetId)}/webhooks/${hookId}`)),
    async leftSince(since, after, targetId) {
      const offset = Number(after ?? 0);
      const query = new URLSearchParams({
        since_last_changed: since.toISOString(),
        count: String(PER_PAGE),
        offset: String(offset),
        fields: 'members.id,members.email_address,members.status,total_items',
      });
      const { members, total_items: total } = await askTool(
        MAILCHIMP,
        request('GET', `${audience(targetId)}/members?${query}`),
        Members,
      );
      return {
        contacts: members.map(remoteContact).filter(({ state }) => state === 'unsubscribed' || state === 'bounced'),
        next: offset + members.length < total && members.length > 0 ? String(offset + members.length) : null,
      };
    },
  };
}

function hashOf(email: string): string {
  return createHash('md5').update(email.toLowerCase()).digest('hex');
}

function remoteContact({ id, email_address: email, status }: z.infer<typeof Member>): RemoteContact {
  return { remoteId: id, email, state: STATES[status] ?? 'pending' };
}

/** Of one contact, for good: https://mailchimp.com/developer/marketing/docs/errors/ */
const NEVER = ['Invalid Resource', 'Member In Compliance State', 'Forgotten Email Not Subscribed'];

const MAILCHIMP = { name: 'Mailchimp', failureOf };

function failureOf({ status, json }: ToolAnswer): ToolFailure {
  const title = typeof json?.title === 'string' ? json.title : '';
  const detail = typeof json?.detail === 'string' ? json.detail.slice(0, 200) : '';
  if (status === 429 || (status === 403 && json === null)) {
    return new ToolFailure('later', 'Mailchimp asks us to slow down.', { waitMs: PAUSE_MS });
  }
  if (status === 401 || status === 403) return new ToolFailure('reconnect', 'Mailchimp no longer accepts the API key.');
  if (status >= 500) return new ToolFailure('later', `Mailchimp has a problem (${status}).`);
  if (status === 400 && NEVER.includes(title)) return new ToolFailure('contact', `Mailchimp says: ${detail || title}`);
  return new ToolFailure('ours', `Mailchimp didn’t accept this (${status}): ${detail || title}`);
}

/** A form: `type=unsubscribe&fired_at=…&data[email]=…`. It is not signed: the address it comes to is the secret. */
export function readMailchimpDelivery(bytes: Buffer): ToolEvent[] {
  const form = new URLSearchParams(bytes.toString('utf8'));
  const [type, email] = [form.get('type'), form.get('data[email]')];
  const leaves = form.get('data[reason]') === 'abuse' ? 'complained' : 'unsubscribed';
  const state = type === 'unsubscribe' ? leaves : 'bounced';
  if (email === null || (type !== 'unsubscribe' && type !== 'cleaned')) return [];
  return [{ id: createHash('sha256').update(bytes).digest('hex'), email, state }];
}
