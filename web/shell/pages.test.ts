import { expect, it } from 'vitest';
import { keepRows } from '#web/shell/pages.ts';

type Row = { id: string; words: string[]; outcome?: string };

const row = (id: string, words: string[] = []): Row => ({ id, words });
const pagesOf = (...pages: Row[][]) => ({
  pages: pages.map((items) => ({ items, next: null })),
  pageParams: pages.map(() => null),
});

it('keeps rows that a new one pushes down, also to the next page', () => {
  const before = pagesOf([row('c', ['cake']), row('b')], [row('a')]);
  const after = keepRows(before, pagesOf([row('d'), row('c', ['cake'])], [row('b'), row('a')]));
  expect(after).toEqual(pagesOf([row('d'), row('c', ['cake'])], [row('b'), row('a')]));
  expect(after.pages[0]!.items[1]).toBe(before.pages[0]!.items[0]);
  expect(after.pages[1]!.items[0]).toBe(before.pages[0]!.items[1]);
  expect(after.pages[1]!.items[1]).toBe(before.pages[1]!.items[0]);
});

it('takes a row that changed, and of it what did not', () => {
  const before = pagesOf([{ ...row('a', ['cake']), outcome: 'waiting' }]);
  const [changed] = keepRows(before, pagesOf([{ ...row('a', ['cake']), outcome: 'replied' }])).pages[0]!.items;
  expect(changed).toEqual({ ...row('a', ['cake']), outcome: 'replied' });
  expect((changed as Row).words).toBe(before.pages[0]!.items[0]!.words);
});

it('is the very same where nothing changed', () => {
  const before = pagesOf([row('b'), row('a')]);
  expect(keepRows(before, pagesOf([row('b'), row('a')]))).toBe(before);
});
