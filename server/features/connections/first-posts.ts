/** The posts of a fresh connection, without waiting for the next turn of the job. If this is cut off, the job does it. */
import type { FastifyInstance } from 'fastify';
import type { AppDeps } from '#server/features/app-deps.ts';
import { syncConnectionPosts } from '#server/features/posts/post-sync.ts';
import { tokenFor } from './account-tokens.ts';
import * as queries from './queries.ts';

export type FirstPosts = { fetchLater(creatorId: string, connectionId: string): void };

export function createFirstPosts(
  app: FastifyInstance,
  deps: Pick<AppDeps, 'automationsChanged' | 'clock' | 'db' | 'keys' | 'live' | 'log' | 'meta' | 'speakerOf'>,
): FirstPosts {
  const underWay = new Set<Promise<void>>();
  app.addHook('onClose', async () => {
    await Promise.all(underWay);
  });
  return {
    fetchLater(creatorId, connectionId) {
      const fetching = fetch(deps, creatorId, connectionId)
        .catch((error) => deps.log.warn({ err: error, connectionId }, 'the first posts could not be fetched yet'))
        .finally(() => underWay.delete(fetching));
      underWay.add(fetching);
    },
  };
}

async function fetch(
  deps: Pick<AppDeps, 'automationsChanged' | 'clock' | 'db' | 'keys' | 'live' | 'log' | 'meta' | 'speakerOf'>,
  creatorId: string,
  connectionId: string,
): Promise<void> {
  const row = await queries.findById(deps.db.engine, creatorId, connectionId);
  if (row === undefined || row.platform !== 'instagram') return;
  await syncConnectionPosts(
    // Not `deps.speakerOf`: it may remember the token of before.
    { ...deps, speakerOf: (connection) => tokenFor(deps.db.engine, deps.keys, connection) },
    {
      creatorId,
      id: connectionId,
      platform: 'instagram',
      accountId: row.account_id,
      fullySyncedAt: row.posts_fully_synced_at,
    },
    'full',
  );
  deps.live.publish(creatorId, { what: 'posts' });
}
