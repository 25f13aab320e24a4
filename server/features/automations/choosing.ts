/**
 * Which of a connection's automations answers what a follower did. The engine, the tester in the editor, replays and every
 * list of what happened use this one rule, so that what the tester says is what happens.
 *
 * Triggers never compete with each other. Within one, an automation of the very post (story, live) goes before one for any,
 * whatever else: the first criterion of `contract/matching`. So the automations for any post are compiled once, not once
 * per post. An automation may be called in several ways: by its own words, a Custom Keyword, the words of a translation.
 */
import type { Trigger } from '#contract/automations.ts';
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
  trigger: Trigger;
  /** Posts, stories or lives it listens on. Null: any. None: it still waits for its post. */
  postIds: readonly string[] | null;
  /** Custom Keywords it listens for besides its own words. */
  keywords: readonly (WordRule & { id: string })[];
  /** Followers who wrote one of these words get the message in this language. */
  translations: readonly { language: string; words: string[] }[];
  priority: number;
  createdAt: Date;
};

/** Where and how a follower came in. */
export type Door = {
  trigger: Trigger;
  /** Null where it is unknown or there is none: only automations for any post may answer. */
  postId: string | null;
};

/** One of the ways in which an automation is called. */
export type Call<A> = { automation: A; language: string | null };

export type Choice<A> =
  | {
      automation: A;
      /** Of the translation whose words called it; null for its own. */
      language: string | null;
      matchedWords: string[];
      how: How;
    }
  | { automation: null; reason: 'no_automation' | 'no_match' | 'excluded_word' | 'nothing_to_match' };

export type CompiledConnection<A> = {
  choose(door: Door, text: string): Choice<A>;
  /** As `choose`, automations that answer everything left out. */
  chooseByWords(door: Door, text: string): Choice<A>;
  /** Every automation that listens at this door, the winner first, with what became of it. */
  explain(door: Door, text: string): Explanation<Call<A>>[];
};

/** Prepares the automations of one connection. Pass only those that are switched on. */
export function compileForConnection<A extends ChoosableAutomation>(automations: readonly A[]): CompiledConnection<A> {
  const places = new Map<string, A[]>();
  for (const automation of automations) {
    for (const postId of automation.postIds ?? [null]) {
      const place = placeOf(automation.trigger, postId);
      const there = places.get(place);
      if (there === undefined) places.set(place, [automation]);
      else there.push(automation);
    }
  }
  // Compiled when the first comment on the post comes: most of a creator's posts are quiet.
  const compiled = new Map<string, Listeners<A>>();
  const compiledByWords = new Map<string, Listeners<A>>();
  const listenersAt = (place: string, byWords: boolean): Listeners<A> | null => {
    const own = places.get(place);
    if (own === undefined) return null;
    const cache = byWords ? compiledByWords : compiled;
    let listeners = cache.get(place);
    if (listeners === undefined) {
      listeners = compile(own, byWords);
      cache.set(place, listeners);
    }
    return listeners;
  };
  const groupsAt = ({ trigger, postId }: Door, byWords = false): Listeners<A>[] => {
    const own = postId === null ? null : listenersAt(placeOf(trigger, postId), byWords);
    const any = listenersAt(placeOf(trigger, null), byWords);
    if (own === null) return any === null ? [] : [any];
    return any === null ? [own] : [own, any];
  };
  const chooseAmong = (groups: Listeners<A>[], text: string): Choice<A> => {
    if (groups.length === 0) return { automation: null, reason: 'no_automation' };
    for (const { matcher } of groups) {
      const match = matcher.match(text);
      if (match !== null) {
        const { value } = match.candidate;
        return {
          automation: value.automation,
          language: value.language,
          matchedWords: match.matchedWords,
          how: match.how,
        };
      }
    }
    if (normaliseText(text).tokens.length === 0) return { automation: null, reason: 'nothing_to_match' };
    const excluded = groups.some(
      ({ matcher, excludes }) => excludes && matcher.explain(text).some(wouldHaveMatchedWithoutExcludedWord),
    );
    return { automation: null, reason: excluded ? 'excluded_word' : 'no_match' };
  };

  return {
    choose: (door, text) => chooseAmong(groupsAt(door), text),
    chooseByWords: (door, text) => chooseAmong(groupsAt(door, true), text),
    explain({ trigger, postId }, text) {
      const own = postId === null ? [] : (listenersAt(placeOf(trigger, postId), false)?.matcher.explain(text) ?? []);
      const any = listenersAt(placeOf(trigger, null), false)?.matcher.explain(text) ?? [];
      const isMatch = (explanation: Explanation<Call<A>>) =>
        explanation.verdict === 'wins' || explanation.verdict === 'loses';
      const ownWins = own.some(isMatch);
      const anyMatches = any
        .filter(isMatch)
        .map((match) => (ownWins ? { ...match, verdict: 'loses' as const, lostBy: 'scope' as const } : match));
      const rest = [...own, ...any].filter((explanation) => !isMatch(explanation));
      return oncePerAutomation([
        ...own.filter(isMatch),
        ...anyMatches,
        ...rest.filter(({ verdict }) => verdict === 'excluded'),
        ...rest.filter(({ verdict }) => verdict !== 'excluded'),
      ]);
    },
  };
}

