/** Where lists can be bought: the creator's shops in their order, keys and tags, and what else every list goes by. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { atMost, CreatorParams, Timestamp } from '#contract/shapes.ts';

/** Countries that each one delivers to as its own [R]; the first is where it is. */
export const AMAZON_MARKETPLACES = {
  'amazon.com': ['US'],
  'amazon.ca': ['CA'],
  'amazon.com.mx': ['MX'],
  'amazon.com.br': ['BR'],
  'amazon.co.uk': ['GB'],
  'amazon.de': ['DE', 'AT', 'CH', 'LI', 'LU'],
  'amazon.fr': ['FR', 'MC'],
  'amazon.it': ['IT', 'SM', 'VA'],
  'amazon.es': ['ES', 'PT', 'AD'],
  'amazon.nl': ['NL'],
  'amazon.se': ['SE'],
  'amazon.pl': ['PL'],
  'amazon.com.be': ['BE'],
  'amazon.ie': ['IE'],
  'amazon.com.tr': ['TR'],
  'amazon.ae': ['AE'],
  'amazon.sa': ['SA'],
  'amazon.eg': ['EG'],
  'amazon.in': ['IN'],
  'amazon.co.jp': ['JP'],
  'amazon.com.au': ['AU'],
  'amazon.sg': ['SG'],
  'amazon.co.za': ['ZA'],
} as const satisfies Record<string, readonly string[]>;
export type AmazonMarketplace = keyof typeof AMAZON_MARKETPLACES;

export const MOST_SEARCH_SHOPS = 10;
const MOST_PANTRY = 200;
const WORDS = '{words}';

