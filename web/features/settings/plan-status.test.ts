import { expect, test } from 'vitest';
import { planStatus } from '#web/features/settings/plan-status.ts';

test('a plan that was cancelled says until when it runs', () => {
  const state = planStatus({ status: 'active', cancelAt: '2026-12-24T12:00:00.000Z' });
  expect(state.label).toBe('Canceled');
  expect(state.words).toContain('December 24, 2026');
});

test('an active plan has nothing to say', () => {
  expect(planStatus({ status: 'active', cancelAt: null })).toEqual({
    label: 'Active',
    tone: 'accent',
    words: null,
  });
});

test('a payment that failed is said plainly', () => {
  expect(planStatus({ status: 'past_due', cancelAt: null }).words).toContain('didn’t go through');
});
