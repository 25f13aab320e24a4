import { expect, it } from 'vitest';
import type { Me } from '#contract/session.ts';
import { EXAMPLE_ME } from '#web/shell/testing/example-me.ts';
import { movedWords } from './words.ts';

const at = (handle: string, rest: Partial<Me> = {}): Me => ({
  ...EXAMPLE_ME,
  creatorAccount: { ...EXAMPLE_ME.creatorAccount!, _id: `id of ${handle}`, handle },
  ...rest,
});
const visit = { until: '2026-11-20T13:00:00Z', reason: 'Checking the queue' };

it('names the creator that another tab switched to', () => {
  expect(movedWords(EXAMPLE_ME, at('ben.bakes'))).toMatchObject({
    title: 'You switched to @ben.bakes in another tab',
    go: 'Continue as @ben.bakes',
  });
});

it('tells a visit that ended, or began, from a switch', () => {
  expect(movedWords(at('ben.bakes', { adminAccess: visit }), EXAMPLE_ME).title).toBe(
    'Admin access to @ben.bakes has ended',
  );
  expect(movedWords(EXAMPLE_ME, at('ben.bakes', { adminAccess: visit })).title).toBe(
    'You entered @ben.bakes in another tab',
  );
});

it('says when somebody was removed, or another person logged in', () => {
  expect(movedWords(EXAMPLE_ME, { ...EXAMPLE_ME, creatorAccount: null })).toMatchObject({
    title: 'You no longer have access to @ada.cooks',
    go: 'Reload',
  });
  const other = { ...EXAMPLE_ME, account: { ...EXAMPLE_ME.account, _id: 'another', email: 'ben@example.com' } };
  expect(movedWords(EXAMPLE_ME, other).title).toBe('You logged in as ben@example.com in another tab');
});
