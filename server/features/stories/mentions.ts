/** Who mentioned the account in a story of their own, and what they were thanked with. */
import type { Clock } from '#server/clock.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import * as automations from '#server/features/automations/automations.ts';
import * as interactions from '#server/features/interactions/interactions.ts';
import * as queries from './queries.ts';

const THANKING_SHOWN = 100;

export async function list(
  deps: { clock: Clock },
  trx: CreatorTransaction,
  creatorId: string,
  query: { after?: string | undefined; limit?: number | undefined },
) {
  const { items, next } = await interactions.list(deps, trx, creatorId, { ...query, kind: 'story_mention' });
  const sent = await queries.findSentTexts(
    trx,
    creatorId,
    items.map((item) => item.id),
  );
  const thanking = await automations.list(trx, creatorId, { trigger: 'story_mention', limit: THANKING_SHOWN });
  return {
    items: items.map((item) => ({ ...item, sentText: sent.get(item.id) ?? null })),
    next,
    automations: thanking.items,
  };
}
