import type { FastifyBaseLogger } from 'fastify';
import type { Clock, Ids } from '#server/clock.ts';
import type { Config } from '#server/config.ts';
import type { Database } from '#server/db/database.ts';
import type { LiveUpdates } from '#server/features/live/live-updates.ts';
import type { MetaClient } from '#server/platforms/meta/client.ts';
import type { Keys } from '#server/secrets.ts';

/** Dependencies of the rules about connections. */
export type ConnectionDeps = {
  config: Config;
  db: Database;
  clock: Clock;
  ids: Ids;
  log: FastifyBaseLogger;
  meta: MetaClient;
  keys: Keys;
  /** Told after every change of a connection that matters to sending or matching; the screens hear of it too. */
  connectionChanged(change: { creatorId: string; connectionId: string }): Promise<void>;
  /** For changes that only screens show. */
  live: Pick<LiveUpdates, 'publish'>;
};
