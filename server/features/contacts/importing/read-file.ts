/**
 * A file of contacts as rows of text: streamed, so that no more than a piece of it is in memory. What is no such file is refused
 * with a sentence and a line.
 */
import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parse } from 'csv-parse';
import { MOST_COLUMNS, MOST_IMPORT_BYTES, MOST_IMPORT_ROWS } from '#contract/imports.ts';
import { AppError } from '#server/errors.ts';

export type FileRow = { line: number; cells: string[] };

/** Of one row: an open quote makes one row of all the rest. */
const LONGEST_ROW = 64 * 1024;
const FIRST_BYTES = 64;

/**
 * @returns rows in the file's order, those of blank lines left out; the first may name the columns
 * @throws AppError invalid_input in the middle, too_large
 */
export async function* readRows(bytes: AsyncIterable<Buffer>): AsyncGenerator<FileRow> {
  const pieces = checkedText(decoded(limited(bytes)));
  const begun = await beginningOf(pieces);
  if (begun.text.trim() === '') throw refused('This file is empty.');
  let line = 0;
  const parser = parse({
    delimiter: delimiterOf(begun.firstLine),
    bom: true,
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: LONGEST_ROW,
    // Those read ahead are lost with a failure; where it is must not be.
    on_record: (one) => {
      line = (one as unknown as { info: { lines: number } }).info.lines;
      return one;
    },
  });
  const all = async function* () {
    yield begun.text;
    yield* pieces;
  };
  let rows = 0;
  const done = pipeline(Readable.from(all()), parser);
  // It is heard of below, by the parser's own failure.
  done.catch(() => {});
  try {
    for await (const one of parser as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
      rows += 1;
      checkRow(one.record, one.info.lines, rows);
      yield { line: one.info.lines, cells: one.record };
    }
    await done;
  } catch (error) {
    throw error instanceof AppError ? error : refused(whyUnreadable(error as { code?: string }, line + 1));
  } finally {
    parser.destroy();
  }
}

function checkRow(cells: string[], line: number, rows: number): void {
  if (cells.length > MOST_COLUMNS) {
    throw refused(`Line ${line} has ${cells.length} columns. A file can have ${MOST_COLUMNS} at most.`);
  }
  if (rows === 1 && cells.length === 1 && !/@|mail/i.test(cells[0]!)) {
    throw refused(
      `Line ${line} has only one column. Separate columns with commas, semicolons or tabs, and put the names of the columns in the first line.`,
    );
  }
  // The first line may name the columns.
  if (rows > MOST_IMPORT_ROWS + 1) {
    const most = MOST_IMPORT_ROWS.toLocaleString('en-US');
    throw refused(`A file can have ${most} rows at most. Split yours before line ${line} and import both parts.`);
  }
}

function whyUnreadable({ code }: { code?: string }, line: number): string {
  if (code === 'CSV_QUOTE_NOT_CLOSED' || code === 'CSV_MAX_RECORD_SIZE') {
    return `A quote (") that opens in line ${line} is never closed. Close or delete it, and upload the file again.`;
  }
  return `We couldn’t read line ${line}. Save the file as CSV (comma separated) and upload it again.`;
}

async function* limited(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const piece of bytes) {
    size += piece.length;
    if (size > MOST_IMPORT_BYTES) throw new AppError('too_large', 'A file can have 20 MB at most. Split yours in two.');
    yield piece;
  }
}

const NO_TABLES: [beginning: string, what: string][] = [
  ['PK\u0003\u0004', 'This is an Excel or ZIP file'],
  ['\u00d0\u00cf\u0011\u00e0', 'This is an Excel file'],
  ['%PDF', 'This is a PDF file'],
  ['\u0089PNG', 'This is a picture'],
  ['\u00ff\u00d8\u00ff', 'This is a picture'],
  ['\u001f\u008b', 'This is a compressed file'],
];

