/** Calls to a blog's plugin, signed as outgoing webhooks are, with the keys that it shares with us: see `HubCalls.php`. */
import * as z from 'zod/mini';
import { SIGNATURE_HEADER } from '#contract/outgoing-webhooks.ts';
import type { Clock } from '#server/clock.ts';
import type { Database } from '#server/db/database.ts';
import { signatureOf } from '#server/features/outgoing-webhooks/webhook-calls.ts';
import type { GuardedFetch } from '#server/platforms/guarded-fetch.ts';
import type { Keys } from '#server/secrets.ts';
import { callKeysOf } from './signing-keys.ts';
import { isOfSite } from './site-place.ts';
import type { SiteRow } from './sites.ts';

export type CallingDeps = {
  db: Database;
  clock: Clock;
  keys: Pick<Keys, 'encryptionKeys'>;
  fetching: Pick<GuardedFetch, 'request'>;
};

/**
 * - `unreachable`: no answer. `no_plugin`: something else answers; the plugin is off, too old, or something before it refuses us.
 * - `moved`: the address that the plugin told us sends us on to another one of the same blog, as from http to https.
 * - `clock`: its clock is more than five minutes off. `key`: it has none of our keys.
 */
export type CallTrouble = 'unreachable' | 'no_plugin' | 'moved' | 'clock' | 'key';

/** In a form that works with any kind of permalinks. */
const REST = '/?rest_route=/creator-hq/v1/hub';
/** Where another plugin has switched REST off. */
const PAGE = '/?creator-hq-hub=1';

const TIMEOUT_MS = 20_000;
const MOST_BYTES = 256 * 1024;
const FORBIDDEN = 403;
const Answer = z.object({ plugin: z.literal('creator-hq'), time: z.int(), refused: z.optional(z.string()) });

/** @returns what the plugin answered; what came of it is noted beside the site */
export async function callSite(
  deps: CallingDeps,
  site: SiteRow,
  call: { what: string; [part: string]: unknown },
): Promise<Told> {
  const body = JSON.stringify(call);
  const byRest = await ask(deps, site, REST, body);
  const isHeard = byRest.told.trouble !== 'no_plugin' || byRest.offS !== null;
  if (isHeard) return note(deps, site, byRest, { restIsOff: false });
  const byPage = await ask(deps, site, PAGE, body);
  return note(deps, site, byPage, { restIsOff: byPage.offS !== null });
}

type Told = { trouble: CallTrouble } | { trouble: null; body: unknown };
/** How far the plugin's clock is off; null: it did not answer. */
type Heard = { told: Told; offS: number | null };

async function ask({ clock, keys, fetching }: CallingDeps, site: SiteRow, way: string, body: string) {
  const at = clock.now();
  const answer = await fetching.request({
    url: `${site.url.replace(/\/+$/, '')}${way}`,
    method: 'POST',
    headers: {
      ...{ 'content-type': 'application/json', 'user-agent': 'Creator-HQ/1' },
      [SIGNATURE_HEADER]: signatureOf(callKeysOf({ keys }, site), body, at),
    },
    body,
    ...{ timeoutMs: TIMEOUT_MS, maxBytes: MOST_BYTES },
  });
  const of = (told: Told, offS: number | null = null): Heard => ({ told, offS });
  if (answer.kind !== 'answer') return of({ trouble: 'unreachable' });
  const json = parsed(answer.text);
  const said = Answer.safeParse(json);
  if (!said.success) return of({ trouble: isSentOn(site, answer) ? 'moved' : 'no_plugin' });
  const offS = Math.round(said.data.time - at.getTime() / 1000);
  if (answer.status === FORBIDDEN) return of({ trouble: said.data.refused === 'clock' ? 'clock' : 'key' }, offS);
  return of(answer.status === 200 ? { trouble: null, body: json } : { trouble: 'no_plugin' }, offS);
}

function isSentOn(site: SiteRow, { status, headers }: { status: number; headers: Record<string, string> }): boolean {
  const to = headers.location ?? '';
  return status >= 300 && status < 400 && URL.canParse(to, site.url) && isOfSite(site, new URL(to, site.url).href);
}

async function note(
  { db }: CallingDeps,
  site: SiteRow,
  { told, offS }: Heard,
  { restIsOff }: { restIsOff: boolean },
): Promise<Told> {
  await db.engine
    .updateTable('sites')
    .set({ call_trouble: told.trouble, rest_is_off: restIsOff, ...(offS !== null && { clock_off_s: offS }) })
    .where('creator_id', '=', site.creator_id)
    .where('id', '=', site.id)
    .execute();
  return told;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
