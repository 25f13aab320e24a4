/** Custom Keywords: named sets of words that any automation can listen for. */
import { type Selectable, sql } from 'kysely';
import type { KeywordInput } from '#contract/keywords.ts';
import { checkRule } from '#contract/matching/index.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import type { KeywordsTable } from '#server/db/types.ts';
import { Library, refuseWhileOn } from '#server/features/libraries/library.ts';

export const keywords = new Library<KeywordInput, Selectable<KeywordsTable>, KeywordInput>({
  table: 'keywords',
  order: 'by_name',
  missing: 'These Custom Keywords don’t exist, or were deleted.',
  changed: 'Someone else saved these keywords while you were editing. Your version is still here: compare and choose.',
  problemsOf: (input) => checkRule(input).map(({ field, ...problem }) => ({ path: field, ...problem })),
  columnsOf: ({ name, words, mode, excludedWords, typoTolerance }) => ({
    name,
    words,
    mode,
    excluded_words: excludedWords,
    typo_tolerance: typoTolerance,
  }),
  contentOf: ({ name, words, mode, excluded_words, typo_tolerance }) => ({
    name,
    words,
    mode: mode as KeywordInput['mode'],
    excludedWords: excluded_words,
    typoTolerance: typo_tolerance,
  }),
  unique: {
    field: 'name',
    constraint: 'keywords_by_name',
    sameAs: ({ name }) => sql`lower(name) = lower(${name})`,
    message: ({ name }) => `You already have Custom Keywords named “${name}”. Choose another name.`,
  },
  usesOf: (creatorId, ids) => sql`
    select keyword_id as id, a.id as "automationId", a.name, a.switched_on_at is not null as "on",
      case when a.trigger = 'comment' then a.post_id end as "postId"
    from automations a, unnest(a.keyword_ids) as keyword_id
    where a.creator_id = ${creatorId} and a.archived_at is null and keyword_id = any(${ids}::uuid[])
    order by lower(a.name), a.id
  `,
  refuseRemoval: refuseWhileOn,
  forget: (trx, creatorId, id, now) =>
    sql`
      update automations set keyword_ids = array_remove(keyword_ids, ${id}::uuid), version = version + 1, updated_at = ${now}
      where creator_id = ${creatorId} and ${id}::uuid = any (keyword_ids) and archived_at is null
    `.execute(trx),
});

/** Holds them until the end of the transaction, so that none is deleted meanwhile. @throws AppError not_found */
export async function requireKeywords(trx: CreatorTransaction, creatorId: string, ids: string[]): Promise<void> {
  await keywords.hold(trx, creatorId, ids, 'A set of Custom Keywords was deleted. Remove it and save again.');
}
