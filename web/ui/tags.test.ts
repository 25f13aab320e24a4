import { expect, it } from 'vitest';
import { addTags, splitTags } from '#web/ui/tags.ts';

it('finds nothing in blanks and separators', () => {
  expect(splitTags(' , ;\n  ')).toEqual([]);
});

it('splits a pasted list and keeps phrases together', () => {
  expect(splitTags('recipe, send  it; LINK\n🍋\tمرحبا')).toEqual(['recipe', 'send it', 'LINK', '🍋', 'مرحبا']);
});

it('does not add a word twice, whatever its case', () => {
  expect(addTags(['Recipe'], ['RECIPE', 'link', 'Link'])).toEqual(['Recipe', 'link']);
});
