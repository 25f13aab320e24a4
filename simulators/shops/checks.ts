/** What Instacart refuses, ignores or takes back in a list, as its documentation says. */
import type { Ledger } from './types.ts';

export const LISTED = new Set(
  [
    'cup cups c',
    'gallon gallons gal gals milliliter milliliters millilitre millilitres ml mls liter liters litre litres l',
    'pint pints pt pts quart quarts qt qts tablespoon tablespoons tb tbs teaspoon teaspoons ts tsp tspn',
    'gram grams g gs kilogram kilograms kg kgs ounce ounces oz pound pounds lb lbs',
    'bunch bunches can cans each ears ear head heads large lrg lge lg medium med md small sm',
    'package packages packet packets',
  ]
    .join(' ')
    .split(' ')
    .concat(
      'fl oz can|fl oz container|fl oz jar|fl oz pouch|fl oz ounce|pt container|lb bag|lb can|lb container'.split('|'),
      'oz bag|oz can|oz container|per lb|pint container'.split('|'),
    ),
);

const ITEM_FIELDS = ['name', 'display_text', 'product_ids', 'upcs', 'filters'];
const PAGE_FIELDS = {
  recipe: [
    'title',
    'image_url',
    'author',
    'servings',
    'cooking_time',
    'external_reference_id',
    'content_creator_credit_info',
    'expires_in',
    'instructions',
    'ingredients',
    'landing_page_configuration',
  ],
  list: ['title', 'image_url', 'link_type', 'expires_in', 'instructions', 'line_items', 'landing_page_configuration'],
};
const MOST_DAYS = 365;

export type ListedItem = { name: string; displayText: string; measured: string };
export type Checked = { refused: string } | { items: ListedItem[]; days: number | null };
type Fields = Record<string, unknown>;

/** Notes in the ledger what it took but would not have. */
export function check(kind: 'recipe' | 'list', body: Fields, ledger: Ledger): Checked {
  noteUnknown(body, PAGE_FIELDS[kind], ledger);
  const named = kind === 'recipe' ? 'ingredients' : 'line_items';
  const items = body[named];
  if (typeof body.title !== 'string' || body.title === '') return { refused: 'title is missing' };
  if (!Array.isArray(items) || items.length === 0) return { refused: `${named} is missing` };
  const days = body.expires_in;
  if (days !== undefined && !(Number.isInteger(days) && (days as number) > 0 && (days as number) <= MOST_DAYS)) {
    return { refused: `expires_in must be from 1 to ${MOST_DAYS}` };
  }
  for (const [at, item] of (items as Fields[]).entries()) {
    if (typeof item.name !== 'string' || item.name === '') return { refused: `${named}[${at}].name is missing` };
    if (item.upcs !== undefined && item.product_ids !== undefined) {
      return { refused: `${named}[${at}] has both upcs and product_ids` };
    }
  }
  const measures = kind === 'recipe' ? 'measurements' : 'line_item_measurements';
  return {
    items: (items as Fields[]).map((item) => listed(item, measures, ledger)),
    days: (days as number | undefined) ?? (kind === 'recipe' ? 30 : null),
  };
}

function listed(item: Fields, measures: string, ledger: Ledger): ListedItem {
  for (const field of ['quantity', 'unit']) if (field in item) ledger.deprecatedFields.push(field);
  noteUnknown(item, [...ITEM_FIELDS, measures, 'quantity', 'unit'], ledger);
  const measured = ((item[measures] ?? []) as { quantity: number; unit: string }[]).filter(({ unit }) => {
    if (LISTED.has(unit)) return true;
    ledger.unlistedUnits.push(unit);
    return false;
  });
  return {
    name: String(item.name),
    displayText: String(item.display_text ?? item.name),
    measured: measured.map(({ quantity, unit }) => `${quantity} ${unit}`).join(' or ') || '1 each',
  };
}

function noteUnknown(fields: Fields, known: string[], ledger: Ledger): void {
  ledger.unknownFields.push(...Object.keys(fields).filter((name) => !known.includes(name)));
}
