import { expect, test } from 'vitest';
import { type WindowInput, windowFor } from './direct-messages.ts';

const now = new Date('2026-11-20T12:00:00Z');
const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000);
const input = (over: Partial<WindowInput>): WindowInput => ({
  platform: 'instagram',
  connection: 'works',
  humanAgent: false,
  lastWroteAt: null,
  commentedAt: null,
  ...over,
});

test.each<[string, Partial<WindowInput>, string, string | null]>([
  ['they wrote an hour ago', { lastWroteAt: hoursAgo(1) }, 'chat', '2026-11-21T11:00:00.000Z'],
  ['they wrote 24 hours ago', { lastWroteAt: hoursAgo(24) }, 'closed', null],
  [
    'they wrote 24 hours ago and we may answer as a person',
    { lastWroteAt: hoursAgo(24), humanAgent: true },
    'human_agent',
    '2026-11-26T12:00:00.000Z',
  ],
  ['they wrote seven days ago', { lastWroteAt: hoursAgo(168), humanAgent: true }, 'closed', null],
  ['they only commented', { commentedAt: hoursAgo(24) }, 'private_reply', '2026-11-26T12:00:00.000Z'],
  ['they commented a week ago', { commentedAt: hoursAgo(168) }, 'closed', null],
  ['they did nothing', {}, 'closed', null],
  ['the account must be reconnected', { lastWroteAt: hoursAgo(1), connection: 'needs_reconnect' }, 'closed', null],
  ['the account is gone', { lastWroteAt: hoursAgo(1), connection: 'disconnected' }, 'closed', null],
])('when %s', (_name, over, how, until) => {
  const window = windowFor(input(over), now);
  expect(window).toMatchObject({ how, until });
  expect(window.says).not.toBe('');
});

test('names the platform', () => {
  expect(windowFor(input({ platform: 'facebook' }), now).says).toMatch(/^Facebook/);
});
