/**
 * A whole blog's recipes. `running`: pages are found, then read one after another (importing.ts); `paused` and `failed` go on when the
 * creator says so; `done`, and for a month all of it can be undone.
 */
import { sql, type Updateable } from 'kysely';
import { type RecipeImport, UNDO_IMPORT_DAYS } from '#contract/recipe-imports.ts';
import { READ_FAILURES, type ReadFailure } from '#contract/recipe-reading.ts';
import type { Clock, Ids } from '#server/clock.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import { later } from '#server/db/jobs.ts';
import type { RecipeImportsTable } from '#server/db/types.ts';
import { AppError } from '#server/errors.ts';
import { pageFrom, readPosition } from '#server/http/page-position.ts';
import { IMPORT_JOB, type Whose } from './import-job.ts';

type Deps = { clock: Clock; ids: Ids };
type Page = { after?: string | undefined; limit?: number | undefined };
type Row = { position: string } & Omit<RecipeImport, 'undoUntil' | 'undo' | 'madeAt' | 'finishedAt'> & {
    madeAt: Date;
    finishedAt: Date | null;
    undoBeganAt: Date | null;
    undoneAt: Date | null;
    undone: number;
    kept: number;
  };

const PAGE_SIZE = 20;
const UNREAD_PAGE_SIZE = 100;
const DAY_MS = 86_400_000;

/** @throws AppError not_possible_now while another blog is being brought in */
export async function start(
  deps: Deps,
  trx: CreatorTransaction,
  creatorId: string,
  site: string,
): Promise<RecipeImport> {
  await requireAlone(trx, creatorId);
  const now = deps.clock.now();
  const whose = { creatorId, importId: deps.ids.uuid(now) };
  await trx
    .insertInto('recipe_imports')
    .values({ creator_id: creatorId, id: whose.importId, site: new URL(site).origin, made_at: now })
    .execute();
  await later(trx, deps, IMPORT_JOB, whose);
  return get(deps, trx, whose);
}

async function requireAlone(trx: CreatorTransaction, creatorId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`recipe imports ${creatorId}`}, 0))`.execute(trx);
  const { rows } = await sql<{ site: string }>`
    select site from recipe_imports where creator_id = ${creatorId} and state in ('running', 'paused') limit 1
  `.execute(trx);
  if (rows.length > 0)
    throw notNow(`${new URL(rows[0]!.site).host} is being brought in already. Wait for it, or pause and undo it.`);
}

export async function list(deps: Deps, trx: CreatorTransaction, creatorId: string, { after, limit = PAGE_SIZE }: Page) {
  const position = readPosition(after, 'uuid');
  const before =
    position === null ? sql`true` : sql`(i.made_at, i.id) < (${position.at}::timestamptz, ${position.id}::uuid)`;
  const page = pageFrom(await select(trx, sql`i.creator_id = ${creatorId} and ${before}`, limit + 1), limit);
  return { ...page, items: page.items.map((row) => show(deps, row)) };
}

/** @throws AppError not_found */
export async function get(deps: Deps, trx: CreatorTransaction, { creatorId, importId }: Whose): Promise<RecipeImport> {
  const [row] = await select(trx, sql`i.creator_id = ${creatorId} and i.id = ${importId}`, 1);
  if (row === undefined) throw missing();
  return show(deps, row);
}

async function select(trx: CreatorTransaction, which: ReturnType<typeof sql>, limit: number): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select i.id, i.made_at::text as position, i.site, i.state, i.way, i.failure, i.made_at as "madeAt", i.finished_at as "finishedAt",
      i.undo_began_at as "undoBeganAt", i.undone_at as "undoneAt", p.*
    from recipe_imports i cross join lateral (
      select count(*)::int as found,
        (count(*) filter (where p.state = 'waiting'))::int as waiting, (count(*) filter (where p.state = 'made'))::int as made,
        (count(*) filter (where p.state = 'updated'))::int as updated, (count(*) filter (where p.state = 'same'))::int as same,
        (count(*) filter (where p.state = 'no_recipe'))::int as "noRecipe",
        (count(*) filter (where p.state = 'not_read'))::int as "notRead",
        (count(*) filter (where r.to_check > 0))::int as "toCheck",
        (count(*) filter (where p.undone))::int as undone, (count(*) filter (where not p.undone))::int as kept
      from recipe_import_pages p
      left join recipe_ingredients r on r.creator_id = p.creator_id and r.recipe_id = p.recipe_id and r.deleted_recipe is null
      where p.creator_id = i.creator_id and p.import_id = i.id
    ) as p
    where ${which} order by i.made_at desc, i.id desc limit ${limit}
  `.execute(trx);
  return rows;
}

