/** "Comment PASTA" under a post whose automations listen for RECIPE: everybody who obeys gets nothing. */
import { captionWords } from '#contract/caption-words.ts';
import type { CaptionWarning } from '#contract/prepared-posts.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import { compileForConnection } from '#server/engine/deciding/choice.ts';
import { findListening } from '#server/features/automations/automations.ts';
import { postView } from './prepared-posts.ts';
import * as queries from './queries.ts';

/** Older ones have had their comments. */
const POSTS_AT_MOST = 100;

/** By the engine's own rule: a word that any automation would answer there is heard. */
export async function listWarnings(
  trx: CreatorTransaction,
  creatorId: string,
  filter: { postId?: string | undefined },
): Promise<{ items: CaptionWarning[] }> {
  const posts = await queries.findAnsweredPosts(trx, creatorId, { ...filter, limit: POSTS_AT_MOST });
  const asking = posts
    .map((post) => ({ post, asked: captionWords(post.caption) }))
    .filter((one) => one.asked.length > 0);
  const items: CaptionWarning[] = [];
  for (const [connectionId, ofConnection] of Map.groupBy(asking, ({ post }) => post.connectionId)) {
    const compiled = compileForConnection(await findListening(trx, connectionId));
    for (const { post, asked } of ofConnection) {
      const door = { trigger: 'comment' as const, postId: post.id };
      // All words must be there: then the caption's whole list is what somebody would write.
      const isHeard = [...asked, asked.join(' ')].some((word) => compiled.choose(door, word).automation !== null);
      if (isHeard) continue;
      const { automationId, name, words } = post;
      items.push({ automationId, name, words, asked: asked[0]!, post: postView(post) });
    }
  }
  return { items };
}
