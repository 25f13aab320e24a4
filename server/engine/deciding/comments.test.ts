import { describe, expect, test } from 'vitest';
import {
  ANSWERED,
  ago,
  automation,
  type comment,
  context,
  DAY_MS,
  type Given,
  HOUR_MS,
  in_,
  MINUTE_MS,
  NOW,
  onComment,
  onMessage,
  SECOND_MS,
  told,
} from '#server/engine/testing/deciding-examples.ts';
import { FIRST_POST_PRIORITY } from './comments.ts';
import type { EngineConnection } from './connections.ts';
import type { EngineAutomation } from './listening-automations.ts';
import { publicReplyAfter } from './public-replies.ts';

describe('a comment', () => {
  test('with the word is answered by a private reply', () => {
    expect(onComment()).toEqual({
      interaction: {
        creator_id: 'creator',
        id: 'id-1',
        connection_id: 'connection',
        kind: 'comment',
        platform_id: 'comment',
        post_id: 'post',
        parent_id: null,
        person_id: 'person',
        username: 'ana',
        text: 'Recipe!',
        occurred_at: NOW,
        received_at: ago(1),
        outcome: 'waiting',
        reason: 'queued',
        automation_id: 'automation',
        matched_words: ['recipe'],
        waiting_until: null,
        outcome_at: NOW,
        found_by_reading: false,
        is_test: false,
      },
      delivery: {
        creator_id: 'creator',
        id: 'id-2',
        connection_id: 'connection',
        interaction_id: 'id-1',
        automation_id: 'automation',
        conversation_id: null,
        variant: null,
        kind: 'private_reply',
        lane: 'private_replies',
        recipient: 'comment',
        content: { text: 'Hi ana, recipe', buttons: [{ title: 'Open', url: expect.stringContaining('/l/abc1234/') }] },
        priority: 0,
        due_at: NOW,
        expires_at: in_(7 * DAY_MS),
        created_at: NOW,
      },
    });
  });

  test.each<[string, Parameters<typeof onComment>, string]>([
    ['of the account itself', [{ own: true }], 'skipped: own_comment'],
    ['on a Page without the addon', [{}, { of: { addonOff: true } }], 'skipped: facebook_addon_off'],
    ['of the account, without the addon', [{ own: true }, { of: { addonOff: true } }], 'skipped: facebook_addon_off'],
    ['without the word', [{ text: 'lovely' }], 'skipped: no_match'],
    ['where no automation listens', [{}, { by: [] }], 'skipped: no_automation'],
    ['in a live where no automation listens', [{ kind: 'live_comment' }, { by: [] }], 'skipped: live_comment'],
    [
      'in a live without the word',
      [{ kind: 'live_comment', text: 'hi' }, { by: [automation({ trigger: 'live_comment' })] }],
      'skipped: no_match',
    ],
    ['while its creator is to be deleted', [{}, { of: { beingDeleted: true } }], 'missed: being_deleted'],
    ['while its creator has too many followers for the plan', [{}, { of: { overPlan: true } }], 'skipped: plan_limit'],
    ['too late, also then', [{ at: in_(-7 * DAY_MS) }, { of: { overPlan: true } }], 'missed: too_old'],
    ['of somebody who wrote STOP', [{}, { given: { standing: { stopped: true } } }], 'skipped: stopped'],
    ['of somebody blocked', [{}, { given: { standing: { blocked: true } } }], 'skipped: blocked'],
    [
      'of somebody who wrote STOP and is blocked',
      [{}, { given: { standing: { stopped: true, blocked: true } } }],
      'skipped: stopped',
    ],
  ])('%s is told why it is not answered', (_name, given, outcome) => {
    expect(told(onComment(...given))).toBe(outcome);
  });

  test('that matched names its automation and the words, whatever keeps it from being answered', () => {
    const about = { automation_id: 'automation', matched_words: ['recipe'] };
    expect(onComment({}, { given: { standing: { blocked: true } } }).interaction).toMatchObject(about);
    expect(onComment({ text: 'lovely' }).interaction).toMatchObject({ automation_id: null, matched_words: [] });
  });

  const live = [automation({ trigger: 'live_comment' })];
  test.each<[string, number, string]>([
    ['a second less than seven days old', 7 * DAY_MS - SECOND_MS, ANSWERED],
    ['seven days old', 7 * DAY_MS, 'missed: too_old'],
    ['a second more than seven days old', 7 * DAY_MS + SECOND_MS, 'missed: too_old'],
  ])('%s', (_name, age, outcome) => {
    expect(told(onComment({ at: ago(age) }))).toBe(outcome);
  });
  test.each<[string, number, string]>([
    ['a second less than four hours old', 4 * HOUR_MS - SECOND_MS, ANSWERED],
    ['four hours old', 4 * HOUR_MS, 'missed: live_over'],
    ['a second more than four hours old', 4 * HOUR_MS + SECOND_MS, 'missed: live_over'],
  ])('in a live, %s', (_name, age, outcome) => {
    expect(told(onComment({ kind: 'live_comment', at: ago(age) }, { by: live }))).toBe(outcome);
  });

  test('in a live has a lane and a deadline of its own, and no public reply', () => {
    const by = [automation({ trigger: 'live_comment', publicReplies: ['Sent'] })];
    const { delivery } = onComment({ kind: 'live_comment', at: ago(HOUR_MS) }, { by });
    expect(delivery).toMatchObject({ kind: 'private_reply', lane: 'live_replies', expires_at: in_(3 * HOUR_MS) });
    expect(delivery!.content.publicReply).toBeUndefined();
  });

  test('asks for the turn of its own lane', () => {
    const asked: string[] = [];
    const given: Given = {
      turnOf: (_connection, lane) => {
        asked.push(lane);
        return null;
      },
    };
    onComment({}, { given });
    onComment({ kind: 'live_comment' }, { by: live, given });
    expect(asked).toEqual(['private_replies', 'live_replies']);
  });

  test.each<[string, Partial<EngineConnection>, Date | null, string, Date | null]>([
    ['is queued where it can go at once', {}, null, 'queued', null],
    ['waits for its turn', {}, in_(HOUR_MS), 'rate_limited', in_(HOUR_MS)],
    ['waits for the creator to sign in', { requiresAuth: true }, in_(HOUR_MS), 'needs_reconnect', in_(HOUR_MS)],
    ['waits for Meta', { paused: true }, in_(HOUR_MS), 'paused', null],
    ['waits for a queue that was paused', { queuePaused: true }, in_(HOUR_MS), 'paused_by_you', null],
    ['waits for both', { requiresAuth: true, paused: true, queuePaused: true }, null, 'needs_reconnect', null],
    ['says that Meta is paused before it says the queue is', { paused: true, queuePaused: true }, null, 'paused', null],
  ])('%s', (_name, of, turn, reason, until) => {
    const decision = onComment({}, { of, given: { turn } });
    expect(decision.interaction).toMatchObject({ outcome: 'waiting', reason, waiting_until: until });
    expect(decision.delivery).not.toBeNull();
  });

  test.each<[string, string | null, string | null, number]>([
    ['of the post that goes first', 'post', 'post', FIRST_POST_PRIORITY],
    ['of another post', 'post', 'other', 0],
    ['of no post', null, null, 0],
  ])('%s has its priority', (_name, postId, firstPostId, priority) => {
    expect(onComment({ postId }, { of: { firstPostId } }).delivery!.priority).toBe(priority);
  });

  test('keeps only what PostgreSQL can hold', () => {
    const made = onComment({
      text: 'recipe \0\ud83d',
      username: 'a\0',
      personId: 'p\0',
      platformId: 'c\0',
    }).interaction;
    expect(made).toMatchObject({ text: 'recipe \ufffd', username: 'a', person_id: 'p', platform_id: 'c' });
    expect(onComment({ text: 'recipe \ud83d' }).interaction.text).toBe('recipe \ufffd');
    expect(onComment({ username: null }).interaction.username).toBeNull();
  });

  test('says whether a reading found it, and below which it stands', () => {
    expect(onComment({ found: true, parentId: 'parent' }).interaction).toMatchObject({
      found_by_reading: true,
      parent_id: 'parent',
    });
  });
});

