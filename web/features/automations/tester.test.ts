import { expect, it } from 'vitest';
import { asKeyword, tryDraft } from '#web/features/automations/tester.ts';

const rule = { words: ['PASTA'], mode: 'whole_word' as const, excludedWords: ['spam'], typoTolerance: true };

it('says why it does not answer', () => {
  expect(tryDraft(rule, 'lovely')).toMatchObject({ answers: false, says: 'It doesn’t contain “PASTA”.' });
  expect(tryDraft(rule, 'pasta spam')).toMatchObject({
    answers: false,
    says: 'It contains your excluded word “spam”.',
  });
  expect(tryDraft({ ...rule, words: [] }, 'pasta').says).toBe('Add a keyword first.');
  expect(tryDraft({ ...rule, mode: 'exact' }, 'pasta please').says).toBe('It isn’t just “PASTA”.');
  const both = { ...rule, mode: 'all_words' as const, words: ['send', 'pasta'] };
  expect(tryDraft(both, 'pasta!').says).toBe('It doesn’t contain “send”.');
});

it('says how it matched and where', () => {
  expect(tryDraft(rule, 'Pasta please')).toEqual({
    canAdd: false,
    answers: true,
    says: 'Your keyword is in the comment.',
    found: [{ start: 0, end: 5, text: 'Pasta' }],
    word: 'PASTA',
  });
  expect(tryDraft(rule, 'psata').says).toBe('Looks like a typo of your keyword.');
});

it('answers to Custom Keywords and other languages too, and its own excluded words stop them all', () => {
  const own = { words: [], mode: 'whole_word' as const, excludedWords: ['no'], typoTolerance: false };
  const set = { words: ['pasta'], mode: 'whole_word' as const, excludedWords: ['free'], typoTolerance: false };
  const further = { keywords: [set], translations: [{ words: ['receta'] }] };
  expect(tryDraft(own, 'the pasta!', further)).toMatchObject({ answers: true, word: 'pasta' });
  expect(tryDraft(own, 'receta', further)).toMatchObject({ answers: true });
  expect(tryDraft(own, 'pasta? no', further)).toMatchObject({
    answers: false,
    says: 'It contains your excluded word “no”.',
  });
  expect(tryDraft(own, 'free pasta', further).answers).toBe(false);
  expect(tryDraft(own, 'soup', further).says).toBe('It doesn’t contain “pasta”, “receta”.');
});

it('offers to listen for a short comment that none of the words is in', () => {
  expect(tryDraft(rule, 'receta').canAdd).toBe(true);
  expect(tryDraft(rule, 'send me that').canAdd).toBe(true);
  for (const text of ['pasta', 'what a lovely evening', '', 'x'.repeat(200)]) {
    expect(tryDraft(rule, text).canAdd, text).toBe(false);
  }
  expect(tryDraft({ ...rule, excludedWords: ['no'] }, 'no').canAdd).toBe(false);
  expect(asKeyword(' receta ', ['RECIPE'])).toBe('RECETA');
  expect(asKeyword('Receta', ['pasta'])).toBe('Receta');
  expect(asKeyword('Receta', [])).toBe('Receta');
});
