/** A clash decided with one tap: priority to one of the two, or the words out of one of them. */
import type { ClashAnswer } from '#contract/clashes.ts';
import { normaliseText } from '#contract/matching/index.ts';
import type { Clock } from '#server/clock.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import { AppError } from '#server/errors.ts';
import * as queries from './queries.ts';

/** As the contract has it. */
const HIGHEST_PRIORITY = 1000;

type Clashing = { id: string; otherId: string; how: ClashAnswer; words: string[] };

/**
 * @returns what was done, for the creator
 * @throws AppError not_found, not_possible_now
 */
export async function resolveClash(
  deps: { clock: Clock },
  trx: CreatorTransaction,
  creatorId: string,
  { id, otherId, how, words }: Clashing,
): Promise<string> {
  // In one order, so that two who decide at once do not wait for each other.
  for (const each of [id, otherId].sort()) await queries.lock(trx, creatorId, each);
  const here = await find(trx, creatorId, id);
  const there = await find(trx, creatorId, otherId);
  const now = deps.clock.now();
  if (how === 'answer_here') return prefer(trx, here, there, now);
  if (how === 'answer_there') return prefer(trx, there, here, now);
  return how === 'remove_here' ? drop(trx, here, words, now) : drop(trx, there, words, now);
}

async function prefer(
  trx: CreatorTransaction,
  first: queries.AutomationRow,
  second: queries.AutomationRow,
  now: Date,
): Promise<string> {
  if (second.priority >= HIGHEST_PRIORITY) {
    await queries.setPriority(trx, second, HIGHEST_PRIORITY - 1, now);
    await queries.setPriority(trx, first, HIGHEST_PRIORITY, now);
  } else if (first.priority <= second.priority) {
    await queries.setPriority(trx, first, second.priority + 1, now);
  }
  return `“${first.name}” now replies instead of “${second.name}”.`;
}

async function drop(
  trx: CreatorTransaction,
  automation: queries.AutomationRow,
  words: string[],
  now: Date,
): Promise<string> {
  const keyOf = (word: string) => normaliseText(word).key;
  const unwanted = new Set(words.map(keyOf));
  const left = automation.words.filter((word) => !unwanted.has(keyOf(word)));
  const own = new Set(automation.words.map(keyOf));
  const notItsOwn = words.filter((word) => !own.has(keyOf(word)));
  if (notItsOwn.length > 0) {
    throw new AppError(
      'not_possible_now',
      `“${notItsOwn[0]}” isn’t one of the keywords of “${automation.name}”. It comes from its Custom Keywords, another language or a longer word. Change it there, or choose which one replies.`,
    );
  }
  if (left.length === 0 && automation.keyword_ids.length === 0) {
    throw new AppError(
      'not_possible_now',
      `“${automation.name}” would have no keyword left. Turn it off, or choose which one replies.`,
    );
  }
  await queries.setWords(trx, automation, left, now);
  return `“${automation.name}” no longer listens for ${words.map((word) => `“${word}”`).join(', ')}.`;
}

async function find(trx: CreatorTransaction, creatorId: string, id: string): Promise<queries.AutomationRow> {
  const row = await queries.findById(trx, creatorId, id);
  if (row === undefined) throw new AppError('not_found', 'One of the two automations was deleted.');
  return row;
}