describe('what came before an automation was on', () => {
  const on = (ms: number) => [automation({ switchedOnAt: ago(ms) })];
  const attached = (ms: number) => [automation({ postIds: ['post'], attachedAt: new Map([['post', ago(ms)]]) })];
  const BEFORE = 'skipped: before_it_was_on';

  test.each<[string, Parameters<typeof comment>[0], EngineAutomation[], string]>([
    ['found, a second before', { at: ago(1000), found: true }, on(0), BEFORE],
    [
      'found, less than a second before: Meta’s times have no fractions',
      { at: ago(999), found: true },
      on(0),
      ANSWERED,
    ],
    ['found, afterwards', { at: NOW, found: true }, on(1), ANSWERED],
    ['told by a webhook, long before', { at: ago(HOUR_MS) }, on(0), ANSWERED],
    ['wanted by the creator all the same', { at: ago(HOUR_MS), found: true, catchUp: true }, on(0), ANSWERED],
    ['told by a webhook, a second before it found its post', { at: ago(1000) }, attached(0), BEFORE],
    ['told by a webhook, less than a second before that', { at: ago(999) }, attached(0), ANSWERED],
    ['wanted although before that', { at: ago(HOUR_MS), catchUp: true }, attached(0), ANSWERED],
    [
      'found on a post that was attached before, and switched on later',
      { at: ago(1000), found: true },
      [automation({ postIds: ['post'], attachedAt: new Map([['post', ago(HOUR_MS)]]), switchedOnAt: NOW })],
      BEFORE,
    ],
  ])('%s', (_name, event, by, outcome) => {
    expect(told(onComment(event, { by }))).toBe(outcome);
  });

  test('on no post is before nothing', () => {
    const by = [automation({ attachedAt: new Map([['null', NOW]]) })];
    expect(told(onComment({ postId: null, at: ago(HOUR_MS) }, { by }))).toBe(ANSWERED);
  });
});

