/**
 * Where a list opens: at the shop that was asked for, else at the next one, else nowhere but in the list itself. What was ever sent
 * works: a page that ended is made anew when somebody opens it, and before, while it is opened.
 */
import { sql } from 'kysely';
import type { AmazonChannels } from '#contract/amazon-rules.ts';
import type { LinkChannel } from '#contract/link-channels.ts';
import type { BuiltInShop } from '#contract/shops.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import { later } from '#server/db/jobs.ts';
import { amazon } from '#server/platforms/shops/amazon/amazon.ts';
import { instacart } from '#server/platforms/shops/instacart/client.ts';
import { searchShop } from '#server/platforms/shops/search/search.ts';
import {
  type Selection,
  type Shop,
  type ShopLine,
  type ShopList,
  servesCountry,
  type TroubleKind,
} from '#server/platforms/shops/shop.ts';
import { addPage, hashOf, keptList, makePage, PAGED, type ShopDeps } from './making.ts';
import { PAGE_JOB } from './page-job.ts';
import { findPage, findUsual, noteUsed, type PageRow } from './queries.ts';
import { type Chosen, findChosen, type KnownShop } from './settings.ts';

export type { ShopDeps } from './making.ts';

/** What a shopper's page says of shops, and what its list goes by. */
export type ListSettings = {
  /** Those that serve the country, in the creator's order; the first is the main one. */
  shops: OfferedShop[];
  measures: Chosen['settings']['measures'];
  country: string | null;
  /** Where the creator's shops deliver to, as far as they say. */
  countries: string[];
  /** As the creator wrote them. */
  pantry: string[];
  /** Empty: the creator wrote none. */
  disclosure: string;
};
/** `opens`: one page for all, or each item by itself. `isPaid`: the creator may earn by it. */
export type OfferedShop = { id: string; name: string; opens: 'page' | 'items'; isPaid: boolean };

export type Opened =
  | {
      kind: 'page';
      /** Another one than was asked for where that had trouble. */
      shop: OfferedShop;
      /** Null: item by item, at the addresses of the lines. */
      url: string | null;
      lines: ShopLine[];
      /** The selection could not be opened: this is what starts ticked. */
      isUsual: boolean;
    }
  /** No shop works now. */
  | { kind: 'list'; because: TroubleKind | 'nothing_chosen' }
  /** The creator never had this shop. */
  | { kind: 'unknown' };

const TAP_MS = 4_000;
const DAY_MS = 86_400_000;

/**
 * @param country of the shopper: `countryOf`
 * @param channel where the list was opened: the creator's rule for Amazon there holds
 */
export async function listSettings(
  deps: ShopDeps,
  creatorId: string,
  country: string | null | undefined,
  channel: LinkChannel,
): Promise<ListSettings> {
  const chosen = await chosenIn(deps, creatorId, channel);
  const { measures, pantry, disclosure, country: fallback } = chosen.settings;
  return {
    shops: openAt(chosen, country ?? fallback).map((shop) => offered(shop, chosen)),
    measures,
    country: fallback,
    countries: [...new Set(openAt(chosen, null).flatMap((shop) => shop.regions(chosen.access) ?? []))],
    pantry: pantry as string[],
    disclosure,
  };
}

/**
 * @param list with its items scaled as the shopper wants them
 * @param context.channel where the list was opened
 * @param context.mayAsk whether shops are called: not for robots and previewers, nor for too many selections of one network
 */
export async function shopPageFor(
  deps: ShopDeps,
  creatorId: string,
  list: ShopList,
  shopId: string,
  selection: Selection,
  { country, channel, mayAsk }: { country: string | null; channel: LinkChannel; mayAsk: boolean },
): Promise<Opened> {
  const chosen = await chosenIn(deps, creatorId, channel);
  const asked = chosen.shops.map(shopOf).find(({ id }) => id === shopId);
  if (asked === undefined) return { kind: 'unknown' };
  const kept = keptList(list, selection);
  if (kept.items.length === 0) return { kind: 'list', because: 'nothing_chosen' };
  const open = openAt(chosen, country);
  let because: TroubleKind = 'not_here';
  for (const shop of [...open.filter(({ id }) => id === shopId), ...open.filter(({ id }) => id !== shopId)]) {
    const opened = await openWith(deps, creatorId, { shop, chosen, kept, country, mayAsk });
    if (opened.kind === 'page') return { ...opened, shop: offered(shop, chosen) };
    if (shop.id === shopId) because = opened.kind;
  }
  return { kind: 'list', because };
}

/**
 * Has shops make their pages of a list as it starts, in the background: when it becomes ready, or changes.
 *
 * @param list with its items as they are for the recipe's own servings
 */
