/** Words that people wrote and no automation knew: those like a word listened for, then those of the caption. */

import { isOrdinaryWord } from '#contract/caption-words.ts';
import { normaliseText } from '#contract/matching/index.ts';
import { editsAllowed } from '#contract/matching/typos.ts';
import type { Clock } from '#server/clock.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import { AppError } from '#server/errors.ts';
import { PRIVATE_REPLY_WINDOW_MS } from '#server/platforms/meta/windows.ts';
import * as queries from './catch-up-queries.ts';

const LOOKED_AT = 20_000;
const SHOWN = 12;
/** Long comments are talk; who asks for something writes little. */
const WORDS_AT_MOST = 4;

export type MissedWord = { word: string; people: number; resembles: string | null; example: string };

/** @throws AppError not_found */
export async function list(
  { clock }: { clock: Clock },
  trx: CreatorTransaction,
  creatorId: string,
  postId: string,
): Promise<MissedWord[]> {
  const post = await queries.findPost(trx, creatorId, postId);
  if (post === undefined) throw new AppError('not_found', 'We can’t find this post.');
  const { connectionId, caption } = post;
  const since = new Date(clock.now().getTime() - PRIVATE_REPLY_WINDOW_MS);
  const missed = await queries.findMissedTexts(trx, { creatorId, postId, since, limit: LOOKED_AT });
  const words = await queries.findListening(trx, { creatorId, connectionId, postId });
  return missedWords(missed, words, caption);
}

export function missedWords(
  missed: { text: string; personId: string }[],
  words: string[],
  caption: string,
): MissedWord[] {
  const inCaption = new Set(normaliseText(caption).tokens.map(({ key }) => key));
  const wanted = words.map((word) => ({ word, key: normaliseText(word).key }));
  const byKey = new Map<string, { word: string; example: string; people: Set<string> }>();
  for (const { text, personId } of missed) {
    const { tokens } = normaliseText(text);
    if (tokens.length === 0 || tokens.length > WORDS_AT_MOST) continue;
    for (const { key } of tokens) {
      if (key.length < 3) continue;
      const known = byKey.get(key) ?? { word: key, example: text, people: new Set() };
      known.people.add(personId);
      byKey.set(key, known);
    }
  }
  return [...byKey]
    .filter(([key]) => wanted.every((one) => one.key !== key))
    .map(([key, { word, example, people }]) => ({
      word,
      example,
      people: people.size,
      resembles: wanted.find((one) => resemble(key, one.key))?.word ?? null,
    }))
    .filter(({ word, resembles }) => resembles !== null || (inCaption.has(word) && !isOrdinaryWord(word)))
    .sort(
      (a, b) =>
        Number(b.resembles !== null) - Number(a.resembles !== null) ||
        b.people - a.people ||
        a.word.localeCompare(b.word),
    )
    .slice(0, SHOWN);
}

/** The matcher's rule for typos with one edit more: what it forgives itself is answered already. */
export function resemble(a: string, b: string): boolean {
  const most = editsAllowed(b.length) + 1;
  return Math.abs(a.length - b.length) <= most && a[0] === b[0] && distance(a, b) <= most;
}

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1));
    }
    row = next;
  }
  return row[b.length]!;
}
