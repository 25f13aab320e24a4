/**
 * Contacts from a file. `reading`: its rows arrive and are judged; `ready`: the creator sees what would happen, and chooses;
 * `running`: written in steps; `done` or `cancelled`: may be undone for a week. Choosing other columns reads them again.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Selectable, sql, type Updateable } from 'kysely';
import * as z from 'zod/mini';
import { findAddress, gmailMailbox } from '#contract/email-address.ts';
import type { ResponseOf } from '#contract/endpoint.ts';
import { type ColumnUse, type Import, ImportCounts, type ImportTool, type listImportRows } from '#contract/imports.ts';
import type { Clock } from '#server/clock.ts';
import type { CreatorTransaction, Database } from '#server/db/database.ts';
import { later, type QueuedJob } from '#server/db/jobs.ts';
import type { ImportsTable } from '#server/db/types.ts';
import { AppError } from '#server/errors.ts';
import { pageFrom, readPosition } from '#server/http/page-position.ts';
import { nameKey } from '../contacts.ts';
import { type CreatorHash, creatorHashes, type SecretDeps } from '../creator-secret.ts';
import { guessTool, guessUses, isHeader, readRow } from './columns.ts';
import { readRows } from './read-file.ts';
import { countVerdicts, judge, NOTHING, type Notes, ROWS_A_STEP, runStep, undoStep, type Whose } from './steps.ts';

export type ImportDeps = SecretDeps & { db: Database; clock: Clock };

const ROWS_AT_ONCE = 10_000;
const ROWS_A_TURN = 500;
const SAMPLES = 3;
const LONGEST_SAMPLE = 80;
const PAGE_SIZE = 50;
const DAY_MS = 24 * 3_600_000;
export const UNDO_DAYS = 7;

/** Goes on with whatever the import is at; a step that was done is not done again. */
export const importContacts: QueuedJob<ImportDeps, Whose> = {
  name: 'import-contacts',
  payload: z.object({ creatorId: z.uuid(), importId: z.uuid() }),
  atOnce: 4,
  run: goOn,
};

/**
 * Keeps the rows of a file as they are; a job judges them.
 *
 * @throws AppError invalid_input, too_large for what is no such file: nothing is kept then
 */
export async function upload(
  deps: ImportDeps,
  given: { creatorId: string; userId: string; fileName: string; file: AsyncIterable<Buffer> },
): Promise<string> {
  const { creatorId } = given;
  const now = deps.clock.now();
  const importId = deps.ids.uuid(now);
  const whose = { creatorId, importId };
  await deps.db.withCreator(creatorId, (trx) =>
    trx
      .insertInto('imports')
      .values({ creator_id: creatorId, id: importId, file_name: given.fileName, made_by: given.userId, made_at: now })
      .execute(),
  );
  try {
    const columns = await keepRows(deps, whose, given.file, now);
    await deps.db.withCreator(creatorId, async (trx) => {
      await trx
        .updateTable('imports')
        .set({ ...columns, is_read: true })
        .where('creator_id', '=', creatorId)
        .where('id', '=', importId)
        .execute();
      await later(trx, deps, importContacts, whose);
    });
    return importId;
  } catch (error) {
    await deps.db.withCreator(creatorId, (trx) => remove(trx, whose));
    throw error;
  }
}

