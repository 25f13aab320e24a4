import { expect, it } from 'vitest';
import type { Interaction } from '#contract/interactions.ts';
import { testSteps } from '#web/features/posts/test-steps.ts';

const line: Interaction = {
  id: '0197a0aa-0000-7000-8000-000000000001',
  kind: 'comment',
  connectionId: '0197a0aa-0000-7000-8000-000000000002',
  postId: '1',
  postPictureUrl: null,
  personId: 'p',
  username: 'anna',
  text: 'pasta',
  occurredAt: '2026-01-01T10:00:00.000Z',
  receivedAt: '2026-01-01T10:00:00.000Z',
  outcome: 'waiting',
  reason: 'queued',
  says: 'In the queue.',
  remedy: null,
  waitingUntil: null,
  automationId: '0197a0aa-0000-7000-8000-000000000003',
  automationName: 'PASTA',
  matchedWords: ['PASTA'],
  sentAt: null,
  readAt: null,
  isTest: false,
  clickedAt: null,
};
const statesOf = (steps: ReturnType<typeof testSteps>) => steps.map((step) => step.state);

it('ends early and says why when nothing answers', () => {
  const skipped = { ...line, outcome: 'skipped' as const, automationName: null, says: 'No automation is on.' };
  expect(testSteps(skipped, null).at(-1)).toEqual({
    label: 'It doesn’t get a reply',
    detail: 'No automation is on.',
    state: 'failed',
  });
});

it('ends at the message when that fails', () => {
  const failed = { ...line, outcome: 'failed' as const, says: 'They have blocked the account.' };
  expect(statesOf(testSteps(failed, null))).toEqual(['done', 'done', 'failed']);
});

it('waits for each step in turn', () => {
  expect(statesOf(testSteps(line, null))).toEqual(['done', 'done', 'now', 'open', 'open']);
  const sent = { ...line, outcome: 'replied' as const, sentAt: '2026-01-01T10:00:00.400Z' };
  expect(testSteps(sent, null)[2]!.label).toBe('Message sent after 0.4 s');
  const tapped = { ...sent, clickedAt: '2026-01-01T10:01:00.000Z' };
  expect(statesOf(testSteps(tapped, null))).toEqual(['done', 'done', 'done', 'done', 'done']);
});
