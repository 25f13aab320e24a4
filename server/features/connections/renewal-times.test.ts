import { expect, test } from 'vitest';
import { healthOf } from './health.ts';
import { dueForRenewal, hasEnded } from './renewal-times.ts';

const NOW = new Date('2026-06-30T12:00:00Z');
const DAY_MS = 24 * 3600_000;
const after = (ms: number) => new Date(NOW.getTime() + ms);

test('a sign-in is renewed from twenty days before its end, once it is a day old', () => {
  expect(dueForRenewal(NOW)).toEqual({ expiresBefore: after(20 * DAY_MS), issuedBefore: after(-DAY_MS) });
});

test.each([
  ['a second before its end', after(1000), false],
  ['at its end', NOW, true],
  ['a second later', after(-1000), true],
  ['that never ends', null, false],
])('a sign-in %s', (_name, expires_at, is) => {
  expect(hasEnded({ expires_at }, NOW)).toBe(is);
});

const row = {
  disconnected_at: null,
  requires_auth_at: null,
  barred_until: null,
  missing_permissions: [],
  missing_webhooks: [],
};
const healthWith = (more: object, expires_at: Date | null = null) =>
  healthOf({ ...row, ...more } as unknown as Parameters<typeof healthOf>[0], { expires_at } as never, NOW).health;

test.each([
  ['a second more than three days before its end', after(3 * DAY_MS + 1000), 'working'],
  ['three days before its end', after(3 * DAY_MS), 'working'],
  ['a second less than three days before its end', after(3 * DAY_MS - 1000), 'needs_reconnect'],
])('the creator is asked to sign in again: %s', (_name, expires_at, health) => {
  expect(healthWith({}, expires_at)).toBe(health);
});

test.each([
  ['a second before it lifts', after(1000), 'barred'],
  ['when it lifts', NOW, 'working'],
  ['a second later', after(-1000), 'working'],
])('an account that Meta bars is called so: %s', (_name, barred_until, health) => {
  expect(healthWith({ barred_until })).toBe(health);
});