async function keepRows(deps: ImportDeps, whose: Whose, file: AsyncIterable<Buffer>, now: Date) {
  let names: string[] | null = null;
  let hasHeader = true;
  let rowCount = 0;
  const samples: string[][] = [];
  let rows: { line: number; cells: string[] }[] = [];
  const keep = async () => {
    if (rows.length > 0) await insertRows(deps, whose, rows, now);
    rows = [];
  };
  for await (const row of readRows(file)) {
    if (names === null) {
      hasHeader = isHeader(row.cells);
      names = row.cells.map((name, at) => (hasHeader && name.trim() !== '' ? cut(name) : `Column ${at + 1}`));
      if (hasHeader) continue;
    }
    for (const [at, cell] of row.cells.entries()) {
      names[at] ??= `Column ${at + 1}`;
      samples[at] ??= [];
      if (samples[at].length < SAMPLES && cell.trim() !== '') samples[at].push(cut(cell));
    }
    rowCount += 1;
    rows.push(row);
    if (rows.length === ROWS_AT_ONCE) await keep();
  }
  await keep();
  if (rowCount === 0) throw new AppError('invalid_input', 'This file has only the names of its columns, in line 1.');
  const uses = guessUses(
    names!,
    names!.map((_, at) => samples[at] ?? []),
  );
  return {
    has_header: hasHeader,
    row_count: rowCount,
    tool: guessTool(names!),
    columns: JSON.stringify(names),
    uses: JSON.stringify(uses),
  };
}

function cut(cell: string): string {
  return cell.trim().slice(0, LONGEST_SAMPLE).toWellFormed();
}

async function insertRows(deps: ImportDeps, { creatorId, importId }: Whose, rows: object[], now: Date) {
  await sql`
    insert into import_rows (creator_id, import_id, line, cells, made_at)
    select ${creatorId}, ${importId}, line, cells, ${now} from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (line int, cells jsonb)
  `.execute(deps.db.engine);
}

async function goOn(deps: ImportDeps, whose: Whose): Promise<void> {
  const row = await deps.db.engine
    .selectFrom('imports')
    .select(['state', 'result', 'undo_until', 'undo_began_at', 'undone_at'])
    .where('creator_id', '=', whose.creatorId)
    .where('id', '=', whose.importId)
    .executeTakeFirst();
  if (row?.state === 'reading') await parseAndJudge(deps, whose);
  if (row?.state === 'running' || (row?.state === 'cancelled' && row.result === null && row.undo_until !== null)) {
    await run(deps, whose);
  }
  if (row?.undo_began_at && row.undone_at === null) await undoAll(deps, whose);
}

/** Columns that were chosen meanwhile begin it again from the first line. */
async function parseAndJudge(deps: ImportDeps, whose: Whose): Promise<void> {
  const { creatorId, importId } = whose;
  const { engine } = deps.db;
  const now = deps.clock.now();
  const hashOf = await creatorHashes(engine, deps, creatorId, now);
  for (;;) {
    const { rows } = await sql<{
      uses: ColumnUse[];
      parsed_to: number;
      rows: { line: number; cells: string[] }[] | null;
    }>`
      select uses, parsed_to, (
        select json_agg(json_build_object('line', line, 'cells', cells) order by line) from (
          select line, cells from import_rows where creator_id = i.creator_id and import_id = i.id and line > i.parsed_to
          order by line limit ${ROWS_AT_ONCE}
        ) as next_rows
      ) as rows
      from imports i where creator_id = ${creatorId} and id = ${importId} and state = 'reading' and is_read
    `.execute(engine);
    const at = rows[0];
    if (at === undefined) return;
    if (at.rows === null) break;
    const parsed = await parseRows(at.rows, at.uses, hashOf, now);
    await sql`
      with import as (
        update imports set parsed_to = ${parsed.at(-1)!.line}
        where creator_id = ${creatorId} and id = ${importId} and state = 'reading' and parsed_to = ${at.parsed_to}
          and uses = ${JSON.stringify(at.uses)}::jsonb
        returning id
      )
      update import_rows i set email = p.email, email_key = p.email_key, email_hash = p.email_hash, gmail_mailbox = p.gmail_mailbox,
        name = p.name, name_key = p.name_key, said = p.said, agreed_at = p.agreed_at, is_role = p.is_role,
        suggestion = p.suggestion, why = p.why, verdict = null
      from import, jsonb_to_recordset(${JSON.stringify(parsed)}::jsonb) as p (line int, email text, email_key text, email_hash text,
        gmail_mailbox text, name text, name_key text, said text, agreed_at timestamptz, is_role boolean, suggestion text, why text)
      where i.creator_id = ${creatorId} and i.import_id = import.id and i.line = p.line
    `.execute(engine);
  }
  await judge(engine, whose);
  const { counts, notes } = await countVerdicts(engine, whose, 'verdict');
  await sql`
    update imports set state = 'ready', counts = ${JSON.stringify({ ...counts, notes })}::jsonb
    where creator_id = ${creatorId} and id = ${importId} and state = 'reading' and parsed_to > 0
  `.execute(engine);
}

