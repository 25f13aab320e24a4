import type { Me } from '#contract/session.ts';
import type { BadgeTone } from '#web/ui/Badge.tsx';
import { dayOf } from '#web/ui/moment.ts';

type Subscription = Pick<NonNullable<Me['subscription']>, 'status' | 'cancelAt'>;

/** The state of a subscription in a word, and what follows from it in a sentence (null: nothing to say). */
export function planStatus(subscription: Subscription): { label: string; tone: BadgeTone; words: string | null } {
  const { status, cancelAt } = subscription;
  if (cancelAt !== null && (status === 'active' || status === 'trialing')) {
    const until = dayOf(cancelAt);
    return {
      label: 'Canceled',
      tone: 'warning',
      words: `It runs until ${until}. After that, you’re on the free plan.`,
    };
  }
  switch (status) {
    case 'active':
      return { label: 'Active', tone: 'accent', words: null };
    case 'trialing':
      return { label: 'Trial', tone: 'info', words: 'You’re on a trial of this plan.' };
    case 'past_due':
      return { label: 'Payment due', tone: 'warning', words: 'The last payment didn’t go through.' };
    case 'unpaid':
      return { label: 'Unpaid', tone: 'error', words: 'The last payments didn’t go through.' };
    case 'incomplete':
      return { label: 'Incomplete', tone: 'warning', words: 'The first payment isn’t complete yet.' };
    case 'incomplete_expired':
      return { label: 'Not started', tone: 'neutral', words: 'The first payment was never completed.' };
    case 'canceled':
      return { label: 'Ended', tone: 'neutral', words: 'This plan has ended.' };
  }
}
