/**
 * The acts of the demo's followers in the last sixty days, as a list of events that happen in order: pure and the same for the
 * same end. Their reactions to messages are decided in `reactions.ts`, when they have got them.
 */
import { asking, praise, questions, wordOf } from './comments.ts';
import { demoCrowd, demoFollowers, pastCrowd } from './people.ts';
import { type DemoPost, demoPosts } from './posts.ts';
import { between, oneOf, type Random, randomFrom } from './random.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Of `demoPosts`, newest first; what is older was there before. */
const NEW_POSTS = 40;
/** Three weeks before the end, where posts have their usual distance. */
const VIRAL_POST = 'berry-pancakes';
const COMMENTS = 4000;
const VIRAL_SHARE = 0.27;
/** People write in bursts: those of three hours within half a minute. The last two days are finer, for they are read closely. */
const BURST_MS = 30_000;

export type Happening = { at: number } & (
  | { what: 'post'; scene: string; post: DemoPost; word: string | undefined; viral: boolean }
  | { what: 'comment'; scene: string; personId: string; text: string; answer?: string }
  | { what: 'story'; scene: string; caption: string }
  | { what: 'story_reply'; scene: string; personId: string; text: string }
  | { what: 'story_mention'; personId: string }
  | { what: 'live'; caption: string }
  | { what: 'live_comment'; personId: string; text: string }
  | { what: 'live_end' }
  | { what: 'message'; personId: string; text: string }
);

/** Posts that were there before the first of these days. */
export function olderPosts(days: number): readonly DemoPost[] {
  return demoPosts.slice(newPosts(days));
}

function newPosts(days: number): number {
  return Math.max(3, Math.round((NEW_POSTS * days) / 60));
}

/**
 * @param end in ms since 1970
 * @param days 60 for the whole; fewer have as many comments a day
 */
export function pastUntil(end: number, days: number): Happening[] {
  const random = randomFrom('sixty days');
  const posts = placePosts(random, end, days);
  const comments = posts.flatMap((post) => commentsUnder(post, end));
  const happenings: Happening[] = [
    ...posts,
    ...comments,
    ...storiesAndLives(random, end, days),
    ...letters(random, end, days),
  ];
  return happenings.filter(({ at }) => at <= end).sort((one, other) => one.at - other.at);
}

type Posted = Extract<Happening, { what: 'post' }> & { count: number };

/** Every day and a half in the evening; the newest five hours and a day before the end. */
function placePosts(random: Random, end: number, days: number): Posted[] {
  const posts = demoPosts.slice(0, newPosts(days));
  const others = COMMENTS * (1 - VIRAL_SHARE) * (days / 60);
  const weightOf = ({ likes }: DemoPost) => 400 + likes;
  const all = posts.filter(({ scene }) => scene !== VIRAL_POST).reduce((sum, post) => sum + weightOf(post), 0);
  const apart = (days * DAY_MS - 30 * HOUR_MS) / (posts.length - 1.5);
  return posts.map((post, index) => {
    const viral = post.scene === VIRAL_POST;
    const about = end - 26 * HOUR_MS - (index - 1) * apart;
    const evening = Math.floor(about / DAY_MS) * DAY_MS + between(random, 15.5, 19) * HOUR_MS;
    const at = index === 0 ? end - 5 * HOUR_MS : index === 1 ? end - 26 * HOUR_MS : evening;
    return {
      what: 'post',
      at: Math.round(at),
      scene: post.scene,
      post: viral ? { ...post, likes: 48_213 } : post,
      word: wordOf(post.caption),
      viral,
      // The newest have not yet had their time.
      count: Math.round(viral ? COMMENTS * VIRAL_SHARE : (others * weightOf(post)) / all),
    };
  });
}

function commentsUnder(post: Posted, end: number): Happening[] {
  const random = randomFrom(`sixty days under ${post.scene}`);
  const regulars = pastCrowd.slice(0, 140);
  const known = [...demoFollowers, ...demoCrowd].map(({ id }) => id);
  return Array.from({ length: post.count }, () => {
    const at = inBurst(random, momentAfter(random, post.at), post.at, end);
    const who = random();
    const personId =
      who < 0.06 ? oneOf(random, known) : who < 0.38 ? oneOf(random, regulars).id : oneOf(random, pastCrowd).id;
    const chance = random();
    const said = { what: 'comment' as const, at, scene: post.scene, personId };
    if (post.word !== undefined && chance < 0.58) return { ...said, text: asking(post.word, random) };
    if (chance < 0.66) {
      const [text, answer] = oneOf(random, questions);
      return random() < 0.5 ? { ...said, text, answer } : { ...said, text };
    }
    return { ...said, text: oneOf(random, praise) };
  });
}

