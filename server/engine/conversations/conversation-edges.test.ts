import { describe, expect, test } from 'vitest';
import {
  AUTOMATIC_WINDOW_MS,
  begin,
  type Conversation,
  type ConversationEvent,
  droppedBecause,
  type Ended,
  move,
  nextStep,
  OPENING_LASTS_MS,
  type Sequence,
  type Step,
  windowAfter,
} from '#server/engine/conversations/conversation.ts';

const NOW = new Date('2026-06-10T12:00:00Z');
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const fromNow = (ms: number) => new Date(NOW.getTime() + ms);
const WINDOW_MS = DAY_MS - 10 * 60_000;

const full: Sequence = { opening: true, followAsk: true, emailAsk: true, followUpAfterMinutes: 60 };
const none: Sequence = { opening: false, followAsk: false, emailAsk: false, followUpAfterMinutes: null };

function talk(more: Partial<Conversation> = {}): Conversation {
  return {
    state: 'opening',
    endedBecause: null,
    pending: null,
    followAsks: 0,
    emailHints: 0,
    givenEmail: null,
    suggestedEmail: null,
    deliveredAt: null,
    expiresAt: NOW,
    ...more,
  };
}

const moved = (conversation: Conversation, event: ConversationEvent, sequence = full) =>
  move(sequence, conversation, event, 'next-message');
/** Events that change nothing. */
const nothing = (conversation: Conversation) => ({ conversation, say: null, email: null });

test('the window is a day less ten minutes, an opening lasts thirty days', () => {
  expect([AUTOMATIC_WINDOW_MS, OPENING_LASTS_MS]).toEqual([WINDOW_MS, 30 * DAY_MS]);
  expect(windowAfter(NOW)).toEqual(fromNow(WINDOW_MS));
});

describe('a beginning', () => {
  test.each<[string, Sequence, boolean, string, string, number]>([
    ['with an opening, by a comment', full, false, 'opening', 'opening', 30 * DAY_MS],
    ['with an opening, by a message', full, true, 'opening', 'opening', 30 * DAY_MS],
    ['with the question to follow', { ...full, opening: false }, true, 'follow', 'next', WINDOW_MS],
    ['with the question for an address', { ...none, emailAsk: true }, false, 'email', 'next', 30 * DAY_MS],
    ['with the link', none, true, 'delivered', 'next', WINDOW_MS],
  ])('%s', (_name, sequence, wrote, state, say, lastsMs) => {
    expect(begin(sequence, { wrote, at: NOW, message: 'm' })).toEqual({
      conversation: talk({ state: state as Conversation['state'], pending: 'm', expiresAt: fromNow(lastsMs) }),
      say,
      email: null,
    });
  });
});

describe('a tap', () => {
  const tapped = { kind: 'tapped', at: NOW } as const;
  const goesOn = { pending: 'next-message', endedBecause: null, expiresAt: fromNow(WINDOW_MS) };

  test.each<[string, Partial<Conversation>]>([
    ['on the opening', {}],
    ['on an opening that Meta has not confirmed yet', { pending: 'opening' }],
    ['on the question to follow', { state: 'follow' }],
    ['after its end', { state: 'ended', endedBecause: 'no_tap' }],
  ])('%s goes on', (_name, more) => {
    const before = talk(more);
    expect(moved(before, tapped)).toEqual({
      conversation: { ...before, ...goesOn, state: 'follow' },
      say: 'next',
      email: null,
    });
  });

  test.each<[string, Partial<Conversation>]>([
    ['while the answer to another is on its way', { state: 'follow', pending: 'm' }],
    ['on an older button', { state: 'email' }],
    ['by somebody who has the link', { state: 'ended', deliveredAt: NOW }],
    ['by somebody who may have it', { state: 'ended', endedBecause: 'not_sure' }],
  ])('%s changes nothing', (_name, more) => {
    expect(moved(talk(more), tapped)).toEqual(nothing(talk(more)));
  });
});