async function parseRows(rows: { line: number; cells: string[] }[], uses: ColumnUse[], hashOf: CreatorHash, now: Date) {
  const parsed = [];
  for (const { line, cells } of rows) {
    const { email, emailKey, name, said, agreedAt, isRole, why } = readRow(cells, uses, now);
    parsed.push({
      line,
      email,
      email_key: emailKey,
      email_hash: emailKey === null ? null : hashOf('suppression', emailKey),
      gmail_mailbox: emailKey === null ? null : gmailMailbox(emailKey),
      name,
      name_key: name === null ? null : nameKey(name),
      said,
      agreed_at: agreedAt,
      is_role: isRole,
      suggestion: email === null ? null : (findAddress(email)?.suggestion ?? null),
      why,
    });
    // Others' work goes on in between.
    if (parsed.length % ROWS_A_TURN === 0) await nextTurn();
  }
  return parsed;
}

async function run(deps: ImportDeps, whose: Whose): Promise<void> {
  const { engine } = deps.db;
  for (;;) {
    const now = deps.clock.now();
    const some = () => Array.from({ length: ROWS_A_STEP }, () => deps.ids.uuid(now));
    const written = await runStep(engine, { ...whose, now, ids: { contacts: some(), ledger: some() } });
    if (written === 0) break;
  }
  await finish(deps, whose);
}

/** It ran to its end, or to where it was cancelled. */
async function finish({ db, clock }: ImportDeps, { creatorId, importId }: Whose): Promise<void> {
  const now = clock.now();
  const { counts } = await countVerdicts(db.engine, { creatorId, importId }, 'outcome');
  await sql`
    update imports set state = case when state = 'running' then 'done' else state end, result = ${JSON.stringify(counts)}::jsonb, finished_at = coalesce(finished_at, ${now}),
      undo_until = coalesce(undo_until, ${new Date(now.getTime() + UNDO_DAYS * DAY_MS)})
    where creator_id = ${creatorId} and id = ${importId} and state in ('running', 'cancelled')
  `.execute(db.engine);
}

async function undoAll({ db, clock }: ImportDeps, whose: Whose): Promise<void> {
  while ((await undoStep(db.engine, whose)) > 0);
  await sql`
    update imports set undone_at = ${clock.now()}, undone = (
      select jsonb_build_object('undone', count(*) filter (where undone), 'kept', count(*) filter (where not undone)) from import_rows
      where creator_id = ${whose.creatorId} and import_id = ${whose.importId} and undone is not null
    )
    where creator_id = ${whose.creatorId} and id = ${whose.importId} and undone_at is null
  `.execute(db.engine);
}

/** @throws AppError not_found, invalid_input, not_possible_now */
export async function changeColumns(
  deps: ImportDeps,
  trx: CreatorTransaction,
  whose: Whose,
  uses: ColumnUse[],
): Promise<Import> {
  const row = await find(trx, whose, { lock: true });
  if (row.state !== 'ready' && !(row.state === 'reading' && row.is_read))
    throw notNow('This import has begun already.');
  if (uses.length !== columnsOf(row).length) throw new AppError('invalid_input', 'Say for each column what it is.');
  for (const use of uses) {
    if (use !== 'ignore' && uses.indexOf(use) !== uses.lastIndexOf(use)) {
      throw new AppError('invalid_input', 'Two columns can’t be used for the same thing.');
    }
  }
  if (!uses.includes('email')) throw new AppError('invalid_input', 'Choose the column with the email addresses.');
  await change(trx, whose, { state: 'reading', uses: JSON.stringify(uses), parsed_to: 0, counts: null });
  await later(trx, deps, importContacts, whose);
  return show(trx, whose);
}

