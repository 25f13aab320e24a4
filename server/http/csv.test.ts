import { describe, expect, test } from 'vitest';
import { csvLine } from './csv.ts';

describe('a line of a table', () => {
  test.each([
    ['=HYPERLINK("http://evil.test","click")', `"'=HYPERLINK(""http://evil.test"",""click"")"`],
    ['+49 151', `"'+49 151"`],
    ['-1+1', `"'-1+1"`],
    ['@SUM(A1)', `"'@SUM(A1)"`],
    ['\t=1', `"'\t=1"`],
    ['\r=1', `"'\r=1"`],
    ['＝1', `"'＝1"`],
  ])('disarms %j', (text, cell) => {
    expect(csvLine([text])).toBe(`${cell}\r\n`);
  });

  test('quotes what would break it, and leaves the rest alone', () => {
    expect(csvLine(['a,b', 'say "hi"', 'two\nlines', 'plain', '', null, -5, true])).toBe(
      '"a,b","say ""hi""","two\nlines",plain,,,-5,true\r\n',
    );
    expect(csvLine([new Date(0)])).toBe('1970-01-01T00:00:00.000Z\r\n');
  });
});
