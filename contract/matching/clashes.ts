import { type Criterion, compileMatcher } from './matcher.ts';
import { type Candidate, usableWords } from './word-rule.ts';

/** Two automations that want the same comment. */
export type Clash<T> = {
  /** The winner, which replies to the comment. */
  winner: Candidate<T>;
  /** Would answer it too, were the winner not there. */
  loser: Candidate<T>;
  /** Why the winner goes first. `age` and `id` are chance: the creator should decide. */
  decidedBy: Criterion;
  /** Texts that both automations match: words of either rule, as written, at most `MAX_WORDS_PER_CLASH`. */
  words: string[];
};

export const MAX_CLASHES = 1_000;
export const MAX_WORDS_PER_CLASH = 20;

/**
 * Clashes between automations that can meet on one post: pass those of one post together with those for any post.
 *
 * Each word is tried as a comment against all the rules, so this agrees with the matcher by construction. A rule for any
 * comment that only takes what is left over is no clash; one that goes before words is, since the words never fire.
 */
export function findClashes<T>(candidates: readonly Candidate<T>[]): Clash<T>[] {
  const matcher = compileMatcher(candidates);
  const clashes = new Map<string, Clash<T>>();
  for (const text of new Set(candidates.flatMap(commentsFor))) {
    const [winner, ...rest] = matcher.matchAll(text);
    if (winner === undefined) continue;
    for (const loser of rest) {
      if (loser.how === 'any_comment' && winner.how !== 'any_comment') continue;
      // Ids are the caller's: JSON keeps ["a b", "c"] and ["a", "b c"] apart.
      const pair = JSON.stringify([winner.candidate.id, loser.candidate.id]);
      const known = clashes.get(pair);
      if (known !== undefined) {
        if (known.words.length < MAX_WORDS_PER_CLASH && text !== '') known.words.push(text);
      } else if (clashes.size < MAX_CLASHES) {
        clashes.set(pair, {
          winner: winner.candidate,
          loser: loser.candidate,
          decidedBy: loser.lostBy!,
          words: text === '' ? [] : [text],
        });
      }
    }
  }
  return [...clashes.values()];
}

/** The shortest comments that a rule wants. */
function commentsFor(candidate: Candidate<unknown>): string[] {
  const { mode, words } = candidate.rule;
  if (mode === 'any_comment') return [''];
  const written = usableWords(words).map((word) => word.written);
  return mode === 'all_words' && written.length > 0 ? [written.join(' ')] : written;
}
