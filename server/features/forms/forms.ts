/** A creator's forms. The blog gets them printed. */
import { type Selectable, sql } from 'kysely';
import type * as z from 'zod/mini';
import { ADS_WORDING, type Form, type FormDesign } from '#contract/forms.ts';
import { MADE_FORMS } from '#contract/made-forms.ts';
import type { FormKind, PrintedForm } from '#contract/plugin.ts';
import type { Clock, Ids } from '#server/clock.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import type { FormsTable } from '#server/db/types.ts';
import { AppError } from '#server/errors.ts';
import { printForm } from './print-form.ts';

type Deps = { clock: Clock; ids: Ids };
type Row = Selectable<FormsTable>;
type Input = { name: string; design: FormDesign };

const KEY_CHARACTERS = 22;
const FIGURES_DAYS = 28;
const DAY_MS = 24 * 3_600_000;

/** Makes the first three where there never were any. */
export async function list(deps: Deps, trx: CreatorTransaction, creatorId: string): Promise<{ items: Form[] }> {
  await makeFirst(deps, trx, creatorId);
  return { items: (await findShown(deps, trx, creatorId)).map(show) };
}

/** @throws AppError not_found */
export async function get(deps: Deps, trx: CreatorTransaction, creatorId: string, formId: string): Promise<Form> {
  const [row] = await findShown(deps, trx, creatorId, formId);
  if (row === undefined) throw nothingHere();
  return show(row);
}

export async function create(
  deps: Deps,
  trx: CreatorTransaction,
  creatorId: string,
  input: Input & { kind: FormKind },
): Promise<Form> {
  const id = await insert(deps, trx, creatorId, input);
  return get(deps, trx, creatorId, id);
}

/** @throws AppError not_found, changed_meanwhile */
export async function change(
  deps: Deps,
  trx: CreatorTransaction,
  creatorId: string,
  formId: string,
  { name, design, version }: Input & { version: number },
): Promise<Form> {
  const { numUpdatedRows } = await trx
    .updateTable('forms')
    .set({
      name,
      design: JSON.stringify(design),
      wordings: sql`wordings || ${JSON.stringify({ [version + 1]: wordingsOf(design) })}::jsonb`,
      version: version + 1,
      updated_at: deps.clock.now(),
    })
    .where('creator_id', '=', creatorId)
    .where('id', '=', formId)
    .where('archived_at', 'is', null)
    .where('version', '=', version)
    .executeTakeFirst();
  const now = await get(deps, trx, creatorId, formId);
  if (numUpdatedRows > 0n) return now;
  throw new AppError(
    'changed_meanwhile',
    'Someone else saved this form while you were editing. Your version is still here.',
  );
}

/** @throws AppError not_found */
export async function archive({ clock }: Deps, trx: CreatorTransaction, creatorId: string, formId: string) {
  const { numUpdatedRows } = await trx
    .updateTable('forms')
    .set({ archived_at: clock.now() })
    .where('creator_id', '=', creatorId)
    .where('id', '=', formId)
    .where('archived_at', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw nothingHere();
}

/** For the blog: what is not archived. */
export async function printAll(deps: Deps, trx: CreatorTransaction, creatorId: string): Promise<PrintedForm[]> {
  await makeFirst(deps, trx, creatorId);
  const rows = await trx
    .selectFrom('forms')
    .select(['key', 'kind', 'name', 'version', 'design'])
    .where('creator_id', '=', creatorId)
    .where('archived_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map((row) => printForm({ ...row, kind: row.kind as FormKind, design: row.design as FormDesign }));
}

async function makeFirst(deps: Deps, trx: CreatorTransaction, creatorId: string): Promise<void> {
  if (await hasForms(trx, creatorId)) return;
  await sql`select pg_advisory_xact_lock(hashtextextended(${`forms ${creatorId}`}, 0))`.execute(trx);
  if (await hasForms(trx, creatorId)) return;
  for (const form of MADE_FORMS) await insert(deps, trx, creatorId, form);
}

async function hasForms(trx: CreatorTransaction, creatorId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('forms')
    .select('id')
    .where('creator_id', '=', creatorId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

async function insert(
  { clock, ids }: Deps,
  trx: CreatorTransaction,
  creatorId: string,
  { kind, name, design }: Input & { kind: FormKind },
): Promise<string> {
  const now = clock.now();
  const id = ids.uuid(now);
  await trx
    .insertInto('forms')
    .values({
      creator_id: creatorId,
      id,
      key: ids.code(KEY_CHARACTERS),
      kind,
      name,
      design: JSON.stringify(design),
      wordings: JSON.stringify({ 1: wordingsOf(design) }),
      version: 1,
      created_at: now,
      updated_at: now,
    })
    .execute();
  return id;
}

/** Pages from a cache show older versions for days: the ledger has the words that were seen there. */
function wordingsOf({ texts, ads }: FormDesign): Record<string, string> {
  return Object.fromEntries(
    texts.flatMap((one) => [
      [one.language, one.newsletter],
      ...(ads === true ? [[`${one.language} ads`, one.ads || ADS_WORDING]] : []),
    ]),
  );
}

/** What is older is in no figure of a form. */
export function figuresSince(clock: Clock): Date {
  return new Date(clock.now().getTime() - FIGURES_DAYS * DAY_MS);
}

function findShown({ clock }: Pick<Deps, 'clock'>, trx: CreatorTransaction, creatorId: string, formId?: string) {
  const since = figuresSince(clock);
  return trx
    .selectFrom('forms')
    .selectAll()
    .select((eb) =>
      eb
        .selectFrom('submissions')
        .select((one) => one.fn.countAll<number>().as('count'))
        .whereRef('submissions.creator_id', '=', 'forms.creator_id')
        .whereRef('submissions.form_id', '=', 'forms.id')
        .where('submissions.received_at', '>=', since)
        .where('submissions.is_test', '=', false)
        .as('submissions'),
    )
    .where('creator_id', '=', creatorId)
    .where('archived_at', 'is', null)
    .$if(formId !== undefined, (query) => query.where('id', '=', formId!))
    .orderBy('updated_at', 'desc')
    .orderBy('id')
    .execute();
}

function show(row: Row & { submissions: number | null }): z.infer<typeof Form> {
  return {
    id: row.id,
    key: row.key,
    kind: row.kind as FormKind,
    name: row.name,
    design: row.design as FormDesign,
    version: row.version,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    submissions: row.submissions ?? 0,
  };
}

function nothingHere(): AppError {
  return new AppError('not_found', 'This form doesn’t exist, or was archived.');
}
