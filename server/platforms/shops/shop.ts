/** Where a list can be bought, one interface for all: Instacart, Amazon, and any shop by its search address. */
import type { Item } from '#contract/ingredients/merging.ts';

/** A list as shops are told of it: of one recipe, or of several. */
export type ShopList = {
  kind: 'recipe' | 'plan';
  /** Of the recipe or plan; shops get it as their reference, and show it to nobody. */
  id: string;
  title: string;
  pictureUrl: string | null;
  /** The creator's name. */
  author: string | null;
  /** As the items are scaled; null: the recipe does not say. */
  servings: number | null;
  /** Of cooking, in all. */
  minutes: number | null;
  /** The blog's page, or the list's own: where "back" leads. */
  pageUrl: string | null;
  items: readonly ShopItem[];
};

/** `asins` by marketplace, `brand` and `upcs`: a product the creator chose; `words`: what it is looked for by, in place of the food. */
export type ShopItem = Item & {
  words?: string;
  upcs?: readonly string[];
  brand?: string;
  asins?: Readonly<Record<string, string>>;
};

/** What a shopper ticked, as keys of items; null: what starts ticked. */
export type Selection = { keys: ReadonlySet<string> | null };

/** What a creator set for shops, with its keys opened. */
export type ShopAccess = {
  instacart: { url: string; apiKey: string; partnerId: string | null } | null;
  /** By marketplace: "amazon.com". */
  amazonTags: Readonly<Record<string, string>>;
  /** By the creator's rule for where the list was opened. */
  isAmazonTagLeftOut?: boolean;
};

export type ShopContext = {
  access: ShopAccess;
  /** ISO 3166, two capital letters; null: nobody knows. */
  country: string | null;
  now: Date;
  /** For the whole call. */
  timeoutMs: number;
};

/** Why an item is not at the shop: it names no food, or the shop took the list without it. */
export type LeftOut = 'no_food' | 'not_taken';
export type ShopLine =
  | { key: string; state: 'sent' /** Its own page, in shops where items are bought one by one. */; url: string | null }
  | { key: string; state: 'left_out'; why: LeftOut };

/** `lines`: one for each item of the selection, in the list's order. */
export type ShopPage = {
  kind: 'page';
  /** Null: bought one by one, at the addresses of the lines. */
  url: string | null;
  /** Null: it never ends. */
  expiresAt: Date | null;
  lines: ShopLine[];
};

/**
 * - `try_later`: the shop is busy or away.
 * - `refused`: it does not take this list.
 * - `our_key`: it does not take our key.
 * - `not_here`: it does not serve this country.
 */
export type TroubleKind = 'try_later' | 'refused' | 'our_key' | 'not_here';
/** `says`: for the creator, in words. */
export type Trouble = { kind: TroubleKind; says: string /** It asks for a pause: 429. */; isBusy?: true };

/** What a shop waits for before it can be turned on. */
export type ShopNeed = 'key' | 'tag';

export type Shop = {
  id: string;
  name: string;
  /** Countries it delivers to; null: not said. */
  regions(access: ShopAccess): readonly string[] | null;
  needs(access: ShopAccess): ShopNeed | null;
  /** Never throws for what the shop does. */
  open(list: ShopList, selection: Selection, context: ShopContext): Promise<ShopPage | Trouble>;
  /** What an address kept earlier leads to now, with the creator's partner program. */
  leadTo?(url: string, access: ShopAccess): string;
};

/** The items of a selection, in the list's order. */
export function chosenItems(list: ShopList, { keys }: Selection): ShopItem[] {
  return list.items.filter((item) => (keys === null ? item.starts === 'ticked' : keys.has(item.key)));
}

/** A country that nobody knows is served everywhere: whether the shop delivers, it says itself. */
export function servesCountry(shop: Shop, access: ShopAccess, country: string | null): boolean {
  const regions = shop.regions(access);
  return regions === null || country === null || regions.includes(country);
}
