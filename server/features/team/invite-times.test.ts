import { describe, expect, test } from 'vitest';
import { canBeAccepted, canBeDeclined, endOfInvite, isTooOld, LASTS_DAYS } from './invite-times.ts';

const NOW = new Date('2026-06-10T12:00:00Z');
const after = (ms: number) => new Date(NOW.getTime() + ms);
const open = { accepted_at: null, declined_at: null, revoked_at: null, expires_at: after(1000) };

test('an invite is good for seven days', () => {
  expect(LASTS_DAYS).toBe(7);
  expect(endOfInvite(NOW)).toEqual(new Date('2026-06-17T12:00:00Z'));
});

describe('an invite can be accepted', () => {
  test.each([
    ['a second before its end', 1000, true],
    ['not at its end', 0, false],
    ['not a second later', -1000, false],
  ])('%s', (_name, ms, can) => {
    const invite = { ...open, expires_at: after(ms) };
    expect([canBeAccepted(invite, NOW), isTooOld(invite, NOW)]).toEqual([can, !can]);
  });

  test.each(['accepted_at', 'declined_at', 'revoked_at'])('not once there is %s', (answer) => {
    expect(canBeAccepted({ ...open, [answer]: NOW }, NOW)).toBe(false);
  });
});

describe('an invite can be declined', () => {
  test.each([
    ['while it waits', {}, true],
    ['once more', { declined_at: NOW }, true],
    ['when it is too old', { expires_at: after(-1000) }, true],
    ['not when it was accepted', { accepted_at: NOW }, false],
    ['not when it was taken back', { revoked_at: NOW }, false],
  ])('%s', (_name, more, can) => {
    expect(canBeDeclined({ ...open, ...more })).toBe(can);
  });
});
