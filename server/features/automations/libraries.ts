/** Custom Keywords and Custom Replies as automations use them. */
import type pg from 'pg';
import type { AutomationInput } from '#contract/automations.ts';
import type { WordRule } from '#contract/matching/matching.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import * as keywords from '#server/features/keywords/keywords.ts';
import * as replies from '#server/features/replies/replies.ts';

export type KeywordLibrary = WordRule & { id: string };
export type ReplyLibrary = {
  publicReplies: string[];
  /** For followers whose words told their language. */
  translations: { language: string; texts: string[] }[];
};

/** Refuses what is not the creator's, and keeps it from being deleted meanwhile. @throws AppError not_found */
export async function checkLibraries(
  trx: CreatorTransaction,
  creatorId: string,
  { keywordIds, replyId }: Pick<AutomationInput, 'keywordIds' | 'replyId'>,
): Promise<void> {
  await keywords.requireKeywords(trx, creatorId, keywordIds);
  if (replyId !== null) await replies.requirePublicReplies(trx, creatorId, replyId);
}

/** The creator's Custom Keywords by id, for the tester and for clashes. */
export async function findKeywords(trx: CreatorTransaction, creatorId: string): Promise<Map<string, KeywordLibrary>> {
  return new Map((await keywords.list(trx, creatorId)).map((set) => [set.id, set]));
}

/** What the automations of some connections use, by id; the engine matches and answers with it. */
export async function loadLibraries(
  client: pg.ClientBase | pg.Pool,
  used: { keywordIds: string[]; replyIds: string[] },
): Promise<{ keywords: Map<string, KeywordLibrary>; replies: Map<string, ReplyLibrary> }> {
  const sets = await client.query<KeywordLibrary>(
    `select id, words, mode, excluded_words as "excludedWords", typo_tolerance as "typoTolerance"
     from keywords where id = any($1::uuid[])`,
    [used.keywordIds],
  );
  const libraries = await client.query<ReplyLibrary & { id: string }>(
    `select id, texts as "publicReplies", translations
     from replies where id = any($1::uuid[]) and kind = 'public_reply'`,
    [used.replyIds],
  );
  return {
    keywords: new Map(sets.rows.map((set) => [set.id, set])),
    replies: new Map(libraries.rows.map(({ id, ...library }) => [id, library])),
  };
}
