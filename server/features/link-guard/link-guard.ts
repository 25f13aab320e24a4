/** Link guard as the creator sees it: what was found, looking again, and what an automation does meanwhile. */
import { type LinkCheck, type LinkPlan, MOST_APP_LINKS_NAMED } from '#contract/link-guard.ts';
import type { Clock } from '#server/clock.ts';
import type { Config } from '#server/config.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import { settleHolds } from '#server/engine/outcomes/settle-holds.ts';
import { AppError } from '#server/errors.ts';
import { pageFrom, readPosition } from '#server/http/page-position.ts';
import * as queries from './queries.ts';
import { watchedAddress } from './watched-links.ts';

type Deps = { clock: Clock; config: Pick<Config, 'linkGuard'> };

const PAGE_SIZE = 100;

export async function list(
  { config }: Pick<Deps, 'config'>,
  trx: CreatorTransaction,
  creatorId: string,
  query: { after?: string | undefined; limit?: number | undefined },
) {
  const limit = query.limit ?? PAGE_SIZE;
  const page = { after: readPosition(query.after, 'uuid', 'name'), limit: limit + 1 };
  const { items: rows, next } = pageFrom(await queries.findChecks(trx, creatorId, page), limit);
  const ids = rows.map(({ id }) => id);
  const uses = Map.groupBy(await queries.findUses(trx, creatorId, ids), ({ linkId }) => linkId);
  const appLinks = Map.groupBy(await queries.findAppLinks(trx, creatorId, ids), ({ linkId }) => linkId);
  const recipes = new Map(
    (await queries.findRecipes(trx, creatorId, ids)).map(({ id, name, url }) => [watchedAddress(url), { id, name }]),
  );
  const items: LinkCheck[] = rows.map((row) => ({
    id: row.id,
    url: row.url,
    recipe: recipes.get(row.url) ?? null,
    appLinks: (appLinks.get(row.id) ?? []).slice(0, MOST_APP_LINKS_NAMED).map(({ id, name }) => ({ id, name })),
    state: row.state,
    problem: row.problem,
    checkedAt: row.checked_at?.toISOString() ?? null,
    nextCheckAt: row.next_check_at.toISOString(),
    brokenSince: row.broken_since?.toISOString() ?? null,
    usedBy: (uses.get(row.id) ?? []).map(({ linkId, ...use }) => use),
  }));
  return { checking: config.linkGuard, items, next };
}

/** @throws AppError not_found, not_possible_now */
export async function lookAgain(
  { clock, config }: Deps,
  trx: CreatorTransaction,
  creatorId: string,
  id: string,
): Promise<{ message: string }> {
  if (!(await queries.lookAgain(trx, creatorId, id, clock.now()))) {
    throw new AppError('not_found', 'Nothing that’s on uses this link anymore.');
  }
  if (!config.linkGuard) {
    throw new AppError('not_possible_now', 'Link checks are turned off on this installation (LINK_GUARD is off).');
  }
  return { message: 'Checking the link now.' };
}

/** @throws AppError not_found */
export async function getPlan(trx: CreatorTransaction, creatorId: string, automationId: string): Promise<LinkPlan> {
  const plan = await queries.findPlan(trx, creatorId, automationId);
  if (plan === undefined) throw new AppError('not_found', 'This automation doesn’t exist, or was deleted.');
  return plan;
}

/**
 * Counts at once, for what waits too.
 *
 * @returns besides the plan, connections whose messages wait no longer
 * @throws AppError invalid_input, not_found
 */
export async function changePlan(
  { clock }: Deps,
  trx: CreatorTransaction,
  creatorId: string,
  automationId: string,
  { whenBroken, insteadUrl }: LinkPlan,
): Promise<{ plan: LinkPlan; freed: string[] }> {
  if (whenBroken === 'swap' && insteadUrl === null) {
    const message = 'Enter the link to send instead.';
    throw new AppError('invalid_input', message, { fields: [{ path: 'insteadUrl', message }] });
  }
  const plan = { whenBroken, insteadUrl };
  if (!(await queries.savePlan(trx, creatorId, automationId, plan))) {
    throw new AppError('not_found', 'This automation doesn’t exist, or was deleted.');
  }
  return { plan, freed: await settleHolds(trx, creatorId, clock.now()) };
}
