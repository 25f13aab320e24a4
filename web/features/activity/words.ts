import type { Interaction } from '#contract/interactions.ts';
import { NO_KEYWORD, type OutcomeFilter, type OutcomeStatus } from '#contract/outcomes.ts';

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

export const NOT_SENT = 'Not sent';

/** The label of one interaction: of what was skipped, some had a keyword. */
export function outcomeLabel({ outcome, reason }: Pick<Interaction, 'outcome' | 'reason'>): string {
  return outcome === 'skipped' && !NO_KEYWORD.includes(reason) ? NOT_SENT : OUTCOMES[outcome].label;
}

/** What a list can be narrowed down to, as its rows are labeled. */
export const OUTCOME_FILTERS: readonly { value: OutcomeFilter; label: string }[] = [
  { value: 'replied', label: OUTCOMES.replied.label },
  { value: 'waiting', label: OUTCOMES.waiting.label },
  { value: 'no_keyword', label: OUTCOMES.skipped.label },
  { value: 'not_sent', label: NOT_SENT },
  { value: 'missed', label: OUTCOMES.missed.label },
  { value: 'failed', label: OUTCOMES.failed.label },
  { value: 'expired', label: OUTCOMES.expired.label },
];

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
