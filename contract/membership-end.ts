/** A creator takes their members along, or closes their memberships. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { CreatorParams, Timestamp } from '#contract/shapes.ts';

/**
 * - `leave`: our fee is taken off every subscription, then nothing more is asked of Stripe. Members go on paying the creator.
 * - `close`: nobody new joins, and each membership is canceled for the end of what is paid.
 */
export const MembershipEndWay = z.enum(['leave', 'close']);
export type MembershipEndWay = z.infer<typeof MembershipEndWay>;

const MembershipEnd = z.object({
  /** Null: memberships go on. */
  way: z.nullable(MembershipEndWay),
  askedAt: z.nullable(Timestamp),
  /** Those who pay now. */
  members: z.int(),
  /** Of `many` subscriptions, how many are taken care of. */
  many: z.int(),
  done: z.int(),
  isDone: z.boolean(),
  /** Memberships are being kept again. */
  isCalledOff: z.boolean(),
  /** Of those that were canceled, when the last one ends. */
  lastEndsAt: z.nullable(Timestamp),
});
export type MembershipEnd = z.infer<typeof MembershipEnd>;

const path = '/creators/:creatorId/membership-end';
const ACCESS = { access: 'creator', needs: 'money', params: CreatorParams, response: MembershipEnd } as const;

export const getMembershipEnd = endpoint({
  ...ACCESS,
  method: 'GET',
  path,
  refreshedBy: ['account'],
  summary: 'Whether the creator leaves with their members or closes memberships, and how far that is',
});

export const endMemberships = endpoint({
  ...ACCESS,
  method: 'POST',
  path,
  summary: 'Leave with the members, or close memberships',
  /** The handle, typed to be sure. */
  body: z.object({ way: MembershipEndWay, handle: z.string().check(z.maxLength(60)) }),
  errors: ['invalid_input', 'not_possible_now', 'payments_off'],
});

export const keepMemberships = endpoint({
  ...ACCESS,
  method: 'DELETE',
  path,
  summary: 'Call off that memberships are closed, or connect again after leaving',
  errors: ['not_possible_now', 'payments_off', 'stripe_unreachable'],
});
