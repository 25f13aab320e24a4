/** Codes that take something off a membership, for readers who have them. */
import * as z from 'zod/mini';
import { CURRENCIES } from '#contract/amounts.ts';
import { endpoint } from '#contract/endpoint.ts';
import { atMost, CreatorParams, Id } from '#contract/shapes.ts';

export const DURATIONS = { once: 'The first payment', months: 'Some months', forever: 'Every payment' } as const;
export type Duration = keyof typeof DURATIONS;

export const DiscountCodeInput = z.object({
  code: z
    .string()
    .check(
      z.trim(),
      z.minLength(3, 'At least 3 letters.'),
      z.maxLength(30, 'At most 30 letters.'),
      z.regex(/^[A-Za-z0-9_-]*$/, 'Letters, numbers, - and _ only.'),
    ),
  /** One of the two. */
  percentOff: z.nullable(z.int().check(z.minimum(1, 'At least 1.'), z.maximum(100, 'At most 100.'))),
  /** In the smallest unit of the currency. */
  amountOff: z.nullable(z.int().check(z.minimum(1, 'Enter an amount.'), z.maximum(1_000_000, 'That’s too much.'))),
  /** Of the amount. */
  currency: z.nullable(z.enum(CURRENCIES)),
  duration: z.enum(Object.keys(DURATIONS) as [Duration, ...Duration[]]),
  /** Where it is for some months. */
  months: z.nullable(z.int().check(z.minimum(1, 'At least 1.'), z.maximum(12, 'At most 12.'))),
  /** Null: any number. */
  mostUses: z.nullable(z.int().check(z.minimum(1, 'At least 1.'), z.maximum(100_000, 'At most 100,000.'))),
  lastDay: z.nullable(z.iso.date()),
  /** Who never paid before. */
  newOnly: z.boolean(),
  /** Null: any. */
  tierId: z.nullable(Id),
});
export type DiscountCodeInput = z.infer<typeof DiscountCodeInput>;

export const CODE_STATES = { open: 'Open', over: 'Over', used_up: 'Used up', closed: 'Closed' } as const;
export type CodeState = keyof typeof CODE_STATES;

export const DiscountCode = z.object({
  ...DiscountCodeInput.shape,
  id: Id,
  state: z.enum(Object.keys(CODE_STATES) as [CodeState, ...CodeState[]]),
  uses: z.int(),
  /** In words, as readers see it. */
  says: z.string(),
  /** Where readers join with it. */
  joinUrl: z.url(),
});
export type DiscountCode = z.infer<typeof DiscountCode>;

const path = '/creators/:creatorId/discount-codes';

export const listDiscountCodes = endpoint({
  method: 'GET',
  path,
  access: 'creator',
  needs: 'members',
  refreshedBy: ['account'],
  summary: 'Codes that take something off a membership, the newest first',
  params: CreatorParams,
  response: z.object({ items: atMost(200, DiscountCode) }),
});

export const createDiscountCode = endpoint({
  method: 'POST',
  path,
  access: 'creator',
  needs: 'money',
  quotas: ['discount_codes'],
  makes: true,
  summary: 'Make a code that takes something off a membership',
  params: CreatorParams,
  body: DiscountCodeInput,
  response: DiscountCode,
  errors: ['invalid_input', 'quota_reached'],
});

export const closeDiscountCode = endpoint({
  method: 'DELETE',
  path: `${path}/:codeId`,
  access: 'creator',
  needs: 'money',
  summary: 'Close a code; who joined with it keeps what it takes off',
  params: z.object({ creatorId: Id, codeId: Id }),
  response: z.object({ message: z.string() }),
  errors: ['not_found'],
});
