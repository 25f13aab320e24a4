import { expect, it } from 'vitest';
import type { WordRule } from '#contract/matching/index.ts';
import { matchHint, sortOut } from '#web/features/automations/match-hint.ts';
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
  ['every comment', { mode: 'any_comment' }, 'Everyone who comments gets your message.'],
])('says with %s what the matcher does', (_, more, says) => {
  expect(matchHint(rule(more))).toBe(says);
});

it('never says what the tester denies', () => {
  for (const mode of ['whole_word', 'contains', 'exact', 'all_words'] as const) {
    for (const word of ['recipes', 'pie', 'Zutaten', '🍋', 'meal plan', 'ok', '2024']) {
      for (const typoTolerance of [true, false]) {
        const one = rule({ mode, words: [word], typoTolerance });
        const { matches, others } = sortOut(one);
        for (const text of matches) expect(tryDraft(one, text).answers, text).toBe(true);
        for (const text of others) expect(tryDraft(one, text).answers, text).toBe(false);
      }
    }
  }
});
