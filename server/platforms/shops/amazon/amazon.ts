/** Amazon, one item after the other: the product that the creator chose, else a search; or all products at once in a cart. Tags are theirs, never ours. */
import { AMAZON_MARKETPLACES, type AmazonMarketplace } from '#contract/shops.ts';
import { oneByOne } from '../one-by-one.ts';
import { chosenItems, type Shop, type ShopAccess } from '../shop.ts';

export const amazon: Shop = {
  id: 'amazon',
  name: 'Amazon',
  regions: ({ amazonTags }) => marketplacesOf(amazonTags).flatMap(regionsOf),
  needs: ({ amazonTags }) => (marketplacesOf(amazonTags).length === 0 ? 'tag' : null),
  async open(list, selection, { access, country }) {
    const marketplace = marketplaceFor(access, country);
    if (marketplace === null) return NOT_HERE;
    const tag = access.amazonTags[marketplace]!;
    return oneByOne(list, selection, (words, { asins }) => {
      const asin = asins?.[marketplace];
      const query = new URLSearchParams({ ...(asin === undefined && { k: words }), tag });
      return `https://www.${marketplace}/${asin === undefined ? 's' : `dp/${encodeURIComponent(asin)}`}?${query}`;
    });
  },
};

const MOST_IN_CART = 50;
const NOT_HERE = { kind: 'not_here', says: 'There’s no Amazon tag for this country.' } as const;

/** It now asks shoppers to sign in, and carts were seen to stay empty [C 2026-08/09]: off unless the creator turns it on. */
export const amazonCart: Shop = {
  id: 'amazon_cart',
  name: 'Amazon cart',
  regions: amazon.regions,
  needs: amazon.needs,
  async open(list, selection, { access, country }) {
    const marketplace = marketplaceFor(access, country);
    if (marketplace === null) return NOT_HERE;
    const chosen = chosenItems(list, selection);
    const asins = [...new Set(chosen.flatMap(({ asins: known }) => known?.[marketplace] ?? []))].slice(0, MOST_IN_CART);
    if (asins.length === 0) return { kind: 'refused', says: `Nothing on this list has a product at ${marketplace}.` };
    return {
      kind: 'page',
      url: cartAddress(marketplace, asins, access.amazonTags[marketplace]!),
      expiresAt: null,
      lines: chosen.map(({ key, asins: known }) =>
        asins.includes(known?.[marketplace] ?? '')
          ? { key, state: 'sent', url: null }
          : { key, state: 'left_out', why: 'not_taken' },
      ),
    };
  },
};

/** Adds one of each product to the shopper's cart [C 2026-08]. @param asins at most 50 */
export function cartAddress(marketplace: AmazonMarketplace, asins: readonly string[], tag: string): string {
  const query = new URLSearchParams({ AssociateTag: tag });
  for (const [at, asin] of asins.entries()) {
    query.set(`ASIN.${at + 1}`, asin);
    query.set(`Quantity.${at + 1}`, '1');
  }
  return `https://www.${marketplace}/gp/aws/cart/add.html?${query}`;
}

/** The shopper's own; where nobody knows their country, the first with a tag. */
function marketplaceFor({ amazonTags }: ShopAccess, country: string | null): AmazonMarketplace | null {
  const tagged = marketplacesOf(amazonTags);
  const here = tagged.find((one) => regionsOf(one).includes(country ?? ''));
  return here ?? (country === null ? (tagged[0] ?? null) : null);
}

function marketplacesOf(tags: ShopAccess['amazonTags']): AmazonMarketplace[] {
  return (Object.keys(AMAZON_MARKETPLACES) as AmazonMarketplace[]).filter((one) => Boolean(tags[one]));
}

function regionsOf(marketplace: AmazonMarketplace): readonly string[] {
  return AMAZON_MARKETPLACES[marketplace];
}
