/** Notices above the figures of HQ home, asked for in one go: everything of one creator in one transaction. */
import type { AppDeps } from '#server/features/app-deps.ts';
import type { AskingReadings } from '#server/features/catch-up/asked.ts';
import { preview } from '#server/features/catch-up/catching-up.ts';
import * as linkGuard from '#server/features/link-guard/link-guard.ts';
import * as posts from '#server/features/posts/posts.ts';
import { listWarnings } from '#server/features/prepared-posts/caption-warnings.ts';
import * as prepared from '#server/features/prepared-posts/prepared-posts.ts';
import * as queue from '#server/features/queue/queue.ts';
import * as waking from '#server/features/waking-posts/awake-posts.ts';

export async function getHomeNotices(
  deps: Pick<AppDeps, 'clock' | 'config' | 'db' | 'ids' | 'log'>,
  readings: AskingReadings,
  creatorId: string,
) {
  const [catchUp, others] = await Promise.all([
    preview(deps, readings, { creatorId, postId: null }),
    deps.db.withCreator(creatorId, async (trx) => ({
      queues: { items: await queue.list(deps, trx, creatorId) },
      linkChecks: await linkGuard.list(deps, trx, creatorId, {}),
      captionWarnings: await listWarnings(trx, creatorId, {}),
      preparedPosts: await prepared.list(trx, creatorId),
      wakingPosts: await waking.list(trx, creatorId),
      askingPosts: await posts.list(trx, creatorId, { automation: 'asks', limit: 1 }),
    })),
  ]);
  return { catchUp, ...others };
}
