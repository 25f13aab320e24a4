/** Tables for spreadsheets, written as they are read: however many rows, few are in memory. */
import type { CompiledQuery } from 'kysely';
import type { Database } from '#server/db/database.ts';

export type Cell = string | number | boolean | Date | null;

/** Excel takes a file without it for one in the machine's old encoding. */
const BYTE_ORDER_MARK = '\uFEFF';

/**
 * A formula sign where a spreadsheet may begin a cell: at the beginning, and after all that some take for a separator
 * (semicolons in Germany) whatever the quotes around it say. Blanks and quotes before the sign are dropped by them.
 */
const BEGINS_A_FORMULA =
  /^(?=(?:[^\S\t\r\n]|["'])*[=+\-@＝＋－＠]|[\t\r\n])|(?<=[,;|\t\r\n])(?=(?:[^\S\t\r\n]|["'])*[=+\-@＝＋－＠])/gu;

/**
 * One line (RFC 4180). What begins like a formula gets an apostrophe: a follower named `=HYPERLINK(…)` must not run
 * anything in the creator's spreadsheet. Numbers stay numbers.
 */
export function csvLine(cells: Cell[]): string {
  return `${cells.map(cellText).join(',')}\r\n`;
}

function cellText(cell: Cell): string {
  if (cell === null) return '';
  if (cell instanceof Date) return cell.toISOString();
  if (typeof cell !== 'string') return String(cell);
  const safe = cell.replace(BEGINS_A_FORMULA, "'");
  return /[",;|\t\r\n]/.test(safe) || safe !== cell ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export async function* csvOf(header: string[], lines: AsyncIterable<Cell[][]> | Iterable<Cell[][]>) {
  yield BYTE_ORDER_MARK + csvLine(header);
  for await (const some of lines) yield some.map(csvLine).join('');
}

const ROWS_AT_A_TIME = 1000;
/**
 * Rows of a query, some at a time, read through a cursor with the creator's rights.
 *
 * @throws in the middle when the database goes away or the reader pauses too long
 */
export async function* rowsOf<Row>(
  db: Database,
  creatorId: string,
  query: CompiledQuery,
): AsyncGenerator<Row[], void, undefined> {
  const client = await db.downloadPool.connect();
  let failure: Error | undefined;
  try {
    await client.query('begin read only');
    await client.query(
      `select set_config('app.creator_id', $1, true), set_config('cursor_tuple_fraction', '0.001', true)`,
      [creatorId],
    );
    await client.query(`declare rows no scroll cursor for ${query.sql}`, [...query.parameters]);
    for (;;) {
      const { rows } = await client.query(`fetch ${ROWS_AT_A_TIME} from rows`);
      if (rows.length === 0) break;
      yield rows as Row[];
    }
  } catch (error) {
    failure = error as Error;
    throw error;
  } finally {
    // Nothing was changed. Also when the reader left in the middle.
    await client.query('rollback').catch((error: Error) => {
      failure = error;
    });
    client.release(failure);
  }
}
