/** Returns who is signed in: the fields of the spec's `auth/me` and ours, from what the tables say now. */
import { createHmac } from 'node:crypto';
import type * as z from 'zod/mini';
import { TOOL_NAMES } from '#contract/newsletter-tools.ts';
import {
  EVERYTHING_PLAN,
  IN_HOUSE_PREFIX,
  isActive,
  isFree,
  isInHouse,
  lateUntil,
  refundUntil,
} from '#contract/plans.ts';
import { movesFrom, renewalFrom } from '#contract/price-moves.ts';
import type { Me, Membership, TokenDetail, TokenKind } from '#contract/session.ts';
import type { Clock } from '#server/clock.ts';
import type { Config } from '#server/config.ts';
import type { CreatorTransaction, Database } from '#server/db/database.ts';
import { graceEnd } from '#server/features/billing/follower-limit.ts';
import { BANK_WANTS_A_YES } from '#server/features/billing/mails.ts';
import { standingOfRow } from '#server/features/billing/subscriptions.ts';
import { readQueue } from '#server/features/home/home.ts';
import type { SignedIn } from '#server/http/sessions.ts';
import { findMemberships } from './memberships.ts';
import { doesMailServerFail, findConnections, findCreator, findTokens, findToolsToReconnect } from './queries.ts';

/** Younger messages are simply on their way. */
const WAITS_AFTER_MS = 60_000;

type Connection = Awaited<ReturnType<typeof findConnections>>[number];
type Token = Awaited<ReturnType<typeof findTokens>>[number];
type Kind = z.infer<typeof TokenKind>;

type Deps = { db: Database; clock: Clock; config: Pick<Config, 'intercom' | 'stripe' | 'refundDays'> };

export async function describeMe(deps: Deps, signedIn: SignedIn): Promise<Me> {
  const { user, currentCreatorId, ownCreatorId, adminVisit } = signedIn;
  const rows = await findMemberships(deps.db.engine, user.id);
  const memberships = rows.map((row) => describeMembership(row, ownCreatorId));
  const role = adminVisit !== null ? 'admin' : rows.find((row) => row.creator_id === currentCreatorId)?.role;
  return {
    account: {
      _id: user.id,
      name: user.name,
      email: user.email,
      emailVerified: user.emailVerified,
      isAdmin: user.isAdmin,
      needsTwoStep: user.needsTwoStep,
      avatarUrl: user.image,
      twoFactorEnabled: user.twoFactorEnabled,
    },
    ...(currentCreatorId === null
      ? { ...{ creatorAccount: null, subscription: null, billing: null, tokenDetails: {}, queue: null }, ...NO_TROUBLE }
      : await deps.db.withCreator(currentCreatorId, (trx) => describeCreator(trx, deps, currentCreatorId))),
    memberships,
    currentMembership: memberships.find(({ current }) => current) ?? null,
    intercomUserHash: deps.config.intercom === null ? null : userHash(deps.config.intercom.secret, user.id),
    role: role ?? null,
    adminAccess: adminVisit === null ? null : { until: adminVisit.until.toISOString(), reason: adminVisit.reason },
  };
}

export function describeMembership(
  row: Awaited<ReturnType<typeof findMemberships>>[number],
  ownCreatorId: string | null,
): z.infer<typeof Membership> {
  return {
    membershipId: row.id,
    displayName: row.handle,
    displayImage: row.avatar_url,
    current: row.creator_id === ownCreatorId,
  };
}

/** Shows the live chat that we vouch for this person (Intercom's identity verification: hex HMAC-SHA256 of the user id). */
function userHash(secret: string, userId: string): string {
  return createHmac('sha256', secret).update(userId).digest('hex');
}

/** The part of `auth/me` that is a creator's. */
export async function describeCreator(
  trx: CreatorTransaction,
  { clock, config }: { clock: Clock; config: Pick<Config, 'stripe' | 'refundDays'> },
  creatorId: string,
) {
  const now = clock.now();
  const creator = await findCreator(trx, creatorId);
  const connections = await findConnections(trx, creatorId, now, new Date(now.getTime() - WAITS_AFTER_MS));
  const tokens = await findTokens(trx, creatorId);
  const queue = await readQueue(trx, creatorId);
  const tools = await findToolsToReconnect(trx, creatorId);
  return {
    creatorAccount: {
      _id: creator.id,
      handle: creator.handle,
      instagramAvatarUrl: avatarOf(connections, 'instagram'),
      facebookAvatarUrl: avatarOf(connections, 'facebook'),
      instagramFollowersCount: followersOf(connections, 'instagram'),
      facebookFollowersCount: followersOf(connections, 'facebook'),
      timeZone: creator.time_zone,
      deleteAt: creator.delete_at?.toISOString() ?? null,
    },
    ...(config.stripe === null
      ? EVERYTHING_INCLUDED
      : { subscription: describeSubscription(creator), billing: describeBilling(creator, config, now) }),
    tokenDetails: describeTokens(connections, tokens, now),
    queue: { waiting: queue.waiting, doneAt: queue.doneAt },
    toolsToReconnect: tools.map((tool) => TOOL_NAMES[tool]),
    mailServerFails: await doesMailServerFail(trx, creatorId),
  };
}