function show({ clock }: Pick<Deps, 'clock'>, row: Row): RecipeImport {
  const { madeAt, finishedAt, undoBeganAt, undoneAt, undone, kept, position: _, ...shown } = row;
  const until = new Date((finishedAt ?? madeAt).getTime() + UNDO_IMPORT_DAYS * DAY_MS);
  const mayUndo = undoBeganAt === null && row.state !== 'running' && until > clock.now();
  return {
    ...shown,
    madeAt: madeAt.toISOString(),
    finishedAt: finishedAt?.toISOString() ?? null,
    undoUntil: mayUndo && row.made + row.updated > 0 ? until.toISOString() : null,
    undo: undoBeganAt && { isDone: undoneAt !== null, undone, kept },
  };
}

/** @throws AppError not_found */
export async function listUnread(
  trx: CreatorTransaction,
  { creatorId, importId }: Whose,
  { after, limit = UNREAD_PAGE_SIZE }: Page,
) {
  await lock(trx, { creatorId, importId });
  const from = Number(readPosition(after, 'text', 'number')?.at ?? -1);
  const { rows } = await sql<{ id: string; position: string; url: string; because: ReadFailure | null }>`
    select place::text as id, place::text as position, url, because from recipe_import_pages
    where creator_id = ${creatorId} and import_id = ${importId} and state = 'not_read' and place > ${from}
    order by place limit ${limit + 1}
  `.execute(trx);
  const page = pageFrom(rows, limit);
  return {
    ...page,
    items: page.items.map(({ url, because }) => ({ url, says: READ_FAILURES[because ?? 'no_answer'] })),
  };
}

/** @throws AppError not_found, not_possible_now */
export async function pause(deps: Deps, trx: CreatorTransaction, whose: Whose): Promise<RecipeImport> {
  const { state } = await lock(trx, whose);
  if (state !== 'running') throw notNow('This import isn’t running.');
  await change(trx, whose, { state: 'paused' });
  return get(deps, trx, whose);
}

/** @throws AppError not_found, not_possible_now */
export async function goOn(deps: Deps, trx: CreatorTransaction, whose: Whose): Promise<RecipeImport> {
  const { state, undo_began_at: undoing } = await lock(trx, whose);
  if ((state !== 'paused' && state !== 'failed') || undoing !== null) throw notNow('This import isn’t paused.');
  if (state === 'failed') await requireAlone(trx, whose.creatorId);
  return begin(deps, trx, whose);
}

/** @throws AppError not_found, not_possible_now */
export async function retry(deps: Deps, trx: CreatorTransaction, whose: Whose): Promise<RecipeImport> {
  const { state, undo_began_at: undoing } = await lock(trx, whose);
  if (undoing !== null) throw notNow('This import was undone.');
  if (state === 'done' || state === 'failed') await requireAlone(trx, whose.creatorId);
  const { rows } = await sql`
    update recipe_import_pages set state = 'waiting', because = null, tries = 0
    where creator_id = ${whose.creatorId} and import_id = ${whose.importId} and state = 'not_read'
    returning 1
  `.execute(trx);
  if (rows.length === 0) throw notNow('There’s nothing to try again: all pages were read.');
  return begin(deps, trx, whose);
}

async function begin(deps: Deps, trx: CreatorTransaction, whose: Whose): Promise<RecipeImport> {
  await change(trx, whose, { state: 'running', failure: null, finished_at: null });
  await later(trx, deps, IMPORT_JOB, whose);
  return get(deps, trx, whose);
}

/** @throws AppError not_found, not_possible_now */
export async function undo(deps: Deps, trx: CreatorTransaction, whose: Whose): Promise<RecipeImport> {
  await lock(trx, whose);
  const { state, undo, undoUntil } = await get(deps, trx, whose);
  if (state === 'running') throw notNow('This import is running. Pause it first.');
  if (undo !== null) throw notNow('This import was undone already.');
  if (undoUntil === null) throw notNow('There’s nothing to undo. An import can be undone for 30 days.');
  await change(trx, whose, { state: 'done', undo_began_at: deps.clock.now() });
  await later(trx, deps, IMPORT_JOB, whose);
  return get(deps, trx, whose);
}

/** @throws AppError not_found */
async function lock(trx: CreatorTransaction, { creatorId, importId }: Whose) {
  const row = await trx
    .selectFrom('recipe_imports')
    .select(['state', 'undo_began_at'])
    .where('creator_id', '=', creatorId)
    .where('id', '=', importId)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) throw missing();
  return row;
}

export async function change(
  trx: CreatorTransaction,
  { creatorId, importId }: Whose,
  to: Updateable<RecipeImportsTable>,
): Promise<void> {
  await trx
    .updateTable('recipe_imports')
    .set(to)
    .where('creator_id', '=', creatorId)
    .where('id', '=', importId)
    .execute();
}

function missing(): AppError {
  return new AppError('not_found', 'This import doesn’t exist.');
}

function notNow(detail: string): AppError {
  return new AppError('not_possible_now', detail);
}
