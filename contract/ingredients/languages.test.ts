import { describe, expect, test } from 'vitest';
import type { RecipeLine } from '#contract/recipe-ingredients.ts';
import { readCorrected, stateOf } from './corrected.ts';
import { guessLanguage, languageOf } from './languages.ts';
import type { OwnWord } from './own-words.ts';
import { meaningOf } from './reading.ts';
import { languageCode, measuresOfLanguage } from './recipe-language.ts';

test.each(['', ' ', '½', '\0', '🍋'.repeat(500), 'ﷺ', '\ud83d', 'x'.repeat(100_000)])(
  'what has no words is English: %#',
  (text) => expect(guessLanguage(text)).toBe('en'),
);

test.each([
  ['de-AT', 'de'],
  ['PT-br', 'pt'],
  ['en_GB', 'en'],
  ['nl', 'en'],
  ['', 'en'],
  ['constructor', 'en'],
])('%s is read as %s', (tag, code) => expect(languageCode(tag)).toBe(code));

test.each([
  ['de', 'metric'],
  ['pt-BR', 'metric'],
  ['en-US', 'us'],
  ['en_gb', 'uk'],
  ['en-AU', 'au'],
  ['en', null],
  ['en-IN', null],
  ['en-constructor', null],
  ['', null],
  [null, null],
])('recipes in %j mean the cups of %j', (tag, measures) => expect(measuresOfLanguage(tag)).toBe(measures));

describe('a line with a correction of its own', () => {
  const line = (text: string, fixes: RecipeLine['fixes'] = {}) => ({ text, fixes, checked: false });
  const WORDS: OwnWord[] = [
    { kind: 'unit', word: 'schmear', means: '1 tablespoon' },
    { kind: 'alias', word: 'zazzle', means: 'olive oil' },
    { kind: 'ignore', word: 'love' },
  ];
  const [without, withWords] = [[], WORDS].map((words) => languageOf({ language: 'en', measures: 'us' }, words));

  test.each(['2 schmears zazzle', 'love, 2 cups of it', '1 schmear butter'])('%s stays as it is', (text) => {
    expect(meaningOf(readCorrected(line(text), withWords!))).not.toBe(meaningOf(readCorrected(line(text), without!)));
    for (const fixes of [{ optional: true }, { food: 'jam' }, { preparation: ['melted'] }]) {
      const [before, after] = [without!, withWords!].map((words) => readCorrected(line(text, fixes), words));
      expect(after).toEqual(before);
    }
  });

  test('says how it is prepared, and what else', () => {
    const fixes = { preparation: ['melted', 'cooled'], notes: ['see step 2'] };
    const reading = readCorrected(line('1 cup butter (melted)', fixes), withWords!);
    expect(reading).toMatchObject({ ...fixes, food: { name: 'butter' } });
    expect(stateOf(line('', fixes), reading)).toBe('checked');
  });
});