describe('an answer', () => {
  const email = { state: 'email' } as const;
  const link = { state: 'delivered', pending: 'next-message', givenEmail: null, suggestedEmail: null } as const;
  const wrote = (address: string | null, suggestion: string | null = null) =>
    ({ kind: 'wrote', address, suggestion, at: NOW }) as const;

  test.each<[string, Partial<Conversation>, ConversationEvent, string | null]>([
    ['with an address', {}, wrote('a@b.de'), 'a@b.de'],
    ['with an address before the question was confirmed', { pending: 'm' }, wrote('a@b.de'), 'a@b.de'],
    ['with the doubted address again', { suggestedEmail: 's' }, wrote('a@gmial.com', 'x'), 'a@gmial.com'],
    ['with other words after a doubt', { suggestedEmail: 's', givenEmail: 'g' }, wrote(null), 'g'],
    ['with other words after a hint', { emailHints: 1 }, wrote(null), null],
    [
      'that the doubt was right',
      { suggestedEmail: 's', givenEmail: 'g' },
      { kind: 'confirmed', suggestion: true, at: NOW },
      's',
    ],
    [
      'that it was wrong',
      { suggestedEmail: 's', givenEmail: 'g' },
      { kind: 'confirmed', suggestion: false, at: NOW },
      'g',
    ],
  ])('%s gets the link', (_name, more, event, address) => {
    const before = talk({ ...email, ...more });
    expect(moved(before, event)).toEqual({
      conversation: { ...before, ...link, expiresAt: fromNow(WINDOW_MS) },
      say: 'delivery',
      email: address,
    });
  });

  test('that looks mistyped is asked about', () => {
    const asked = { givenEmail: 'a@gmial.com', suggestedEmail: 'a@gmail.com', pending: 'next-message' };
    expect(moved(talk(email), wrote('a@gmial.com', 'a@gmail.com'))).toEqual({
      conversation: { ...talk(email), ...asked, expiresAt: fromNow(WINDOW_MS) },
      say: 'email_suggestion',
      email: null,
    });
  });

  test('without an address gets a hint', () => {
    expect(moved(talk(email), wrote(null))).toEqual({
      conversation: { ...talk(email), emailHints: 1, pending: 'next-message', expiresAt: fromNow(WINDOW_MS) },
      say: 'email_hint',
      email: null,
    });
  });

  test.each<[string, Partial<Conversation>, ConversationEvent]>([
    ['before the question arrived', { ...email, pending: 'm' }, wrote(null)],
    ['that nobody asked for', { state: 'follow' }, wrote('a@b.de')],
    ['to a doubt that there is not', { ...email, givenEmail: 'g' }, { kind: 'confirmed', suggestion: true, at: NOW }],
    ['to a doubt about nothing', { ...email, suggestedEmail: 's' }, { kind: 'confirmed', suggestion: true, at: NOW }],
    [
      'to a doubt that is over',
      { state: 'delivered', givenEmail: 'g', suggestedEmail: 's' },
      { kind: 'confirmed', suggestion: true, at: NOW },
    ],
  ])('%s changes nothing', (_name, more, event) => {
    expect(moved(talk(more), event)).toEqual(nothing(talk(more)));
  });
});

