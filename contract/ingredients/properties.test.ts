import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LANGUAGES } from './languages.ts';
import { ENGLISH } from './lexicon.en.ts';
import { inventsNumbers, losesNothing } from './lines/scoring.ts';
import { meaningOf, otherReadings, readLine } from './reading.ts';
import { fieldsOf, writeReading } from './writing.ts';

const RUNS = 10_000;
const SIGNS = [
  '1',
  '2',
  '1/2',
  '½',
  '1½',
  '2.5',
  '1,000',
  '14.5',
  '-',
  '–',
  '(',
  ')',
  ', ',
  ': ',
  ' / ',
  'x',
  ' + ',
  'Tbsp.',
];
/** What lines are made of, and what holds it together. */
const WORDS = [
  ...Object.values(ENGLISH.phrases).flatMap((phrases) => [...phrases.values()].flat().map((words) => words.join(' '))),
  ...SIGNS,
];

/** Anything at all, and words of real lines in any order. */
const anyLine = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.array(fc.constantFrom(...WORDS), { maxLength: 12 }).map((words) => words.join(' ')),
  fc
    .array(fc.constantFrom('1', '½', '/', '-', ' ', 'x', '(', ')', '.', ',', 'oz', 'cup', 'to', 'of', 'a', '00'), {
      maxLength: 16,
    })
    .map((pieces) => pieces.join('')),
);

const read = (text: string) => readLine(text, { lexicon: ENGLISH });

describe('whatever is written', { timeout: 180_000 }, () => {
  test('nothing is thrown, every number stands in the line, and no word is lost or in two spans', () => {
    fc.assert(
      fc.property(anyLine, (text) => {
        const reading = read(text);
        expect(inventsNumbers(reading, ENGLISH)).toBe(false);
        expect(losesNothing(reading)).toBe(true);
      }),
      { numRuns: RUNS },
    );
  });

  test('no other reading invents a number, loses a word, or says what is said already', () => {
    fc.assert(
      fc.property(anyLine, (text) => {
        const readings = [read(text), ...otherReadings(text, { lexicon: ENGLISH })];
        expect(readings.filter((one) => inventsNumbers(one, ENGLISH) || !losesNothing(one))).toEqual([]);
        expect(new Set(readings.map(meaningOf)).size).toBe(readings.length);
        expect(readings.length).toBeLessThanOrEqual(5);
      }),
      { numRuns: RUNS / 10 },
    );
  });

  test('the kept text is read as the line was, and so is what the reading is written as', () => {
    fc.assert(
      fc.property(anyLine, (text) => {
        const reading = read(text);
        expect(read(reading.text)).toEqual(reading);
        expect(fieldsOf(read(writeReading(reading, { lexicon: ENGLISH })))).toBe(fieldsOf(reading));
      }),
      { numRuns: RUNS },
    );
  });

  test.each(Object.entries(LANGUAGES))(
    'in %s nothing is thrown, invented or lost, and all can be written',
    (_, lexicon) => {
      const words = Object.values(lexicon.phrases).flatMap((phrases) =>
        [...phrases.values()].flat().map((phrase) => phrase.join(' ')),
      );
      const line = fc.array(fc.constantFrom(...words, ...SIGNS), { maxLength: 10 }).map((pieces) => pieces.join(' '));
      fc.assert(
        fc.property(line, (text) => {
          const reading = readLine(text, { lexicon });
          expect(inventsNumbers(reading, lexicon)).toBe(false);
          expect(losesNothing(reading)).toBe(true);
          expect(fieldsOf(readLine(writeReading(reading, { lexicon }), { lexicon }))).toBe(fieldsOf(reading));
        }),
        { numRuns: RUNS / 10 },
      );
    },
  );
});
