/** The short links of an automation's buttons: where each leads, and what messages already sent make of a change. */
import type { AutomationInput } from '#contract/automations.ts';
import type { Clock, Ids } from '#server/clock.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import { isBroken } from '#server/features/link-guard/watched-links.ts';
import { addressKey } from '#server/features/recipes/address-key.ts';
import { listUrlOf } from '#server/features/recipes/ingredients.ts';
import { requireRecipes } from '#server/features/recipes/recipes.ts';
import * as queries from './queries.ts';

type Deps = { clock: Clock; ids: Ids; config: { baseUrl: string } };

const LINK_CODE_LENGTH = 7;

/**
 * An address, and a recipe, keep their short link as long as the automation lives, so that figures of one link stay
 * together. A typed address that becomes a recipe takes its link along, and so does a broken one that is mended: what was
 * sent before leads there too.
 *
 * @param automation.before its buttons as they were
 * @throws AppError not_found when a recipe is gone
 */
export async function linkButtons(
  deps: Deps,
  trx: CreatorTransaction,
  creatorId: string,
  automation: { id: string; before: queries.StoredButton[] },
  buttons: AutomationInput['buttons'],
): Promise<queries.StoredButton[]> {
  const recipes = await requireRecipes(
    trx,
    creatorId,
    buttons.flatMap(({ recipeId }) => recipeId ?? []),
  );
  const links = await queries.findLinks(trx, creatorId, automation.id);
  const stored: queries.StoredButton[] = [];
  for (const [place, { title, url: typed, recipeId = null, part: wanted }] of buttons.entries()) {
    const part = (recipeId !== null && wanted) || null;
    const page = recipeId === null ? typed : recipes.get(recipeId)!;
    const url = part === 'list' ? await listUrlOf(deps, trx, creatorId, recipeId!) : page;
    const to = { url, recipeId, part };
    await mend(trx, creatorId, { before: automation.before[place], to, links, buttons });
    const link =
      links.find(
        (own) => own.recipe_id === recipeId && own.part === part && (recipeId !== null || own.url === to.url),
      ) ?? (await adopt(trx, creatorId, { to, links }));
    const code = link?.code ?? (await makeLink(deps, trx, creatorId, automation.id, to));
    if (link === undefined) links.push({ url: to.url, code, recipe_id: recipeId, part });
    stored.push({ title, url: to.url, code, ...(recipeId !== null && { recipeId }), ...(part !== null && { part }) });
  }
  return stored;
}

type Link = Awaited<ReturnType<typeof queries.findLinks>>[number];
type Target = queries.Target;

/** A typed address that is broken and left: its link leads to what was put in its place. */
async function mend(
  trx: CreatorTransaction,
  creatorId: string,
  change: {
    before: queries.StoredButton | undefined;
    to: Target;
    links: Link[];
    buttons: AutomationInput['buttons'];
  },
): Promise<void> {
  const { before, to, links, buttons } = change;
  if (before === undefined || before.recipeId !== undefined || buttons.some(({ url }) => url === before.url)) return;
  if (await isBroken(trx, creatorId, before.url)) await move(trx, creatorId, links, before.code, to);
}

/** The typed address of a page that became a recipe: its link follows the recipe from now on. */
async function adopt(
  trx: CreatorTransaction,
  creatorId: string,
  { to, links }: { to: Target; links: Link[] },
): Promise<Link | undefined> {
  if (to.recipeId === null || to.part !== null) return undefined;
  const link = links.find(({ url, recipe_id }) => recipe_id === null && addressKey(url) === addressKey(to.url));
  if (link !== undefined) await move(trx, creatorId, links, link.code, to);
  return link;
}

async function move(
  trx: CreatorTransaction,
  creatorId: string,
  links: Link[],
  code: string,
  to: Target,
): Promise<void> {
  await queries.moveLink(trx, creatorId, code, to);
  const link = links.find((own) => own.code === code);
  if (link !== undefined) Object.assign(link, { url: to.url, recipe_id: to.recipeId, part: to.part });
}

async function makeLink(
  deps: Deps,
  trx: CreatorTransaction,
  creatorId: string,
  automationId: string,
  to: Target,
): Promise<string> {
  const now = deps.clock.now();
  for (;;) {
    const code = deps.ids.code(LINK_CODE_LENGTH);
    if (await queries.insertLink(trx, { creatorId, id: deps.ids.uuid(now), code, automationId, ...to, now }))
      return code;
  }
}
