import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  begin,
  type Conversation,
  type ConversationEvent,
  droppedBecause,
  type Ended,
  type Move,
  move,
  nextStep,
  type Sequence,
  type Step,
  windowAfter,
} from './conversation.ts';

const START = new Date('2026-06-01T12:00:00Z');
const HOUR_MS = 3_600_000;

/** Events of one follower, in any order. Minutes pass before each. */
type Act =
  | { act: 'tap' | 'stop' | 'start' | 'take_over' | 'hand_back' | 'click' | 'follow' | 'unfollow' | 'asked_elsewhere' }
  | { act: 'write'; address: string | null; suggestion: string | null }
  | { act: 'confirm'; suggestion: boolean }
  /** The sender gets to the message that waits; `answer` is Meta's. */
  | { act: 'call'; answer: 'done' | 'refused' | 'lost'; tellsFollows: boolean }
  | { act: 'wait'; minutes: number };

const acts: fc.Arbitrary<Act> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ act: fc.constant('tap' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constantFrom(
        ...(['stop', 'start', 'take_over', 'hand_back', 'click', 'follow', 'unfollow', 'asked_elsewhere'] as const),
      ),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      act: fc.constant('write' as const),
      address: fc.constantFrom(null, 'a@gmial.com', 'a@b.de'),
      suggestion: fc.constantFrom(null, 'a@gmail.com'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('confirm' as const), suggestion: fc.boolean() }) },
  {
    weight: 8,
    arbitrary: fc.record({
      act: fc.constant('call' as const),
      answer: fc.constantFrom('done' as const, 'done' as const, 'done' as const, 'refused' as const, 'lost' as const),
      tellsFollows: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      act: fc.constant('wait' as const),
      minutes: fc.constantFrom(1, 30, 700, 1430, 1500, 44_000),
    }),
  },
);

const sequences: fc.Arbitrary<Sequence> = fc.record({
  opening: fc.boolean(),
  followAsk: fc.boolean(),
  emailAsk: fc.boolean(),
  followUpAfterMinutes: fc.constantFrom(null, 10, 60, 1380),
});

/** One follower, one automation, and what really reached them. */
class World {
  readonly sequence: Sequence;
  readonly wroteFirst: boolean;
  now = START;
  conversation: Conversation;
  waiting: { id: string; step: Step | 'next'; dueAt: Date; byComment: boolean } | null;
  reached: {
    step: Step;
    stopped: boolean;
    takenOver: boolean;
    windowUntil: Date | null;
    byComment: boolean;
    at: Date;
  }[] = [];
  emails: string[] = [];
  follows = false;
  stopped = false;
  takenOver = false;
  clicked = false;
  emailAsked = false;
  lastWroteAt: Date | null;
  private made = 0;

  constructor(sequence: Sequence, wroteFirst: boolean) {
    this.sequence = sequence;
    this.wroteFirst = wroteFirst;
    this.lastWroteAt = wroteFirst ? START : null;
    const message = this.id();
    const begun = begin(sequence, { wrote: wroteFirst, at: START, message });
    this.conversation = begun.conversation;
    this.waiting = { id: message, step: begun.say!, dueAt: START, byComment: !wroteFirst };
  }

  private id(): string {
    this.made++;
    return `m${this.made}`;
  }

  happen(event: ConversationEvent): Move {
    const message = this.id();
    const moved = move(this.sequence, this.conversation, event, message);
    this.conversation = moved.conversation;
    if (moved.email !== null) this.emails.push(moved.email);
    if (moved.say !== null) {
      const delayMs = moved.say === 'follow_up' ? this.sequence.followUpAfterMinutes! * 60_000 : 0;
      this.waiting = { id: message, step: moved.say, dueAt: new Date(this.now.getTime() + delayMs), byComment: false };
    }
    return moved;
  }

  /** The engine's act on STOP and when the creator takes over: waiting messages leave the queue. */
  private cancelWaiting(): void {
    if (this.waiting === null) return;
    if (this.conversation.pending === this.waiting.id) this.conversation = { ...this.conversation, pending: null };
    this.waiting = null;
  }

