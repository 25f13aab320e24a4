import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { guessLanguage, LANGUAGES } from '#contract/ingredients/languages.ts';
import { ENGLISH } from '#contract/ingredients/lexicon.en.ts';
import { readLabelled, scoreFolds, scoreLines } from '#contract/ingredients/lines/scoring.ts';
import { readLine } from '#contract/ingredients/reading.ts';
import { writeReading } from '#contract/ingredients/writing.ts';

const labelled = (language: string) =>
  readLabelled(readFileSync(path.join(import.meta.dirname, `../contract/ingredients/lines/${language}.jsonl`), 'utf8'));
const LINES = labelled('en');

/** How many lines of each shape there are at least. */
const SHARES = {
  ...{ plain: 120, fractions: 80, ranges: 70, words: 60, none: 90, counts: 90, cans: 110, two: 100, sums: 50 },
  ...{ qualifiers: 70, preparation: 130, alternatives: 90, optional: 80, juice: 40, names: 50, dimensions: 40 },
  ...{ brands: 50, british: 90, caption: 90, junk: 60, broken: 80, long: 40 },
};

describe('labelled English lines', { timeout: 60_000 }, () => {
  test('there are enough of every shape, and none twice', () => {
    const counts = Object.groupBy(LINES, ({ share }) => share ?? '');
    for (const [share, least] of Object.entries(SHARES)) {
      expect(counts[share]?.length ?? 0, share).toBeGreaterThanOrEqual(least);
    }
    expect(new Set(LINES.map(({ text }) => text)).size).toBe(LINES.length);
  });

  test('are read as well as was promised', () => {
    const { figures } = scoreLines(LINES, ENGLISH);
    expect(figures.lines).toBeGreaterThanOrEqual(1_680);
    expect(figures.amountAndUnit).toBeGreaterThanOrEqual(99);
    expect(figures.food).toBeGreaterThanOrEqual(97);
    expect(figures.allRight).toBeGreaterThanOrEqual(95);
    expect(figures.certainRight).toBeGreaterThanOrEqual(99);
    expect(figures.certain).toBeGreaterThanOrEqual(80);
    expect(figures.invented).toBe(0);
  });

  test('whichever tenth one looks at, what is marked certain is right', () => {
    const { least, mean } = scoreFolds(LINES, ENGLISH, 10);
    expect(mean).toBeGreaterThanOrEqual(99);
    expect(least).toBeGreaterThanOrEqual(99);
    expect(scoreFolds(LINES.slice(0, 3), ENGLISH, 10).least).toBeGreaterThan(0);
  });

  test('nine in ten readings can be written as a plain line', () => {
    const readings = LINES.map(({ text }) => readLine(text, { lexicon: ENGLISH }));
    const plain = readings.filter((one) => writeReading({ ...one, text: '?' }, { lexicon: ENGLISH }) !== '?');
    expect(plain.length / readings.length).toBeGreaterThan(0.9);
  });

  test('a wrong label is found', () => {
    const [line] = LINES.filter(({ amounts }) => amounts?.length === 1);
    const wrong = { ...line!, amounts: [{ ...line!.amounts![0]!, from: '977' }] };
    expect(scoreLines([wrong], ENGLISH).figures).toMatchObject({ amountAndUnit: 0, allRight: 0 });
    expect(() => readLabelled('{"text":"1 egg"}\n{"text":')).toThrow('Line 2');
  });
});

test.each(Object.entries(LANGUAGES).filter(([language]) => language !== 'en'))(
  'labelled lines in %s are read as well as was promised',
  (language, lexicon) => {
    const { figures } = scoreLines(labelled(language), lexicon);
    expect(figures.lines).toBeGreaterThanOrEqual(200);
    expect(figures.amountAndUnit).toBeGreaterThanOrEqual(95);
    expect(figures.food).toBeGreaterThanOrEqual(88);
    expect(figures.allRight).toBeGreaterThanOrEqual(82);
    expect(figures.certainRight).toBeGreaterThanOrEqual(98);
    expect(figures.invented).toBe(0);
  },
);

const LINES_OF_A_RECIPE = 8;

test.each(Object.keys(LANGUAGES))('recipes in %s are told by their words', (language) => {
  const texts = labelled(language)
    .slice(0, 200)
    .map(({ text }) => text);
  const recipes = Array.from({ length: Math.floor(texts.length / LINES_OF_A_RECIPE) }, (_, at) =>
    texts.slice(at * LINES_OF_A_RECIPE, (at + 1) * LINES_OF_A_RECIPE).join('\n'),
  );
  expect(recipes.filter((text) => guessLanguage(text) !== language)).toEqual([]);
});
