import { describe, expect, test } from 'vitest';
import { isActive, isFree, isInHouse, needsUpgrade, priceLabel } from '#contract/plans.ts';
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