/** Where nothing can be paid. What the rows say counts again once it can. */
const EVERYTHING_INCLUDED = {
  subscription: {
    plan: EVERYTHING_PLAN,
    ...{ interval: 'month', status: 'active', cancelAt: null, canceledAt: null, isActive: true, isFree: false },
    stripeSubscriptionId: `${IN_HOUSE_PREFIX}everything`,
  },
  billing: {
    ...{
      mode: 'off',
      standing: 'given',
      until: null,
      nextPayment: null,
      nextPrice: null,
      payNeeded: null,
      retryAt: null,
    },
    ...{ nextPlan: null, refundUntil: null, mayTry: false },
    limit: { forecastOn: null, isOver: false, graceUntil: null, isLimited: false },
  },
} as const satisfies Pick<Me, 'subscription' | 'billing'>;

const NO_TROUBLE = { toolsToReconnect: [], mailServerFails: false };

function avatarOf(connections: Connection[], platform: Connection['platform']): string | null {
  return connections.find((one) => one.platform === platform && one.avatar_url !== null)?.avatar_url ?? null;
}

/** Of all connected accounts of the platform; null while none is known. */
function followersOf(connections: Connection[], platform: Connection['platform']): number | null {
  const counts = connections.filter((one) => one.platform === platform).map((one) => one.followers_count);
  const known = counts.filter((count) => count !== null);
  return known.length === 0 ? null : known.reduce((sum, count) => sum + count, 0);
}

function describeSubscription(creator: Awaited<ReturnType<typeof findCreator>>): Me['subscription'] {
  const { plan_id, plan_name, status, billing_interval, stripe_subscription_id, cancel_at, canceled_at } = creator;
  const { pays_cents } = creator;
  if (!plan_id || !plan_name || !status || !billing_interval || !stripe_subscription_id) return null;
  return {
    plan: {
      ...{ name: plan_name, productId: plan_id },
      // Whoever pays an earlier price keeps it.
      price: { ...creator.price, ...(pays_cents !== null && { [billing_interval]: pays_cents }) },
    },
    interval: billing_interval,
    status: status === 'paused' ? 'unpaid' : status,
    cancelAt: cancel_at?.toISOString() ?? null,
    canceledAt: canceled_at?.toISOString() ?? null,
    stripeSubscriptionId: stripe_subscription_id,
    isActive: isActive({ status, cancelAt: cancel_at }),
    isFree: isFree({ name: plan_name }),
  };
}

function describeLimit(creator: Awaited<ReturnType<typeof findCreator>>): NonNullable<Me['billing']>['limit'] {
  const { crossed_at, accepted_at, limited_since, forecast_on } = creator;
  const end = crossed_at === null ? null : graceEnd(crossed_at, accepted_at);
  return {
    ...{ forecastOn: forecast_on, isOver: crossed_at !== null, graceUntil: end?.toISOString() ?? null },
    isLimited: limited_since !== null,
  };
}

