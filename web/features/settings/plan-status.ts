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
      label: 'Cancelled',
      tone: 'warning',
      words: `It runs until ${until}; after that you are on the free plan.`,
    };
  }
  switch (status) {
    case 'active':
      return { label: 'Active', tone: 'accent', words: null };
    case 'trialing':
      return { label: 'Trial', tone: 'info', words: 'You are trying this plan.' };
    case 'past_due':
      return { label: 'Payment due', tone: 'warning', words: 'The last payment did not go through.' };
    case 'unpaid':
      return { label: 'Not paid', tone: 'error', words: 'The last payments did not go through.' };
    case 'incomplete':
      return { label: 'Not finished', tone: 'warning', words: 'The first payment is not finished yet.' };
    case 'incomplete_expired':
      return { label: 'Not started', tone: 'neutral', words: 'The first payment was never finished.' };
    case 'canceled':
      return { label: 'Ended', tone: 'neutral', words: 'This plan has ended.' };
  }
}