/** @throws AppError not_found, invalid_input, not_possible_now */
export async function begin(
  deps: ImportDeps,
  trx: CreatorTransaction,
  whose: Whose,
  choice: { agreed: string; newsletter: boolean; attested: boolean },
): Promise<Import> {
  const row = await find(trx, whose, { lock: true });
  if (row.state !== 'ready') throw notNow('This import isn’t ready, or has begun already.');
  if (!usesOf(row).includes('email'))
    throw new AppError('invalid_input', 'Choose the column with the email addresses.');
  await change(trx, whose, {
    state: 'running',
    agreed: choice.agreed,
    wants_newsletter: choice.newsletter,
    attested: choice.newsletter && choice.attested,
    run_at: deps.clock.now(),
  });
  await later(trx, deps, importContacts, whose);
  return show(trx, whose);
}

/** @throws AppError not_found, not_possible_now */
export async function cancel(deps: ImportDeps, trx: CreatorTransaction, whose: Whose): Promise<Import> {
  const row = await find(trx, whose, { lock: true });
  if (row.state === 'reading' || row.state === 'ready') {
    await change(trx, whose, { state: 'cancelled', finished_at: deps.clock.now() });
    await trx
      .deleteFrom('import_rows')
      .where('creator_id', '=', whose.creatorId)
      .where('import_id', '=', whose.importId)
      .execute();
    return show(trx, whose);
  }
  if (row.state !== 'running') throw notNow('This import is finished.');
  const now = deps.clock.now();
  await change(trx, whose, {
    state: 'cancelled',
    finished_at: now,
    undo_until: new Date(now.getTime() + UNDO_DAYS * DAY_MS),
  });
  await later(trx, deps, importContacts, whose);
  return show(trx, whose);
}

/** @throws AppError not_found, not_possible_now */
export async function undo(deps: ImportDeps, trx: CreatorTransaction, whose: Whose): Promise<Import> {
  const row = await find(trx, whose, { lock: true });
  if (row.undo_until === null) throw notNow('There is nothing to undo.');
  if (row.undo_began_at !== null) throw notNow('This import was undone already.');
  if (row.undo_until < deps.clock.now()) throw notNow('An import can be undone for 7 days.');
  await change(trx, whose, { undo_began_at: deps.clock.now() });
  await later(trx, deps, importContacts, whose);
  return show(trx, whose);
}

function notNow(detail: string): AppError {
  return new AppError('not_possible_now', detail);
}

async function remove(trx: CreatorTransaction, { creatorId, importId }: Whose): Promise<void> {
  await trx.deleteFrom('imports').where('creator_id', '=', creatorId).where('id', '=', importId).execute();
}

async function change(
  trx: CreatorTransaction,
  { creatorId, importId }: Whose,
  to: Updateable<ImportsTable>,
): Promise<void> {
  await trx.updateTable('imports').set(to).where('creator_id', '=', creatorId).where('id', '=', importId).execute();
}

type Row = Selectable<ImportsTable>;
const columnsOf = (row: Row) => row.columns as unknown as string[];
const usesOf = (row: Row) => row.uses as unknown as ColumnUse[];

/** @throws AppError not_found */
async function find(trx: CreatorTransaction, { creatorId, importId }: Whose, { lock = false } = {}): Promise<Row> {
  const query = trx.selectFrom('imports').selectAll().where('creator_id', '=', creatorId).where('id', '=', importId);
  const row = await (lock ? query.forUpdate() : query).executeTakeFirst();
  if (row === undefined) throw new AppError('not_found', 'This import doesn’t exist, or was not run within a day.');
  return row;
}

/** @throws AppError not_found */
export async function show(trx: CreatorTransaction, whose: Whose): Promise<Import> {
  const row = await find(trx, whose);
  return shown(row, row.state === 'ready' ? await firstRows(trx, whose) : []);
}

