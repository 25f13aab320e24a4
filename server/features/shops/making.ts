/** Has a shop make a page of a list: each one once at a time in a process, at the pace its key allows. */
import { createHash } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '#server/db/database.ts';
import { forgetShopTrouble, mailShopTrouble } from '#server/features/notices/shop-trouble.ts';
import { instacart } from '#server/platforms/shops/instacart/client.ts';
import {
  chosenItems,
  type Selection,
  type ShopContext,
  type ShopList,
  type ShopPage,
  type Trouble,
} from '#server/platforms/shops/shop.ts';
import { noteTurn, takeTurn } from './pace.ts';
import { insertWaiting, noteFailed, noteMade, type PageRow } from './queries.ts';
import { type Chosen, findChosen, noteProblem, type SettingsDeps } from './settings.ts';

export type ShopDeps = SettingsDeps & {
  db: Database;
  config: { baseUrl: string };
  log: Pick<FastifyBaseLogger, 'warn'>;
};

/** Pages of shops that make some; the others lead to each item by itself. */
export const PAGED = instacart;

const DAY_MS = 86_400_000;
const RENEWED_BEFORE_MS = 30 * DAY_MS;
const TRIED_AGAIN_MS = 6 * 3_600_000;
const TOLD_AFTER_MS = 2 * DAY_MS;

const underWay = new Map<string, Promise<PageRow | Trouble>>();

/** A list as it is kept: what is chosen, and nothing else. */
export function keptList(list: ShopList, selection: Selection): ShopList {
  return { ...list, items: chosenItems(list, selection) };
}

export function hashOf(kept: ShopList): string {
  return createHash('sha256').update(JSON.stringify(kept)).digest('base64url');
}

/** The row of a page that is to be made; nothing is asked of the shop yet. */
export function addPage(
  deps: ShopDeps,
  creatorId: string,
  kept: ShopList,
  { isUsual }: { isUsual: boolean },
): Promise<PageRow> {
  const now = deps.clock.now();
  return deps.db.withCreator(creatorId, (trx) =>
    insertWaiting(
      trx,
      {
        creator_id: creatorId,
        id: deps.ids.uuid(now),
        shop: PAGED.id,
        list_kind: kept.kind,
        list_id: kept.id,
        hash: hashOf(kept),
        list: JSON.stringify(kept),
        is_usual: isUsual,
      },
      now,
    ),
  );
}

/** Two who ask at once get what one call made. @returns the page, or why the shop made none */
export function makePage(deps: ShopDeps, row: PageRow, timeoutMs: number): Promise<PageRow | Trouble> {
  const key = `${row.creator_id} ${row.id}`;
  const running = underWay.get(key) ?? makeOnce(deps, row, timeoutMs).finally(() => underWay.delete(key));
  underWay.set(key, running);
  return running;
}

async function makeOnce(deps: ShopDeps, row: PageRow, timeoutMs: number): Promise<PageRow | Trouble> {
  const { creator_id: creatorId } = row;
  const chosen = await deps.db.withCreator(creatorId, (trx) => findChosen(deps, trx, creatorId));
  const answer = await askShop(deps, chosen, row.list as ShopList, timeoutMs);
  const now = deps.clock.now();
  if ('url' in answer && answer.url !== null && answer.expiresAt !== null) {
    const { url, expiresAt: endsAt, lines } = answer;
    const renewAt = new Date(endsAt.getTime() - RENEWED_BEFORE_MS);
    await deps.db.withCreator(creatorId, (trx) => noteMade(trx, row, { url, endsAt, lines, now, renewAt }));
    await noteWorks(deps, creatorId, chosen);
    return { ...row, state: 'ready', url, ends_at: endsAt, lines: lines as never, try_at: renewAt };
  }
  const trouble: Trouble = 'says' in answer ? answer : { kind: 'refused', says: 'The shop has no pages for lists.' };
  const failed = { now, tryAt: new Date(now.getTime() + TRIED_AGAIN_MS), isRefused: trouble.kind === 'refused' };
  const since = await deps.db.withCreator(creatorId, (trx) => noteFailed(trx, row, failed));
  const isLasting = now.getTime() - since.getTime() >= TOLD_AFTER_MS;
  if (trouble.kind === 'our_key' || isLasting) await noteTrouble(deps, creatorId, chosen, trouble);
  return trouble;
}

/** Of a list that nobody keeps too: to try a shop. */
export async function askShop(
  { clock }: Pick<ShopDeps, 'clock'>,
  { access }: Chosen,
  list: ShopList,
  timeoutMs: number,
): Promise<ShopPage | Trouble> {
  const key = access.instacart?.apiKey ?? '';
  const since = clock.now().getTime();
  const notNow = await takeTurn(clock, key, timeoutMs / 2);
  if (notNow !== null) return notNow;
  const now = clock.now();
  const context: ShopContext = { access, country: null, now, timeoutMs: timeoutMs - (now.getTime() - since) };
  const answer = await PAGED.open(list, { keys: new Set(list.items.map((item) => item.key)) }, context);
  noteTurn(clock, key, 'says' in answer ? answer : null);
  return answer;
}

/** A key of their own that is dead is theirs to renew; one of this installation the operator's. */
export async function noteTrouble(
  deps: ShopDeps,
  creatorId: string,
  { keyIs }: Chosen,
  { kind, says }: Trouble,
): Promise<void> {
  const isOperators = kind === 'our_key' && keyIs !== 'own';
  if (isOperators) deps.log.warn({ shop: PAGED.id, says }, 'the key of this installation is not accepted');
  await deps.db.engine.transaction().execute(async (trx) => {
    await noteProblem(deps, trx, creatorId, says);
    const told = { creatorId, shop: PAGED.id, name: PAGED.name, says };
    if (!isOperators) await mailShopTrouble(trx, deps, told);
  });
}

/** @param chosen as it was before the call */
export async function noteWorks(deps: ShopDeps, creatorId: string, { settings }: Chosen): Promise<void> {
  if (settings.instacart_problem === null) return;
  await deps.db.engine.transaction().execute(async (trx) => {
    await noteProblem(deps, trx, creatorId, null);
    await forgetShopTrouble(trx, creatorId, PAGED.id);
  });
}
