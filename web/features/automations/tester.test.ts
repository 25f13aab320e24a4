import { expect, it } from 'vitest';
import { tryDraft } from '#web/features/automations/tester.ts';

const rule = { words: ['PASTA'], mode: 'whole_word' as const, excludedWords: ['spam'], typoTolerance: true };

it('says why it does not answer', () => {
  expect(tryDraft(rule, 'lovely')).toMatchObject({ answers: false, says: '“PASTA” is not in it.' });
  expect(tryDraft(rule, 'pasta spam')).toMatchObject({ answers: false, says: 'It has your excluded word “spam”.' });
  expect(tryDraft({ ...rule, words: [] }, 'pasta').says).toBe('There is no word yet to listen for.');
  expect(tryDraft({ ...rule, mode: 'exact' }, 'pasta please').says).toBe('It is not just “PASTA”.');
  const both = { ...rule, mode: 'all_words' as const, words: ['send', 'pasta'] };
  expect(tryDraft(both, 'pasta!').says).toBe('It lacks “send”.');
});

it('says how it matched and where', () => {
  expect(tryDraft(rule, 'Pasta please')).toEqual({
    answers: true,
    says: 'Your word stands in the comment.',
    found: [{ start: 0, end: 5, text: 'Pasta' }],
    word: 'PASTA',
  });
  expect(tryDraft(rule, 'psata').says).toBe('It reads like a slip of the finger for your word.');
});

it('answers to Custom Keywords and other languages too, and its own excluded words stop them all', () => {
  const own = { words: [], mode: 'whole_word' as const, excludedWords: ['no'], typoTolerance: false };
  const set = { words: ['pasta'], mode: 'whole_word' as const, excludedWords: ['free'], typoTolerance: false };
  const further = { keywords: [set], translations: [{ words: ['receta'] }] };
  expect(tryDraft(own, 'the pasta!', further)).toMatchObject({ answers: true, word: 'pasta' });
  expect(tryDraft(own, 'receta', further)).toMatchObject({ answers: true });
  expect(tryDraft(own, 'pasta? no', further)).toMatchObject({
    answers: false,
    says: 'It has your excluded word “no”.',
  });
  expect(tryDraft(own, 'free pasta', further).answers).toBe(false);
  expect(tryDraft(own, 'soup', further).says).toBe('“pasta”, “receta” are not in it.');
});