describe('a message', () => {
  const sent = (step: Step, windowUntil: Date | null = null) =>
    ({ kind: 'sent', message: 'm', step, at: NOW, windowUntil }) as const;
  const waiting = (more: Partial<Conversation> = {}) => talk({ pending: 'm', ...more });

  test.each<[Step, Partial<Conversation>]>([
    ['opening', {}],
    ['email_ask', {}],
    ['email_hint', {}],
    ['email_suggestion', {}],
    ['follow_ask', { followAsks: 1 }],
    ['follow_up', { state: 'ended', endedBecause: 'follow_up_sent' }],
  ])('%s that was sent', (step, change) => {
    expect(moved(waiting(), sent(step))).toEqual(nothing(talk(change)));
  });

  const hour = fromNow(HOUR_MS);
  const delivered = { deliveredAt: NOW } as const;
  const ended = { ...delivered, state: 'ended', endedBecause: 'delivered' } as const;
  test.each<[string, Sequence, Date | null, Partial<Conversation>, Step | null]>([
    ['without a follow-up', { ...full, followUpAfterMinutes: null }, fromNow(DAY_MS), ended, null],
    ['without a window', full, null, ended, null],
    [
      'whose follow-up would come a millisecond before the window ends',
      full,
      fromNow(HOUR_MS + 1),
      { ...delivered, state: 'delivered', pending: 'next-message', expiresAt: fromNow(HOUR_MS + 1) },
      'follow_up',
    ],
    ['whose follow-up would come when the window ends', full, hour, ended, null],
    ['whose follow-up would come a millisecond later', full, fromNow(HOUR_MS - 1), ended, null],
  ])('with the link, %s', (_name, sequence, windowUntil, change, say) => {
    expect(moved(waiting(), sent('delivery', windowUntil), sequence)).toEqual({
      conversation: talk(change),
      say,
      email: null,
    });
  });

  test('with the link that arrived after the end ends nothing again', () => {
    const over = waiting({ state: 'ended', endedBecause: 'stopped' });
    expect(moved(over, sent('delivery', fromNow(DAY_MS)))).toEqual(
      nothing({ ...over, pending: null, deliveredAt: NOW }),
    );
  });

  test('that a later one overtook says nothing', () => {
    for (const event of [
      { ...sent('delivery'), message: 'other' },
      { kind: 'failed', message: 'other', step: 'delivery', uncertain: true },
      { kind: 'dropped', message: 'other', because: 'stopped' },
      { kind: 'chosen', message: 'other', step: 'delivery' },
    ] as const) {
      expect(moved(waiting(), event)).toEqual(nothing(waiting()));
    }
  });

  test.each<[Step | 'next', boolean, Ended]>([
    ['delivery', true, 'not_sure'],
    ['next', true, 'not_sure'],
    ['delivery', false, 'not_sent'],
    ['next', false, 'not_sent'],
    ['opening', true, 'not_sent'],
    ['follow_up', true, 'delivered'],
    ['follow_up', false, 'delivered'],
  ])('%s that failed, uncertain %s', (step, uncertain, endedBecause) => {
    const event = { kind: 'failed', message: 'm', step, uncertain } as const;
    expect(moved(waiting(), event)).toEqual(nothing(talk({ state: 'ended', endedBecause })));
    const over = { state: 'ended', endedBecause: 'stopped' } as const;
    const stays = endedBecause === 'not_sure' ? { ...over, endedBecause } : over;
    expect(moved(waiting(over), event)).toEqual(nothing(talk(stays)));
  });

  test('that is not sent any more says why', () => {
    const event = { kind: 'dropped', message: 'm', because: 'window_closed' } as const;
    expect(moved(waiting(), event)).toEqual(nothing(talk({ state: 'ended', endedBecause: 'window_closed' })));
  });

  test.each([
    ['follow_ask', 'follow'],
    ['email_ask', 'email'],
    ['delivery', 'delivered'],
  ] as const)('chosen as %s', (step, state) => {
    const event = { kind: 'chosen', message: 'm', step } as const;
    expect(moved(waiting(), event)).toEqual(nothing(waiting({ state })));
    const over = waiting({ state: 'ended', endedBecause: 'stopped' });
    expect(moved(over, event)).toEqual(nothing(over));
  });
});

