import { describe, expect, test } from 'vitest';
import { compileMatcher, MAX_FOUND, MAX_WORD_LENGTH, type WordRule } from './index.ts';

/* Texts and lists that are much longer than anybody's; apart, because planting faults over them would take hours. */

function matchOne(rule: Partial<WordRule>, text: string) {
  const whole: WordRule = { words: [], mode: 'whole_word', excludedWords: [], typoTolerance: false, ...rule };
  return compileMatcher([{ id: 'only', rule: whole, scope: 'post', priority: 0, createdAt: 0, value: null }]).match(
    text,
  );
}

describe('what people write cannot hurt', () => {
  test('a regular expression is only words', () => {
    const rule = { words: ['(a+)+$', '.*', '[', '\\', '^(([a-z])+.)+[A-Z]([a-z])+$'], mode: 'contains' as const };
    expect(matchOne(rule, `${'a'.repeat(9_999)}!`)).not.toBeNull();
    expect(matchOne({ ...rule, mode: 'whole_word' }, `${'a'.repeat(9_999)}!`)).toBeNull();
  });

  test('one letter repeated, in keywords and text, gives few places', () => {
    const words = Array.from({ length: MAX_WORD_LENGTH }, (_, i) => 'a'.repeat(i + 1));
    const result = matchOne({ words, mode: 'contains', typoTolerance: true }, 'a'.repeat(100_000));
    expect(result?.found.length).toBeLessThanOrEqual(MAX_FOUND);
    expect(result?.matchedWords[0]).toBe('a'.repeat(MAX_WORD_LENGTH));
  });

  test('phrases of one word repeated', () => {
    const words = Array.from({ length: 50 }, (_, i) => 'a '.repeat(i + 1).trim());
    expect(matchOne({ words, typoTolerance: true }, 'a '.repeat(10_000))?.matchedWords[0]).toBe(words[49]);
  });

  test('two thousand phrases of six words alike, mistyped throughout', () => {
    const alike = ['abcd', 'abce', 'abcf', 'abcg', 'abch', 'abci'];
    const phrase = (seed: number) =>
      Array.from({ length: 15 }, (_, place) => alike[(seed >> (place % 11)) % 6]).join(' ');
    const words = Array.from({ length: 2_000 }, (_, seed) => phrase(seed));
    expect(matchOne({ words, typoTolerance: true }, 'abcz '.repeat(2_000))).toBeNull();
  });

  test('a keyword of 100,000 characters is never found', () => {
    const word = 'a'.repeat(100_000);
    expect(matchOne({ words: [word], mode: 'contains' }, word)).toBeNull();
    expect(matchOne({ words: [word, 'aa'], mode: 'contains' }, word)?.matchedWords).toEqual(['aa']);
  });

  test('a set of a thousand words', () => {
    const words = Array.from({ length: 1_000 }, (_, i) => `word${i}`);
    expect(matchOne({ words, typoTolerance: true }, 'so word999 it is')?.matchedWords).toEqual(['word999']);
  });

  test('a text of ten megabytes is read to its limit', () => {
    expect(matchOne({ words: ['recipe'] }, `recipe ${'x '.repeat(5_000_000)}`)?.how).toBe('whole_word');
    expect(matchOne({ words: ['recipe'] }, `${'x '.repeat(5_000_000)} recipe`)).toBeNull();
  });
});