/** Names with a dot, then a port; anything but names, such as `user@`, is in no host. */
const HOST = /^https:\/\/([\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+)(?::(\d{1,5}))?[/?#]/iu;

/** @param address as `SearchAddress` accepts it: the words are behind its host, whatever they are */
export function wordsInAddress(address: string, words: string): string {
  return address.replaceAll(WORDS, encodeURIComponent(words.toWellFormed()));
}

/**
 * Why lists cannot lead to this search address: it must be of one host, whatever is looked for.
 *
 * @returns null when they can
 */
function searchAddressProblem(address: string): string | null {
  if (!/^https:\/\//i.test(address)) return 'Enter an address that starts with https://';
  const [, host, port = '443'] = HOST.exec(address) ?? [];
  // Numbers at the end are an address of a machine.
  if (host === undefined || Number(port) > 65_535 || /\.\d[^.]*$/.test(host) || /\s/.test(address)) {
    return `Enter the address of a shop’s search, like https://shop.example/search?q=${WORDS}`;
  }
  return address.includes(WORDS) ? null : `Put ${WORDS} where the shop’s address has what you searched for.`;
}

export const SearchAddress = z.string().check(
  z.trim(),
  z.maxLength(2000, 'At most 2,000 characters.'),
  z.check(({ value, issues }) => {
    const message = searchAddressProblem(value);
    if (message !== null) issues.push({ code: 'custom', message, input: value });
  }),
);

/** Two capital letters, ISO 3166. */
export const Country = z.string().check(z.regex(/^[A-Z]{2}$/, 'Choose a country.'));

const ShopId = z.string().check(z.regex(/^[0-9A-Za-z_]{1,20}$/));

export const MeasuresChoice = z.enum(['us', 'uk', 'metric', 'au']);
export type MeasuresChoice = z.infer<typeof MeasuresChoice>;

/** A shop of the creator's own, found by its search. */
const SEARCH_SHOP = {
  /** Null: it is new. */
  id: z.nullable(ShopId),
  name: z.string().check(z.trim(), z.minLength(1, 'Enter the shop’s name.'), z.maxLength(40, 'At most 40 characters.')),
  address: SearchAddress,
  /** Where it delivers; none: not said, so everywhere. */
  countries: z.array(Country).check(z.maxLength(60)),
};
/** In the order in which they begin. */
export const BUILT_IN_SHOPS = ['instacart', 'amazon'] as const;
export type BuiltInShop = (typeof BUILT_IN_SHOPS)[number];

export type ShopInput =
  | { kind: BuiltInShop; on: boolean }
  | ({ kind: 'search'; on: boolean } & { [F in keyof typeof SEARCH_SHOP]: z.infer<(typeof SEARCH_SHOP)[F]> });

/** Not a union: what checks those would be in the first load of the app. */
export const ShopInput = z
  .object({
    kind: z.enum([...BUILT_IN_SHOPS, 'search']),
    on: z.boolean(),
    id: z.optional(SEARCH_SHOP.id),
    name: z.optional(SEARCH_SHOP.name),
    address: z.optional(SEARCH_SHOP.address),
    countries: z.optional(SEARCH_SHOP.countries),
  })
  .check(
    z.check(({ value, issues }) => {
      const missing = Object.keys(SEARCH_SHOP).filter((name) => value[name as keyof typeof value] === undefined);
      if (value.kind !== 'search') return;
      for (const name of missing) issues.push({ code: 'custom', message: 'Missing.', path: [name], input: value });
    }),
  ) as unknown as z.ZodMiniType<ShopInput, ShopInput>;

export const MOST_TAGS = 60;

export const Marketplace = z.enum(Object.keys(AMAZON_MARKETPLACES) as [AmazonMarketplace, ...AmazonMarketplace[]]);

const AmazonTag = z.object({
  marketplace: Marketplace,
  tag: z
    .string()
    .check(
      z.trim(),
      z.regex(/^[A-Za-z0-9][A-Za-z0-9_-]{1,62}$/, 'A tag has letters, digits and hyphens, like annacooks-20.'),
    ),
});
export type AmazonTag = z.infer<typeof AmazonTag>;

/** The fields a creator fills in. */
export const ShoppingChoices = z.object({
  /** In the creator's order. */
  shops: z.array(ShopInput).check(
    z.maxLength(BUILT_IN_SHOPS.length + MOST_SEARCH_SHOPS, `At most ${MOST_SEARCH_SHOPS} shops of your own.`),
    z.check(({ value, issues }) => {
      const names = value.map((shop) => (shop.kind === 'search' ? (shop.id ?? null) : shop.kind));
      const known = names.filter((name) => name !== null);
      if (new Set(known).size === known.length) return;
      issues.push({ code: 'custom', message: 'A shop is in the list twice.', input: value });
    }),
  ),
  /** The first one of each Amazon is the main one: it is added where a link has none. */
  amazonTags: z.array(AmazonTag).check(
    z.maxLength(MOST_TAGS, `At most ${MOST_TAGS} tags.`),
    z.check(({ value, issues }) => {
      if (new Set(value.map(({ marketplace, tag }) => `${marketplace} ${tag}`)).size === value.length) return;
      issues.push({ code: 'custom', message: 'A tag is in the list twice.', input: value });
    }),
  ),
  /** Stands on every list that has a paid link; empty: ours. */
  disclosure: z.string().check(z.trim(), z.maxLength(300, 'At most 300 characters.')),
  /** Whose cups, where a recipe doesn't say. */
  measures: MeasuresChoice,
  /** Of shoppers whose country nobody knows; null: none. */
  country: z.nullable(Country),
  /** Foods that shoppers have at home, as the creator calls them. */
  pantry: z
    .array(
      z.string().check(z.trim(), z.minLength(1, 'Remove the empty food.'), z.maxLength(60, 'At most 60 characters.')),
    )
    .check(z.maxLength(MOST_PANTRY, `At most ${MOST_PANTRY} foods.`)),
});
export type ShoppingChoices = z.infer<typeof ShoppingChoices>;

export const ShoppingSettings = z.object({
  version: z.int(),
  ...ShoppingChoices.shape,
  shops: atMost(BUILT_IN_SHOPS.length + MOST_SEARCH_SHOPS, ShopInput),
  country: z.nullable(z.string()),
  instacart: z.object({
    /** Whose key is used: their own, this installation's, or none there is. */
    key: z.enum(['own', 'installation', 'none']),
    /** The last four characters of their own key. */
    keyEnd: z.nullable(z.string()),
    partnerId: z.nullable(z.string()),
    /** What Instacart last said of it, in words; null: nothing is wrong. */
    problem: z.nullable(z.string()),
    /** Pages there that are in use, and when the next one is renewed. */
    pages: z.int(),
    renewsAt: z.nullable(Timestamp),
  }),
});
export type ShoppingSettings = z.infer<typeof ShoppingSettings>;

const path = '/creators/:creatorId/settings/shopping';

export const getShopping = endpoint({
  method: 'GET',
  path,
  access: 'creator',
  refreshedBy: ['account'],
  summary: 'Shops of shopping lists, in order, with tags, measures, country, pantry and disclosure',
  params: CreatorParams,
  response: ShoppingSettings,
});

export const changeShopping = endpoint({
  method: 'PUT',
  path,
  access: 'creator',
  summary: 'Set shops and what lists go by; refused if someone changed it since `version`',
  params: CreatorParams,
  body: z.extend(ShoppingChoices, { version: z.int() }),
  response: ShoppingSettings,
  errors: ['invalid_input', 'changed_meanwhile'],
});

export const changeInstacart = endpoint({
  method: 'PUT',
  path: `${path}/instacart`,
  access: 'creator',
  needs: 'connect',
  summary: 'Set or remove your own Instacart key, and your partner id there. The key is never shown again',
  params: CreatorParams,
  body: z.object({
    /** Null: removed. Absent: as it is. */
    apiKey: z.optional(
      z.nullable(
        z
          .string()
          .check(
            z.trim(),
            z.minLength(10, 'Paste the API key.'),
            z.maxLength(300, 'That’s too long for a key.'),
            z.regex(/^[\x21-\x7e]*$/, 'That isn’t an API key.'),
          ),
      ),
    ),
    partnerId: z.optional(
      z.nullable(
        z.string().check(z.trim(), z.regex(/^\d{1,20}$/, 'The partner id is the number that Impact gives you.')),
      ),
    ),
  }),
  response: ShoppingSettings,
  errors: ['invalid_input'],
});

export const testShop = endpoint({
  method: 'POST',
  path: `${path}/test`,
  access: 'creator',
  quotas: ['shop_tests'],
  summary: 'Try a shop with a list of two things; nothing is kept',
  params: CreatorParams,
  /** A built-in shop, or the id of a search shop. */
  body: z.object({ shop: ShopId }),
  response: z.object({
    works: z.boolean(),
    says: z.string(),
    /** To look at: the page, or the first of the two. */
    url: z.nullable(z.string()),
  }),
  errors: ['invalid_input', 'not_found'],
});
