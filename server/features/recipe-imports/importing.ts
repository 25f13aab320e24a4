/**
 * The work of an import: its pages are found and kept, then each is read and saved with the note that it was, in one transaction. So
 * it can end at any moment, and goes on where it was: a page that was saved is not read again, one that was not is not there.
 */
import { sql } from 'kysely';
import { MOST_IMPORTED_RECIPES } from '#contract/recipe-imports.ts';
import type { ReadFailure, Reading } from '#contract/recipe-reading.ts';
import { WebLink } from '#contract/shapes.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import { later, type QueuedJob } from '#server/db/jobs.ts';
import { AppError } from '#server/errors.ts';
import { addressKey, recipesAt } from '#server/features/recipes/address-key.ts';
import { read } from '#server/features/recipes/reading/read-recipe.ts';
import { create } from '#server/features/recipes/recipes.ts';
import { applyReading } from '#server/features/recipes/syncing.ts';
import { withinQuotas } from '#server/http/quotas.ts';
import { findPages } from './finding.ts';
import { IMPORT_JOB, type RecipeImportDeps, type Whose } from './import-job.ts';
import { change } from './imports.ts';
import { undoSome } from './undoing.ts';

type PageRow = { place: number; url: string; tries: number };
type Became = {
  state: 'made' | 'updated' | 'same' | 'no_recipe' | 'not_read';
  because?: ReadFailure;
  recipeId?: string;
};

/** A page that ends the program each time is left out. */
const MOST_TRIES = 8;

/** One page at a time; each queues the next. */
export const importRecipes: QueuedJob<RecipeImportDeps, Whose> = { ...IMPORT_JOB, atOnce: 4, run: goOn };

async function goOn(deps: RecipeImportDeps, whose: Whose): Promise<void> {
  const row = await deps.db.engine
    .selectFrom('recipe_imports')
    .select(['state', 'way', 'site', 'undo_began_at', 'undone_at'])
    .where('creator_id', '=', whose.creatorId)
    .where('id', '=', whose.importId)
    .executeTakeFirst();
  if (row === undefined) return;
  if (row.undo_began_at !== null && row.undone_at === null) await undoSome(deps, whose);
  else if (row.state !== 'running') return;
  else if (row.way === null) await find(deps, whose, row.site);
  else await readNext(deps, whose);
  deps.live.publish(whose.creatorId, { what: 'imports' });
}

async function find(deps: RecipeImportDeps, whose: Whose, site: string): Promise<void> {
  const { creatorId, importId } = whose;
  const { way, urls } = await findPages({ ...deps, inBackground: true }, creatorId, site);
  const failure =
    'We found no recipes there. Check the address, or connect the blog with our plugin: it gets in where we don’t.';
  await deps.db.withCreator(creatorId, async (trx) => {
    if (!(await isRunning(trx, whose))) return;
    if (urls.length === 0) return change(trx, whose, { state: 'failed', failure });
    await sql`
      insert into recipe_import_pages (creator_id, import_id, place, url, found_at)
      select ${creatorId}, ${importId}, place, url, ${deps.clock.now()}
      from unnest(${urls}::text[]) with ordinality as found (url, place)
    `.execute(trx);
    await change(trx, whose, { way });
    await later(trx, deps, IMPORT_JOB, whose);
  });
}

