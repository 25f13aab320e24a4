import { expect, it } from 'vitest';
import { captionMismatch } from '#web/features/automations/caption-check.ts';

const rule = (words: string[], mode: 'whole_word' | 'any_comment' = 'whole_word') => ({
  words,
  mode,
  excludedWords: [],
  typoTolerance: false,
});

it('warns when the caption asks for another word', () => {
  expect(captionMismatch('Comment PASTA and I send it', rule(['RECIPE']))).toEqual({ asked: 'PASTA' });
});

it('warns when the word is excluded', () => {
  expect(captionMismatch('Comment PASTA', { ...rule(['PASTA']), excludedWords: ['pasta'] })).toEqual({
    asked: 'PASTA',
  });
});

it('is content when the word is heard, in whatever case', () => {
  expect(captionMismatch('Comment PASTA and I send it', rule(['pasta']))).toBeNull();
});

it('says nothing of captions that ask for no word, or automations without words', () => {
  expect(captionMismatch('Good morning', rule(['pasta']))).toBeNull();
  expect(captionMismatch('Comment PASTA', rule([]))).toBeNull();
  expect(captionMismatch('Comment PASTA', rule([], 'any_comment'))).toBeNull();
});
