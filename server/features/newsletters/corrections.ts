/** What was wrong in a recipe, told to whoever saved it. They asked for that recipe: it is no newsletter. */
import type { EmailBlock, EmailDesign } from '#contract/email-templates.ts';
import type { ResponseOf } from '#contract/endpoint.ts';
import type { Broadcast, readSavers } from '#contract/newsletters.ts';
import type { Clock, Ids } from '#server/clock.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import { AppError } from '#server/errors.ts';
import { findLiveDesign } from '#server/features/email-templates/live-templates.ts';
import { savedKey } from '#server/features/recipes/address-key.ts';
import { countAudience } from './audience.ts';
import { mayCorrectAt, show } from './broadcasts.ts';

type Deps = { clock: Clock; ids: Ids };
type Recipe = { creatorId: string; recipeId: string };

/** @throws AppError not_found */
export async function countSavers(
  { clock }: Pick<Deps, 'clock'>,
  trx: CreatorTransaction,
  recipe: Recipe,
): Promise<ResponseOf<typeof readSavers>> {
  const { creatorId } = recipe;
  const pageKey = savedKey((await findRecipe(trx, recipe)).url);
  const { count } = await countAudience(trx, { creatorId, kind: 'correction', segment: null, pageKey }, clock.now());
  const nextAt = await mayCorrectAt(trx, { creatorId, pageKey }, clock.now());
  return { count, nextAt: nextAt?.toISOString() ?? null };
}

/**
 * A draft in the words of the live template, with what was wrong.
 *
 * @throws AppError not_found
 */
export async function create(
  { clock, ids }: Deps,
  trx: CreatorTransaction,
  recipe: Recipe,
  text: string,
  by: { name: string },
): Promise<Broadcast> {
  const { creatorId, recipeId } = recipe;
  const now = clock.now();
  const pageKey = savedKey((await findRecipe(trx, recipe)).url);
  const design = withText(await findLiveDesign(trx, creatorId, 'correction'), text);
  const row = await trx
    .insertInto('broadcasts')
    .values({
      ...{ creator_id: creatorId, id: ids.uuid(now), kind: 'correction', design: JSON.stringify(design) },
      ...{ recipe_id: recipeId, page_key: pageKey, changed_by: by.name, changed_at: now },
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return show(row);
}

async function findRecipe(trx: CreatorTransaction, { creatorId, recipeId }: Recipe): Promise<{ url: string }> {
  const row = await trx
    .selectFrom('recipes')
    .select('url')
    .where('creator_id', '=', creatorId)
    .where('id', '=', recipeId)
    .executeTakeFirst();
  if (row === undefined) throw new AppError('not_found', 'This recipe doesn’t exist, or was deleted.');
  return row;
}

/** After the first text. */
function withText(design: EmailDesign, text: string): EmailDesign {
  const at = design.blocks.findIndex(({ kind }) => kind === 'text') + 1;
  const lines = text.split('\n').map((line) => [{ text: line, bold: true, italic: false, link: null }]);
  const told: EmailBlock = {
    ...{ id: 'what-was-wrong', hideWhen: null, kind: 'text' },
    parts: [{ kind: 'paragraph', lines: lines.slice(0, 100) }],
  };
  return { ...design, blocks: design.blocks.toSpliced(at, 0, told) };
}
