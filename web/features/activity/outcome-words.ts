import type { Interaction } from '#contract/interactions.ts';
import type { OutcomeStatus } from '#contract/outcomes.ts';

type Tone = 'neutral' | 'accent' | 'info' | 'warning' | 'error';

/** Each outcome in a word, and how it is coloured. */
export const OUTCOMES: Record<OutcomeStatus, { label: string; tone: Tone }> = {
  replied: { label: 'Sent', tone: 'accent' },
  waiting: { label: 'Waiting', tone: 'info' },
  skipped: { label: 'No answer', tone: 'neutral' },
  missed: { label: 'Missed', tone: 'warning' },
  failed: { label: 'Failed', tone: 'error' },
  expired: { label: 'Too late', tone: 'error' },
};

const KINDS: Record<Interaction['kind'], string> = {
  comment: 'commented',
  live_comment: 'commented in your live',
  story_reply: 'replied to your story',
  story_mention: 'mentioned you in a story',
  direct_message: 'wrote to you',
  button_tap: 'tapped a button',
};

export function whatSheDid(kind: Interaction['kind']): string {
  return KINDS[kind];
}

/** How far a message got, the farthest first; null while none went out. */
export function progressOf(line: Pick<Interaction, 'sentAt' | 'readAt' | 'clickedAt'>): string | null {
  if (line.clickedAt !== null) return 'Link tapped';
  if (line.readAt !== null) return 'Opened';
  if (line.sentAt !== null) return 'Not opened yet';
  return null;
}

/** How to call somebody whose handle Instagram did not tell. */
export function handleOf(username: string | null): string {
  return username === null ? 'Somebody' : `@${username}`;
}
