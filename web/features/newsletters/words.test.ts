import { expect, it } from 'vitest';
import type { Newsletter } from '#contract/newsletters.ts';
import type { WelcomeSeries } from '#contract/welcome-series.ts';
import {
  figuresWords,
  holdWords,
  hourWords,
  missingForWelcome,
  nextWeeklyWords,
  REPORT,
  SENDING_STEP,
  WELCOME,
  welcomeFiguresWords,
  welcomeTimeWords,
} from '#web/features/newsletters/words.ts';

const FIGURES = { total: 0, waiting: 0, leftOut: 0, sent: 0, bounced: 0, complained: 0, unsubscribed: 0, clicked: 0 };

it('counts down the hold, and nothing further away', () => {
  const at = '2026-05-04T10:00:00.000Z';
  const now = (secondsBefore: number) => Date.parse(at) - secondsBefore * 1000;
  expect(holdWords(at, now(61), 60)).toBeNull();
  expect(holdWords(at, now(59.5), 60)).toBe('Starts in 60 seconds');
  expect(holdWords(at, now(1), 60)).toBe('Starts in 1 second');
  expect(holdWords(at, now(0), 60)).toBe('Starting…');
});

it('says why a part waits, and until when', () => {
  const nextAt = '2026-05-05T10:00:00.000Z';
  const words = REPORT.slowed({ aDay: 1000, nextAt }, Date.parse('2026-05-04T10:00:00.000Z'));
  expect(words).toMatch(/^1,000 go today: your domain is new to mail services\. The next ones go .+\.$/);
});

it('says how far each one got', () => {
  expect(figuresWords('draft', FIGURES)).toBe('');
  expect(figuresWords('sending', { ...FIGURES, total: 1500, sent: 1200, waiting: 300 })).toBe(
    '1,200 sent, 300 waiting',
  );
  expect(figuresWords('done', { ...FIGURES, total: 1, sent: 1 })).toBe('Sent to 1 person');
  expect(figuresWords('cancelled', FIGURES)).toBe('No one got it');
  expect(figuresWords('cancelled', { ...FIGURES, sent: 2 })).toBe('Sent to 2 people, then canceled');
});

it('counts people in its buttons where the number is known', () => {
  expect(SENDING_STEP.send(1)).toBe('Send to 1 person');
  expect(SENDING_STEP.send(null)).toBe('Send');
});

it('says when the next weekly recipes go, in the creator’s time zone, and what keeps them', () => {
  const nextAt = '2026-05-07T13:00:00.000Z';
  const at = 'Thursday, May 7 at 9:00 AM';
  const words = (newsletter: Partial<Newsletter>, mode: Newsletter['weekly']['mode'] = 'send') =>
    nextWeeklyWords(
      { writer: 'here', missing: [], weekly: { mode, day: 4, hour: 9, nextAt }, ...newsletter },
      'America/New_York',
    );
  expect(words({}, 'off')).toBeNull();
  expect(words({})).toBe(`Next one goes out ${at}.`);
  expect(words({ missing: ['Add your postal address.'] })).toBe(
    `Next draft: ${at}. Once sending is set up, they go out by themselves.`,
  );
  expect(words({ missing: ['Add your postal address.'] }, 'approve')).toBe(`Next draft: ${at}.`);
  expect(words({ writer: 'kit' })).toBe('Kit sends your newsletters, so none is made here.');
  expect([0, 9, 12, 23].map(hourWords)).toEqual(['12 AM', '9 AM', '12 PM', '11 PM']);
});

it('says when each email of the welcome series comes', () => {
  expect(welcomeTimeWords({ days: 0, hour: 9 }, 0)).toBe('Right after they confirm');
  expect(welcomeTimeWords({ days: 1, hour: 0 }, 0)).toBe('1 day after they confirm, at 12 AM');
  expect(welcomeTimeWords({ days: 90, hour: 18 }, 2)).toBe('90 days after email 2, at 6 PM');
  expect(WELCOME.figures({ underWay: 0, done: 0, stopped: 0 })).toBe('');
  expect(WELCOME.figures({ underWay: 1, done: 0, stopped: 2 })).toBe(
    '1 person in it now · 2 people left before the end',
  );
});

it('says what became of an email of the welcome series', () => {
  const figures = { sent: 0, bounced: 0, complained: 0, unsubscribed: 0, clicked: 0 };
  expect(welcomeFiguresWords(figures)).toBe('');
  expect(welcomeFiguresWords({ ...figures, sent: 1 })).toBe('Sent to 1 person');
  expect(welcomeFiguresWords({ sent: 1412, clicked: 37, unsubscribed: 2, bounced: 1, complained: 1 })).toBe(
    'Sent to 1,412 people · 37 clicked · 2 unsubscribed · 1 came back · 1 marked as spam',
  );
});

it('names everything that keeps the welcome series from being sent', () => {
  const weekly = { mode: 'off', day: 1, hour: 9, nextAt: null } as const;
  const newsletter: Newsletter = { writer: 'here', missing: [], weekly };
  expect(missingForWelcome(newsletter, { mails: [] })).toEqual(['Add an email.']);
  const look = { button: '#000000', buttonText: '#ffffff' };
  const design = { subject: '', preheader: '', look, blocks: [] };
  const broken = { design } as unknown as WelcomeSeries['mails'][number];
  const missing = ['Add your postal address.'];
  expect(missingForWelcome({ ...newsletter, writer: 'kit', missing }, { mails: [broken] })).toEqual([
    'Fix email 1.',
    'Kit sends your newsletters now.',
    'Add your postal address.',
  ]);
});
