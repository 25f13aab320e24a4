/** The doors and places in plain words. */
import type { Scope, Trigger } from '#contract/automations.ts';

export const TRIGGER_WORDS: Record<Trigger, { label: string; hint: string; input: string; how: string }> = {
  comment: {
    label: 'Comments',
    hint: 'Someone comments on a post or reel.',
    input: 'comment',
    how: 'Under your post',
  },
  story_reply: {
    label: 'Story replies',
    hint: 'Someone replies to your story.',
    input: 'reply',
    how: 'They reply to your story',
  },
  story_mention: {
    label: 'Mentions',
    hint: 'Someone mentions you in their story.',
    input: 'mention',
    how: 'They mention you in their story',
  },
  direct_message: {
    label: 'Direct messages',
    hint: 'Someone sends you a DM.',
    input: 'message',
    how: 'They send you a DM',
  },
  live_comment: {
    label: 'Live comments',
    hint: 'Someone comments while you’re live.',
    input: 'comment',
    how: 'While you’re live',
  },
};

const ACCOUNT = 'Your whole account';
const NEVER = { one: ACCOUNT, any: ACCOUNT, next: ACCOUNT, caption: ACCOUNT };

export const SCOPE_WORDS: Record<Trigger, Record<Scope, string>> = {
  comment: { one: 'This post', any: 'Any post', next: 'My next post', caption: 'Posts with a caption that says …' },
  story_reply: { ...NEVER, one: 'This story', any: 'Any story', next: 'My next story' },
  live_comment: { ...NEVER, one: 'This live', any: 'Any live', next: 'My next live' },
  story_mention: NEVER,
  direct_message: NEVER,
};

/** "Comments on this post", as one line. */
export function placeInWords(trigger: Trigger, scope: Scope, captionWords: readonly string[]): string {
  const { label } = TRIGGER_WORDS[trigger];
  if (trigger === 'story_mention' || trigger === 'direct_message') return label;
  if (scope === 'caption') return `${label} on posts with a caption that says ${captionWords.join(' or ') || '…'}`;
  const place = SCOPE_WORDS[trigger][scope];
  return `${label} on ${place.charAt(0).toLowerCase()}${place.slice(1)}`;
}

export const FOLLOW_UP_CHOICES = [10, 30, 60, 3 * 60, 6 * 60, 12 * 60, 22 * 60];

/** "3 hours later" */
export function afterWords(minutes: number): string {
  if (minutes % 60 !== 0) return `${minutes} minutes later`;
  const hours = minutes / 60;
  return hours === 1 ? '1 hour later' : `${hours} hours later`;
}
