/** The short links of an automation's buttons: where each leads, and what messages already sent make of a change. */
import { type AutomationInput, BUTTON_TARGETS } from '#contract/automations.ts';
import type { Clock, Ids } from '#server/clock.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import { AppError } from '#server/errors.ts';
import { requireAppLinks } from '#server/features/app-links/app-links.ts';
import { isBroken } from '#server/features/link-guard/watched-links.ts';
import { makeLink } from '#server/features/links/making.ts';
import { requirePublishedPlans } from '#server/features/meal-plans/meal-plans.ts';
import { addressKey } from '#server/features/recipes/address-key.ts';
import { listUrlOf } from '#server/features/recipes/ingredients.ts';
import { requireRecipes } from '#server/features/recipes/recipes.ts';
import * as queries from './queries.ts';

type Deps = { clock: Clock; ids: Ids; config: { baseUrl: string } };
type Buttons = AutomationInput['buttons'];

/**
 * An address, and a recipe, meal plan or app link, keep their short link as long as the automation lives, so that figures of one link
 * stay together. A typed address that becomes a recipe takes its link along, and so does a broken one that is mended: what was
 * sent before leads there too.
 *
 * @param automation.before its buttons as they were
 * @throws AppError not_found when what a button leads to is gone, invalid_input for a plan that is not published
 */
export async function linkButtons(
  deps: Deps,
  trx: CreatorTransaction,
  creatorId: string,
  automation: { id: string; before: queries.StoredButton[] },
  buttons: Buttons,
): Promise<queries.StoredButton[]> {
  const addressOf = await requireTargets(deps, trx, creatorId, buttons);
  const links = await queries.findLinks(trx, creatorId, automation.id);
  const stored: queries.StoredButton[] = [];
  for (const [place, button] of buttons.entries()) {
    const { title, recipeId, mealPlanId, appLinkId } = button;
    const part = recipeId === undefined ? undefined : button.part;
    const url = part === 'list' ? await listUrlOf(deps, trx, creatorId, recipeId!) : addressOf(button);
    const to: Target = {
      ...{ url, ...(recipeId !== undefined && { recipeId }), ...(part !== undefined && { part }) },
      ...{ ...(mealPlanId !== undefined && { mealPlanId }), ...(appLinkId !== undefined && { appLinkId }) },
    };
    await mend(trx, creatorId, { before: automation.before[place], to, links, buttons });
    const link = links.find((own) => isOf(own, to)) ?? (await adopt(trx, creatorId, { to, links }));
    const code = link?.code ?? (await makeLink(deps, trx, { creatorId, automationId: automation.id, ...to }));
    if (link === undefined) links.push({ url, code, whose: whoseOf(to) });
    stored.push({ title, ...to, code });
  }
  return stored;
}

/**
 * Holds what buttons lead to until the end of the transaction.
 *
 * @returns the address of a button's target, or the typed one
 * @throws AppError not_found, invalid_input
 */
export async function requireTargets(
  deps: Pick<Deps, 'config'>,
  trx: CreatorTransaction,
  creatorId: string,
  buttons: Buttons,
): Promise<(button: Buttons[number]) => string> {
  const torn = buttons.findIndex(
    (button) => BUTTON_TARGETS.filter((target) => button[target] !== undefined).length > 1,
  );
  if (torn !== -1) {
    const message = 'A button leads to one place: a recipe, a meal plan or an app link.';
    throw new AppError('invalid_input', message, { fields: [{ path: `buttons.${torn}.url`, message }] });
  }
  const ids = (target: (typeof BUTTON_TARGETS)[number]) => buttons.flatMap((button) => button[target] ?? []);
  const addresses = new Map<string, string>([
    ...(await requireRecipes(trx, creatorId, ids('recipeId'))),
    ...(await requirePublishedPlans(deps, trx, creatorId, ids('mealPlanId'))),
    ...(await requireAppLinks(trx, creatorId, ids('appLinkId'))),
  ]);
  return (button) => addresses.get(BUTTON_TARGETS.map((target) => button[target]).find(Boolean) ?? '') ?? button.url;
}

type Link = Awaited<ReturnType<typeof queries.findLinks>>[number];
type Target = queries.Target;

function whoseOf({ recipeId, mealPlanId, appLinkId, part }: Target): Link['whose'] {
  return {
    ...{ recipeId: recipeId ?? null, mealPlanId: mealPlanId ?? null, appLinkId: appLinkId ?? null },
    part: part ?? null,
  };
}

function isTyped(target: Target | Link['whose']): boolean {
  return BUTTON_TARGETS.every((one) => (target[one] ?? null) === null);
}

function isOf({ url, whose }: Link, to: Target): boolean {
  const wanted = whoseOf(to);
  const isSame = [...BUTTON_TARGETS, 'part' as const].every((one) => whose[one] === wanted[one]);
  return isSame && (!isTyped(to) || url === to.url);
}

/** A typed address that is broken and left: its link leads to what was put in its place. */
async function mend(
  trx: CreatorTransaction,
  creatorId: string,
  change: { before: queries.StoredButton | undefined; to: Target; links: Link[]; buttons: Buttons },
): Promise<void> {
  const { before, to, links, buttons } = change;
  if (before === undefined || !isTyped(before) || buttons.some(({ url }) => url === before.url)) return;
  if (await isBroken(trx, creatorId, before.url)) await move(trx, creatorId, links, before.code, to);
}

/** The typed address of a page that became a recipe: its link follows the recipe from now on. */
async function adopt(
  trx: CreatorTransaction,
  creatorId: string,
  { to, links }: { to: Target; links: Link[] },
): Promise<Link | undefined> {
  if (to.recipeId === undefined || to.part !== undefined) return undefined;
  const link = links.find(({ url, whose }) => isTyped(whose) && addressKey(url) === addressKey(to.url));
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
  if (link !== undefined) Object.assign(link, { url: to.url, whose: whoseOf(to) });
}
