import { expect, test } from 'vitest';
import { readStoriesView, writeStoriesView } from './stories-address.ts';

test.each(['', 'story=1790', 'story=1790&edit=new', 'live=1791&tab=replies', 'edit=new', 'edit=new&for=lives'])(
  '“%s” is read and written again',
  (address) => {
    expect(writeStoriesView(readStoriesView(new URLSearchParams(address))).toString()).toBe(address);
  },
);

test('what is not known is left out', () => {
  const view = readStoriesView(new URLSearchParams('story=&tab=x&for=y&edit='));
  expect(view).toEqual({ kind: 'story', id: null, editing: null, tab: 'automation' });
});
