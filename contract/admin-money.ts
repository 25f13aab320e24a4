/** What operators see of payments, and what they may do: prices, a fresh look at Stripe, more days. Nothing here charges anybody. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { atMost, Id, Timestamp } from '#contract/shapes.ts';

const Message = z.object({ message: z.string() });
const Creator = { creatorId: Id, handle: z.string() };
const Params = z.object({ adminCreatorId: Id });
const Reason = z.string().check(z.trim(), z.minLength(3), z.maxLength(500));

/** In cents; null: not sold at this interval. */
const Cents = z.nullable(z.number().check(z.int(), z.minimum(50), z.maximum(10_000_000)));

/** What is listed at most of each. */
export const MONEY_ROWS = 50;

export const adminGetMoney = endpoint({
  method: 'GET',
  path: '/admin/money',
  access: 'admin',
  summary: 'Payments of the whole install: what waits, who is late, what plans cost and who pays them',
  response: z.object({
    mode: z.enum(['off', 'play', 'real']),
    /** `missing`: taxes are to be computed, and Stripe would collect none. */
    tax: z.enum(['off', 'on', 'missing', 'unknown']),
    sync: z.object({
      customers: z.number(),
      /** The longest that a copy was not compared; null without customers. */
      oldestAt: z.nullable(Timestamp),
      waiting: z.number(),
      lastEventAt: z.nullable(Timestamp),
      /** Copies that a check found to be other than Stripe in the last day, and mended. */
      repaired: z.number(),
    }),
    /** Calls to Stripe without an answer: made again by themselves, unless they are `unknown`. */
    calls: atMost(
      MONEY_ROWS,
      z.object({
        ...{ key: z.string(), verb: z.string(), handle: z.nullable(z.string()) },
        ...{ plannedAt: Timestamp, state: z.enum(['planned', 'unknown']) },
      }),
    ),
    /** Payments of second subscriptions that were given back. */
    duplicates: z.number(),
    /** Payers who asked their bank for the money back, not decided yet; null: Stripe did not say. */
    disputes: z.nullable(
      atMost(
        MONEY_ROWS,
        z.object({
          ...{ id: z.string(), handle: z.nullable(z.string()), amount: z.string(), reason: z.string() },
          ...{ openedAt: Timestamp, answerBy: z.nullable(Timestamp) },
        }),
      ),
    ),
    late: atMost(
      MONEY_ROWS,
      z.object({ ...Creator, plan: z.string(), since: Timestamp, cause: z.nullable(z.string()) }),
    ),
    /** On the free plan, with more followers than it is for; where billing is off: who would be. */
    over: atMost(
      MONEY_ROWS,
      z.object({ ...Creator, followers: z.number(), graceUntil: z.nullable(Timestamp), isLimited: z.boolean() }),
    ),
    plans: atMost(
      10,
      z.object({
        ...{ planId: z.string(), name: z.string(), month: Cents, year: Cents },
        ...{ trialDays: z.number(), isOnSale: z.boolean() },
        /** By price and interval, those of before too. */
        payers: atMost(
          100,
          z.object({
            ...{ cents: z.number(), interval: z.enum(['month', 'year']), creators: z.number() },
            /** Of them, who were told that they will pay the present price. */
            told: z.number(),
          }),
        ),
      }),
    ),
  }),
});

export const adminChangePlan = endpoint({
  method: 'PUT',
  path: '/admin/money/plans/:planId',
  access: 'admin',
  summary: 'What a plan costs from now on; those who pay keep their price',
  params: z.object({ planId: z.string().check(z.maxLength(60)) }),
  body: z.object({
    ...{ month: Cents, year: Cents, isOnSale: z.boolean() },
    trialDays: z.number().check(z.int(), z.minimum(0), z.maximum(90)),
  }),
  response: Message,
  errors: ['not_allowed', 'not_found', 'invalid_input'],
});

export const adminMovePayers = endpoint({
  method: 'POST',
  path: '/admin/money/plans/:planId/move',
  access: 'admin',
  summary:
    'Tell those who pay an earlier price that they will pay the present one, from their first payment after 30 days',
  params: z.object({ planId: z.string().check(z.maxLength(60)) }),
  body: z.object({
    ...{ interval: z.enum(['month', 'year']), cents: z.number().check(z.int(), z.positive()) },
    /** The present price, as it was shown. */
    toCents: z.number().check(z.int(), z.positive()),
  }),
  response: Message,
  errors: ['not_allowed', 'not_found', 'changed_meanwhile', 'payments_off'],
});

export const adminSyncPlan = endpoint({
  method: 'POST',
  path: '/admin/creators/:adminCreatorId/plan/sync',
  access: 'admin',
  summary: 'Make our copy of a creator’s subscription again, from Stripe',
  params: Params,
  response: Message,
  errors: ['not_allowed', 'not_found', 'payments_off', 'stripe_unreachable'],
});

export const adminGiveDays = endpoint({
  method: 'POST',
  path: '/admin/creators/:adminCreatorId/plan/days',
  access: 'admin',
  summary: 'Fourteen more days for a creator with more followers than the free plan is for',
  params: Params,
  body: z.object({ reason: Reason }),
  response: Message,
  errors: ['not_allowed', 'not_found', 'not_possible_now', 'payments_off'],
});
