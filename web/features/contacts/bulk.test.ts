import { expect, test } from 'vitest';
import type { Contact } from '#contract/contacts.ts';
import { changedBy } from '#web/features/contacts/bulk.ts';
import { doneWords, lastWords } from '#web/features/contacts/words.ts';
import { ApiError } from '#web/shell/api-error.ts';

const person = (id: string, over: Partial<Contact> = {}): Contact =>
  ({ id, takenOver: null, blockedAt: null, ...over }) as Contact;
const [plain, paused, blocked] = [
  person('plain'),
  person('paused', { takenOver: { until: null } }),
  person('blocked', { blockedAt: '2026-11-20T12:00:00.000Z' }),
];

test('an act for many is for those whom it changes, so that undoing it leaves the others as they were', () => {
  const whom = (act: Parameters<typeof changedBy>[0]) => changedBy(act, [plain, paused, blocked]).map(({ id }) => id);
  expect(whom('pause')).toEqual(['plain', 'blocked']);
  expect(whom('resume')).toEqual(['paused']);
  expect(whom('block')).toEqual(['plain', 'paused']);
  expect(whom('unblock')).toEqual(['blocked']);
  expect(whom('erase')).toEqual(['plain', 'paused', 'blocked']);
});

test('what was done for many says for how many, and why it stopped', () => {
  expect(doneWords({ act: 'pause', people: [plain], problem: null })).toBe('Automations are paused for 1 person.');
  const problem = new ApiError({ code: 'quota_reached', title: 'Limit', detail: 'That’s enough.', status: 429 });
  expect(doneWords({ act: 'erase', people: [plain, paused], problem })).toContain('2 people erased. ');
  expect(doneWords({ act: 'erase', people: [plain, paused], problem })).toContain('That’s enough.');
  expect(doneWords({ act: 'erase', people: [], problem })).not.toContain('erased');
});

test('the second line of a contact has their last words, or what they did, and what became of it', () => {
  const last = { kind: 'comment', outcome: 'replied', reason: 'sent', text: 'cookie please' } as const;
  expect(lastWords(last)).toEqual({ words: 'cookie please', became: 'Sent' });
  expect(lastWords({ ...last, kind: 'story_mention', text: '' }).words).toBe('mentioned you in a story');
  expect(lastWords({ ...last, outcome: 'skipped', reason: 'no_match' }).became).toBe('No keyword');
});
