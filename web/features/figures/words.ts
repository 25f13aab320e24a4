import type { Comparison } from '#contract/figures.ts';
import { numerals } from '#web/ui/numerals.ts';

/** One name for a figure, wherever it stands. */
export const FIGURE_LABELS = {
  comments: 'Comments',
  matched: 'Matched',
  sent: 'Sent',
  opened: 'Opened',
  clicked: 'Link clicks',
  addresses: 'Email addresses',
} as const;

const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 0 });

/** With fewer messages a share says little: they are counted out instead, and compared with nothing. */
const FEWEST_FOR_A_SHARE = 20;

/**
 * "34% of messages; your average is 28%", or "1 of 3 messages". The average needs enough messages beside these.
 *
 * @param usual of the whole account, these among them
 */
export function shareWords(part: number, sent: number, usual: { part: number; sent: number }): string | undefined {
  if (sent === 0) return undefined;
  if (sent < FEWEST_FOR_A_SHARE) return `${numerals(part)} of ${numerals(sent)} ${sent === 1 ? 'message' : 'messages'}`;
  const own = `${percent.format(part / sent)} of messages`;
  if (usual.sent - sent < FEWEST_FOR_A_SHARE) return own;
  return `${own}; your average is ${percent.format(usual.part / usual.sent)}`;
}

/** "between 20% and 31% tap" */
export function intervalWords({ low, high }: { low: number; high: number }): string {
  return `between ${percent.format(low)} and ${percent.format(high)} tap`;
}

/** `a` is the first wording. */
export function wordingName(id: string): string {
  return `Version ${id.toUpperCase()}`;
}

/** Where a comparison stands, in a sentence. */
export function comparisonWords({ state, winner, needed }: Comparison): string {
  switch (state) {
    case 'decided':
      return `${wordingName(winner!)} gets more clicks (95% confidence). Everyone gets it now.`;
    case 'too_few':
      return `Too early to say. We’ll compare once ${needed} people have gotten each version.`;
    case 'not_sure':
      return `No clear winner yet. We’ll compare again once ${needed} people have gotten each version.`;
  }
}
