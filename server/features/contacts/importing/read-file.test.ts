import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { MOST_IMPORT_BYTES, MOST_IMPORT_ROWS } from '#contract/imports.ts';
import { type FileRow, readRows } from './read-file.ts';

async function* pieces(file: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < file.length; at += size) yield file.subarray(at, at + size);
}
async function read(file: Buffer | string, size = 64 * 1024): Promise<FileRow[]> {
  const rows: FileRow[] = [];
  for await (const row of readRows(pieces(Buffer.from(file as string), size))) rows.push(row);
  return rows;
}
const whyNot = (file: Buffer | string) =>
  read(file).then(
    () => 'read',
    (error: Error) => error.message,
  );

describe('a file that is none', () => {
  test.each<[string, Buffer | string, string]>([
    ['empty', '', 'This file is empty.'],
    ['blank', ' \r\n\r\n', 'This file is empty.'],
    ['Excel', Buffer.from('PK\u0003\u0004\u0014\u0000', 'latin1'), 'This is an Excel or ZIP file, not a CSV file.'],
    ['compressed', gzipSync('email\na@example.com'), 'This is a compressed file, not a CSV file.'],
    ['a picture', Buffer.from('\u0089PNG\r\n\u001a\n\u0000', 'latin1'), 'This is a picture, not a CSV file.'],
    ['of one column', 'Dear diary\ntoday I cooked', 'Line 1 has only one column.'],
    ['of 300 columns', `${'a,'.repeat(299)}email\n`, 'Line 1 has 300 columns. A file can have 100 at most.'],
    ['of 300 columns later', `email,b\na@example.com,${'x,'.repeat(298)}x\n`, 'Line 2 has 300 columns.'],
    [
      'with an open quote',
      'email,name\na@example.com,A\nb@example.com,"B\nc@example.com,C\n',
      'A quote (") that opens in line 3',
    ],
    [
      'with an open quote and much behind it',
      `email,name\nb@example.com,"B\n${'c@example.com,C\n'.repeat(20_000)}`,
      'A quote (") that opens in line 2',
    ],
    ['with NUL', 'email,name\na@example.com,A\nb@example.com,\0B\n', 'Line 3 has characters that are not text (NUL).'],
    [
      'a web page',
      '<!DOCTYPE html>\n<html><body>a@example.com,x</body></html>',
      'Line 1 is the beginning of a web page',
    ],
    ['a web page with a blank before', '\n <html lang="en">', 'Line 1 is the beginning of a web page'],
  ])('%s is refused with its line', async (_, file, why) => {
    expect(await whyNot(file)).toContain(why);
  });

  test('too long or too large is refused where it is', async () => {
    const rows = `email,name\n${'a@example.com,A\n'.repeat(MOST_IMPORT_ROWS)}`;
    expect(await read(rows)).toHaveLength(MOST_IMPORT_ROWS + 1);
    expect(await whyNot(`${rows}b@example.com,B\n`)).toContain('Split yours before line 200002');
    expect(await whyNot(Buffer.alloc(MOST_IMPORT_BYTES + 1, 'a,b\n'))).toMatch(/20 MB at most|200,000 rows at most/);
  });
});

describe('the writing', () => {
  const text = 'email;name\nzoë@example.com;Zoë Müller – “Zo”\nb@example.com;Bo\n';
  const rows = [
    { line: 1, cells: ['email', 'name'] },
    { line: 2, cells: ['zoë@example.com', 'Zoë Müller – “Zo”'] },
    { line: 3, cells: ['b@example.com', 'Bo'] },
  ];
  const wide = Buffer.from(text, 'utf16le');
  const windows = Buffer.from(text.replaceAll('–', '\u0096').replace('“', '\u0093').replace('”', '\u0094'), 'latin1');
  test.each<[string, Buffer]>([
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with its mark', Buffer.from(`\uFEFF${text}`)],
    ['UTF-16', Buffer.concat([Buffer.from([0xff, 0xfe]), wide])],
    ['UTF-16 without its mark', wide],
    ['UTF-16 the other way', Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(wide).swap16()])],
    ['Windows-1252', windows],
  ])('%s is told, in pieces of any size', async (_, file) => {
    for (const size of [1, 2, 3, 5, 7, 1000]) expect(await read(file, size)).toEqual(rows);
  });

  test('is told also where the first accent comes late', async () => {
    const plain = 'a@example.com,A\n'.repeat(10_000);
    const named = (cell: string, encoding: BufferEncoding) =>
      Buffer.from(`email,name\n${plain}z@example.com,${cell}\n`, encoding);
    for (const encoding of ['utf8', 'latin1'] as const) {
      expect((await read(named('Zoë', encoding), 1000)).at(-1)!.cells).toEqual(['z@example.com', 'Zoë']);
    }
  });

  test('separators, quotes and ends of lines are those of any spreadsheet', async () => {
    expect(
      (await read('email,name\r\n"a@example.com","Smith, Ann ""Nan"""\r\n\r\nb@example.com\r\n')).map(
        ({ cells }) => cells,
      ),
    ).toEqual([['email', 'name'], ['a@example.com', 'Smith, Ann "Nan"'], ['b@example.com']]);
    expect((await read('"Email; Address"\tName\na@example.com\tA;b, c\n'))[1]!.cells).toEqual([
      'a@example.com',
      'A;b, c',
    ]);
    expect((await read('email,name\na@example.com,Jo "JJ" Smith\n'))[1]!.cells).toEqual([
      'a@example.com',
      'Jo "JJ" Smith',
    ]);
    expect(await read('email\na@example.com')).toHaveLength(2);
  });
});
