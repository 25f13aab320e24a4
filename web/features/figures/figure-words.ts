import type { Comparison } from '#contract/figures.ts';

const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 0 });

/** Null where there is nothing to be a share of. */
export function shareOf(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}

/** "34 % of the messages; usual for you is 28 %" */
export function againstUsual(share: number | null, usual: number | null): string | undefined {
  if (share === null) return undefined;
  const own = `${percent.format(share)} of the messages`;
  return usual === null ? own : `${own}; usual for you is ${percent.format(usual)}`;
}

/** "between 20% and 31% tap" */
export function intervalWords({ low, high }: { low: number; high: number }): string {
  return `between ${percent.format(low)} and ${percent.format(high)} tap`;
}

/** `a` is the first wording. */
export function wordingName(id: string): string {
  return `Wording ${id.toUpperCase()}`;
}

/** Where a comparison stands, in a sentence. */
export function comparisonWords({ state, winner, needed }: Comparison): string {
  switch (state) {
    case 'decided':
      return `${wordingName(winner!)} is better, with 95% confidence. Everybody gets it now.`;
    case 'too_few':
      return `Too early to say. It is looked at when ${needed} people got each wording.`;
    case 'not_sure':
      return `Not sure yet: the difference may be chance. It is looked at again when ${needed} people got each wording.`;
  }
}
