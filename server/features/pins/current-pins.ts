/** Which products of sponsors a list shows now. */
import { type Kysely, sql } from 'kysely';
import type { Item } from '#contract/ingredients/merging.ts';
import type { Tables } from '#server/db/types.ts';
import type { ShopItem } from '#server/platforms/shops/shop.ts';

export type Pin = {
  id: string;
  foodKeys: string[];
  product: string;
  upcs: string[];
  asins: Record<string, string>;
  brand: string;
  disclosure: string;
};

/** @param db that may read every creator's rows */
export async function currentPins(
  db: Kysely<Tables>,
  { creatorId, recipeIds }: { creatorId: string; recipeIds: readonly string[] },
  now: Date,
): Promise<Pin[]> {
  const { rows } = await sql<Pin>`
    select id, food_keys as "foodKeys", product, upcs, asins, brand, disclosure
    from sponsor_pins
    where creator_id = ${creatorId} and begins_at <= ${now} and ends_at > ${now}
      and (recipe_ids is null or recipe_ids && ${recipeIds}::uuid[])
    order by created_at, id
  `.execute(db);
  return rows;
}

/** @param key of an item, or of its food. An optional food is the same food. */
export function pinOf(key: string, pins: readonly Pin[]): Pin | null {
  const food = key.replace(/ \(optional\)$/, '');
  return pins.find(({ foodKeys }) => foodKeys.includes(food)) ?? null;
}

/** As shops are told of it: they look for the product in the food's place. */
export function pinnedItem(item: Item, pin: Pin | null): ShopItem {
  if (pin === null) return item;
  return {
    ...item,
    words: pin.product,
    asins: pin.asins,
    ...(pin.upcs.length > 0 && { upcs: pin.upcs }),
    ...(pin.brand !== '' && { brand: pin.brand }),
  };
}

/** The parts of links by which people who saw a pin, and went to a shop with it, are counted. */
export function pinParts(pinId: string) {
  return { seen: `pin ${pinId}`, went: `pin ${pinId} shop` };
}
