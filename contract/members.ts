/** A creator's members: who they are, until when they read on, and why one cannot get in. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { atMost, CreatorParams, Id, PageQuery, pageOf, Timestamp } from '#contract/shapes.ts';

/**
 * - `in`: they read, and it goes on. `trial`: so far for nothing. `ending`: until what was paid for is over.
 * - `late`: a payment failed, and they read on for some days. `given`: without paying. `gift`: somebody else paid; it may begin later.
 * - `over`: they read no more.
 */
export const MEMBER_STATES = {
  in: 'Paying',
  trial: 'On trial',
  ending: 'Ending',
  late: 'Payment late',
  given: 'Given',
  gift: 'Gift',
  over: 'Ended',
} as const;
export type MemberState = keyof typeof MEMBER_STATES;
const State = z.enum(Object.keys(MEMBER_STATES) as [MemberState, ...MemberState[]]);

/** What members may say once they canceled. */
export const LEAVING_REASONS = {
  price: 'It costs too much',
  use: 'I don’t use it enough',
  content: 'I expected something else',
  trouble: 'Something didn’t work',
  other: 'Another reason',
} as const;
export const LeavingReason = z.enum(
  Object.keys(LEAVING_REASONS) as [keyof typeof LEAVING_REASONS, ...(keyof typeof LEAVING_REASONS)[]],
);
export type LeavingReason = z.infer<typeof LeavingReason>;

export const Member = z.object({
  /** The contact’s. */
  id: Id,
  email: z.string(),
  name: z.nullable(z.string()),
  tier: z.string(),
  state: State,
  /** What they pay; null: nothing. In the smallest unit of the currency. */
  amount: z.nullable(z.int()),
  currency: z.nullable(z.string()),
  interval: z.nullable(z.enum(['month', 'year'])),
  joinedAt: Timestamp,
  /** Until when they read; null: for good, or as long as they pay. */
  until: z.nullable(Timestamp),
  renewsAt: z.nullable(Timestamp),
  lastSeenAt: z.nullable(Timestamp),
});
export type Member = z.infer<typeof Member>;

/** Why somebody cannot get in, the first that holds; each with what helps. */
export const REASONS = {
  no_such_address: { says: 'No one with this address was ever a member.', remedy: 'none' },
  other_address: { says: 'They changed their address, and enter with the new one.', remedy: 'none' },
  never_paid: { says: 'They began to pay and never finished.', remedy: 'none' },
  payment_failed: { says: 'Their payment failed, and the days after it are over.', remedy: 'send_pay_link' },
  blocked: { says: 'You blocked them.', remedy: 'unblock' },
  refunded: { says: 'Their payment was given back.', remedy: 'give_days' },
  disputed: { says: 'They asked their bank for the money back.', remedy: 'none' },
  ended: { says: 'Their membership has ended.', remedy: 'give_days' },
  gift_not_begun: { says: 'Their gift hasn’t begun yet.', remedy: 'give_days' },
  gift_over: { says: 'What they were given is over.', remedy: 'give_days' },
  code_bounced: { says: 'The email with their code came back.', remedy: 'none' },
  many_devices: {
    says: 'They read on five devices; the one they used longest ago was logged out.',
    remedy: 'sign_out_all',
  },
  never_entered: { says: 'They aren’t logged in on any device.', remedy: 'send_code' },
  site_away: {
    says: 'Your blog’s plugin hasn’t called for two days. It may be off, or its key replaced.',
    remedy: 'none',
  },
  plugin_off: {
    says: 'Your blog’s plugin doesn’t answer: it’s off, too old, or blocked. Turn it on and update it in WordPress.',
    remedy: 'none',
  },
  site_moved: {
    says: 'Your blog has moved, as from http to https, and its plugin hasn’t said so yet. In WordPress, open Creator HQ and press Check connection.',
    remedy: 'none',
  },
  key_replaced: {
    says: 'Your blog has an old key of Creator HQ. In WordPress, connect it again.',
    remedy: 'none',
  },
  clock_wrong: {
    says: 'Your blog’s clock is more than five minutes off. Ask your host to set it.',
    remedy: 'none',
  },
  cache_in_between: {
    says: 'Something before your blog gives members the stranger’s page. Memberships > Locks says what to do.',
    remedy: 'none',
  },
  tier_too_low: { says: 'They read on, but not what is for a higher tier.', remedy: 'give_tier' },
  rest_off: {
    says: 'They read on, but slower: another plugin of your blog switches its REST API off. Allow /wp-json/creator-hq/v1 there.',
    remedy: 'send_code',
  },
  wordpress_untried: {
    says: 'They read on, as far as we know, but the plugin isn’t tried with your WordPress.',
    remedy: 'send_code',
  },
  all_right: { says: 'Everything is right: they read on.', remedy: 'send_code' },
} as const satisfies Record<string, { says: string; remedy: string }>;
export type Reason = keyof typeof REASONS;