/** UTF-8, UTF-16 or Windows-1252, told by the bytes: Excel writes each of them, and says so for the first two at most. */
async function* decoded(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let held: Buffer = Buffer.alloc(0);
  let decoder: TextDecoder | null = null;
  let isBegun = false;
  for await (const piece of bytes) {
    if (decoder !== null) {
      yield decoder.decode(piece, { stream: true });
      continue;
    }
    held = Buffer.concat([held, piece]);
    if (!isBegun && held.length < FIRST_BYTES) continue;
    decoder = isBegun ? null : wideDecoder(held);
    isBegun = true;
    decoder ??= narrowDecoder(held, false);
    // Plain letters are the same in both; a sign of several bytes may go on in the next piece.
    const told: Buffer = decoder === null ? held.subarray(0, -3) : held;
    held = decoder === null ? held.subarray(-3) : Buffer.alloc(0);
    yield decoder === null ? told.toString('latin1') : decoder.decode(told, { stream: true });
  }
  decoder ??= (isBegun ? null : wideDecoder(held)) ?? narrowDecoder(held, true) ?? new TextDecoder();
  yield decoder.decode(held);
}

function wideDecoder(bytes: Buffer): TextDecoder | null {
  const beginning = bytes.toString('latin1', 0, 4);
  const isNoTable = NO_TABLES.find(([signature]) => beginning.startsWith(signature));
  if (isNoTable)
    throw refused(`${isNoTable[1]}, not a CSV file. In your program choose “Save as” or “Export” and CSV.`);
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le');
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be');
  if (bytes.length < 4) return null;
  const isZero = [0, 1, 2, 3].map((at) => bytes[at] === 0);
  if (!isZero[0] && isZero[1] && !isZero[2] && isZero[3]) return new TextDecoder('utf-16le');
  if (isZero[0] && !isZero[1] && isZero[2] && !isZero[3]) return new TextDecoder('utf-16be');
  return null;
}

/** By the first sign that is no plain letter. Null: there is none so far, or it is not complete. */
function narrowDecoder(bytes: Buffer, isEnd: boolean): TextDecoder | null {
  const at = bytes.findIndex((byte) => byte >= 0x80);
  if (at === -1 || (at > bytes.length - 4 && !isEnd)) return null;
  const lead = bytes[at]!;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  return new TextDecoder(isUtf8(bytes.subarray(at, at + length)) ? 'utf-8' : 'windows-1252');
}

async function* checkedText(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let line = 1;
  for await (const piece of pieces) {
    const nul = piece.indexOf('\0');
    if (nul !== -1) {
      const at = line + linesIn(piece.slice(0, nul));
      throw refused(`Line ${at} has characters that are not text (NUL). Export the file again as CSV.`);
    }
    line += linesIn(piece);
    yield piece;
  }
}

function linesIn(text: string): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}

async function beginningOf(pieces: AsyncGenerator<string>): Promise<{ text: string; firstLine: string }> {
  let text = '';
  while (!/[\r\n]/.test(text.trimStart()) && text.length < LONGEST_ROW) {
    const next = await pieces.next();
    if (next.done) break;
    text += next.value;
  }
  const firstLine = text.trimStart().split(/[\r\n]/, 1)[0]!;
  if (/^(?:<!doctype|<html|<\?xml|<head|<body)/i.test(firstLine)) {
    throw refused(
      'Line 1 is the beginning of a web page, not of a CSV file. Download the export itself, not its page.',
    );
  }
  return { text, firstLine };
}

/** What there is most of in the first line, outside of quotes. */
function delimiterOf(firstLine: string): string {
  const bare = firstLine.replace(/"[^"]*"/g, '');
  const count = (sign: string) => bare.split(sign).length;
  return [',', ';', '\t'].reduce((best, sign) => (count(sign) > count(best) ? sign : best));
}

function refused(detail: string): AppError {
  return new AppError('invalid_input', detail);
}
