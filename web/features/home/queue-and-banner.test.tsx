import { expect, it } from 'vitest';
import { listQueues, type Queue } from '#contract/queue.ts';
import type { Me } from '#contract/session.ts';
import { Banners } from '#web/features/banners/Banners.tsx';
import { QueueCards } from '#web/features/home/QueueCard.tsx';
import { paths } from '#web/paths.ts';
import { draw } from '#web/shell/testing/draw.tsx';
import { EXAMPLE_ME } from '#web/shell/testing/example-me.ts';

const DONE_AT = '2026-11-20T14:20:00Z';
const QUEUE: Queue = {
  ...{ connectionId: '0197a0aa-0000-7000-8000-0000000000c1', platform: 'instagram', username: 'ada.cooks' },
  ...{ waiting: 1204, perHour: 750, platformPerHour: 750, doneAt: DONE_AT, heldUp: null },
  ...{ expiring: 0, firstExpiryAt: null, posts: [], madeAt: '2026-11-20T12:00:00Z' },
  control: { paused: false, slowedToPercent: null, slowedUntil: null, order: 'deadline', firstPostId: null },
};
const VIRAL: Me = {
  ...EXAMPLE_ME,
  queue: { waiting: 1204, doneAt: DONE_AT },
  tokenDetails: {
    INSTAGRAM_BUSINESS_USER: {
      ...{ rateLimited: true, pauseWebhooks: { instagram: false, facebook: false }, policyBlocked: false },
      ...{ missingPermissions: [], missingWebhooks: [], requiresAuth: false, needsFacebookUserToken: false },
    },
  },
};

function screen(path: string): string {
  return draw(
    <>
      <Banners me={VIRAL} invites={null} onOpenInvites={() => {}} />
      {path === paths.home && <QueueCards />}
    </>,
    [[[listQueues.path, { creatorId: VIRAL.creatorAccount!._id }], { items: [QUEUE] }]],
    path,
  );
}

const timesIn = (html: string, words: string) => html.split(words).length - 1;

it('on home the banner leaves to the queue’s card how many wait and until when', () => {
  const home = screen(paths.home);
  expect(timesIn(home, 'Congrats on going viral!')).toBe(1);
  expect(timesIn(home, '1,204 messages are waiting')).toBe(1);
  expect(home).toContain('1,204 messages are waiting; everyone gets theirs by');
});

it('everywhere else the banner says it itself', () => {
  const elsewhere = screen(paths.contacts);
  expect(timesIn(elsewhere, 'Congrats on going viral!')).toBe(1);
  expect(elsewhere).toContain('1,204 messages are waiting; all sent by');
});
