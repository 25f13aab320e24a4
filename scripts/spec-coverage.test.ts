import { describe, expect, test } from 'vitest';
import { readCoverage, testNames } from './spec-coverage.ts';

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
          notYet: null,
        },
        { line: 8, text: 'Two.', tests: [], notYet: 'later' },
      ],
    });
  });
});

describe('the tests of a file', () => {
  test('are not those that are skipped, commented out or only mentioned', () => {
    const source = `
      // test('in a comment', () => {});
      const words = "test('in a text')";
      test.skip('skipped', () => {});
      it.todo('to do');
      describe.skip('group', () => { it('inside', () => {}); });
      expect(/x/.test('no test'));
    `;
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
