import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { countWords, readCoverage, testNames, testsMeant } from './spec-coverage.ts';

describe('the list of sentences', () => {
  test('refuses a sentence without a proof, with two kinds of it, or with one that says nothing', () => {
    const markdown = [
      '- Nothing below.',
      '- Both.',
      '  - `a.test.ts`: works',
      '  - not yet: later',
      '- Unclear.',
      '  - somewhere',
    ];
    expect(readCoverage(markdown.join('\n')).problems).toEqual([
      'line 6 is neither a test nor "not yet: reason": somewhere',
      'line 1 has neither a test nor a reason: Nothing below.',
      'line 2 has both tests and "not yet": Both.',
      'line 5 has neither a test nor a reason: Unclear.',
    ]);
  });

  test('gives each sentence its tests or its reason', () => {
    const markdown =
      '# Coverage\n\nWords.\n\n- One.\n  - `a.test.ts`: group > works: well\n  - `b.test.ts`: too\n- Two.\n  - not yet: later\n';
    expect(readCoverage(markdown)).toEqual({
      problems: [],
      sentences: [
        {
          line: 5,
          text: 'One.',
          tests: [
            { file: 'a.test.ts', name: 'group > works: well' },
            { file: 'b.test.ts', name: 'too' },
          ],
          untested: null,
        },
        { line: 8, text: 'Two.', tests: [], untested: { kind: 'not yet', because: 'later' } },
      ],
    });
  });
});

describe('the walk through the standard of security', () => {
  /** OWASP ASVS 5.0.0: how many requirements each section has, and which of them are of level 3, which is not walked. */
  const SECTIONS: Record<string, [most: number, ...levelThree: number[]]> = {
    ...{ '1.1': [2], '1.2': [10, 10], '1.3': [12, 12], '1.4': [3], '1.5': [3, 3] },
    ...{ '2.1': [3], '2.2': [3], '2.3': [5, 5], '2.4': [2, 2] },
    ...{ '3.1': [1, 1], '3.2': [3, 3], '3.3': [5, 5], '3.4': [8, 7, 8], '3.5': [8, 6, 7, 8], '3.6': [1, 1] },
    ...{ '3.7': [5, 3, 4, 5], '4.1': [5, 4, 5], '4.2': [5, 2, 3, 4, 5], '4.3': [2], '4.4': [4] },
    ...{ '5.1': [1], '5.2': [6, 4, 5, 6], '5.3': [3, 3], '5.4': [3] },
    ...{ '6.1': [3], '6.2': [12], '6.3': [8, 5, 6, 7, 8], '6.4': [6, 5, 6], '6.5': [8, 6, 7, 8], '6.6': [4, 4] },
    ...{ '6.7': [2, 1, 2], '6.8': [4], '7.1': [3], '7.2': [4], '7.3': [2], '7.4': [5], '7.5': [3, 3], '7.6': [2] },
    ...{ '8.1': [4, 3, 4], '8.2': [4, 4], '8.3': [3, 2, 3], '8.4': [2, 2], '9.1': [3], '9.2': [4] },
    ...{ '10.1': [2], '10.2': [3, 3], '10.3': [5, 5], '10.4': [16, 12, 13, 14, 15, 16], '10.5': [5], '10.6': [2] },
    ...{ '10.7': [3], '11.1': [4, 3, 4], '11.2': [5, 4, 5], '11.3': [5, 4, 5], '11.4': [4], '11.5': [2, 2] },
    ...{ '11.6': [2, 2], '11.7': [2, 1, 2], '12.1': [5, 4, 5], '12.2': [2], '12.3': [5, 5] },
    ...{ '13.1': [4, 2, 3, 4], '13.2': [6, 6], '13.3': [4, 3, 4], '13.4': [7, 6, 7] },
    ...{ '14.1': [2], '14.2': [8, 5, 6, 7, 8], '14.3': [3], '15.1': [5, 4, 5], '15.2': [5, 4, 5], '15.3': [7] },
    ...{ '15.4': [4, 1, 2, 3, 4], '16.1': [1], '16.2': [5], '16.3': [4], '16.4': [3], '16.5': [4, 4] },
    ...{ '17.1': [2, 2], '17.2': [8, 5, 6, 7, 8], '17.3': [2] },
  };

  test('has every requirement of level 1 and 2 once', async () => {
    const markdown = await readFile(path.join(import.meta.dirname, '../docs/security.md'), 'utf8');
    const walked = readCoverage(markdown).sentences.flatMap(({ text }) => {
      const numbers = /^\*\*([^*]+)\*\*/.exec(text)?.[1] ?? '';
      return [...numbers.matchAll(/\d+\.\d+\.\d+/g)].map(([number]) => number);
    });
    const asked = Object.entries(SECTIONS).flatMap(([section, [most, ...levelThree]]) =>
      Array.from({ length: most }, (_, index) => index + 1)
        .filter((number) => !levelThree.includes(number))
        .map((number) => `${section}.${number}`),
    );
    expect(asked).toHaveLength(253);
    expect(walked.toSorted()).toEqual(asked.toSorted());
  });
});

describe('a name with words left out', () => {
  const names = ['a list > has pages (of 100)', 'a list > has an end', 'a tree > has an end'];

  test('means the one test that it fits', () => {
    expect(testsMeant('a list > has pages …', names)).toEqual(['a list > has pages (of 100)']);
    expect(testsMeant('… pages (of …)', names)).toEqual(['a list > has pages (of 100)']);
    expect(testsMeant('a tree > has an end', names)).toEqual(['a tree > has an end']);
  });

  test('is told apart from one that fits several, or none', () => {
    expect(testsMeant('… has an end', names)).toEqual(['a list > has an end', 'a tree > has an end']);
    expect(testsMeant('a list > has', names)).toEqual([]);
    expect(testsMeant('a list … tree', names)).toEqual([]);
  });
});

test('the words of a page are what has a letter, lists only where they count', () => {
  const page = '# Two words\n\n| a | 7 |\n| --- | --- |\n\n- One – “sentence” of 12 words.\n  - `a.test.ts`: works\n';
  expect(countWords(page)).toBe(9);
  expect(countWords(page, { lists: false })).toBe(3);
});

describe('the tests of a file', () => {
  test('are not those in comments or texts', () => {
    const source = `
      // test('in a comment', () => {});
      const words = "test('in a text')";
      expect(/x/.test('no test'));
    `;
    expect(testNames('a.test.ts', source)).toEqual([]);
  });

  test.each(['skip', 'todo'])('are not those with %s', (word) => {
    const source = `test.${word}('alone', () => {}); describe.${word}('group', () => { it('inside', () => {}); });`;
    expect(testNames('a.test.ts', source)).toEqual([]);
  });

  test('have the names of their groups, and of each as written', () => {
    const source = `
      it("alone", () => {});
      describe('outer', () => {
        describe.each(DEVICES)('on a %s', (device: Device) => {
          test.each([
            ['a', 1],
          ])('%s is %i', () => {});
          test(\`\${COUNT} times\`, { timeout: 1 }, async () => {});
        });
      });
    `;
    expect(testNames('a.test.tsx', source)).toEqual([
      'alone',
      'outer > on a %s > %s is %i',
      ['outer > on a %s > $', '{COUNT} times'].join(''),
    ]);
  });
});