  act(act: Act): void {
    this.now = new Date(this.now.getTime() + (act.act === 'wait' ? act.minutes * 60_000 : 1000));
    switch (act.act) {
      case 'tap':
        this.lastWroteAt = this.now;
        if (!this.stopped && !this.takenOver) this.happen({ kind: 'tapped', at: this.now });
        break;
      case 'write':
        this.lastWroteAt = this.now;
        if (!this.stopped && !this.takenOver)
          this.happen({ kind: 'wrote', address: act.address, suggestion: act.suggestion, at: this.now });
        break;
      case 'confirm':
        this.lastWroteAt = this.now;
        if (!this.stopped && !this.takenOver)
          this.happen({ kind: 'confirmed', suggestion: act.suggestion, at: this.now });
        break;
      case 'stop':
        this.lastWroteAt = this.now;
        this.stopped = true;
        this.cancelWaiting();
        this.happen({ kind: 'stopped' });
        break;
      case 'start':
        this.lastWroteAt = this.now;
        this.stopped = false;
        break;
      case 'take_over':
        this.takenOver = true;
        this.cancelWaiting();
        this.happen({ kind: 'taken_over' });
        break;
      case 'hand_back':
        this.takenOver = false;
        break;
      case 'click':
        this.clicked = this.reached.some(({ step }) => step === 'delivery');
        break;
      case 'follow':
        this.follows = true;
        break;
      case 'unfollow':
        this.follows = false;
        break;
      case 'asked_elsewhere':
        this.emailAsked = true;
        break;
      case 'call':
        this.call(act.answer, act.tellsFollows);
        break;
      case 'wait':
        this.happen({ kind: 'timed_out', at: this.now });
    }
  }

  private call(answer: 'done' | 'refused' | 'lost', tellsFollows: boolean): void {
    const { waiting } = this;
    if (waiting === null || waiting.dueAt > this.now) return;
    this.waiting = null;
    const windowUntil = this.lastWroteAt === null ? null : windowAfter(this.lastWroteAt);
    const { stopped, takenOver, clicked, now } = this;
    const standing = { now, stopped, takenOver, blocked: false, clicked };
    const because =
      this.conversation.pending === waiting.id
        ? droppedBecause(this.conversation, waiting.step, { ...standing, needsWindow: !waiting.byComment, windowUntil })
        : 'unsent';
    if (because !== null) {
      this.happen({ kind: 'dropped', message: waiting.id, because });
      return;
    }
    let step = waiting.step;
    if (step === 'next') {
      const follows = tellsFollows && !waiting.byComment ? this.follows : null;
      step = nextStep(this.sequence, this.conversation, { follows, emailAsked: this.emailAsked });
      this.happen({ kind: 'chosen', message: waiting.id, step });
      if (step === 'email_ask') this.emailAsked = true;
    }
    if (answer === 'refused') {
      this.happen({ kind: 'failed', message: waiting.id, step, uncertain: false });
      return;
    }
    this.reached.push({ step, stopped, takenOver, windowUntil, byComment: waiting.byComment, at: now });
    if (answer === 'done') this.happen({ kind: 'sent', message: waiting.id, step, at: now, windowUntil });
    else this.happen({ kind: 'failed', message: waiting.id, step, uncertain: true });
  }
}

const played = fc.tuple(sequences, fc.boolean(), fc.array(acts, { maxLength: 60 })).map(([sequence, wrote, list]) => {
  const world = new World(sequence, wrote);
  for (const act of list) world.act(act);
  return world;
});

const often = { numRuns: 3000 };

describe('whatever happens', () => {
  test('the link arrives once at most', () => {
    fc.assert(
      fc.property(played, (world) => world.reached.filter(({ step }) => step === 'delivery').length <= 1),
      often,
    );
  });

  test('nothing is said after STOP or after the creator took over', () => {
    fc.assert(
      fc.property(played, (world) => world.reached.every(({ stopped, takenOver }) => !stopped && !takenOver)),
      often,
    );
  });

  test('nothing but the answer to a comment is said outside the 24 hours', () => {
    fc.assert(
      fc.property(played, (world) =>
        world.reached.every(
          ({ byComment, windowUntil, at }) => byComment || (windowUntil !== null && at < windowUntil),
        ),
      ),
      often,
    );
  });

  test('the address is asked for once at most, and never when it was asked for elsewhere', () => {
    fc.assert(
      fc.property(played, (world) => world.reached.filter(({ step }) => step === 'email_ask').length <= 1),
      often,
    );
  });

  test('a follow-up comes once at most, and never without the link', () => {
    fc.assert(
      fc.property(played, (world) => {
        const steps = world.reached.map(({ step }) => step);
        const at = steps.indexOf('follow_up');
        return at === -1 || (steps.lastIndexOf('follow_up') === at && steps.slice(0, at).includes('delivery'));
      }),
      often,
    );
  });

  test('every conversation ends when nothing happens any more', () => {
    fc.assert(
      fc.property(played, (world) => {
        for (let day = 0; day < 40; day++) {
          world.act({ act: 'call', answer: 'refused', tellsFollows: true });
          world.act({ act: 'wait', minutes: 24 * 60 });
        }
        return world.conversation.state === 'ended';
      }),
      often,
    );
  });

  test('who follows and taps gets the link, whatever came before, unless it may have arrived already', () => {
    fc.assert(
      fc.property(played, fc.boolean(), (world, tellsFollows) => {
        for (const act of ['start', 'hand_back', 'follow'] as const) world.act({ act });
        // Calls under way come to their end.
        world.act({ act: 'wait', minutes: 1 });
        if (world.waiting?.step !== 'follow_up') world.act({ act: 'call', answer: 'done', tellsFollows });
        for (let taps = 0; taps < 3; taps++) {
          world.act({ act: 'tap' });
          world.act({ act: 'call', answer: 'done', tellsFollows });
          world.act({ act: 'write', address: 'a@b.de', suggestion: null });
          world.act({ act: 'call', answer: 'done', tellsFollows });
        }
        return world.reached.some(({ step }) => step === 'delivery') || world.conversation.endedBecause === 'not_sure';
      }),
      often,
    );
  });
});

