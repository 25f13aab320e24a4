import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { csvLine } from './csv.ts';

describe('a line of a table', () => {
  test.each([
    ['=HYPERLINK("http://evil.test","click")', `"'=HYPERLINK(""http://evil.test"",""click"")"`],
    ['+49 151', `"'+49 151"`],
    ['-1+1', `"'-1+1"`],
    ['@SUM(A1)', `"'@SUM(A1)"`],
    ['\t=1', `"'\t'=1"`],
    ['\r=1', `"'\r'=1"`],
    [' =1', `"' =1"`],
    ['"=1', `"'""=1"`],
    ['a;=1', `"a;'=1"`],
    ['a, -1', `"a,' -1"`],
    ['a;"=1"', `"a;'""=1"""`],
    ['a\n@SUM(A1)', `"a\n'@SUM(A1)"`],
    ['＝1', `"'＝1"`],
  ])('disarms %j', (text, cell) => {
    expect(csvLine([text])).toBe(`${cell}\r\n`);
  });

  test('leaves no cell that begins with a formula sign, whichever separator a spreadsheet takes', () => {
    const separators = [',', ';', '|', '\t', '\r', '\n', '\r\n'];
    const signs = [...'=+-@＝＋－＠'];
    const between = [' ', '\u00a0', '\ufeff', '"', "'", '""', 'a', 'é', '🍝', '1', '(', ''];
    const text = fc.array(fc.constantFrom(...separators, ...signs, ...between), { maxLength: 30 });
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), (cells) => {
        const line = csvLine(cells.map((parts) => parts.join('')));
        for (const separator of separators) {
          for (const cell of line.split(separator)) expect(cell).not.toMatch(/^[\s"]*[=+\-@＝＋－＠]/);
        }
      }),
      { numRuns: 2000 },
    );
  });

  test('stays quick over a long text of separators and blanks', () => {
    expect(csvLine([`${'; '.repeat(50_000)}=1`])).toContain("'");
  });

  test('quotes what would break it, and leaves the rest alone', () => {
    expect(csvLine(['a,b', 'say "hi"', 'two\nlines', 'plain', '', null, -5, true])).toBe(
      '"a,b","say ""hi""","two\nlines",plain,,,-5,true\r\n',
    );
    expect(csvLine([new Date(0)])).toBe('1970-01-01T00:00:00.000Z\r\n');
  });
});