async function readNext(deps: RecipeImportDeps, whose: Whose): Promise<void> {
  const { creatorId } = whose;
  const page = await takeNext(deps, whose);
  if (page === undefined) return finish(deps, whose);
  const inCreator = <T>(work: (trx: CreatorTransaction) => Promise<T>) => deps.db.withCreator(creatorId, work);
  const isHopeless = page.tries > MOST_TRIES;
  const answer = isHopeless
    ? null
    : await read({ ...deps, inBackground: true }, { creatorId, inCreator }, { url: page.url });
  try {
    await inCreator((trx) =>
      withinQuotas(
        trx,
        { creatorId, userId: '', now: deps.clock.now() },
        ['recipes', 'ingredient_bytes', 'saved_bytes'],
        async () => {
          // Paused meanwhile: it is read again when the import goes on.
          if (!(await isRunning(trx, whose))) return;
          const became: Became =
            answer === null
              ? { state: 'not_read', because: 'no_answer' }
              : answer.kind === 'read'
                ? await save(deps, trx, creatorId, page.url, answer.reading)
                : { state: answer.because === 'nothing' ? 'no_recipe' : 'not_read', because: answer.because };
          await note(trx, whose, page, became);
          await later(trx, deps, IMPORT_JOB, whose);
        },
      ),
    );
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'quota_reached') throw error;
    await inCreator((trx) => change(trx, whose, { state: 'failed', failure: error.message }));
  }
}

/** The next page that waits, with one more try counted. */
async function takeNext({ db }: RecipeImportDeps, { creatorId, importId }: Whose): Promise<PageRow | undefined> {
  const { rows } = await sql<PageRow>`
    update recipe_import_pages set tries = tries + 1
    where creator_id = ${creatorId} and import_id = ${importId} and place = (
      select place from recipe_import_pages
      where creator_id = ${creatorId} and import_id = ${importId} and state = 'waiting' order by place limit 1
    ) and (
      select count(*) from recipe_import_pages
      where creator_id = ${creatorId} and import_id = ${importId} and state in ('made', 'updated', 'same')
    ) < ${MOST_IMPORTED_RECIPES}
    returning place, url, tries
  `.execute(db.engine);
  return rows[0];
}

async function save(
  deps: RecipeImportDeps,
  trx: CreatorTransaction,
  creatorId: string,
  pageUrl: string,
  reading: Reading,
): Promise<Became> {
  const url = WebLink.safeParse(reading.url ?? pageUrl);
  if (!url.success) return { state: 'not_read', because: 'bad_address' };
  const known = await findByAddress(trx, creatorId, [pageUrl, url.data]);
  if (known !== undefined) {
    const summary = await applyReading(deps, trx, creatorId, known, reading, 'import');
    return { state: summary === null ? 'same' : 'updated', recipeId: known };
  }
  const picture = WebLink.safeParse(reading.pictureUrl);
  const { id: recipeId } = await create(deps, trx, creatorId, {
    ...{ name: reading.name ?? 'Recipe', url: url.data, keywordIdeas: [], messageText: '' },
    pictureUrl: picture.success ? picture.data : null,
  });
  await applyReading(deps, trx, creatorId, recipeId, reading, 'import');
  return { state: 'made', recipeId };
}

async function findByAddress(trx: CreatorTransaction, creatorId: string, urls: string[]): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from recipes
    where creator_id = ${creatorId} and id = any(${recipesAt(creatorId, urls.map(addressKey))})
    limit 1
  `.execute(trx);
  return rows[0]?.id;
}

async function note(
  trx: CreatorTransaction,
  { creatorId, importId }: Whose,
  { place }: PageRow,
  { state, because, recipeId }: Became,
): Promise<void> {
  await sql`
    update recipe_import_pages set state = ${state}, because = ${because ?? null}, recipe_id = ${recipeId ?? null}, version = (
      select version from recipe_ingredients where creator_id = ${creatorId} and recipe_id = ${recipeId ?? null}
    )
    where creator_id = ${creatorId} and import_id = ${importId} and place = ${place}
  `.execute(trx);
}

async function finish({ db, clock }: RecipeImportDeps, whose: Whose): Promise<void> {
  await db.withCreator(whose.creatorId, async (trx) => {
    if (await isRunning(trx, whose)) await change(trx, whose, { state: 'done', finished_at: clock.now() });
  });
}

/** Holds it, so that nobody pauses or undoes it meanwhile. */
async function isRunning(trx: CreatorTransaction, { creatorId, importId }: Whose): Promise<boolean> {
  const { rows } = await sql`
    select from recipe_imports where creator_id = ${creatorId} and id = ${importId} and state = 'running' for update
  `.execute(trx);
  return rows.length > 0;
}
