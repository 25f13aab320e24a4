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
} from '#contract/matching/index.ts';

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
  return new CompiledAutomations(automations);
}

/** The engine keeps one for each of thousands of connections, most of them with a single automation: a class is smaller than closures. */
class CompiledAutomations<A extends ChoosableAutomation> implements CompiledConnection<A> {
  readonly #places = new Map<string, Place<A>>();

  constructor(automations: readonly A[]) {
    for (const automation of automations) {
      for (const postId of automation.postIds ?? [null]) {
        const key = placeOf(automation.trigger, postId);
        const place = this.#places.get(key);
        if (place === undefined) this.#places.set(key, { automations: [automation], all: null, byWords: null });
        else place.automations.push(automation);
      }
    }
  }

  choose(door: Door, text: string): Choice<A> {
    return chooseAmong(this.#groupsAt(door, 'all'), text);
  }

  chooseByWords(door: Door, text: string): Choice<A> {
    return chooseAmong(this.#groupsAt(door, 'byWords'), text);
  }

  explain({ trigger, postId }: Door, text: string): Explanation<Call<A>>[] {
    const own = postId === null ? [] : (this.#listenersAt(trigger, postId, 'all')?.matcher.explain(text) ?? []);
    const any = this.#listenersAt(trigger, null, 'all')?.matcher.explain(text) ?? [];
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
  }

  #groupsAt({ trigger, postId }: Door, which: Which): Listeners<A>[] {
    const own = postId === null ? null : this.#listenersAt(trigger, postId, which);
    const any = this.#listenersAt(trigger, null, which);
    return [own, any].filter((listeners) => listeners !== null);
  }

  /** Compiled when the first comment on the post comes: most of a creator's posts are quiet. */
  #listenersAt(trigger: Trigger, postId: string | null, which: Which): Listeners<A> | null {
    const place = this.#places.get(placeOf(trigger, postId));
    if (place === undefined) return null;
    place[which] ??= compile(place.automations, which);
    return place[which];
  }
}

/** The automations that listen at one place: for one post, or for any. */
type Place<A> = { automations: A[] } & Record<Which, Listeners<A> | null>;
/** All of them, or without those that answer everything. */
type Which = 'all' | 'byWords';

function chooseAmong<A>(groups: Listeners<A>[], text: string): Choice<A> {
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
}

function placeOf(trigger: Trigger, postId: string | null): string {
  return postId === null ? trigger : `${trigger} ${postId}`;
}

type Listeners<A> = { matcher: Matcher<Call<A>>; excludes: boolean };

function compile<A extends ChoosableAutomation>(automations: A[], which: Which): Listeners<A> {
  const candidates = automations.flatMap(candidatesOf);
  return {
    matcher: compileMatcher(
      which === 'byWords' ? candidates.filter(({ rule }) => rule.mode !== 'any_comment') : candidates,
    ),
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
  // The last criterion is the id: where the word is among the automation's own too, it still tells the language.
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

/** The best result of an automation stands for all of its ways to match. */
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
