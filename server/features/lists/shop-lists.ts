/** Lists as shops are told of them. */
import { fraction } from '#contract/ingredients/fractions.ts';
import { currentPins, pinnedItem } from '#server/features/pins/current-pins.ts';
import { prepareShopPages, type ShopDeps } from '#server/features/shops/shop-pages.ts';
import type { ShopList } from '#server/platforms/shops/shop.ts';
import { findList, type List, type WorkedOut, workOut } from './lists.ts';

/** @param servings as the items are scaled; null: the recipe does not say */
export function shopListOf(list: List, { entries }: WorkedOut, servings: number | null, url: string): ShopList {
  return {
    ...{ kind: list.kind, id: list.id, title: list.name, pictureUrl: list.pictureUrl, author: list.creatorName },
    ...{ servings, minutes: list.minutes, pageUrl: list.pageUrl ?? url },
    items: entries.map(({ item, pin }) => pinnedItem(item, pin)),
  };
}

/** Has shops make their pages of a list that was saved, so that who taps first does not wait. @param url of the list */
export async function prepareShops(deps: ShopDeps, creatorId: string, url: string): Promise<void> {
  const list = await findList(deps.db.engine, url.slice(url.lastIndexOf('/') + 1));
  if (list === null) return;
  const pins = await currentPins(deps.db.engine, list, deps.clock.now());
  const worked = workOut(list, fraction(list.servings ?? 1), { pantry: [], pins });
  await prepareShopPages(deps, creatorId, shopListOf(list, worked, list.servings, url));
}
