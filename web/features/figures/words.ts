import type { Comparison } from '#contract/figures.ts';

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

/** Null where there is nothing to be a share of. */
export function shareOf(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}

/** "34 % of messages; usual for you is 28 %" */
export function againstUsual(share: number | null, usual: number | null): string | undefined {
  if (share === null) return undefined;
  const own = `${percent.format(share)} of messages`;
  return usual === null ? own : `${own}; your average is ${percent.format(usual)}`;
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
