import { describe, expect, test } from 'vitest';
import { checkRule, MAX_WORD_LENGTH, MAX_WORDS_PER_RULE, type WordRule } from './index.ts';

function problems(rule: Partial<WordRule>): string[] {
  const whole: WordRule = { words: [], mode: 'whole_word', excludedWords: [], typoTolerance: false, ...rule };
  return checkRule(whole).map(({ severity, code, words }) => `${severity} ${code} ${words.join('|')}`.trim());
}

describe('the check of a rule', () => {
  test.each<[string, Partial<WordRule>, string[]]>([
    ['finds nothing in a good one', { words: ['recipe', 'send link'], excludedWords: ['got it'] }, []],
    ['wants a word', { words: [] }, ['error no_words']],
    ['wants a word besides the excluded ones', { words: [], excludedWords: ['no'] }, ['error no_words']],
    ['wants none for any comment', { mode: 'any_comment' }, []],
    ['finds an empty word', { words: ['recipe', ' \u200b'] }, ['error empty_word  \u200b']],
    ['finds what is the same to us', { words: ['Crème', 'CREME'] }, ['warning duplicate_word Crème|CREME']],
    ['finds it among excluded words', { words: ['a'], excludedWords: ['no', 'NO'] }, ['warning duplicate_word no|NO']],
    ['finds a word also excluded', { words: ['recipe'], excludedWords: ['Recipe'] }, ['error excluded_word recipe']],
    [
      'finds a phrase stopped by a part of it',
      { words: ['no recipe please'], excludedWords: ['no recipe'] },
      ['error excluded_within_word no recipe please|no recipe'],
    ],
    [
      'only warns of it where parts of words match',
      { words: ['recip'], excludedWords: ['recip'], mode: 'contains' },
      ['warning excluded_word recip'],
    ],
    ['is content with a word in an excluded phrase', { words: ['recipe'], excludedWords: ['no recipe'] }, []],
    ['warns of signs', { words: ['+'] }, ['warning signs_word +']],
    ['warns of mentions', { words: ['@chef'] }, ['warning mention_word @chef']],
    ['warns of short parts', { words: ['ok'], mode: 'contains' }, ['warning short_part ok']],
    ['is content with one Chinese letter', { words: ['要'], mode: 'contains' }, []],
    [
      'says when tolerance does nothing',
      { words: ['dip', '2024'], typoTolerance: true },
      ['warning typos_without_effect dip|2024'],
    ],
    ['names a word too long', { words: ['a'.repeat(MAX_WORD_LENGTH + 1)] }, [`error too_long_word ${'a'.repeat(30)}…`]],
  ])('%s', (_, rule, expected) => {
    expect(problems(rule)).toEqual(expected);
  });

  test('is short about a list of a hundred thousand words', () => {
    const words = Array.from({ length: 100_000 }, (_, i) => `word${i}`);
    expect(problems({ words })).toEqual(['error too_many_words']);
    expect(problems({ words: words.slice(0, MAX_WORDS_PER_RULE) })).toEqual([]);
  });

  test('speaks in sentences and puts errors first', () => {
    const found = checkRule({ words: ['+', 'no'], mode: 'whole_word', excludedWords: ['NO'], typoTolerance: false });
    expect(found.map((problem) => problem.severity)).toEqual(['error', 'warning']);
    expect(found[0]?.message).toBe('"no" can never match, because "NO" is an excluded word.');
  });
});
