/** Texts of sponsor pins. */
import type { SponsorPin } from '#contract/sponsor-pins.ts';

export const SPONSORS = {
  title: 'Sponsors',
  says: 'Show a sponsor’s product on your lists, for some days and marked as an ad. It starts and ends by itself.',
  loading: 'Loading your sponsors',
  failed: 'Couldn’t load your sponsors',
  none: 'No sponsors yet. Pin a product to a food, and the sponsor sees how many people it reached.',
  add: 'Add a sponsor',
  edit: (product: string) => `Edit ${product}`,
  editShort: 'Edit',
  full: 'You have 200 sponsors, the limit. Delete one you no longer need.',
  figures: (seen: string, went: string) => `${seen} saw it · ${went} went to a shop`,
  proof: 'Copy report link',
  proofEnded: 'The report has ended.',
  endProof: 'End report',
  endQuestion: 'End the sponsor’s report?',
  endSays: 'Its link stops working for good. The product stays on your lists.',
  keepProof: 'Keep it',
};

export const STATES: Record<SponsorPin['state'], { label: string; tone: 'neutral' | 'accent' | 'info' }> = {
  to_come: { label: 'Starts later', tone: 'info' },
  running: { label: 'On now', tone: 'accent' },
  over: { label: 'Over', tone: 'neutral' },
};

export const PIN = {
  newTitle: 'New sponsor',
  title: 'Sponsor',
  says: 'Your lists show the product in place of the food’s usual search.',
  product: 'Product',
  productHint: 'As shoppers should read it, like Barilla Spaghetti No. 5.',
  foods: 'Foods',
  foodsHint: 'As your recipes call them, like spaghetti. Press Enter after each.',
  recipes: 'Recipes',
  allRecipes: 'On the list of every recipe that has the food.',
  choose: 'Choose a recipe',
  onlyThese: 'On these lists only:',
  removeRecipe: (name: string) => `Remove ${name}`,
  from: 'First day',
  to: 'Last day',
  timeZone: 'Time zone',
  disclosure: 'Marked with',
  disclosureHint: 'Always shown beside the product. Use the word your rules ask for.',
  brand: 'Brand at Instacart',
  brandHint: 'Instacart shows this brand first.',
  upcs: 'UPCs for Instacart',
  upcsHint: '8 to 14 digits under the barcode. Press Enter after each.',
  asins: 'At Amazon',
  marketplace: 'Amazon',
  asin: 'ASIN',
  asinHint: 'Like B000EXAMPL',
  addAsin: 'Add an ASIN',
  removeAsin: (marketplace: string) => `Remove the ASIN of ${marketplace}`,
  save: 'Save sponsor',
  deleted: 'Sponsor deleted',
};

/** "Mar 2 to Mar 9, 2026" */
export function daysInWords({ from, to }: Pick<SponsorPin, 'from' | 'to'>): string {
  const [first, last] = [from, to].map((day) => new Date(`${day}T00:00:00Z`));
  const format = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', dateStyle: 'medium' });
  return from === to ? format.format(first) : format.formatRange(first!, last!);
}
