import { describe, expect, it } from 'vitest';
import { classify, type Operation } from './errors.ts';
import type { Usage } from './verdict.ts';

const answered = (operation: Operation, status: number, error: object, usage: Usage | null = null) =>
  classify({ operation, status, body: { error: { message: 'm', type: 'OAuthException', ...error } }, usage });
const short = (verdict: object) => {
  const { kind, reason, scope } = verdict as { kind: string; reason?: string; scope?: string };
  return [kind, reason ?? scope].filter(Boolean).join(' ');
};

/** Reference 4.3, row by row: code, subcode, sense, what it means to a private reply. */
const rows: [number, number | null, string, string][] = [
  [1, null, 'unknown, may follow a successful send', 'unknown'],
  [1, 99, 'missing permission or access level', 'misconfigured missing_permission'],
  [1, 1357046, 'sent, answer garbled', 'unknown'],
  [2, null, 'service error', 'retry'],
  [2, 2018344, 'page privacy terms not accepted', 'misconfigured account_not_ready'],
  [3, null, 'capability', 'misconfigured account_not_ready'],
  [4, null, 'app limit', 'rate_limited app'],
  [4, 2018022, 'too many sends to phone numbers', 'rate_limited lane'],
  [9, null, 'too many actions', 'rate_limited lane'],
  [9, 2018352, 'too many actions', 'rate_limited lane'],
  [10, null, 'refused without a word about a permission', 'misconfigured message_rejected'],
  [10, 2534022, 'outside the 24 hours', 'refused outside_window'],
  [10, 2018278, 'Messenger window', 'refused outside_window'],
  [10, 2018065, 'needs the news permission', 'refused outside_window'],
  [10, 2018108, 'cannot receive now', 'refused person_unavailable'],
  [10, 2534077, 'link of account, Page and user broken', 'reauthenticate page_link_broken'],
  [10, 1893063, 'temporarily barred from messaging', 'barred'],
  [17, null, 'user limit', 'rate_limited connection'],
  [17, 2446079, 'user limit', 'rate_limited connection'],
  [32, null, 'page limit', 'rate_limited connection'],
  [80001, null, 'business use: Page', 'rate_limited connection'],
  [80002, null, 'business use: Instagram', 'rate_limited connection'],
  [80004, null, 'business use: ads', 'rate_limited connection'],
  [80006, null, 'business use: Messenger', 'rate_limited connection'],
  [100, null, 'bad parameter', 'misconfigured message_rejected'],
  [100, 33, 'object gone, private or not yours', 'refused comment_unavailable'],
  [100, 2018001, 'no such user', 'refused person_unavailable'],
  [100, 2534014, 'no such user', 'refused person_unavailable'],
  [100, 2534015, 'message data not allowed', 'misconfigured message_rejected'],
  [100, 2534013, 'Page not linked to Instagram', 'misconfigured account_not_ready'],
  [100, 2534025, 'comment invalid for a private reply', 'refused already_replied_elsewhere'],
  [100, 2534029, 'blocked from the messaging API', 'misconfigured account_not_ready'],
  [100, 2534037, 'not the thread owner', 'refused not_thread_owner'],
  [100, 2018300, 'not the thread owner', 'refused not_thread_owner'],
  [100, 2018008, 'media fetch', 'misconfigured message_rejected'],
  [100, 2018047, 'media type', 'misconfigured message_rejected'],
  [100, 2018109, 'media size', 'misconfigured message_rejected'],
  [100, 2018294, 'media time-out', 'misconfigured message_rejected'],
  [100, 2534068, 'several images not enabled', 'misconfigured message_rejected'],
  [102, null, 'session', 'reauthenticate session'],
  [190, null, 'token invalid', 'reauthenticate invalid'],
  [190, 458, 'app removed', 'reauthenticate app_removed'],
  [190, 459, 'checkpoint', 'reauthenticate checkpoint'],
  [190, 460, 'password changed', 'reauthenticate password_changed'],
  [190, 463, 'expired', 'reauthenticate expired'],
  [190, 464, 'unconfirmed user', 'reauthenticate unconfirmed'],
  [190, 467, 'token invalid', 'reauthenticate invalid'],
  [190, 492, 'role on the Page lost', 'reauthenticate role_lost'],
  [190, 999, 'a subcode nobody listed', 'reauthenticate invalid'],
  [200, null, 'permission missing', 'misconfigured missing_permission'],
  [299, null, 'permission missing', 'misconfigured missing_permission'],
  [200, 2018028, 'recipient without a role, app in development', 'misconfigured account_not_ready'],
  [200, 2018027, 'recipient without a role, app in development', 'misconfigured account_not_ready'],
  [200, 1545041, 'person unavailable', 'refused person_unavailable'],
  [551, 1545041, 'person unavailable', 'refused person_unavailable'],
  [200, 2534041, 'message access switched off', 'misconfigured message_access_off'],
  [230, null, 'profile consent missing', 'refused person_unavailable'],
  [341, null, 'app limit', 'rate_limited app'],
  [368, null, 'blocked for policy', 'barred'],
  [506, null, 'same text posted before', 'refused message_rejected'],
  [551, null, 'blocked or not receiving', 'refused person_unavailable'],
  [613, null, 'custom limit', 'rate_limited connection'],
  [613, 2534040, 'Instagram API limit', 'rate_limited connection'],
  [613, 1996, 'odd traffic', 'rate_limited connection'],
  [613, 2018338, 'spam warning', 'barred'],
  [2022, null, 'Page blocked from messaging for a while', 'barred'],
  [2018218, null, 'profile unavailable', 'refused person_unavailable'],
  [100, 2018247, 'profile unavailable', 'refused person_unavailable'],
  [9000001, null, 'message deleted', 'refused comment_unavailable'],
  [9010, null, 'no Instagram user', 'refused person_unavailable'],
  [10900, null, 'already privately replied (Page)', 'refused already_replied_elsewhere'],
  [100, 10900, 'already privately replied (Page)', 'refused already_replied_elsewhere'],
  [10903, null, 'cannot reply to this activity', 'refused comment_unavailable'],
  [2534122, null, 'messaging restriction', 'barred'],
];

