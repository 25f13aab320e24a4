/** The worker's recurring jobs for connections. */
import { check } from './connection-check.ts';
import type { ConnectionDeps } from './connection-deps.ts';
import { finishDataDeletions } from './data-deletion.ts';
import * as queries from './queries.ts';
import { refreshDueTokens } from './token-refresh.ts';

const MINUTE_MS = 60_000;
/** Meta unsubscribes an app after an hour of failed webhooks and tells nobody: as long as that we may not notice. */
const CHECK_EVERY_MS = 60 * MINUTE_MS;
const CONNECTIONS_PER_RUN = 100;

/** Looks at every connection once an hour, those looked at longest ago first. */
export async function checkConnections(deps: ConnectionDeps): Promise<void> {
  const before = new Date(deps.clock.now().getTime() - CHECK_EVERY_MS);
  for (const row of await queries.findToCheck(deps.db.engine, before, CONNECTIONS_PER_RUN)) {
    try {
      await check(deps, row);
    } catch (error) {
      // One odd account must not keep the others from being looked at.
      deps.log.error({ err: error, connectionId: row.id }, 'the check of a connection failed');
    }
  }
}

export const connectionJobs = [
  { name: 'refresh-tokens', everyMs: 60 * MINUTE_MS, run: refreshDueTokens },
  { name: 'check-connections', everyMs: MINUTE_MS, run: checkConnections },
  { name: 'finish-data-deletions', everyMs: MINUTE_MS, run: finishDataDeletions },
];
