import { expect, test } from 'vitest';
import { ConnectionHealth } from '#contract/connections.ts';
import { healthWords, planWords } from '#web/features/admin/creator-words.ts';

test('every health that a connection can have has words without underscores', () => {
  for (const health of ConnectionHealth.options) expect(healthWords(health).label).not.toContain('_');
});

test('a health that is not known here is shown rather than hidden', () => {
  expect(healthWords('brand_new')).toEqual({ label: 'brand new', tone: 'neutral' });
});

test('a plan is told with its state, and its absence too', () => {
  expect(planWords({ planName: 'Creator', status: 'past_due' })).toBe('Creator, past due');
  expect(planWords({ planName: null, status: null })).toBe('No plan');
});
