/** Which waiting automation goes to which new post. Pure. A wrong guess sends the wrong recipe: in doubt we ask. */
import { compileMatcher } from '#contract/matching/index.ts';

/** An automation for the next post. */
export type Waiting = {
  automationId: string;
  /** Of its own, of its Custom Keywords, and those it expects in the caption. */
  words: string[];
  switchedOnAt: Date;
};

export type OfferedPost = {
  id: string;
  caption: string;
  postedAt: Date;
  /** Null: it is new. Else the creator is being asked whether these belong to it. */
  askedOf: ReadonlySet<string> | null;
};

export type Fit = { automationId: string; postId: string };

/**
 * One automation and one post belong together. Where there are more, a caption that has the words of one automation only
 * decides for it, when no other caption has them. The rest is for the creator to say.
 */
export function pairUp(waiting: readonly Waiting[], posts: readonly OfferedPost[]): { attach: Fit[]; ask: Fit[] } {
  const pairs = waiting.flatMap((automation) =>
    posts
      .filter(
        (post) =>
          isAfter(post, automation.switchedOnAt) &&
          (post.askedOf === null || post.askedOf.has(automation.automationId)),
      )
      .map((post) => ({ automation, post })),
  );
  if (pairs.length === 1) return { attach: pairs.map(fitOf), ask: [] };
  const named = pairs.filter(({ automation, post }) => captionHas(post.caption, automation.words));
  const attach = named.filter(
    (pair) => named.filter((other) => other.automation === pair.automation || other.post === pair.post).length === 1,
  );
  const rest = pairs.filter(
    (pair) => !attach.some((done) => done.automation === pair.automation || done.post === pair.post),
  );
  return { attach: attach.map(fitOf), ask: rest.map(fitOf) };
}

/** Meta's times have no fractions of a second. */
export function isAfter(post: { postedAt: Date }, moment: Date): boolean {
  return post.postedAt.getTime() + 1000 > moment.getTime();
}

function fitOf({ automation, post }: { automation: Waiting; post: OfferedPost }): Fit {
  return { automationId: automation.automationId, postId: post.id };
}

/** One of the words stands in the caption, as a word of its own. */
export function captionHas(caption: string, words: string[]): boolean {
  if (words.length === 0) return false;
  const rule = { words, mode: 'whole_word' as const, excludedWords: [], typoTolerance: false };
  const candidate = { id: 'caption', rule, scope: 'post' as const, priority: 0, createdAt: 0, value: null };
  return compileMatcher([candidate]).match(caption) !== null;
}