describe('an end', () => {
  test.each(['stopped', 'taken_over', 'blocked', 'unsent'] as const)('because of %s', (kind) => {
    expect(moved(talk(), { kind })).toEqual(nothing(talk({ state: 'ended', endedBecause: kind })));
    const over = talk({ state: 'ended', endedBecause: 'no_tap' });
    expect(moved(over, { kind })).toEqual(nothing(over));
  });

  test.each([
    ['opening', 'no_tap'],
    ['follow', 'no_follow'],
    ['email', 'no_answer'],
    ['delivered', 'delivered'],
  ] as const)('by time: %s', (state, endedBecause) => {
    const lasts = talk({ state, expiresAt: NOW });
    const ends = nothing({ ...lasts, state: 'ended', endedBecause });
    expect(moved(lasts, { kind: 'timed_out', at: fromNow(-1000) })).toEqual(nothing(lasts));
    expect(moved(lasts, { kind: 'timed_out', at: NOW })).toEqual(ends);
    expect(moved(lasts, { kind: 'timed_out', at: fromNow(1000) })).toEqual(ends);
  });
});

describe('what follows a tap', () => {
  test.each<[string, Partial<Sequence>, number, boolean | null, boolean, string]>([
    ['who follows is asked for an address', {}, 0, true, false, 'email_ask'],
    ['who follows and was asked elsewhere gets the link', {}, 0, true, true, 'delivery'],
    ['who does not follow is asked to', {}, 0, false, false, 'follow_ask'],
    ['who does not follow is asked again', {}, 5, false, false, 'follow_ask'],
    ['of whom Meta tells nothing is asked', {}, 0, null, false, 'follow_ask'],
    ['of whom Meta tells nothing is believed the second time', {}, 1, null, true, 'delivery'],
    ['without the question to follow', { followAsk: false }, 0, false, false, 'email_ask'],
    ['without any question', { followAsk: false, emailAsk: false }, 0, false, false, 'delivery'],
  ])('%s', (_name, more, followAsks, follows, emailAsked, step) => {
    expect(nextStep({ ...full, ...more }, { followAsks }, { follows, emailAsked })).toBe(step);
  });
});

describe('right before the call', () => {
  const standing = {
    now: NOW,
    stopped: false,
    takenOver: false,
    blocked: false,
    clicked: false,
    needsWindow: true,
    windowUntil: fromNow(1000),
  };
  type More = Partial<Omit<typeof standing, 'windowUntil'>> & { windowUntil?: Date | null };
  test.each<[string, Partial<Conversation>, Step | 'next', More, Ended | null]>([
    ['nothing keeps it', {}, 'next', {}, null],
    ['STOP does, before all else', {}, 'next', { stopped: true, blocked: true, takenOver: true }, 'stopped'],
    ['a block does', {}, 'next', { blocked: true, takenOver: true }, 'blocked'],
    ['the creator’s answer does', {}, 'next', { takenOver: true }, 'taken_over'],
    ['its end does', { state: 'ended', endedBecause: 'no_tap' }, 'next', {}, 'no_tap'],
    ['its end does, for whatever reason', { state: 'ended' }, 'next', {}, 'delivered'],
    ['a link that arrived does', { state: 'delivered', deliveredAt: NOW }, 'delivery', {}, 'delivered'],
    ['a link that arrived keeps no follow-up', { state: 'delivered', deliveredAt: NOW }, 'follow_up', {}, null],
    ['a click keeps a follow-up', { state: 'delivered', deliveredAt: NOW }, 'follow_up', { clicked: true }, 'clicked'],
    ['a click keeps nothing else', {}, 'next', { clicked: true }, null],
    ['a link that has not arrived keeps a follow-up', { state: 'email' }, 'follow_up', {}, 'delivered'],
    ['a second before the window ends', {}, 'next', { windowUntil: fromNow(1000) }, null],
    ['when the window ends', {}, 'next', { windowUntil: NOW }, 'window_closed'],
    ['a second later', {}, 'next', { windowUntil: fromNow(-1000) }, 'window_closed'],
    ['without a window', {}, 'next', { windowUntil: null }, 'window_closed'],
    ['a private reply needs none', {}, 'next', { needsWindow: false, windowUntil: null }, null],
  ])('%s', (_name, more, step, other, because) => {
    expect(droppedBecause(talk(more), step, { ...standing, ...other })).toBe(because);
  });
});
