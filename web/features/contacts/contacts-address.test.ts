import { expect, it } from 'vitest';
import { readContactsView, writeContactsView } from '#web/features/contacts/contacts-address.ts';

const read = (query: string) => readContactsView(new URLSearchParams(query));

it('goes through an address unchanged', () => {
  const view = {
    search: 'anna & co',
    filter: 'stopped' as const,
    automation: 'a1',
    tag: 't1',
    segment: 'all;!any,saves:3,!language:en',
    contact: 'c.1',
  };
  expect(readContactsView(writeContactsView(view))).toEqual(view);
});

it('takes the handle of older links, and nothing unknown', () => {
  expect(read('handle=anna&filter=nonsense&segment=all;all,saves:many')).toEqual({
    search: 'anna',
    filter: null,
    automation: null,
    tag: null,
    segment: null,
    contact: null,
  });
  expect(writeContactsView(read('')).toString()).toBe('');
});
