import { expect, test } from 'vitest';
import { planWords } from '#web/features/admin/creator-words.ts';

test('a plan is told with its state, and its absence too', () => {
  expect(planWords({ planName: 'Creator', status: 'past_due' })).toBe('Creator, past due');
  expect(planWords({ planName: null, status: null })).toBe('No plan');
});
