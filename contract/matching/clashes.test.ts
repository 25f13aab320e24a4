import { describe, expect, test } from 'vitest';
import { type Candidate, findClashes, type WordRule } from './index.ts';

function candidate(id: string, rule: Partial<WordRule>, rest: Partial<Candidate<null>> = {}): Candidate<null> {
  const whole: WordRule = { words: [], mode: 'whole_word', excludedWords: [], typoTolerance: false, ...rule };
  return { id, rule: whole, scope: 'post', priority: 0, createdAt: 0, value: null, ...rest };
}

function clashes(...candidates: Candidate<null>[]): string[] {
  return findClashes(candidates).map(
    ({ winner, loser, decidedBy, words }) => `${winner.id} before ${loser.id} by ${decidedBy}: ${words.join(', ')}`,
  );
}

describe('clashes', () => {
  test.each<[string, Candidate<null>[], string[]]>([
    ['none between different words', [candidate('a', { words: ['recipe'] }), candidate('b', { words: ['link'] })], []],
    [
      'the same word in two spellings',
      [candidate('a', { words: ['crème'] }), candidate('b', { words: ['CREME'] }, { createdAt: 1 })],
      ['a before b by age: crème, CREME'],
    ],
    [
      'a part within a word',
      [candidate('a', { words: ['recipes'] }), candidate('b', { words: ['recip'], mode: 'contains' })],
      ['a before b by how: recipes'],
    ],
    [
      'a typo away',
      [candidate('a', { words: ['price'] }), candidate('b', { words: ['prices'], typoTolerance: true })],
      ['a before b by how: price'],
    ],
    [
      'a word within a phrase',
      [candidate('a', { words: ['banana bread'] }), candidate('b', { words: ['bread'] })],
      ['a before b by length: banana bread'],
    ],
    [
      'all words and one of them',
      [candidate('a', { words: ['bread'] }), candidate('b', { words: ['banana', 'bread'], mode: 'all_words' })],
      ['a before b by how: banana bread'],
    ],
    [
      'one for this post and one for any',
      [candidate('a', { words: ['recipe'] }), candidate('b', { words: ['recipe'] }, { scope: 'any_post' })],
      ['a before b by scope: recipe'],
    ],
    [
      'none with one that takes what is left over',
      [candidate('a', { words: ['recipe'] }), candidate('b', { mode: 'any_comment' })],
      [],
    ],
    [
      'one for any comment that goes before words',
      [candidate('a', { mode: 'any_comment' }, { priority: 1 }), candidate('b', { words: ['recipe'] })],
      ['a before b by priority: recipe'],
    ],
    [
      'two for any comment',
      [candidate('a', { mode: 'any_comment' }), candidate('b', { mode: 'any_comment' })],
      ['a before b by id: '],
    ],
    [
      'none where an excluded word keeps them apart',
      [candidate('a', { words: ['no recipe'] }), candidate('b', { words: ['recipe'], excludedWords: ['no recipe'] })],
      [],
    ],
  ])('%s', (_, candidates, expected) => {
    expect(clashes(...candidates)).toEqual(expected);
    expect(clashes(...candidates.toReversed()).toSorted()).toHaveLength(expected.length);
  });
});
