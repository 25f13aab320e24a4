/** Calls to a blog's plugin, signed as outgoing webhooks are, with the keys that it shares with us: see `HubCalls.php`. */
import * as z from 'zod/mini';
import { SIGNATURE_HEADER } from '#contract/outgoing-webhooks.ts';
import type { Clock } from '#server/clock.ts';
import type { Database } from '#server/db/database.ts';
import { signatureOf } from '#server/features/outgoing-webhooks/webhook-calls.ts';
import type { GuardedFetch } from '#server/platforms/guarded-fetch.ts';
import type { Keys } from '#server/secrets.ts';
import { callKeysOf } from './signing-keys.ts';
import type { SiteRow } from './sites.ts';

export type CallingDeps = {
  db: Database;
  clock: Clock;
  keys: Pick<Keys, 'encryptionKeys'>;
  fetching: Pick<GuardedFetch, 'request'>;
};

/**
 * - `unreachable`: no answer. `no_plugin`: something else answers; the plugin is off, too old, or something before it refuses us.
 * - `clock`: its clock is more than five minutes off. `key`: it has none of our keys.
 */
export type CallTrouble = 'unreachable' | 'no_plugin' | 'clock' | 'key';

const TIMEOUT_MS = 20_000;
const MOST_BYTES = 256 * 1024;
const FORBIDDEN = 403;
const Answer = z.object({ plugin: z.literal('creator-hq'), time: z.int(), refused: z.optional(z.string()) });

/** @returns what the plugin answered; what came of it is noted beside the site */
export async function callSite(
  deps: CallingDeps,
  site: SiteRow,
  call: { what: string; [part: string]: unknown },
): Promise<{ trouble: CallTrouble } | { trouble: null; body: unknown }> {
  const { clock, keys, fetching } = deps;
  const body = JSON.stringify(call);
  const at = clock.now();
  const answer = await fetching.request({
    // This form works with any kind of permalinks.
    url: `${site.url.replace(/\/+$/, '')}/?rest_route=/creator-hq/v1/hub`,
    method: 'POST',
    headers: {
      ...{ 'content-type': 'application/json', 'user-agent': 'Creator-HQ/1' },
      [SIGNATURE_HEADER]: signatureOf(callKeysOf({ keys }, site), body, at),
    },
    body,
    ...{ timeoutMs: TIMEOUT_MS, maxBytes: MOST_BYTES },
  });
  if (answer.kind !== 'answer') return note(deps, site, { trouble: 'unreachable' });
  const json = parsed(answer.text);
  const said = Answer.safeParse(json);
  if (!said.success) return note(deps, site, { trouble: 'no_plugin' });
  const offS = Math.round(said.data.time - at.getTime() / 1000);
  if (answer.status === FORBIDDEN) {
    return note(deps, site, { trouble: said.data.refused === 'clock' ? 'clock' : 'key' }, offS);
  }
  return note(deps, site, answer.status === 200 ? { trouble: null, body: json } : { trouble: 'no_plugin' }, offS);
}

async function note<Told extends { trouble: CallTrouble | null }>(
  { db }: CallingDeps,
  site: SiteRow,
  told: Told,
  offS: number | null = null,
): Promise<Told> {
  await db.engine
    .updateTable('sites')
    .set({ call_trouble: told.trouble, ...(offS !== null && { clock_off_s: offS }) })
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
