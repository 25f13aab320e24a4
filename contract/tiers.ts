/** What readers can be members of, and for how much. */
import * as z from 'zod/mini';
import { CURRENCIES } from '#contract/amounts.ts';
import { endpoint } from '#contract/endpoint.ts';
import { HttpsLink } from '#contract/forms.ts';
import { QUOTAS } from '#contract/quotas.ts';
import { atMost, CreatorParams, Id } from '#contract/shapes.ts';

/** Where a creator chose nothing else. */
export const USUAL_LATE_DAYS = 7;
export const MOST_LATE_DAYS = 14;
export const MOST_FREE_OPENS = 3;

/** In the smallest unit of the currency. Stripe charges no less than about half a dollar. */
const Amount = z.nullable(
  z.int().check(z.minimum(50, 'The least is 0.50.'), z.maximum(1_000_000, 'That’s more than a membership can cost.')),
);

export const TierInput = z.object({
  name: z.string().check(z.trim(), z.minLength(1, 'Enter a name.'), z.maxLength(60, 'At most 60 characters.')),
  description: z.string().check(z.trim(), z.maxLength(500, 'At most 500 characters.')),
  /** Shown where readers join. */
  pictureUrl: z.nullable(HttpsLink),
  /** Fixed once somebody has paid. */
  currency: z.enum(CURRENCIES),
  /** Null: it cannot be paid like that. */
  month: Amount,
  year: Amount,
  trialDays: z.int().check(z.minimum(0), z.maximum(30, 'At most 30 days.')),
});
export type TierInput = z.infer<typeof TierInput>;

export const Tier = z.object({
  ...TierInput.shape,
  id: Id,
  /** Who reads by it now. */
  members: z.int(),
  /** Somebody paid for it once: its currency stays. */
  isPaidFor: z.boolean(),
  /** It takes nobody new. */
  isArchived: z.boolean(),
  /** Who pays another price than the present one, and goes on; `told`: of those, who were mailed that they will pay it. */
  earlier: atMost(
    200,
    z.object({ interval: z.enum(['month', 'year']), amount: z.int(), members: z.int(), told: z.int() }),
  ),
});
export type Tier = z.infer<typeof Tier>;

const path = '/creators/:creatorId/tiers';
const params = z.object({ creatorId: Id, tierId: Id });

export const listTiers = endpoint({
  method: 'GET',
  path,
  access: 'creator',
  needs: 'members',
  refreshedBy: ['account'],
  summary: 'Tiers of the creator’s membership, with prices',
  params: CreatorParams,
  response: z.object({
    /** Where readers join. */
    joinUrl: z.url(),
    /** Readers enter without paying. */
    hasFreeReaders: z.boolean(),
    /** How long members read on after a payment failed. */
    lateDays: z.int(),
    /** How many locked posts a month readers open who entered without paying. */
    freeOpens: z.int(),
    /** The lowest first: each opens what is for those before it. */
    items: atMost(QUOTAS.tiers.most * 10, Tier),
  }),
});

export const createTier = endpoint({
  method: 'POST',
  path,
  access: 'creator',
  needs: 'money',
  quotas: ['tiers'],
  makes: true,
  summary: 'Make a tier',
  params: CreatorParams,
  body: TierInput,
  response: Tier,
  errors: ['invalid_input', 'quota_reached'],
});

export const changeTier = endpoint({
  method: 'PUT',
  path: `${path}/:tierId`,
  access: 'creator',
  needs: 'money',
  summary: 'Change a tier; another price is for new members, and present ones keep theirs',
  params,
  body: TierInput,
  response: Tier,
  errors: ['invalid_input', 'not_found'],
});

export const movePayers = endpoint({
  method: 'POST',
  path: `${path}/:tierId/move-payers`,
  access: 'creator',
  needs: 'money',
  summary: 'Tell members who pay an earlier price that they will pay the present one, 30 days from now or later',
  params,
  body: z.object({
    interval: z.enum(['month', 'year']),
    /** What they pay. */
    amount: z.int(),
    /** The present price, as a guard against another one meanwhile. */
    toAmount: z.int(),
  }),
  response: z.object({ message: z.string() }),
  errors: ['not_found', 'changed_meanwhile'],
});

export const archiveTier = endpoint({
  method: 'DELETE',
  path: `${path}/:tierId`,
  access: 'creator',
  needs: 'money',
  summary: 'Close a tier for new members; present ones go on',
  params,
  response: z.object({ message: z.string() }),
  errors: ['not_found'],
});

export const reopenTier = endpoint({
  method: 'POST',
  path: `${path}/:tierId/reopen`,
  access: 'creator',
  needs: 'money',
  quotas: ['tiers'],
  summary: 'Open a closed tier again',
  params,
  response: z.object({ message: z.string() }),
  errors: ['not_found', 'quota_reached'],
});

export const moveTier = endpoint({
  method: 'POST',
  path: `${path}/:tierId/move`,
  access: 'creator',
  needs: 'money',
  summary: 'Put a tier above or below the next one: each opens what is for those below it',
  params,
  body: z.object({ up: z.boolean() }),
  response: z.object({ message: z.string() }),
  errors: ['not_found'],
});

export const setFreeReaders = endpoint({
  method: 'PUT',
  path: '/creators/:creatorId/free-readers',
  access: 'creator',
  needs: 'money',
  summary: 'Let readers enter without paying, for what is locked for readers; or no longer',
  params: CreatorParams,
  body: z.object({ isOpen: z.boolean() }),
  response: z.object({ message: z.string() }),
});

export const setLateDays = endpoint({
  method: 'PUT',
  path: '/creators/:creatorId/late-days',
  access: 'creator',
  needs: 'money',
  summary: 'Choose for how many days members read on after a payment failed; it applies at once to those who are late',
  params: CreatorParams,
  body: z.object({ days: z.int().check(z.minimum(0), z.maximum(MOST_LATE_DAYS, 'At most 14 days.')) }),
  response: z.object({ message: z.string() }),
  errors: ['invalid_input'],
});

export const setFreeOpens = endpoint({
  method: 'PUT',
  path: '/creators/:creatorId/free-opens',
  access: 'creator',
  needs: 'money',
  summary: 'Choose how many locked posts a month readers open who entered without paying',
  params: CreatorParams,
  body: z.object({ many: z.int().check(z.minimum(0), z.maximum(MOST_FREE_OPENS, 'At most 3 posts.')) }),
  response: z.object({ message: z.string() }),
  errors: ['invalid_input'],
});
