/** Any shop of any country, by the address of its search, which the creator entered. */
import { wordsInAddress } from '#contract/shops.ts';
import { oneByOne } from '../one-by-one.ts';
import type { Shop } from '../shop.ts';

/** @param shop `address` as `SearchAddress` accepts it */
export function searchShop({
  id,
  name,
  address,
  countries,
}: {
  id: string;
  name: string;
  address: string;
  countries: readonly string[];
}): Shop {
  return {
    id,
    name,
    regions: () => (countries.length === 0 ? null : countries),
    needs: () => null,
    open: async (list, selection) => oneByOne(list, selection, (words) => new URL(wordsInAddress(address, words)).href),
  };
}
