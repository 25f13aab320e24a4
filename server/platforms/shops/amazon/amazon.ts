/** Amazon, one item after the other: the product that the creator chose, else a search. Tags are theirs, never ours. */
import { AMAZON_MARKETPLACES, type AmazonMarketplace } from '#contract/shops.ts';
import { oneByOne } from '../one-by-one.ts';
import type { Shop, ShopAccess } from '../shop.ts';

export const amazon: Shop = {
  id: 'amazon',
  name: 'Amazon',
  regions: ({ amazonTags }) => marketplacesOf(amazonTags).flatMap(regionsOf),
  needs: ({ amazonTags }) => (marketplacesOf(amazonTags).length === 0 ? 'tag' : null),
  async open(list, selection, { access, country }) {
    const marketplace = marketplaceFor(access, country);
    if (marketplace === null) return NOT_HERE;
    const tag = access.isAmazonTagLeftOut ? null : access.amazonTags[marketplace]!;
    return oneByOne(list, selection, (words, { asins }) => {
      const asin = asins?.[marketplace];
      const query = new URLSearchParams({ ...(asin === undefined && { k: words }), ...(tag !== null && { tag }) });
      return `https://www.${marketplace}/${asin === undefined ? 's' : `dp/${encodeURIComponent(asin)}`}?${query}`;
    });
  },
};

const NOT_HERE = { kind: 'not_here', says: 'There’s no Amazon tag for this country.' } as const;

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
