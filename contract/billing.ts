/** Paying for a plan: Stripe's page, what became of it, ending and keeping. Amounts never come from the browser. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { CHECKOUT_STATES, SUBSCRIPTION_STATUSES } from '#contract/plans.ts';
import { atMost, CreatorParams, Timestamp } from '#contract/shapes.ts';

const Interval = z.enum(['month', 'year']);
const Message = z.object({ message: z.string() });

/** Stripe's own list. */
export const CANCEL_REASONS = [
  'too_expensive',
  'missing_features',
  'unused',
  'switched_service',
  'too_complex',
  'low_quality',
  'customer_service',
  'other',
] as const;
export type CancelReason = (typeof CANCEL_REASONS)[number];

export const startCheckout = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/checkouts',
  access: 'creator',
  needs: 'billing',
  summary: 'Begin to pay for a plan: the address of Stripe’s page, the same while it is open',
  params: CreatorParams,
  body: z.object({ planId: z.string().check(z.minLength(1), z.maxLength(60)), interval: Interval }),
  response: z.object({ url: z.url() }),
  errors: ['already_exists', 'not_possible_now', 'payments_off', 'stripe_unreachable'],
});

export const getCheckout = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/checkouts/:stripeSessionId',
  access: 'creator',
  needs: 'billing',
  summary: 'What became of a payment; asks Stripe',
  params: z.extend(CreatorParams, { stripeSessionId: z.string().check(z.minLength(1), z.maxLength(255)) }),
  response: z.object({
    state: z.enum(CHECKOUT_STATES),
    plan: z.string(),
    /** To go on paying, while it is open. */
    url: z.nullable(z.url()),
  }),
  errors: ['not_found', 'payments_off'],
});

export const cancelPlan = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/subscriptions/cancel',
  access: 'creator',
  needs: 'billing',
  summary: 'End the plan at the end of what is paid',
  params: CreatorParams,
  body: z.object({ reason: z.nullable(z.enum(CANCEL_REASONS)) }),
  response: Message,
  errors: ['not_possible_now', 'payments_off', 'stripe_unreachable'],
});

export const keepPlan = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/subscriptions/keep',
  access: 'creator',
  needs: 'billing',
  summary: 'Take the end of the plan back',
  params: CreatorParams,
  response: Message,
  errors: ['not_possible_now', 'payments_off', 'stripe_unreachable'],
});

export const listSubscriptions = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/subscriptions',
  access: 'creator',
  needs: 'billing',
  summary: 'The present subscription and those that are over, newest first',
  params: CreatorParams,
  response: z.object({
    items: atMost(
      101,
      z.object({
        stripeSubscriptionId: z.string(),
        plan: z.string(),
        interval: Interval,
        status: z.enum(SUBSCRIPTION_STATUSES),
        beganAt: Timestamp,
        endsAt: z.nullable(Timestamp),
      }),
    ),
  }),
  refreshedBy: ['account'],
});