function placeOf(trigger: Trigger, postId: string | null): string {
  return postId === null ? trigger : `${trigger} ${postId}`;
}

type Listeners<A> = { matcher: Matcher<Call<A>>; excludes: boolean };

function compile<A extends ChoosableAutomation>(automations: A[], byWords: boolean): Listeners<A> {
  const candidates = automations.flatMap(candidatesOf);
  return {
    matcher: compileMatcher(byWords ? candidates.filter(({ rule }) => rule.mode !== 'any_comment') : candidates),
    excludes: candidates.some(({ rule }) => rule.excludedWords.length > 0),
  };
}

/** An automation as `contract/matching` sees it: a candidate for each way in which it is called. */
export function candidatesOf<A extends ChoosableAutomation>(automation: A): Candidate<Call<A>>[] {
  const candidate = (id: string, rule: WordRule, language: string | null): Candidate<Call<A>> => ({
    id,
    rule,
    scope: automation.postIds === null ? 'any_post' : 'post',
    priority: automation.priority,
    createdAt: automation.createdAt.getTime(),
    value: { automation, language },
  });
  // A mention has no text: whoever mentions is thanked.
  const own: WordRule = automation.trigger === 'story_mention' ? { ...automation, mode: 'any_comment' } : automation;
  // The last criterion is the id: where her word is among the automation's own too, it still tells her language.
  const candidates = [candidate(`${automation.id} own`, own, null)];
  for (const keyword of automation.keywords) {
    const excludedWords = [...keyword.excludedWords, ...automation.excludedWords];
    candidates.push(candidate(`${automation.id} keywords ${keyword.id}`, { ...keyword, excludedWords }, null));
  }
  for (const { language, words } of automation.translations) {
    // One of its words is enough, whatever the automation's own words ask for.
    const mode = automation.mode === 'contains' || automation.mode === 'exact' ? automation.mode : 'whole_word';
    const { excludedWords, typoTolerance } = automation;
    const rule: WordRule = { words, mode, excludedWords, typoTolerance };
    candidates.push(candidate(`${automation.id} in ${language}`, rule, language));
  }
  return candidates;
}

/** What an automation's best way came to stands for all of its ways. */
function oncePerAutomation<A extends ChoosableAutomation>(
  explanations: Explanation<Call<A>>[],
): Explanation<Call<A>>[] {
  const seen = new Set<string>();
  return explanations.filter(({ candidate }) => {
    const { id } = candidate.value.automation;
    if (seen.has(id)) return false;
    seen.add(id);
    return true;
  });
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