/** Half within some hours, some after days; few at night. */
function momentAfter(random: Random, postedAt: number): number {
  for (let tries = 0; ; tries++) {
    const kind = random();
    const mean = kind < 0.5 ? 2.5 * HOUR_MS : kind < 0.85 ? 16 * HOUR_MS : 70 * HOUR_MS;
    const at = postedAt + 2 * MINUTE_MS - Math.log(1 - random()) * mean;
    const hour = (at % DAY_MS) / HOUR_MS;
    const awake = hour > 6 && hour < 22.5;
    if (awake || tries > 8 || random() < 0.15) return at;
  }
}

/** @param since nothing comes before it: the first hours of what is new have bursts of their own */
function inBurst(random: Random, at: number, since: number, end: number): number {
  const every = end - at < 2 * DAY_MS ? 10 * MINUTE_MS : 3 * HOUR_MS;
  const slot = Math.floor(at / every);
  // At a moment of its own in each, so that bursts do not stand at full hours.
  const burst = slot * every + randomFrom(`burst ${slot}`)() * (every - BURST_MS);
  const own = since + Math.ceil((at - since) / (25 * MINUTE_MS)) * 25 * MINUTE_MS;
  return Math.round((burst < since + MINUTE_MS ? own : burst) + random() * BURST_MS);
}

/** A story every fourth day with replies, three mentions, and a live a week. */
function storiesAndLives(random: Random, end: number, days: number): Happening[] {
  const happenings: Happening[] = [];
  const stories = demoPosts.filter((post) => wordOf(post.caption) !== undefined).slice(0, Math.ceil(days / 4));
  for (const [index, post] of stories.entries()) {
    const word = wordOf(post.caption)!;
    const at = Math.round(end - 3 * HOUR_MS - index * 4 * DAY_MS);
    happenings.push({
      what: 'story',
      at,
      scene: post.scene,
      caption: `Made this one again. Reply ${word} for the recipe`,
    });
    for (let reply = 0; reply < 3 + Math.floor(random() * 6); reply++) {
      const text = random() < 0.75 ? asking(word, random) : oneOf(random, praise);
      const later = inBurst(random, at + between(random, 5, 170) * MINUTE_MS, at, end);
      happenings.push({
        what: 'story_reply',
        at: later,
        scene: post.scene,
        personId: oneOf(random, pastCrowd).id,
        text,
      });
    }
  }
  for (let day = 5; day < days; day += 11) {
    happenings.push({
      what: 'story_mention',
      at: Math.round(end - day * DAY_MS - 2 * HOUR_MS),
      personId: oneOf(random, pastCrowd).id,
    });
  }
  for (let day = 6; day < days; day += 14) {
    const at = Math.floor((end - day * DAY_MS) / DAY_MS) * DAY_MS + 19 * HOUR_MS;
    happenings.push({ what: 'live', at, caption: 'Cooking together: ask me anything' });
    for (let index = 0; index < 24; index++) {
      const text = random() < 0.45 ? asking('RECIPE', random) : oneOf(random, praise);
      const personId = oneOf(random, pastCrowd).id;
      happenings.push({
        what: 'live_comment',
        at: at + 2 * MINUTE_MS + Math.floor(index / 4) * 5 * MINUTE_MS + index * 700,
        personId,
        text,
      });
    }
    happenings.push({ what: 'live_end', at: at + 40 * MINUTE_MS });
  }
  return happenings;
}

/** People who just write. */
function letters(random: Random, end: number, days: number): Happening[] {
  const texts = [
    'Hi! Do you ship your spice mix to Canada?',
    'Made your focaccia for my mom’s birthday, she cried (happy tears) 🥹',
    'recipe for the soup please?',
    'Would you do a collab with our olive oil brand?',
    'Is the cookbook still coming this winter?',
    'I only have self-rising flour, will that work?',
  ];
  return Array.from({ length: Math.ceil(days / 2) }, () => ({
    what: 'message' as const,
    at: inBurst(random, end - between(random, 0.02, days - 0.5) * DAY_MS, 0, end),
    personId: oneOf(random, pastCrowd).id,
    text: oneOf(random, texts),
  }));
}
