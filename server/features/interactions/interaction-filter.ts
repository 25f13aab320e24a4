import { type RawBuilder, sql } from 'kysely';
import { NO_KEYWORD, type OutcomeFilter } from '#contract/outcomes.ts';
import { beginsWith } from '#server/db/begins-with.ts';
import type { InteractionsTable } from '#server/db/types.ts';

export type InteractionFilter = {
  postId?: string | undefined;
  personId?: string | undefined;
  automationId?: string | undefined;
  kind?: InteractionsTable['kind'] | undefined;
  outcome?: OutcomeFilter | undefined;
  handle?: string | undefined;
  from?: 'followers' | 'all' | undefined;
};

/** Conditions on `interactions i`. */
export function conditionsOf(creatorId: string, filter: InteractionFilter): RawBuilder<unknown>[] {
  const all: RawBuilder<unknown>[] = [sql`i.creator_id = ${creatorId}`];
  if (filter.postId !== undefined) all.push(sql`i.post_id = ${filter.postId}`);
  if (filter.personId !== undefined) all.push(sql`i.person_id = ${filter.personId}`);
  if (filter.automationId !== undefined) all.push(sql`i.automation_id = ${filter.automationId}`);
  if (filter.kind !== undefined) all.push(sql`i.kind = ${filter.kind}`);
  if (filter.outcome !== undefined) {
    const isSkipped = filter.outcome === 'no_keyword' || filter.outcome === 'not_sent';
    const outcome = isSkipped ? 'skipped' : filter.outcome;
    all.push(sql`i.listed_as = ${outcome} and i.outcome = ${outcome}`);
    if (isSkipped) all.push(sql`(i.reason = any(${NO_KEYWORD})) = ${filter.outcome === 'no_keyword'}`);
  }
  const handle = filter.handle?.replace(/^@/, '').toLowerCase() ?? '';
  if (handle !== '') {
    all.push(sql`exists (
      select from people h
      where h.creator_id = ${creatorId} and h.connection_id = i.connection_id and h.id = i.person_id
        and ${beginsWith('h.username', handle)}
    )`);
  }
  if (filter.from !== 'all') all.push(sql`i.reason <> 'own_comment'`);
  return all;
}