describe('a conversation', () => {
  const full: Sequence = { opening: true, followAsk: true, emailAsk: true, followUpAfterMinutes: 60 };
  const steps = (world: World) => world.reached.map(({ step }) => step);
  const done = { act: 'call', answer: 'done', tellsFollows: true } as const;

  test('goes through all of its steps', () => {
    const world = new World(full, false);
    for (const act of ['call', 'tap', 'call', 'follow', 'tap', 'call'] as const) {
      world.act(act === 'call' ? done : { act });
    }
    world.act({ act: 'write', address: 'a@b.de', suggestion: null });
    world.act(done);
    world.act({ act: 'wait', minutes: 60 });
    world.act(done);
    expect(steps(world)).toEqual(['opening', 'follow_ask', 'email_ask', 'delivery', 'follow_up']);
    expect(world.emails).toEqual(['a@b.de']);
    expect(world.conversation).toMatchObject({ state: 'ended', endedBecause: 'follow_up_sent' });
  });

  test('believes people after one question where Meta does not tell whether they follow', () => {
    const world = new World({ ...full, emailAsk: false, followUpAfterMinutes: null }, false);
    const silent = { ...done, tellsFollows: false };
    for (const act of [silent, { act: 'tap' }, silent, { act: 'tap' }, silent] as const) world.act(act);
    expect(steps(world)).toEqual(['opening', 'follow_ask', 'delivery']);
  });

  test('gives the link all the same to who writes no address twice', () => {
    const world = new World({ ...full, opening: false, followAsk: false, followUpAfterMinutes: null }, true);
    const nonsense = { act: 'write', address: null, suggestion: null } as const;
    for (const act of [done, nonsense, done, nonsense, done]) world.act(act);
    expect(steps(world)).toEqual(['email_ask', 'email_hint', 'delivery']);
    expect(world.emails).toEqual([]);
  });

  test.each([
    [true, 'a@gmail.com'],
    [false, 'a@gmial.com'],
  ])('asks once about a slip of the finger: %s', (suggestion, kept) => {
    const world = new World({ ...full, opening: false, followAsk: false, followUpAfterMinutes: null }, true);
    world.act(done);
    world.act({ act: 'write', address: 'a@gmial.com', suggestion: 'a@gmail.com' });
    world.act(done);
    world.act({ act: 'confirm', suggestion });
    world.act(done);
    expect(steps(world)).toEqual(['email_ask', 'email_suggestion', 'delivery']);
    expect(world.emails).toEqual([kept]);
  });

  test.each<[string, Sequence, Act[], Ended]>([
    ['nobody taps', full, [done, { act: 'wait', minutes: 30 * 24 * 60 }], 'no_tap'],
    ['they do not follow', full, [done, { act: 'tap' }, done, { act: 'wait', minutes: 24 * 60 }], 'no_follow'],
    [
      'they do not answer',
      { ...full, followAsk: false },
      [done, { act: 'tap' }, done, { act: 'wait', minutes: 24 * 60 }],
      'no_answer',
    ],
    ['they write STOP', full, [done, { act: 'stop' }], 'stopped'],
    ['the creator answers', full, [done, { act: 'take_over' }], 'taken_over'],
    ['Meta refuses', full, [{ ...done, answer: 'refused' }], 'not_sent'],
    [
      'they clicked before the follow-up',
      { ...full, followAsk: false, emailAsk: false },
      [done, { act: 'tap' }, done, { act: 'click' }, { act: 'wait', minutes: 60 }, done],
      'clicked',
    ],
  ])('says why it ended: %s', (_name, sequence, list, because) => {
    const world = new World(sequence, false);
    for (const act of list) world.act(act);
    expect(world.conversation).toMatchObject({ state: 'ended', endedBecause: because });
  });

  test('keeps the time: an opening for thirty days, a question for a day less ten minutes', () => {
    const world = new World(full, false);
    expect(world.conversation.expiresAt.getTime() - START.getTime()).toBe(30 * 24 * HOUR_MS);
    world.act(done);
    world.act({ act: 'tap' });
    expect(world.conversation.expiresAt.getTime() - world.now.getTime()).toBe(24 * HOUR_MS - 600_000);
  });
});