export async function prepareShopPages(deps: ShopDeps, creatorId: string, list: ShopList): Promise<void> {
  const chosen = await deps.db.withCreator(creatorId, (trx) => findChosen(deps, trx, creatorId));
  const kept = keptList(list, { keys: null });
  if (!openAt(chosen, null).includes(PAGED) || kept.items.length === 0) return;
  const { id: pageId, state } = await addPage(deps, creatorId, kept, { isUsual: true });
  // One that was refused is tried again: the shop may have been at fault.
  if (state !== 'ready') await later(deps.db.engine, deps, PAGE_JOB, { creatorId, pageId });
}

/** Of a recipe's list and those of plans with it: none is renewed, nor opened in the place of another. */
export async function retirePages(trx: CreatorTransaction, creatorId: string, recipeId: string): Promise<void> {
  await sql`
    update shop_pages set is_usual = false, used_at = 'epoch' where creator_id = ${creatorId} and (list_id = ${recipeId} or list_id in (
      select id from meal_plans where creator_id = ${creatorId} and meals @> ${JSON.stringify([{ recipeId }])}::jsonb))
  `.execute(trx);
}

const BUILT_IN: Record<BuiltInShop, Shop> = { instacart, amazon };

export function shopOf(shop: KnownShop): Shop {
  if (shop.kind === 'search') return searchShop({ ...shop, id: shop.id! });
  return BUILT_IN[shop.kind];
}

async function chosenIn(deps: ShopDeps, creatorId: string, channel: LinkChannel): Promise<Chosen> {
  const chosen = await deps.db.withCreator(creatorId, (trx) => findChosen(deps, trx, creatorId));
  const rule = (chosen.settings.amazon_channels as AmazonChannels | null)?.[channel] ?? 'with_tag';
  const shops = chosen.shops.map((shop) =>
    shop.kind === 'amazon' && rule === 'not_at_all' ? { ...shop, on: false } : shop,
  );
  return { ...chosen, shops, access: { ...chosen.access, isAmazonTagLeftOut: rule === 'without_tag' } };
}

function openAt({ shops, access }: Chosen, country: string | null): Shop[] {
  return shops
    .filter(({ on }) => on)
    .map(shopOf)
    .filter((shop) => shop.needs(access) === null && servesCountry(shop, access, country));
}

function offered(shop: Shop, { access }: Chosen): OfferedShop {
  const isTagged = shop === amazon && !access.isAmazonTagLeftOut;
  const isPaid = isTagged || (shop === instacart && access.instacart?.partnerId !== null);
  return { id: shop.id, name: shop.name, opens: shop === PAGED ? 'page' : 'items', isPaid };
}

type Opening = { shop: Shop; chosen: Chosen; kept: ShopList; country: string | null; mayAsk: boolean };
type Found = Omit<Extract<Opened, { kind: 'page' }>, 'shop'> | { kind: TroubleKind };

async function openWith(
  deps: ShopDeps,
  creatorId: string,
  { shop, chosen, kept, country, mayAsk }: Opening,
): Promise<Found> {
  if (shop === PAGED) return openPage(deps, creatorId, chosen, kept, mayAsk);
  const all = { keys: new Set(kept.items.map(({ key }) => key)) };
  const context = { access: chosen.access, country, now: deps.clock.now(), timeoutMs: TAP_MS };
  const answer = await shop.open(kept, all, context);
  return answer.kind === 'page' ? { ...answer, isUsual: false } : answer;
}

async function openPage(
  deps: ShopDeps,
  creatorId: string,
  chosen: Chosen,
  kept: ShopList,
  mayAsk: boolean,
): Promise<Found> {
  const inCreator = <T>(work: Parameters<typeof deps.db.withCreator<T>>[1]) => deps.db.withCreator(creatorId, work);
  const now = deps.clock.now();
  const pageOf = (row: PageRow, isUsual: boolean): Found => ({
    kind: 'page',
    url: PAGED.leadTo!(row.url!, chosen.access),
    lines: row.lines as ShopLine[],
    isUsual,
  });
  const known = await inCreator((trx) => findPage(trx, creatorId, PAGED.id, hashOf(kept)));
  if (known !== undefined && isAlive(known, new Date(now.getTime() + DAY_MS))) {
    await inCreator((trx) => noteUsed(trx, known, now));
    return pageOf(known, false);
  }
  let trouble: TroubleKind = 'try_later';
  if (mayAsk) {
    const made = await makePage(deps, known ?? (await addPage(deps, creatorId, kept, { isUsual: false })), TAP_MS);
    if ('id' in made) {
      await inCreator((trx) => noteUsed(trx, made, now));
      return pageOf(made, false);
    }
    trouble = made.kind;
  }
  if (known !== undefined && isAlive(known, now)) return pageOf(known, false);
  const usual = await inCreator((trx) => findUsual(trx, creatorId, PAGED.id, kept.id));
  return usual !== undefined && isAlive(usual, now) ? pageOf(usual, true) : { kind: trouble };
}

function isAlive({ state, ends_at: endsAt }: PageRow, at: Date): boolean {
  return state === 'ready' && endsAt !== null && endsAt > at;
}
