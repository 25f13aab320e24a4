/** What members paid a creator, as Stripe's own lines say. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { atMost, CreatorParams, PageQuery, pageOf, Timestamp } from '#contract/shapes.ts';

/** The figures of a month, each the sum of lines; `net` is the sum of those before it. */
export const MONEY_FIGURES = [
  'gross',
  'refunds',
  'disputes',
  'stripeFees',
  'ourFee',
  'other',
  'net',
  'paidOut',
] as const;
export type MoneyFigure = (typeof MONEY_FIGURES)[number];

const Amounts = z.object(
  Object.fromEntries(MONEY_FIGURES.map((name) => [name, z.int()])) as Record<MoneyFigure, z.ZodMiniNumberFormat>,
);
/** In UTC: `2027-03`. */
const Month = z.string().check(z.length(7));

const path = '/creators/:creatorId/members-money';

export const getMembersMoney = endpoint({
  method: 'GET',
  path,
  access: 'creator',
  needs: 'money',
  refreshedBy: ['account'],
  summary: 'What members paid by month and currency, whether it adds up with Stripe, and what was paid out',
  params: CreatorParams,
  response: z.object({
    /** When Stripe was asked last; null: never. */
    checkedAt: z.nullable(Timestamp),
    /** By how much our lines differ from Stripe's balance; empty: it adds up. */
    differences: atMost(20, z.object({ currency: z.string(), amount: z.int() })),
    /** Since when they differ; null: not when Stripe was asked last. */
    differsSince: z.nullable(Timestamp),
    balance: atMost(20, z.object({ currency: z.string(), amount: z.int() })),
    /** Of payments that a bank has taken back for now, the first to answer first. */
    disputes: atMost(
      100,
      z.object({
        ...{ id: z.string(), amount: z.int(), currency: z.string(), reason: z.string(), email: z.nullable(z.string()) },
        /** Until when Stripe takes an answer; null: the bank is deciding. */
        answerBy: z.nullable(Timestamp),
        url: z.nullable(z.url()),
      }),
    ),
    /** Stripe’s own report; null with play money. */
    taxUrl: z.nullable(z.url()),
    months: atMost(240, z.object({ month: z.string(), currency: z.string(), ...Amounts.shape })),
    payouts: atMost(
      24,
      z.object({
        ...{ id: z.string(), amount: z.int(), currency: z.string(), madeAt: Timestamp, arrivesAt: Timestamp },
        status: z.enum(['pending', 'in_transit', 'paid', 'failed', 'canceled']),
        failure: z.nullable(z.string()),
      }),
    ),
  }),
});

export const listMoneyLines = endpoint({
  method: 'GET',
  path: `${path}/lines`,
  access: 'creator',
  needs: 'money',
  personal: true,
  summary: 'The lines that a figure is the sum of, newest first',
  params: CreatorParams,
  query: z.object({ ...PageQuery, month: Month, currency: z.string(), figure: z.enum(MONEY_FIGURES) }),
  response: pageOf(
    z.object({
      ...{ id: z.string(), at: Timestamp, category: z.string(), amount: z.int(), fee: z.int(), net: z.int() },
      email: z.nullable(z.string()),
    }),
  ),
  errors: ['invalid_input'],
});