const path = '/creators/:creatorId/members';
const params = z.object({ creatorId: Id, memberId: Id });
const Message = z.object({ message: z.string() });
const Address = z.string().check(z.trim(), z.minLength(1, 'Enter an address.'), z.maxLength(300));

export const listMembers = endpoint({
  method: 'GET',
  path,
  access: 'creator',
  needs: 'members',
  personal: true,
  refreshedBy: ['account'],
  summary: 'Members, the newest first',
  params: CreatorParams,
  query: z.object({
    ...PageQuery,
    /** The beginning of an address, a name or the handle of whom they are joined with. */
    search: z.optional(z.string().check(z.maxLength(200))),
    state: z.optional(State),
    tierId: z.optional(Id),
  }),
  response: pageOf(Member),
});

export const getMemberFigures = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/members-figures',
  access: 'creator',
  needs: 'members',
  refreshedBy: ['account'],
  summary: 'How many members there are, who joined and left in 30 days, and what they pay a month',
  params: CreatorParams,
  response: z.object({
    members: z.int(),
    paying: z.int(),
    late: z.int(),
    joined: z.int(),
    /** Of those who joined, in a browser in which they read a recipe that a member had passed to them. */
    joinedByPassing: z.int(),
    left: z.int(),
    /** Why members canceled, of those who said so; what most said first. */
    leftBecause: atMost(5, z.object({ reason: LeavingReason, members: z.int() })),
    /** Of those who pay, yearly prices counted as a twelfth; by currency. */
    monthly: atMost(20, z.object({ currency: z.string(), amount: z.int() })),
  }),
});

export const getMember = endpoint({
  method: 'GET',
  path: `${path}/:memberId`,
  access: 'creator',
  needs: 'members',
  personal: true,
  refreshedBy: ['account'],
  summary: 'One member with their story',
  params,
  response: z.object({
    ...Member.shape,
    /** Their customer at Stripe. */
    stripeUrl: z.nullable(z.url()),
    devices: atMost(20, z.object({ id: Id, enteredAt: Timestamp, seenAt: Timestamp, isSignedIn: z.boolean() })),
    changes: atMost(100, z.object({ id: Id, at: Timestamp, what: z.string() })),
    /** What they paid and got back, the newest first, in the smallest unit of the currency. */
    payments: atMost(
      20,
      z.object({
        ...{ id: z.string(), at: Timestamp, amount: z.int(), currency: z.string() },
        kind: z.enum(['paid', 'refunded', 'disputed', 'dispute_won']),
      }),
    ),
    /** Of the last 30 days, the newest first; a code is not named. */
    mails: atMost(
      20,
      z.object({ id: Id, at: Timestamp, subject: z.string(), fate: z.enum(['under_way', 'sent', 'came_back']) }),
    ),
    note: z.nullable(z.string()),
    /** Links of theirs that open a recipe for a friend. */
    passed: z.int(),
    /** Something of theirs is charged, though they may read by what was given. */
    paysNow: z.boolean(),
    /** They get in no longer, whatever they pay or are given. */
    isBlocked: z.boolean(),
  }),
  errors: ['not_found'],
});

export const whyNotIn = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/members-why',
  access: 'creator',
  needs: 'members',
  personal: true,
  summary: 'Why someone can’t get in',
  params: CreatorParams,
  body: z.object({ email: Address }),
  response: z.object({
    reason: z.enum(Object.keys(REASONS) as [Reason, ...Reason[]]),
    /** With what is known of this one: a day, the nearest address. */
    detail: z.nullable(z.string()),
    contactId: z.nullable(Id),
    /** The highest tier that something on the blog is for, where they have a lower one. */
    higherTierId: z.nullable(Id),
    /** Another address that it may be: the new one, or one letter apart, of a member. */
    nearest: z.nullable(z.string()),
  }),
});