describe('an error of Graph', () => {
  it.each(rows)('%s/%s, %s: %4$s', (code, subcode, _sense, expected) => {
    expect(short(answered('private_reply', 400, { code, error_subcode: subcode ?? undefined }))).toBe(expected);
    // The status does not matter where the code is known (reference 8.12).
    expect(short(answered('private_reply', 403, { code, error_subcode: subcode ?? undefined }))).toBe(expected);
    expect(short(answered('private_reply', 500, { code, error_subcode: subcode ?? undefined }))).toBe(expected);
  });

  it('that leaves a send unknown only asks a read to try again', () => {
    expect(short(answered('message', 500, { code: 1 }))).toBe('unknown');
    expect(short(answered('public_reply', 500, { code: 1 }))).toBe('unknown');
    expect(short(answered('read', 500, { code: 1 }))).toBe('retry');
  });
  it('about an account without a role is known by its message, having no number', () => {
    const error = { code: 100, message: 'Unsupported request - method type: get' };
    expect(short(answered('private_reply', 400, error))).toBe('misconfigured account_not_ready');
  });
  it.each([
    ['(#10) Application does not have permission for this action', 'missing_permission'],
    ['(#10) Requires instagram_manage_insights permission', 'missing_permission'],
    ['(#10) Not enough viewers for the media to show insights', 'message_rejected'],
  ])('with code 10 is about a permission only where its text says so: %s', (message, reason) => {
    expect(short(answered('read', 400, { code: 10, message }))).toBe(`misconfigured ${reason}`);
  });
  it('that is a limit waits as long as Meta names, else five minutes', () => {
    expect(answered('message', 400, { code: 80002 }, { percent: 100, regainAccessMs: 19 * 60_000 })).toMatchObject({
      waitMs: 19 * 60_000,
    });
    expect(answered('message', 400, { code: 80002 }, { percent: 100, regainAccessMs: 0 })).toMatchObject({
      waitMs: 5 * 60_000,
    });
    expect(answered('message', 400, { code: 4 })).toMatchObject({ waitMs: 5 * 60_000 });
  });
  it('that nobody listed is tried again, unless it may have arrived', () => {
    expect(short(answered('message', 400, { code: 77_777 }))).toBe('retry');
    expect(short(answered('message', 429, { code: 77_777 }))).toBe('rate_limited connection');
    expect(short(answered('message', 500, { code: 77_777 }))).toBe('unknown');
    expect(short(answered('message', 500, { code: 77_777, is_transient: true }))).toBe('retry');
    expect(short(answered('read', 500, { code: 77_777 }))).toBe('retry');
  });
  it('is told in one line', () => {
    expect(answered('message', 400, { code: 10, error_subcode: 2534022, message: '(#10) outside' })).toMatchObject({
      detail: '10/2534022 (#10) outside',
    });
  });
});

describe('an answer without an error', () => {
  const plain = (operation: Operation, status: number, body: unknown) =>
    classify({ operation, status, body, usage: null });

  it('is done when it names the message, and tells whom it reached', () => {
    expect(plain('private_reply', 200, { recipient_id: '430', message_id: 'm1' })).toEqual({
      kind: 'done',
      messageId: 'm1',
      personId: '430',
    });
    expect(plain('public_reply', 200, { id: 'c1' })).toEqual({ kind: 'done', messageId: 'c1', personId: null });
  });
  it.each([
    ['no message id', 200, { recipient_id: '430' }],
    ['no JSON', 200, undefined],
    ['an empty object', 200, {}],
    ['null', 200, null],
    ['a 5xx page', 502, undefined],
  ])('leaves a send unknown: %s', (_name, status, body) => {
    expect(short(plain('private_reply', status, body))).toBe('unknown');
    expect(short(plain('message', status, body))).toBe('unknown');
    expect(short(plain('public_reply', status, body))).toBe('unknown');
    expect(short(plain('read', status, body))).toBe('retry');
  });
  it('of a proxy in between is tried again', () => {
    expect(short(plain('message', 404, undefined))).toBe('retry');
    expect(short(plain('message', 429, undefined))).toBe('rate_limited connection');
  });
});

describe('no answer at all', () => {
  it('leaves a send unknown only when it may have left', () => {
    expect(short(classify({ operation: 'message', failure: 'not_sent', detail: 'd' }))).toBe('retry');
    expect(short(classify({ operation: 'message', failure: 'no_answer', detail: 'd' }))).toBe('unknown');
    expect(short(classify({ operation: 'read', failure: 'no_answer', detail: 'd' }))).toBe('retry');
  });
});