describe('somebody who was taken over', () => {
  test.each<[string, Date | null, string]>([
    ['until a second from now', in_(SECOND_MS), 'skipped: taken_over'],
    ['until now', NOW, ANSWERED],
    ['until a second ago', ago(SECOND_MS), ANSWERED],
    ['never', null, ANSWERED],
  ])('%s', (_name, takenOverUntil, outcome) => {
    const given = { standing: { takenOverUntil } };
    expect(told(onComment({}, { given }))).toBe(outcome);
    expect(told(onMessage({}, { given }))).toBe(outcome);
  });
});

describe('somebody who was answered', () => {
  test.each<[string, number | null, Record<string, Date>, string]>([
    ['a second less than its time ago', 60, { automation: ago(HOUR_MS - SECOND_MS) }, 'skipped: already_answered'],
    ['its time ago', 60, { automation: ago(HOUR_MS) }, ANSWERED],
    ['a second more than its time ago', 60, { automation: ago(HOUR_MS + SECOND_MS) }, ANSWERED],
    ['just now, where every comment is answered', null, { automation: NOW, twin: NOW }, ANSWERED],
    ['by another with the same link, a second less', 60, { twin: ago(HOUR_MS - SECOND_MS) }, 'skipped: already_has_it'],
    ['by another with the same link, its time ago', 60, { twin: ago(HOUR_MS) }, ANSWERED],
    ['by another with another link', 60, { stranger: NOW }, ANSWERED],
    ['by both', 60, { automation: NOW, twin: NOW }, 'skipped: already_answered'],
  ])('%s', (_name, repeatAfterMinutes, answered, outcome) => {
    const its = { repeatAfterMinutes, sameLink: ['cousin', 'twin'] };
    expect(told(onComment({}, { by: [automation(its)], given: { answered } }))).toBe(outcome);
    const by = [automation({ ...its, trigger: 'direct_message' })];
    expect(told(onMessage({}, { by, given: { answered } }))).toBe(outcome);
  });
});

