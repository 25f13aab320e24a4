/** The word of this hub that a blog's plugin checks without asking: see `MemberPass.php`. */
import { createHmac } from 'node:crypto';

/** After it the blog asks again whether it still is so. */
const ASK_AFTER_S = 3600;
/** A look at what members see. */
const PROBE_S = 600;
/** The plugin reads no longer one: who holds many tiers has no need of the rest. */
const MOST_CHARACTERS = 440;
/** While this hub does not answer, a word holds so long. */
export const DEAD_AFTER_S = 31 * 86_400;

/** Tiers that somebody holds, by their ids, each with the second until when; null: nobody knows of an end. */
export type Held = Record<string, number | null>;

/** By the blog's id of a post, the second until when it is open. */
export type OpenedPosts = Record<string, number>;
/** Of this month. */
export type FreeOpens = { left: number; most: number };

type Said = {
  device: string;
  held: Held;
  isReader: boolean;
  now: Date;
  posts: OpenedPosts;
  free: FreeOpens | null;
  toPass: number | null;
  isLate: boolean;
};

/**
 * @param key of the site, raw bytes
 * @param held none: a reader who does not pay
 * @param isReader what is for readers stays open after their membership
 * @param posts that are open besides
 * @param free locked posts that they may open; null: of members, and where there are none
 * @param toPass recipes that they may pass to friends this month; null: of who is no member
 * @param isLate their payment failed, and they read on for some days
 */
export function memberToken(key: Buffer, { device, held, isReader, now, posts, free, toPass, isLate }: Said): string {
  const seconds = Math.floor(now.getTime() / 1000);
  const deadAfter = seconds + DEAD_AFTER_S;
  const tiers = Object.fromEntries(Object.entries(held).map(([id, until]) => [id, until ?? deadAfter]));
  const claims = {
    ...{ device, tiers, isReader, askAfter: seconds + ASK_AFTER_S, deadAfter },
    // Of the membership: readers who do not pay have none.
    until: Math.max(0, ...Object.values(tiers)),
  };
  const more = {
    ...(free !== null && { free: [free.left, free.most] }),
    ...(toPass !== null && { toPass }),
    ...(isLate && { isLate }),
  };
  const whole = { ...claims, ...(Object.keys(posts).length > 0 && { posts }), ...more };
  return signed(key, JSON.stringify(whole).length > MOST_CHARACTERS ? claims : whole);
}

/** The end of a link to a recipe that a member passes to a friend: the blog asks about none that it did not come from. */
export function passedLink(key: Buffer, { post, link }: { post: number; link: string }): string {
  const said = `${post}.${link}`;
  return `${said}.${createHmac('sha256', key).update(`passed recipe\n${said}`).digest('base64url')}`;
}

/** For a look by this hub itself: the plugin shows the marker in the place of what is locked. */
export function probeToken(
  key: Buffer,
  { device, marker, now }: { device: string; marker: string; now: Date },
): string {
  const until = Math.floor(now.getTime() / 1000) + PROBE_S;
  return signed(key, { device, until, askAfter: until, deadAfter: until, marker });
}

function signed(key: Buffer, claims: object): string {
  const said = Buffer.from(JSON.stringify(claims)).toString('base64url');
  return `chq1.${said}.${createHmac('sha256', key).update(`member pass\n${said}`).digest('base64url')}`;
}
