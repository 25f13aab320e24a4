import { FREE_PLAN_FOLLOWER_LIMIT } from '#contract/plans.ts';
import type { Me } from '#contract/session.ts';
import { dayOf } from '#web/ui/moment.ts';
import { numerals } from '#web/ui/numerals.ts';

/** Where a creator stands before the free plan's limit; null: nothing to say. */
export function limitWords({ isLimited, isOver, graceUntil, forecastOn }: NonNullable<Me['billing']>['limit']) {
  if (isLimited) return 'New comments, stories and first messages aren’t answered until you’re on another plan.';
  if (isOver) return graceUntil && `Everything goes on as it is until ${dayOf(graceUntil)}.`;
  return forecastOn && `At your pace you pass ${numerals(FREE_PLAN_FOLLOWER_LIMIT)} around ${dayOf(forecastOn)}.`;
}
