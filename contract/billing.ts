/** Paying for a plan: Stripe's page, what became of it, ending and keeping. Amounts never come from the browser. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { CHECKOUT_STATES, SUBSCRIPTION_STATUSES } from '#contract/plans.ts';
import { atMost, CreatorParams, pageOf, Timestamp } from '#contract/shapes.ts';

const Interval = z.enum(['month', 'year']);
const Wish = z.object({ planId: z.string().check(z.minLength(1), z.maxLength(60)), interval: Interval });
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
  body: Wish,
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

export const previewPlanChange = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/subscriptions/preview',
  access: 'creator',
  needs: 'billing',
  summary: 'What a change of plan costs, and when it begins; changes nothing',
  params: CreatorParams,
  body: Wish,
  response: z.object({
    /** A dearer plan begins now, a cheaper one at the end of what is paid. */
    when: z.enum(['now', 'later']),
    /** To be paid now, with tax. */
    dueCents: z.number(),
    taxCents: z.number(),
    lines: atMost(100, z.object({ says: z.string(), cents: z.number() })),
    nextPayment: z.object({ at: Timestamp, cents: z.number() }),
    /** For `changePlan`: it does this, to the cent, or nothing. */
    token: z.string(),
  }),
  errors: ['already_exists', 'not_possible_now', 'payments_off', 'stripe_unreachable'],
});

export const changePlan = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/subscriptions/change',
  access: 'creator',
  needs: 'billing',
  summary: 'Change the plan as it was previewed',
  params: CreatorParams,
  body: z.object({ token: z.string().check(z.minLength(1), z.maxLength(2000)) }),
  response: z.object({
    message: z.string(),
    /** Stripe’s page, where the bank or another card is needed first. */
    url: z.nullable(z.url()),
  }),
  errors: [
    'already_exists',
    'call_under_way',
    'changed_meanwhile',
    'not_possible_now',
    'payments_off',
    'stripe_unreachable',
  ],
});

export const refundPlan = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/subscriptions/refund',
  access: 'creator',
  needs: 'billing',
  summary: 'End the plan now and give back what was paid for it, in its first days',
  params: CreatorParams,
  response: Message,
  errors: ['not_possible_now', 'payments_off', 'stripe_unreachable'],
});

export const payDue = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/subscriptions/pay',
  access: 'creator',
  needs: 'billing',
  summary: 'Stripe’s page for the payment that is due',
  params: CreatorParams,
  response: z.object({ url: z.url() }),
  errors: ['not_possible_now', 'payments_off', 'stripe_unreachable'],
});

export const refreshPlan = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/subscriptions/refresh',
  access: 'creator',
  needs: 'billing',
  summary: 'Ask Stripe how the subscription is, while someone waits for it',
  params: CreatorParams,
  response: Message,
  errors: ['payments_off', 'stripe_unreachable'],
});

export const openPortal = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/billing-portal',
  access: 'creator',
  needs: 'billing',
  summary: 'Stripe’s page for card, address and tax ids',
  params: CreatorParams,
  response: z.object({ url: z.url() }),
  errors: ['not_possible_now', 'payments_off', 'stripe_unreachable'],
});

const isInvoiceId = (id: string) => /^in_\w+$/.test(id);

export const listInvoices = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/invoices',
  access: 'creator',
  needs: 'billing',
  summary: 'Invoices, newest first; asks Stripe',
  params: CreatorParams,
  query: z.object({ after: z.optional(z.string().check(z.maxLength(255), z.refine(isInvoiceId))) }),
  response: pageOf(
    z.object({
      id: z.string(),
      number: z.nullable(z.string()),
      at: Timestamp,
      /** What for. */
      says: z.string(),
      netCents: z.number(),
      taxCents: z.number(),
      totalCents: z.number(),
      currency: z.string(),
      status: z.enum(['open', 'paid', 'uncollectible', 'void']),
      /** To pay it, while it is open. */
      payUrl: z.nullable(z.url()),
      pdfUrl: z.nullable(z.url()),
    }),
  ),
  errors: ['payments_off', 'stripe_unreachable'],
  refreshedBy: ['account'],
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
