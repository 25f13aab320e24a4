/** Custom Keywords and Custom Replies as automations use them. */
import { sql } from 'kysely';
import type { AutomationInput } from '#contract/automations.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import type { KeywordLibrary } from '#server/engine/deciding/libraries.ts';
import { requireKeywords } from '#server/features/keywords/keywords.ts';
import { requirePublicReplies } from '#server/features/replies/replies.ts';

/** Refuses what is not the creator's, and keeps it from being deleted meanwhile. @throws AppError not_found */
export async function checkLibraries(
  trx: CreatorTransaction,
  creatorId: string,
  { keywordIds, replyId }: Pick<AutomationInput, 'keywordIds' | 'replyId'>,
): Promise<void> {
  await requireKeywords(trx, creatorId, keywordIds);
  if (replyId !== null) await requirePublicReplies(trx, creatorId, replyId);
}

/** The creator's Custom Keywords by id, for the tester and for clashes. */
export async function findKeywords(trx: CreatorTransaction, creatorId: string): Promise<Map<string, KeywordLibrary>> {
  const { rows } = await sql<KeywordLibrary>`
    select id, words, mode, excluded_words as "excludedWords", typo_tolerance as "typoTolerance"
    from keywords where creator_id = ${creatorId}
  `.execute(trx);
  return new Map(rows.map((set) => [set.id, set]));
}
