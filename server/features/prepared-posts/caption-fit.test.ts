import { describe, expect, test } from 'vitest';
import { captionHas, type OfferedPost, pairUp, type Waiting } from './caption-fit.ts';

const NOON = new Date('2026-06-01T12:00:00Z');
const at = (hours: number) => new Date(NOON.getTime() + hours * 3_600_000);
const waiting = (automationId: string, words: string[], switchedOnAt = NOON): Waiting => ({
  automationId,
  words,
  switchedOnAt,
});
const post = (id: string, caption: string, over: Partial<OfferedPost> = {}): OfferedPost => ({
  id,
  caption,
  postedAt: at(6),
  askedOf: null,
  ...over,
});
const pair = (automationId: string, postId: string) => ({ automationId, postId });

describe('never guessing', () => {
  test('a post from before the switch is nobody’s', () => {
    expect(pairUp([waiting('a', ['PASTA'])], [post('old', 'PASTA', { postedAt: at(-1) })])).toEqual({
      attach: [],
      ask: [],
    });
  });

  test('two posts that name no word are asked about', () => {
    expect(pairUp([waiting('a', ['PASTA'])], [post('1', 'Hello'), post('2', 'Hi')])).toEqual({
      attach: [],
      ask: [pair('a', '1'), pair('a', '2')],
    });
  });

  test('two posts that both have the word are asked about', () => {
    const { attach, ask } = pairUp([waiting('a', ['PASTA'])], [post('1', 'My PASTA'), post('2', 'pasta again')]);
    expect(attach).toEqual([]);
    expect(ask).toHaveLength(2);
  });

  test('two automations for one post that names neither, or both, are asked about', () => {
    const both = [waiting('a', ['PASTA']), waiting('b', ['CAKE'])];
    for (const caption of ['Sunday', 'First pasta, then cake']) {
      expect(pairUp(both, [post('1', caption)])).toEqual({ attach: [], ask: [pair('a', '1'), pair('b', '1')] });
    }
  });

  test('what is left over after a sure one is asked about, not taken', () => {
    const both = [waiting('a', ['PASTA']), waiting('b', ['CAKE'])];
    expect(pairUp(both, [post('1', 'Comment PASTA'), post('2', 'Sunday')])).toEqual({
      attach: [pair('a', '1')],
      ask: [pair('b', '2')],
    });
  });

  test('a post that the creator is asked about goes to nobody else by itself', () => {
    const asked = post('1', 'Sunday', { askedOf: new Set(['a']) });
    expect(pairUp([waiting('b', ['CAKE'])], [asked])).toEqual({ attach: [], ask: [] });
  });
});

test('one automation and one new post belong together, whatever the caption says', () => {
  expect(pairUp([waiting('a', ['PASTA'])], [post('1', 'Sunday')])).toEqual({ attach: [pair('a', '1')], ask: [] });
});

test('each goes to the post that has its word', () => {
  const both = [waiting('a', ['PASTA']), waiting('b', ['CAKE'])];
  expect(pairUp(both, [post('1', 'Comment CAKE'), post('2', 'comment pâsta!')])).toEqual({
    attach: [pair('a', '2'), pair('b', '1')],
    ask: [],
  });
});

test('a later post with the word answers the question about earlier ones', () => {
  const asked = new Set(['a']);
  const posts = [post('1', 'x', { askedOf: asked }), post('2', 'y', { askedOf: asked }), post('3', 'PASTA')];
  expect(pairUp([waiting('a', ['PASTA'])], posts)).toEqual({ attach: [pair('a', '3')], ask: [] });
});

test('captions are read by whole words, without accents and capitals', () => {
  expect(captionHas('Today: CRÈME BRÛLÉE #dessert', ['creme brulee'])).toBe(true);
  expect(captionHas('#pasta night', ['Pasta'])).toBe(true);
  expect(captionHas('antipasta', ['pasta'])).toBe(false);
  expect(captionHas('anything', [])).toBe(false);
});
