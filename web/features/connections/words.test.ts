import { expect, it } from 'vitest';
import type { Connection } from '#contract/connections.ts';
import { commentWords } from './words.ts';

const NOTHING: Connection['comments'] = {
  byWebhook: 0,
  lastByWebhookAt: null,
  byReading: 0,
  reading: 'nothing_to_find',
  platformCounts: 0,
};
const words = (seen: Partial<Connection['comments']>, platform: Connection['platform'] = 'instagram') =>
  commentWords({ platform, comments: { ...NOTHING, ...seen } });

it('says that comments arrive, with nothing to do', () => {
  expect(words({ byWebhook: 1204, lastByWebhookAt: '2026-06-01T12:00:00Z' })).toEqual({
    says: 'Instagram sends us comments as they’re written: 1,204 comments so far.',
    steps: [],
    wrong: false,
  });
});
it('says that none arrived for a week, and how to try it', () => {
  const { says, steps, wrong } = words({ byWebhook: 1 });
  expect(says).toBe('Instagram has sent us 1 comment so far, but none in the last 7 days.');
  expect(steps).toHaveLength(1);
  expect(wrong).toBe(false);
});
it('says how to try it where nobody commented yet', () => {
  expect(words({}, 'facebook')).toMatchObject({
    says: 'No comment has come in yet, by Facebook or by checking your posts.',
    steps: [expect.stringContaining('newest Page post')],
  });
});
it('says that only reading finds comments, and that App Review may mend it', () => {
  const { says, steps, wrong } = words({ byReading: 17, reading: 'finds', platformCounts: 20 });
  expect(says).toContain('never sent us a comment as it was written. Checking your posts finds them (17 so far)');
  expect(steps.join(' ')).toMatch(/Advanced Access.*public/);
  expect(wrong).toBe(true);
});
it('says that comments can’t get a reply where reading finds none, and what still can', () => {
  const { says, steps } = words({ reading: 'finds_none', platformCounts: 12 });
  expect(says).toContain(
    'finds none, although Instagram counts 12. Comments can’t get a reply; story replies and DMs can.',
  );
  expect(steps.join(' ')).toMatch(/Advanced Access.*public/);
  expect(words({ reading: 'finds_none', platformCounts: 1 }, 'facebook').steps.join(' ')).not.toContain('public');
});
