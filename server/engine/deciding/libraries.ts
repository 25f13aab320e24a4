/** Custom Keywords and Custom Replies as the engine matches and answers with them. */
import type { WordRule } from '#contract/matching/index.ts';
import { type Askable, ask } from '#server/db/ask.ts';

export type KeywordLibrary = WordRule & { id: string };
export type ReplyLibrary = {
  publicReplies: string[];
  /** For followers whose words told their language. */
  translations: { language: string; texts: string[] }[];
};

/** Library items that the automations of some connections use, by id. */
export async function loadLibraries(
  client: Askable,
  used: { keywordIds: string[]; replyIds: string[] },
): Promise<{ keywords: Map<string, KeywordLibrary>; replies: Map<string, ReplyLibrary> }> {
  const sets = await ask<KeywordLibrary>(
    client,
    `select id, words, mode, excluded_words as "excludedWords", typo_tolerance as "typoTolerance"
     from keywords where id = any($1::uuid[])`,
    [used.keywordIds],
  );
  const libraries = await ask<ReplyLibrary & { id: string }>(
    client,
    `select id, texts as "publicReplies", translations
     from replies where id = any($1::uuid[]) and kind = 'public_reply'`,
    [used.replyIds],
  );
  return {
    keywords: new Map(sets.map((set) => [set.id, set])),
    replies: new Map(libraries.map(({ id, ...library }) => [id, library])),
  };
}