const ROWS_FOR_SAMPLES = 20;

async function firstRows(trx: CreatorTransaction, { creatorId, importId }: Whose): Promise<string[][]> {
  const rows = await trx
    .selectFrom('import_rows')
    .select('cells')
    .where('creator_id', '=', creatorId)
    .where('import_id', '=', importId)
    .orderBy('line')
    .limit(ROWS_FOR_SAMPLES)
    .execute();
  return rows.map(({ cells }) => (cells ?? []) as unknown as string[]);
}

/** In a column, those that are there. */
function samplesOf(rows: string[][], at: number): string[] {
  return rows
    .map((cells) => cut(cells[at] ?? ''))
    .filter((cell) => cell !== '')
    .slice(0, SAMPLES);
}

export async function list(
  trx: CreatorTransaction,
  creatorId: string,
  query: { after?: string | undefined; limit?: number | undefined },
) {
  const limit = query.limit ?? PAGE_SIZE;
  const after = readPosition(query.after, 'uuid');
  let found = trx.selectFrom('imports').selectAll().select(sql<string>`made_at::text`.as('position'));
  if (after) found = found.where(sql<boolean>`(made_at, id) < (${after.at}::timestamptz, ${after.id}::uuid)`);
  const rows = await found
    .where('creator_id', '=', creatorId)
    .orderBy('made_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  const { items, next } = pageFrom(rows, limit);
  return { items: items.map((row) => shown(row)), next };
}

function shown(row: Row, firstOnes: string[][] = []): Import {
  const { notes, ...counts } = (row.counts ?? {}) as Record<string, unknown> & { notes?: Notes };
  const undone = row.undone as { undone: number; kept: number } | null;
  const uses = usesOf(row);
  return {
    id: row.id,
    state: row.state as Import['state'],
    fileName: row.file_name,
    tool: row.tool as ImportTool | null,
    rows: row.row_count,
    columns: columnsOf(row).map((name, at) => ({ name, samples: samplesOf(firstOnes, at), use: uses[at]! })),
    counts: notes === undefined || !uses.includes('email') ? null : z.parse(ImportCounts, counts),
    notes: notes ?? null,
    result: row.result === null ? null : z.parse(ImportCounts, { ...NOTHING, ...(row.result as object) }),
    doneRows: row.done_count,
    agreed: row.agreed,
    madeAt: row.made_at.toISOString(),
    finishedAt: row.finished_at?.toISOString() ?? null,
    undoUntil: row.undo_until?.toISOString() ?? null,
    undo: row.undo_began_at === null ? null : { isDone: row.undone_at !== null, ...(undone ?? { undone: 0, kept: 0 }) },
    failure: row.failure,
  };
}

/** @throws AppError not_found, invalid_input */
export async function listRows(
  trx: CreatorTransaction,
  whose: Whose,
  query: { after?: string | undefined; limit?: number | undefined; only?: string | undefined },
): Promise<ResponseOf<typeof listImportRows>> {
  await find(trx, whose);
  const limit = query.limit ?? PAGE_SIZE;
  const after = readPosition(query.after, 'text', 'number');
  const { rows } = await sql<ResponseOf<typeof listImportRows>['items'][number] & { id: string; position: string }>`
    select line, email, coalesce(outcome, verdict) as verdict, why, suggestion, 'row' as id, line::text as position from import_rows
    where creator_id = ${whose.creatorId} and import_id = ${whose.importId} and verdict is not null
      and line > ${after === null ? 0 : Number(after.at)}
      and ${query.only === undefined ? sql`true` : query.only === 'misspelt' ? sql`suggestion is not null` : sql`coalesce(outcome, verdict) = ${query.only}`}
    order by line limit ${limit + 1}
  `.execute(trx);
  const { items, next } = pageFrom(rows, limit);
  return { items: items.map(({ id, position, ...row }) => row), next };
}
