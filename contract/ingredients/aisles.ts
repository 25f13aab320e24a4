/** Aisles of a shop, in the order in which one walks through it. */
export const AISLES = {
  produce: 'Fruit & vegetables',
  herbs: 'Fresh herbs',
  bakery: 'Bakery',
  meat: 'Meat',
  fish: 'Fish',
  dairy: 'Dairy & eggs',
  baking: 'Baking',
  nuts: 'Nuts, seeds & spreads',
  pasta: 'Pasta, rice & grains',
  canned: 'Cans & jars',
  sauces: 'Oils & sauces',
  spices: 'Spices',
  drinks: 'Drinks',
  frozen: 'Frozen',
  other: 'Other',
} as const;

/** Groups of what stands in one aisle, in the shop's order. */
export function byAisle<T extends { item: { aisle: string } }>(
  entries: readonly T[],
  names: Readonly<Record<keyof typeof AISLES, string>> = AISLES,
): { name: string; entries: T[] }[] {
  const groups = Map.groupBy(entries, ({ item }) => (item.aisle in AISLES ? item.aisle : 'other'));
  return Object.entries(names).flatMap(([aisle, name]) => {
    const found = groups.get(aisle);
    return found === undefined ? [] : [{ name, entries: found }];
  });
}
