import { describe, expect, test } from 'vitest';
import {
  isActive,
  isFree,
  isInHouse,
  LATE_DAYS,
  needsUpgrade,
  priceLabel,
  type Standing,
  SUBSCRIPTION_STATUSES,
  standingOf,
} from '#contract/plans.ts';
import { Subscription } from '#contract/session.ts';

describe('Active only when status is active and no cancelAt is set', () => {
  test.each(Subscription.shape.status.options)('%s', (status) => {
    expect(isActive({ status, cancelAt: null })).toBe(status === 'active');
    expect(isActive({ status, cancelAt: '2026-12-01T00:00:00Z' })).toBe(false);
    expect(isActive({ status, cancelAt: new Date() })).toBe(false);
  });
});

describe("isFree (plan name contains 'free')", () => {
  test.each([
    ['Free', true],
    ['free-plan', true],
    ['Sugarfree', true],
    ['FREE for ever', true],
    ['Creator', false],
    ['', false],
  ])('%j: %s', (name, expected) => {
    expect(isFree({ name })).toBe(expected);
  });
});

describe('ids with prefix inhouse_ are in-house subscriptions', () => {
  test.each([
    ['inhouse_0190', true],
    ['sub_1Nq', false],
    ['sub_inhouse_1', false],
    ['', false],
  ])('%j: %s', (stripeSubscriptionId, expected) => {
    expect(isInHouse({ stripeSubscriptionId })).toBe(expected);
  });
});

describe("Price label: for the current interval, dollars with two decimals (cents / 100); 'Free' when the plan has no monthly price", () => {
  test.each([
    [{ month: 2900, year: 29_000 }, 'month', '$29.00'],
    [{ month: 2900, year: 29_000 }, 'year', '$290.00'],
    [{ month: 2999 }, 'month', '$29.99'],
    [{ month: 5 }, 'month', '$0.05'],
    [{ month: 100_000 }, 'month', '$1000.00'],
    [{}, 'month', 'Free'],
    [{}, 'year', 'Free'],
    [{ month: 0 }, 'month', 'Free'],
    [{ year: 29_000 }, 'year', 'Free'],
    // Nothing honest can be said of an interval at which it is not sold.
    [{ month: 2900 }, 'year', null],
  ] as [Record<string, number>, string, string | null][])('%j by the %s: %j', (price, interval, label) => {
    expect(priceLabel(price, interval)).toBe(label);
  });
});

describe('Free plan with combined followers of 25,000 or more triggers the upgrade-required banner', () => {
  test.each([
    [true, 0, false],
    [true, 24_999, false],
    [true, 25_000, true],
    [true, 1_000_000, true],
    [false, 25_000, false],
    [false, 1_000_000, false],
  ])('free: %s, followers: %i → %s', (free, followers, expected) => {
    expect(needsUpgrade({ isFree: free, followers })).toBe(expected);
  });
});

describe('standing', () => {
  const now = new Date('2026-12-01T12:00:00Z');
  const bought = { stripeSubscriptionId: 'sub_1', planId: 'creator-plan', lateSince: null, cancelAt: null };
  const STANDING: Record<(typeof SUBSCRIPTION_STATUSES)[number], Standing> = {
    active: 'paid',
    trialing: 'trial',
    past_due: 'late',
    unpaid: 'lapsed',
    incomplete: 'lapsed',
    paused: 'paused',
    canceled: 'free',
    incomplete_expired: 'free',
  };

  test.each(SUBSCRIPTION_STATUSES)('of %s', (status) => {
    expect(standingOf({ ...bought, status }, now)).toBe(STANDING[status]);
    // Whoever pays nothing is judged by their plan alone.
    const inHouse = { ...bought, status, stripeSubscriptionId: 'inhouse_1' };
    expect(standingOf(inHouse, now)).toBe('given');
    expect(standingOf({ ...inHouse, planId: 'free-plan' }, now)).toBe('free');
  });

  test('ends where an end is set, and lapses to the millisecond', () => {
    expect(standingOf({ ...bought, status: 'active', cancelAt: now }, now)).toBe('ending');
    const lateSince = new Date(now.getTime() - LATE_DAYS * 86_400_000);
    const late = { ...bought, status: 'past_due', lateSince } as const;
    expect(standingOf(late, new Date(now.getTime() - 1))).toBe('late');
    expect(standingOf(late, now)).toBe('lapsed');
  });
});
