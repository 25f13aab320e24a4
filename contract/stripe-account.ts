/** A creator's own account at Stripe, into which their members pay. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { atMost, CreatorParams, Id, Timestamp } from '#contract/shapes.ts';

/** What Stripe says of it, in words; `acts`: its owner has to do something on Stripe's pages. */
export const ACCOUNT_STATES = {
  none: {
    title: 'Not connected',
    says: 'Members pay into your own Stripe account. Connecting takes about ten minutes.',
    acts: true,
  },
  unfinished: {
    title: 'Not finished',
    says: 'Stripe still needs something from you before members can pay.',
    acts: true,
  },
  in_review: { title: 'Under review', says: 'Stripe is checking what you sent. Nothing for you to do.', acts: false },
  ready: { title: 'Ready', says: 'Members can pay, and Stripe pays out to your bank.', acts: false },
  payouts_wait: {
    title: 'Ready, payouts wait',
    says: 'Members can pay. Stripe pays out once it has what it still needs.',
    acts: true,
  },
  due_soon: {
    title: 'Action needed soon',
    says: 'Everything works. Stripe needs something from you soon, or payments stop.',
    acts: true,
  },
  past_due: { title: 'Action needed', says: 'Payments have stopped until Stripe has what it needs.', acts: true },
  paused: {
    title: 'Paused by Stripe',
    says: 'Stripe has paused this account. Write to Stripe’s support: they know why.',
    acts: false,
  },
  closed: {
    title: 'Disconnected',
    says: 'This Stripe account is closed or no longer connected. New members can’t join.',
    acts: false,
  },
} as const satisfies Record<string, { title: string; says: string; acts: boolean }>;
export type AccountState = keyof typeof ACCOUNT_STATES;

/** In these, members can pay. */
export const TAKES_MONEY: readonly AccountState[] = ['ready', 'payouts_wait', 'due_soon'];

const StripeAccount = z.object({
  /** Its id at Stripe; null: there is none. */
  accountId: z.nullable(z.string()),
  state: z.enum(Object.keys(ACCOUNT_STATES) as [AccountState, ...AccountState[]]),
  /** What Stripe needs, in words. */
  needs: atMost(20, z.string()),
  dueAt: z.nullable(Timestamp),
  checkedAt: z.nullable(Timestamp),
  /** What this Creator HQ takes of each payment, in percent. */
  feePercent: z.number(),
  /** `play`: a simulator’s money. `off`: no one can pay here. `none`: there are no memberships at all here. */
  mode: z.enum(['live', 'play', 'test', 'off', 'none']),
});
export type StripeAccount = z.infer<typeof StripeAccount>;

const path = '/creators/:creatorId/stripe-connected-account';
const Page = z.object({ url: z.url() });

export const getStripeAccount = endpoint({
  method: 'GET',
  path,
  access: 'creator',
  needs: 'members',
  refreshedBy: ['account'],
  summary: 'The creator’s Stripe account for memberships, and what Stripe still needs',
  params: CreatorParams,
  response: StripeAccount,
});

export const connectStripeAccount = endpoint({
  method: 'POST',
  path,
  access: 'creator',
  needs: 'money',
  summary: 'Begin a Stripe account, where there is none; leads to Stripe’s page to fill it in',
  params: CreatorParams,
  response: Page,
  errors: ['payments_off', 'not_possible_now', 'stripe_unreachable'],
});

export const linkStripeAccount = endpoint({
  method: 'POST',
  path: `${path}/link`,
  access: 'creator',
  needs: 'money',
  summary: 'A page of Stripe’s to give what it still needs, good for minutes',
  params: CreatorParams,
  response: Page,
  errors: ['payments_off', 'not_possible_now', 'stripe_unreachable'],
});

export const checkStripeAccount = endpoint({
  method: 'POST',
  path: `${path}/check`,
  access: 'creator',
  needs: 'members',
  summary: 'Ask Stripe now what it thinks of the account',
  params: CreatorParams,
  response: StripeAccount,
  errors: ['payments_off', 'stripe_unreachable'],
});

export const adminGiveOwnAccount = endpoint({
  method: 'POST',
  path: '/admin/creators/:adminCreatorId/own-stripe-account',
  access: 'admin',
  summary:
    'Say, for good, that this installation’s own Stripe account is the creator’s, who runs it: members pay into it, without a fee',
  params: z.object({ adminCreatorId: Id }),
  body: z.object({ reason: z.string().check(z.trim(), z.minLength(3), z.maxLength(500)) }),
  response: z.object({ message: z.string() }),
  errors: ['not_allowed', 'not_found', 'not_possible_now', 'payments_off'],
});
