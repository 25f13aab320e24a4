import { expect, test } from 'vitest';
import { STANDINGS } from '#contract/plans.ts';
import { planStatus } from '#web/features/settings/plan-status.ts';

const until = '2026-12-24T12:00:00.000Z';
const nextPayment = { at: until, cents: 2900 };

test.each([
  ['paid', 'Active', 'Next payment: $29.00 on December 24, 2026.'],
  ['ending', 'Canceled', 'It runs until December 24, 2026. After that, you’re on the free plan.'],
  ['trial', 'Trial', 'Free until December 24, 2026. Then $29.00 on December 24, 2026.'],
  ['late', 'Payment due', 'The last payment didn’t go through. Everything works until December 24, 2026.'],
  ['lapsed', 'Unpaid', 'The last payments didn’t go through.'],
  ['paused', 'Paused', 'It was paused at Stripe.'],
  ['free', 'Active', null],
  ['given', 'Active', 'From support, until'],
] as const)('a plan that is %s is called %s', (standing, label, words) => {
  const status = planStatus({ standing, until, nextPayment });
  expect(status.label).toBe(label);
  if (words === null) expect(status.words).toBeNull();
  else expect(status.words).toContain(words);
});

test('an active plan without a known payment has nothing to say', () => {
  expect(planStatus({ standing: 'paid', until: null, nextPayment: null }).words).toBeNull();
});

test('every standing has its words', () => {
  for (const standing of STANDINGS) expect(planStatus({ standing, until, nextPayment }).label).not.toBe('');
});
