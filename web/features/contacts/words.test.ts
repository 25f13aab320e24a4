import { expect, it } from 'vitest';
import type { TimelineEntry } from '#contract/contacts.ts';
import {
  byDay,
  callOf,
  changeWords,
  fateWords,
  senderWords,
  stateWords,
  takenOverWords,
  windowWords,
} from './words.ts';

const now = Date.parse('2026-11-20T12:00:00');
const later = new Date(now + 3_600_000).toISOString();
const message = {
  id: '1',
  at: later,
  what: 'message' as const,
  from: 'automation' as const,
  name: 'Cookies',
  public: false,
  text: '',
  buttons: [],
  state: 'sent' as const,
  readAt: null,
  failure: null,
};

it('calls them by name, handle or neither', () => {
  expect(callOf({ name: 'Zoë', username: 'zoe' })).toBe('Zoë');
  expect(callOf({ name: null, username: 'zoe' })).toBe('@zoe');
  expect(callOf({ name: null, username: null })).toBe('Someone');
});

it('says until when the chat is the creator’s to answer', () => {
  expect(takenOverWords(later, now)).toMatch(/until 1:00.PM/);
  expect(takenOverWords(null, now)).toMatch(/handling this chat/);
});

it('says until when one may write, or what they must do', () => {
  expect(windowWords({ how: 'chat', until: later, says: 'x' }, now)).toMatch(/^You can write until 1:00.PM\.$/);
  const tomorrow = new Date(now + 20 * 3_600_000).toISOString();
  expect(windowWords({ how: 'chat', until: tomorrow, says: 'x' }, now)).toMatch(/until tomorrow, 8:00.AM/);
  expect(windowWords({ how: 'private_reply', until: later, says: 'x' }, now)).toMatch(/^You can send one DM/);
  expect(windowWords({ how: 'closed', until: null, says: 'They must write first.' }, now)).toBe(
    'They must write first.',
  );
});

it('says who did what', () => {
  const change = {
    id: '1',
    at: later,
    what: 'change' as const,
    change: 'taken_over' as const,
    until: null,
    by: 'Anna',
  };
  expect(changeWords(change, now)).toBe('Anna paused automations for this person');
  expect(changeWords({ ...change, change: 'blocked', by: null }, now)).toBe('Someone blocked them in Creator HQ');
  expect(senderWords(message)).toBe('Cookies');
  expect(senderWords({ ...message, from: 'app', name: null })).toBe('You, in the app');
  expect(senderWords({ ...message, from: 'team', name: null, public: true })).toBe(
    'Your team, by hand, under their comment',
  );
});

it('says how far a message got', () => {
  expect(stateWords(message)).toBe('Sent');
  expect(stateWords({ ...message, readAt: later })).toBe('Opened');
  expect(stateWords({ ...message, state: 'failed', failure: 'They blocked you.' })).toBe('Not sent. They blocked you.');
});

it('says that they clicked in an email, unless something went wrong with it', () => {
  const mail = { state: 'accepted', says: null, isClicked: false } as const;
  expect(fateWords(mail)).toBe('Sent');
  expect(fateWords({ ...mail, isClicked: true })).toBe('Clicked');
  expect(fateWords({ ...mail, state: 'complained', isClicked: true })).toBe('Marked as spam');
});

it('reads from the oldest day to the newest', () => {
  const at = (id: string, day: number) => ({ ...message, id, at: `2026-11-${day}T12:00:00Z` }) satisfies TimelineEntry;
  const days = byDay([at('c', 20), at('b', 20), at('a', 18)]);
  expect(days.map(({ entries }) => entries.map(({ id }) => id))).toEqual([['a'], ['b', 'c']]);
});
