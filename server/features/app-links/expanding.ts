/** Follows a short address of Amazon's to where it leads. The product's page itself is not asked for: its gate turns programs away. */
import { readAmazon } from '#contract/amazon.ts';
import type { Clock } from '#server/clock.ts';
import type { Config } from '#server/config.ts';
import type { Database } from '#server/db/database.ts';
import type { GuardedFetch } from '#server/platforms/guarded-fetch.ts';
import { takeTurn } from '#server/platforms/host-turns.ts';

export type ExpandingDeps = {
  db: Pick<Database, 'engine'>;
  clock: Clock;
  config: Pick<Config, 'baseUrl'>;
  fetching: Pick<GuardedFetch, 'request'>;
};

const STEPS_AT_MOST = 5;
const STEP_TIMEOUT_MS = 5_000;
const HOST_PAUSE_MS = 1_000;

/** @returns where a short address of Amazon's leads; the address itself where it is none, leads out of Amazon's shops, or did not answer */
export async function expanded(deps: ExpandingDeps, address: string): Promise<string> {
  let url = address;
  for (let step = 0; step <= STEPS_AT_MOST; step++) {
    const read = readAmazon(url);
    // Away from Amazon there is nothing to find.
    if (read === null) return address;
    if (read.marketplace !== null) return url;
    const next = step < STEPS_AT_MOST ? await redirectOf(deps, read.address) : null;
    if (next === null) return address;
    url = next;
  }
  return address;
}

async function redirectOf({ db, clock, config, fetching }: ExpandingDeps, url: string): Promise<string | null> {
  await takeTurn({ db, clock }, new URL(url).host, HOST_PAUSE_MS);
  const answer = await fetching.request({
    url,
    method: 'GET',
    headers: { 'user-agent': `CreatorHQ-links/1.0 (+${config.baseUrl})` },
    timeoutMs: STEP_TIMEOUT_MS,
    maxBytes: 1,
  });
  if (answer.kind !== 'answer' || answer.status < 300 || answer.status >= 400) return null;
  const { location = '' } = answer.headers;
  return URL.canParse(location, url) ? new URL(location, url).href : null;
}