describe('a public reply', () => {
  const by = [automation({ publicReplies: ['Look at your messages, {{username|you}}: {{word}}'] })];
  const replyTo = (event: Parameters<typeof comment>[0]) => onComment(event, { by }).delivery!.content.publicReply;

  test('stands below the comment; below a reply’s parent it begins with the writer’s name', () => {
    const text = 'Look at your messages, ana: recipe';
    expect(replyTo({})).toEqual({ commentId: 'comment', text });
    expect(replyTo({ parentId: 'parent' })).toEqual({ commentId: 'parent', text: `@ana ${text}` });
    const nameless = 'Look at your messages, you: recipe';
    expect(replyTo({ username: null })).toEqual({ commentId: 'comment', text: nameless });
    expect(replyTo({ username: null, parentId: 'parent' })).toEqual({ commentId: 'parent', text: nameless });
    expect(onComment().delivery!.content).not.toHaveProperty('publicReply');
  });

  test('of an automation that answers every comment has no word to name', () => {
    const every = [automation({ mode: 'any_comment', words: [], publicReplies: ['Hi {{word|all}}'] })];
    expect(onComment({ text: 'x' }, { by: every }).delivery!.content.publicReply!.text).toBe('Hi all');
  });

  test('is picked in the language that they wrote in', () => {
    const picked: (string | null)[] = [];
    const pickPublicReply = (_automation: EngineAutomation, language: string | null) => {
      picked.push(language);
      return null;
    };
    const translations = [{ language: 'es', words: ['receta'], messageText: 'Aquí', publicReplies: [] }];
    onComment({ text: 'receta' }, { by: [automation({ translations })], given: { pickPublicReply } });
    onComment({}, { by: [automation({ translations })], given: { pickPublicReply } });
    expect(picked).toEqual(['es', null]);
  });

  test('follows its message by a day at most', () => {
    const { delivery } = onComment({ parentId: 'parent' }, { by });
    expect(publicReplyAfter({ ...delivery!, priority: 7 }, context().ids, in_(HOUR_MS))).toEqual({
      creator_id: 'creator',
      id: 'id-1',
      connection_id: 'connection',
      interaction_id: 'id-1',
      automation_id: 'automation',
      conversation_id: null,
      variant: null,
      kind: 'public_reply',
      lane: 'public_replies',
      recipient: 'parent',
      content: { text: '@ana Look at your messages, ana: recipe', buttons: [] },
      priority: 0,
      due_at: in_(HOUR_MS),
      expires_at: in_(25 * HOUR_MS),
      created_at: in_(HOUR_MS),
    });
    expect(publicReplyAfter(onComment().delivery!, context().ids, NOW)).toBeNull();
  });
});

describe('while its post is tested', () => {
  const answered = { answered: { automation: ago(60 * SECOND_MS) } };
  const tested = { tested: new Map([['post', in_(1)]]) };

  test.each<[string, Parameters<typeof onComment>, string, boolean]>([
    ['somebody answered already is answered again, as a test', [{}, { of: tested, given: answered }], ANSWERED, true],
    ['somebody new is answered as ever', [{}, { of: tested }], ANSWERED, false],
    [
      'a comment on its way when the tab said again that it is open is answered again',
      [{ at: ago(30 * SECOND_MS) }, { of: { tested: new Map([['post', in_(10 * MINUTE_MS)]]) }, given: answered }],
      ANSWERED,
      true,
    ],
    [
      'not what was written before and comes late',
      [{ at: ago(12 * MINUTE_MS) }, { of: tested, given: answered }],
      'skipped: already_answered',
      false,
    ],
    [
      'not under another post',
      [{ postId: 'other' }, { of: tested, given: answered }],
      'skipped: already_answered',
      false,
    ],
    ['not without a post', [{ postId: null }, { of: tested, given: answered }], 'skipped: already_answered', false],
    [
      'not when the test is over',
      [{}, { of: { tested: new Map([['post', NOW]]) }, given: answered }],
      'skipped: already_answered',
      false,
    ],
    [
      'nobody who wrote STOP',
      [{}, { of: tested, given: { ...answered, standing: { stopped: true } } }],
      'skipped: stopped',
      false,
    ],
    ['not without the word', [{ text: 'lovely' }, { of: tested, given: answered }], 'skipped: no_match', false],
  ])('%s', (_name, given, outcome, isTest) => {
    const decision = onComment(...given);
    expect(told(decision)).toBe(outcome);
    expect(decision.interaction.is_test).toBe(isTest);
  });
});
