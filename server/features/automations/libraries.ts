/**
 * Custom Keywords and Custom Replies that automations use. Their tables come with their screens; until then an id is
 * taken as it is, and none of them calls or answers anything.
 */
import type pg from 'pg';
import type { AutomationInput } from '#contract/automations.ts';
import type { WordRule } from '#contract/matching/matching.ts';
import type { CreatorTransaction } from '#server/db/database.ts';

export type KeywordLibrary = WordRule & { id: string };
export type ReplyLibrary = { publicReplies: string[] };

/** Refuses what is not the creator's. @throws AppError not_found */
export async function checkLibraries(
  _trx: CreatorTransaction,
  _creatorId: string,
  _input: Pick<AutomationInput, 'keywordIds' | 'replyId'>,
): Promise<void> {}

/** What the automations of some connections use, by id; the engine and the tester match and answer with it. */
export async function loadLibraries(
  _client: pg.ClientBase | pg.Pool,
  _used: { keywordIds: string[]; replyIds: string[] },
): Promise<{ keywords: Map<string, KeywordLibrary>; replies: Map<string, ReplyLibrary> }> {
  return { keywords: new Map(), replies: new Map() };
}