/** What the subscription allows now, and what comes next. */
function describeBilling(
  creator: Awaited<ReturnType<typeof findCreator>>,
  { stripe, refundDays }: Pick<Config, 'stripe' | 'refundDays'>,
  now: Date,
): Me['billing'] {
  const { plan_id, status, stripe_subscription_id, cancel_at, current_period_end, trial_end, late_since } = creator;
  const {
    subscribed_at: created_at,
    next_plan,
    next_interval,
    next_at,
    pay_needed,
    pays_cents,
    moved_cents,
    move_told_at,
  } = creator;
  if (!plan_id || !status || !stripe_subscription_id || !created_at) return null;
  const subscription = { plan_id, status, stripe_subscription_id, cancel_at, late_since, created_at, trial_end };
  const standing = standingOfRow(subscription, now);
  const isFirst = !creator.had_plan;
  const bought = !isInHouse({ stripeSubscriptionId: stripe_subscription_id });
  const refund = bought ? refundUntil(subscription, { days: refundDays, isFirst }) : null;
  const until =
    standing === 'late'
      ? lateUntil(late_since ?? now)
      : standing === 'given'
        ? creator.given_until
        : (cancel_at ?? (standing === 'trial' ? trial_end : null));
  const nextAt = cancel_at === null && (standing === 'paid' || standing === 'trial') ? current_period_end : null;
  const moves = move_told_at === null ? null : movesFrom(move_told_at);
  const isMoved = nextAt !== null && moves !== null && nextAt >= moves;
  const cents = creator.next_cents ?? (isMoved ? moved_cents : pays_cents);
  return {
    mode: stripe?.isLive ? 'real' : 'play',
    standing,
    until: until?.toISOString() ?? null,
    nextPayment: nextAt === null || cents === null ? null : { at: nextAt.toISOString(), cents },
    nextPrice:
      nextAt === null || next_at !== null || moves === null || moved_cents === null || isMoved
        ? null
        : {
            at: renewalFrom(moves, { next: nextAt, interval: creator.billing_interval ?? 'month' }).toISOString(),
            cents: moved_cents,
          },
    payNeeded: pay_needed === null ? null : pay_needed === BANK_WANTS_A_YES ? 'bank_confirmation' : 'card',
    retryAt: creator.retry_at?.toISOString() ?? null,
    nextPlan:
      next_plan === null || next_interval === null || next_at === null
        ? null
        : { name: next_plan, interval: next_interval, at: next_at.toISOString() },
    refundUntil: refund !== null && refund > now ? refund.toISOString() : null,
    mayTry: isFirst && !bought,
    limit: describeLimit(creator),
  };
}

/**
 * Health by kind of token. An account connected by Instagram Login speaks with its own token; one connected by Facebook
 * Login, and a Page, with the Page's, which hangs on the token of the person who gave it. A Page's token that does all it
 * is there for stands in for Instagram's and needs nobody's: with Facebook Login alone there never is one, though everything works,
 * and the browser asks to reconnect where it is missing.
 */
function describeTokens(connections: Connection[], tokens: Token[], now: Date): Me['tokenDetails'] {
  const works = (token: Token) =>
    token.invalid_at === null && (token.expires_at === null || token.expires_at.getTime() > now.getTime());
  const details: Me['tokenDetails'] = {};
  const kinds: Kind[] = ['FACEBOOK_BUSINESS_USER', 'FACEBOOK_BUSINESS_PAGE', 'INSTAGRAM_BUSINESS_USER'];
  for (const kind of kinds) {
    const ofKind = tokens.filter((token) => token.kind === kind);
    const served = connections.filter((connection) => tokenKindOf(connection) === kind);
    if (ofKind.length === 0 && served.length === 0) continue;
    details[kind] = {
      rateLimited: served.some(isRateLimited),
      pauseWebhooks: { instagram: isPaused(served, 'instagram'), facebook: isPaused(served, 'facebook') },
      missingPermissions: [...new Set(served.flatMap((one) => one.missing_permissions))],
      missingWebhooks: [...new Set(served.flatMap((one) => one.missing_webhooks))],
      requiresAuth: served.some((one) => one.requires_auth_at !== null) || ofKind.some((token) => !works(token)),
      needsFacebookUserToken: false,
      policyBlocked: served.some((one) => one.policy_blocked),
    } satisfies z.infer<typeof TokenDetail>;
  }
  const { FACEBOOK_BUSINESS_USER: user, FACEBOOK_BUSINESS_PAGE: page } = details;
  if (page && !page.requiresAuth && page.missingPermissions.length === 0 && page.missingWebhooks.length === 0) {
    details.INSTAGRAM_BUSINESS_USER ??= page;
    if (user) user.requiresAuth = false;
  } else if (page) page.needsFacebookUserToken = user === undefined || user.requiresAuth;
  return details;
}

function isPaused(connections: Connection[], platform: Connection['platform']): boolean {
  return connections.some((one) => one.platform === platform && one.webhooks_paused_at !== null);
}

/** Meta said so, or messages wait and nothing else holds them up: then it is our pacing below Meta's limits. */
function isRateLimited(connection: Connection): boolean {
  const { closed_reasons, queue_waits, queue_paused, requires_auth_at, webhooks_paused_at } = connection;
  if (closed_reasons.includes('rate_limited')) return true;
  const heldUp = closed_reasons.length > 0 || requires_auth_at !== null || webhooks_paused_at !== null || queue_paused;
  return queue_waits === true && !heldUp;
}

function tokenKindOf(connection: Connection): Kind {
  const byInstagramLogin = connection.platform === 'instagram' && connection.page_id === null;
  return byInstagramLogin ? 'INSTAGRAM_BUSINESS_USER' : 'FACEBOOK_BUSINESS_PAGE';
}
