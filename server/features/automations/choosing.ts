/**
 * Which of a connection's automations answers a comment. The engine, the tester in the editor and every list of what
 * happened use this one rule, so that what the tester says is what happens.
 *
 * An automation of the comment's own post goes before one for any post, whatever else: the first criterion of
 * `contract/matching`. So the automations for any post are compiled once, not once per post.
 */
import {
  type Candidate,
  compileMatcher,
  type Explanation,
  type How,
  type Matcher,
  normaliseText,
  type WordRule,
} from '#contract/matching/matching.ts';

export type ChoosableAutomation = WordRule & {
  id: string;
  /** Null: any post of the connection. */
  postId: string | null;
  priority: number;
  createdAt: Date;
};

export type Choice<A> =
  | { automation: A; matchedWords: string[]; how: How }
  | { automation: null; reason: 'no_automation' | 'no_match' | 'excluded_word' | 'nothing_to_match' };

export type CompiledConnection<A> = {
  /** @param postId null for a comment whose post is unknown: only automations for any post may answer */
  choose(postId: string | null, text: string): Choice<A>;
  /** Every automation that listens on the post, the winner first, with what became of it. */
  explain(postId: string | null, text: string): Explanation<A>[];
};

/** Prepares the automations of one connection. Pass only those that are switched on. */
export function compileForConnection<A extends ChoosableAutomation>(automations: readonly A[]): CompiledConnection<A> {
  const ofPost = new Map<string, A[]>();
  const ofAnyPost: A[] = [];
  for (const automation of automations) {
    if (automation.postId === null) ofAnyPost.push(automation);
    else ofPost.set(automation.postId, [...(ofPost.get(automation.postId) ?? []), automation]);
  }
  // Compiled when the first comment on the post comes: most of a creator's posts are quiet.
  const compiled = new Map<string | null, Listeners<A>>();
  const listenersOf = (postId: string | null): Listeners<A> | null => {
    const own = postId === null ? ofAnyPost : ofPost.get(postId);
    if (own === undefined || own.length === 0) return null;
    const listeners = compiled.get(postId) ?? compile(own);
    compiled.set(postId, listeners);
    return listeners;
  };

  return {
    choose(postId, text) {
      const groups = [postId === null ? null : listenersOf(postId), listenersOf(null)].filter(
        (group) => group !== null,
      );
      if (groups.length === 0) return { automation: null, reason: 'no_automation' };
      for (const { matcher } of groups) {
        const match = matcher.match(text);
        if (match !== null)
          return { automation: match.candidate.value, matchedWords: match.matchedWords, how: match.how };
      }
      if (normaliseText(text).tokens.length === 0) return { automation: null, reason: 'nothing_to_match' };
      const excluded = groups.some(
        ({ matcher, excludes }) => excludes && matcher.explain(text).some(wouldHaveMatchedWithoutExcludedWord),
      );
      return { automation: null, reason: excluded ? 'excluded_word' : 'no_match' };
    },

    explain(postId, text) {
      const own = postId === null ? [] : (listenersOf(postId)?.matcher.explain(text) ?? []);
      const any = listenersOf(null)?.matcher.explain(text) ?? [];
      const isMatch = (explanation: Explanation<A>) =>
        explanation.verdict === 'wins' || explanation.verdict === 'loses';
      const ownWins = own.some(isMatch);
      const anyMatches = any
        .filter(isMatch)
        .map((match) => (ownWins ? { ...match, verdict: 'loses' as const, lostBy: 'scope' as const } : match));
      return [
        ...own.filter(isMatch),
        ...anyMatches,
        ...own.filter((explanation) => !isMatch(explanation)),
        ...any.filter((explanation) => !isMatch(explanation)),
      ];
    },
  };
}

type Listeners<A> = { matcher: Matcher<A>; excludes: boolean };

function compile<A extends ChoosableAutomation>(automations: A[]): Listeners<A> {
  return {
    matcher: compileMatcher(automations.map(candidateOf)),
    excludes: automations.some((automation) => automation.excludedWords.length > 0),
  };
}

/** An automation as `contract/matching` sees it. */
export function candidateOf<A extends ChoosableAutomation>(automation: A): Candidate<A> {
  return {
    id: automation.id,
    rule: automation,
    scope: automation.postId === null ? 'any_post' : 'post',
    priority: automation.priority,
    createdAt: automation.createdAt.getTime(),
    value: automation,
  };
}

/** An excluded word in a comment that has none of the wanted ones is not why nothing was sent. */
function wouldHaveMatchedWithoutExcludedWord({
  verdict,
  candidate,
  matchedWords,
  missingWords,
}: Explanation<unknown>): boolean {
  if (verdict !== 'excluded') return false;
  return candidate.rule.mode === 'any_comment' || (matchedWords.length > 0 && missingWords.length === 0);
}
