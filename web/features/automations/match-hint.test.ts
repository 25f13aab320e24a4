import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { WordRule } from '#contract/matching/index.ts';
import { matchHint } from '#web/features/automations/match-hint.ts';
import { tryDraft } from '#web/features/automations/tester.ts';

const rule = (more: Partial<WordRule> = {}): WordRule => ({
  words: ['RECIPE'],
  mode: 'whole_word',
  excludedWords: [],
  typoTolerance: true,
  ...more,
});

it.each<[string, Partial<WordRule>, string]>([
  ['typos forgiven', {}, 'Matches “RECIPE please”, “RECIPES” and “RECEPIE”, not “MYRECIPEBOX”.'],
  ['typos not forgiven', { typoTolerance: false }, 'Matches “RECIPE please”, not “RECIPES”.'],
  ['a short word', { words: ['dip'] }, 'Matches “dip please” and “dips”, not “mydipbox”.'],
  ['the word alone', { mode: 'exact' }, 'Matches “RECIPE!”, “RECIPES” and “RECEPIE”, not “RECIPE please”.'],
  [
    'parts',
    { mode: 'contains', typoTolerance: false },
    'Matches “RECIPE please”, “RECIPES” and “MYRECIPEBOX”, not “RECEPIE”.',
  ],
  ['all words', { mode: 'all_words', words: ['lemon', 'pasta'] }, 'Matches “lemon and pasta”, not “lemon”.'],
  ['no word yet', { words: [] }, 'Matches “RECIPE please”, “RECIPES” and “RECEPIE”, not “MYRECIPEBOX”.'],
  ['every comment', { mode: 'any_comment' }, 'Every comment gets your message.'],
  [
    'every comment but some',
    { mode: 'any_comment', excludedWords: ['spam'] },
    'Every comment gets your message, unless it contains “spam”.',
  ],
])('says with %s what the matcher does', (_, more, says) => {
  expect(matchHint(rule(more))).toBe(says);
});

it('says of drawn keywords nothing that the tester denies', () => {
  const word = fc.oneof(
    fc.constantFrom(
      'RECIPE',
      'recipes',
      'pie',
      'Zutaten',
      '🍋',
      'meal plan',
      'ok',
      '2024',
      'my',
      'boxes',
      'café',
      'وصفة',
    ),
    // The hint quotes them.
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).filter((text) => !/[“”]/.test(text)),
  );
  const drawn = fc.record({
    words: fc.array(word, { maxLength: 3 }),
    mode: fc.constantFrom('whole_word', 'contains', 'exact', 'all_words', 'any_comment'),
    excludedWords: fc.array(fc.oneof(word, fc.constantFrom('please', 'and')), { maxLength: 2 }),
    typoTolerance: fc.boolean(),
  });
  fc.assert(
    fc.property(drawn, (one) => {
      const [matches, others = ''] = matchHint(one).split(/, (?:not|unless it contains) (?=“)/u);
      const isHeard = { ...one, words: one.words.some((each) => each.trim() !== '') ? one.words : ['RECIPE'] };
      for (const [, text] of matches!.matchAll(/“(.*?)”/gsu)) expect(tryDraft(isHeard, text!).answers, text).toBe(true);
      for (const [, text] of others.matchAll(/“(.*?)”/gsu)) expect(tryDraft(isHeard, text!).answers, text).toBe(false);
    }),
    { numRuns: 500 },
  );
});
