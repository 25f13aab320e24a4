import type { Interaction } from '#contract/interactions.ts';
import type { OutcomeStatus, Reason } from '#contract/outcomes.ts';

type Tone = 'neutral' | 'accent' | 'info' | 'warning' | 'error';

/** Each outcome in a word, and how it is coloured. */
export const OUTCOMES: Record<OutcomeStatus, { label: string; tone: Tone }> = {
  replied: { label: 'Sent', tone: 'accent' },
  waiting: { label: 'Waiting', tone: 'info' },
  skipped: { label: 'No keyword', tone: 'neutral' },
  missed: { label: 'Missed', tone: 'warning' },
  failed: { label: 'Failed', tone: 'error' },
  expired: { label: 'Too late', tone: 'error' },
};

/** Nothing asked for a message. Whoever is skipped for another reason may well have written a keyword. */
const WITHOUT_KEYWORD: ReadonlySet<Reason> = new Set([
  'no_automation',
  'no_match',
  'nothing_to_match',
  'direct_message',
  'story_interaction',
  'live_comment',
]);

/** The label of one interaction; a filter or a sum over all skipped ones uses that of `OUTCOMES`. */
export function outcomeLabel({ outcome, reason }: Pick<Interaction, 'outcome' | 'reason'>): string {
  return outcome === 'skipped' && !WITHOUT_KEYWORD.has(reason) ? 'Not sent' : OUTCOMES[outcome].label;
}

const KINDS: Record<Interaction['kind'], string> = {
  comment: 'commented',
  live_comment: 'commented on your live',
  story_reply: 'replied to your story',
  story_mention: 'mentioned you in a story',
  direct_message: 'sent you a DM',
  button_tap: 'tapped a button',
};

export function whatTheyDid(kind: Interaction['kind']): string {
  return KINDS[kind];
}

/** How far a message got, the farthest first; null while none went out. */
export function progressOf(line: Pick<Interaction, 'sentAt' | 'readAt' | 'clickedAt'>): string | null {
  if (line.clickedAt !== null) return 'Link clicked';
  if (line.readAt !== null) return 'Opened';
  if (line.sentAt !== null) return 'Not opened yet';
  return null;
}

/** How to call somebody whose handle Instagram did not tell. */
export function handleOf(username: string | null): string {
  return username === null ? 'Someone' : `@${username}`;
}