export const givePass = endpoint({
  method: 'POST',
  path,
  access: 'creator',
  needs: 'members',
  makes: true,
  quotas: ['contact_changes'],
  summary: 'Let someone in without paying, for some days or for good',
  params: CreatorParams,
  body: z.object({
    email: Address,
    tierId: Id,
    /** Null: for good. */
    days: z.nullable(z.int().check(z.minimum(1), z.maximum(3650))),
    note: z.string().check(z.trim(), z.maxLength(300)),
  }),
  response: z.object({ contactId: Id }),
  errors: ['invalid_input', 'not_found', 'quota_reached'],
});

export const endGivenPass = endpoint({
  method: 'POST',
  path: `${path}/:memberId/end`,
  access: 'creator',
  needs: 'members',
  summary: 'End what was given to someone; what they pay for goes on',
  params,
  response: Message,
  errors: ['not_found'],
});

export const endPassedRecipes = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/members/:memberId/end-passed',
  access: 'creator',
  needs: 'members',
  summary: 'End what someone’s links open for friends',
  params,
  response: Message,
  errors: ['not_found'],
});

export const sendMemberCode = endpoint({
  method: 'POST',
  path: `${path}/:memberId/code`,
  access: 'creator',
  needs: 'members',
  quotas: ['contact_changes'],
  summary: 'Mail someone how to get in, or the page to pay on',
  params,
  response: Message,
  errors: ['not_found', 'not_possible_now', 'stripe_unreachable', 'quota_reached'],
});

export const signMemberOut = endpoint({
  method: 'POST',
  path: `${path}/:memberId/sign-out`,
  access: 'creator',
  needs: 'members',
  summary: 'Log someone out on all their devices',
  params,
  response: Message,
  errors: ['not_found'],
});

export const cancelMember = endpoint({
  method: 'POST',
  path: `${path}/:memberId/cancel`,
  access: 'creator',
  needs: 'money',
  summary: 'End what someone pays for: at the end of what is paid, or now with their last payment given back',
  params,
  body: z.object({ refund: z.boolean() }),
  response: Message,
  errors: ['not_found', 'not_possible_now', 'payments_off', 'stripe_unreachable'],
});

const paymentParams = z.object({ ...params.shape, paymentId: z.string().check(z.maxLength(100)) });

export const getMemberPayment = endpoint({
  method: 'GET',
  path: `${path}/:memberId/payments/:paymentId`,
  access: 'creator',
  needs: 'money',
  summary: 'What is left of a payment: asked of Stripe, in the smallest unit of the currency that was paid in',
  params: paymentParams,
  response: z.object({ amount: z.int(), left: z.int(), currency: z.string() }),
  errors: ['not_found', 'not_possible_now', 'payments_off', 'stripe_unreachable'],
});

export const giveBackPayment = endpoint({
  method: 'POST',
  path: `${path}/:memberId/payments/:paymentId/refunds`,
  access: 'creator',
  needs: 'money',
  summary: 'Give back a part of a payment, or all of it; what they pay for now goes on, or ends at once',
  params: paymentParams,
  body: z.object({
    amount: z.int().check(z.gte(1)),
    /** As it was shown: what was given back meanwhile is not given back twice. */
    left: z.int(),
    ends: z.boolean(),
  }),
  response: Message,
  errors: ['not_found', 'not_possible_now', 'payments_off', 'stripe_unreachable'],
});

export const blockMember = endpoint({
  method: 'POST',
  path: `${path}/:memberId/block`,
  access: 'creator',
  needs: 'money',
  summary: 'Let someone in no longer; what they pay for is canceled, or ended now with all of it given back',
  params,
  body: z.object({ refund: z.boolean() }),
  response: Message,
  errors: ['not_found', 'not_possible_now', 'payments_off', 'stripe_unreachable'],
});

export const unblockMember = endpoint({
  method: 'POST',
  path: `${path}/:memberId/unblock`,
  access: 'creator',
  needs: 'money',
  summary: 'Let someone in again',
  params,
  response: Message,
  errors: ['not_found'],
});
