/** Prepared automations in plain words. */
import type { PreparedPost, WakingPost } from '#contract/prepared-posts.ts';

export const STATE_WORDS = {
  off: { label: 'Off', tone: 'neutral' },
  waiting: { label: 'Waiting', tone: 'info' },
  asks: { label: 'Which post?', tone: 'warning' },
  attached: { label: 'Attached', tone: 'accent' },
} as const;

/** What it waits for, or where it is. */
export function preparedSays({ preparedFor, state, captionWords, attached, candidates }: PreparedPost): string {
  const what =
    preparedFor === 'next' ? 'your next post' : `posts with a caption that says ${captionWords.join(' or ')}`;
  if (state === 'off') return `Off. Once it’s on, it waits for ${what}.`;
  if (state === 'asks')
    return `${candidates.length === 1 ? 'A new post' : `${candidates.length} new posts`} could be it.`;
  if (state === 'waiting') return `Attaches itself to ${what} within a minute or two.`;
  if (preparedFor === 'next') return 'Replies to new comments from then on.';
  return `On ${attached.length === 1 ? 'one post' : `${attached.length} posts`} so far, and new ${what}.`;
}

const DAY_MS = 86_400_000;
const SHOWN_FOR_MS = 7 * DAY_MS;

/** What is still prepared, or was attached lately; one that has long been on its post is an automation like any other. */
export function worthShowing(items: readonly PreparedPost[], now: number): PreparedPost[] {
  return items.filter(
    ({ preparedFor, state, attached }) =>
      preparedFor === 'caption' ||
      state !== 'attached' ||
      attached.some(({ attachedAt }) => now - Date.parse(attachedAt) < SHOWN_FOR_MS),
  );
}

export type Attachment = { item: PreparedPost; post: PreparedPost['attached'][number] };

/** Of the last day, newest first. */
export function recentAttachments(items: readonly PreparedPost[], now: number): Attachment[] {
  return items
    .flatMap((item) => item.attached.map((post) => ({ item, post })))
    .filter(({ post }) => now - Date.parse(post.attachedAt) < DAY_MS)
    .sort((a, b) => Date.parse(b.post.attachedAt) - Date.parse(a.post.attachedAt));
}

/** "25 comments in three hours; 2 are usual. 12 ask for something." */
export function wakingSays({ comments, usual, asking }: WakingPost): string {
  const rare = usual < 1 ? 'usually almost none' : `${Math.round(usual)} ${usual < 1.5 ? 'is' : 'are'} usual`;
  const ask = asking === 0 ? '' : ` ${asking} ask for the recipe or link.`;
  return `${comments} comments in 3 hours; ${rare}.${ask}`;
}
