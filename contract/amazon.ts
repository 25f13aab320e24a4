/**
 * Addresses of Amazon, read from nothing but themselves: which marketplace, what is there, whose tag is in it; and written again without
 * what only follows people about. Shapes as seen in public code and on its own pages [C 2026-09].
 */
import { AMAZON_MARKETPLACES, type AmazonMarketplace } from '#contract/shops.ts';
import { parseAddress, type WebAddress } from '#contract/web-address.ts';

export const AMAZON_PAGES = [
  'product',
  'search',
  'category',
  'storefront',
  'brand',
  'list',
  'fresh',
  'cart',
  'page',
  'short',
] as const;
export type AmazonPage = (typeof AMAZON_PAGES)[number];

export type AmazonAddress = {
  /** Null: a short address; where it leads only following it tells. */
  marketplace: AmazonMarketplace | null;
  page: AmazonPage;
  asin: string | null;
  /** Null: none that can be seen. */
  tag: string | null;
  /** In the words of the address itself. */
  title: string | null;
  /** Without what it needs not. */
  address: string;
};

/** Lead to any marketplace; `amzn.in` is [R]. */
const SHORT_HOSTS = new Set(['amzn.to', 'a.co', 'amzn.eu', 'amzn.asia', 'amzn.in']);
const ASIN_COM = /^\/(?:dp\/)?(\w{10})\/?$/;

const PRODUCT =
  /\/(?:dp(?:\/product)?|gp\/product(?:\/glance)?|gp\/aw\/(?:d|ol)|exec\/obidos\/asin|o\/asin|product-reviews|gp\/offer-listing)\/(\w{10})(?=\/|$)/i;
/** Amazon in another language than its country's. */
const LANGUAGE = /^\/-\/[a-z]{2}(?:_[a-z]{2})?(?=\/|$)/i;
const PAGES: readonly [AmazonPage, RegExp][] = [
  ['search', /^\/(?:s|gp\/search)(?:\/|$)/],
  ['category', /^\/(?:b|gp\/browse\.html)(?:\/|$)/],
  ['storefront', /^\/shop\/[^/]/],
  ['brand', /^\/stores\/[^/]/],
  ['list', /^\/(?:hz\/wishlist|gp\/registry|wishlist|registry|ideas|baby-reg|wedding)(?:\/|$)/],
  ['fresh', /^\/alm(?:\/|$)/],
  ['cart', /^\/(?:gp\/aws\/cart|gp\/cart|cart)(?:\/|$)/],
];

const TAGS = ['tag', 'ascsubtag', 'AssociateTag'];
const EVERYWHERE = [...TAGS, 'th', 'psc', 'm', 'smid'];
/** What else says which page it is. */
const ALSO: Partial<Record<AmazonPage, RegExp>> = {
  product: /^(?:almBrandId|fpw)$/,
  search: /^(?:k|i|rh|bbn|node|field-keywords|almBrandId|fpw)$/,
  category: /^node$/,
  fresh: /^(?:almBrandId|fpw|node)$/,
  cart: /^(?:ASIN|Quantity|OfferListingId)\.\d{1,2}$/,
};

/** @param typed a whole address. @returns null: it is not of an Amazon shop, however much it looks like one */
export function readAmazon(typed: string): AmazonAddress | null {
  const address = parseAddress(typed.trim());
  if (address === null || !/^https?:$/.test(address.protocol)) return null;
  const { hostname, port, username, password } = address;
  if (port !== '' || username !== '' || password !== '') return null;
  if (SHORT_HOSTS.has(hostname)) return readShort(address);
  if (/^(?:www\.)?amzn\.com$/.test(hostname)) {
    const asin = asinOf(ASIN_COM.exec(address.pathname)?.[1]);
    return asin === null ? readShort(address) : product('amazon.com', '', asin, null, address);
  }
  const marketplace = marketplaceOf(hostname);
  return marketplace && readPage(marketplace, address);
}

function readShort({ hostname, pathname }: WebAddress): AmazonAddress | null {
  if (pathname === '/') return null;
  const facts = { marketplace: null, asin: null, tag: null, title: null };
  return { ...facts, page: 'short', address: `https://${hostname}${pathname}` };
}

export function marketplaceOf(hostname: string): AmazonMarketplace | null {
  const name = hostname.replace(/^(?:www|smile|m)\./, '');
  return Object.hasOwn(AMAZON_MARKETPLACES, name) ? (name as AmazonMarketplace) : null;
}

function readPage(marketplace: AmazonMarketplace, address: WebAddress): AmazonAddress {
  const language = LANGUAGE.exec(address.pathname)?.[0] ?? '';
  const path = address.pathname.slice(language.length).replace(/\/ref=.*$/, '') || '/';
  const found = PRODUCT.exec(path);
  const asin = asinOf(found?.[1]) ?? asinOf(address.searchParams.get('asin') ?? address.searchParams.get('ASIN'));
  if (asin !== null) return product(marketplace, language, asin, titleOf(path, found?.index), address);
  const page = PAGES.find(([, shape]) => shape.test(path))?.[0] ?? 'page';
  const title = page === 'search' ? address.searchParams.get('k') : null;
  return described(marketplace, page, { asin: null, title, path: `${language}${path}`, address });
}

function product(
  marketplace: AmazonMarketplace,
  language: string,
  asin: string,
  title: string | null,
  address: WebAddress,
): AmazonAddress {
  return described(marketplace, 'product', { asin, title, path: `${language}/dp/${asin}`, address });
}

function described(
  marketplace: AmazonMarketplace,
  page: AmazonPage,
  { asin, title, path, address }: { asin: string | null; title: string | null; path: string; address: WebAddress },
): AmazonAddress {
  const kept = new Map<string, string>();
  for (const [name, value] of address.searchParams) {
    const isWanted = EVERYWHERE.includes(name) || ALSO[page]?.test(name);
    // Of two Amazon heeds the first.
    if (isWanted && value !== '' && !kept.has(name)) kept.set(name, value);
  }
  const tag = kept.get(tagName(page)) ?? kept.get('tag') ?? null;
  return { marketplace, page, asin, tag, title, address: written(`https://www.${marketplace}${path}`, kept) };
}

function tagName(page: AmazonPage): 'tag' | 'AssociateTag' {
  return page === 'cart' ? 'AssociateTag' : 'tag';
}

function written(page: string, asked: ReadonlyMap<string, string>): string {
  const query = [...asked].map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');
  return query === '' ? page : `${page}?${query}`;
}

/**
 * The same address with this tag and no other, or without any; what a program adds to its tag (`ascsubtag`) goes with it.
 *
 * @param tag null: none
 * @returns null for a short address: nobody knows what is in it
 */
export function withTag(of: AmazonAddress, tag: string | null): string | null {
  if (of.marketplace === null) return null;
  const address = parseAddress(of.address)!;
  const isSame = tag !== null && of.tag === tag;
  const goes = (name: string) => TAGS.includes(name) && !(isSame && name === 'ascsubtag');
  const kept = new Map([...address.searchParams].filter(([name]) => !goes(name)));
  if (tag !== null) kept.set(tagName(of.page), tag);
  return written(`https://www.${of.marketplace}${address.pathname}`, kept);
}

/** What Amazon calls a product: ten letters and digits that begin with B, or the old number of a book. Written large; null: neither. */
export function asinOf(text: string | null | undefined): string | null {
  const asin = (text ?? '').toUpperCase();
  return /^B[0-9A-Z]{9}$/.test(asin) || isIsbn(asin) ? asin : null;
}

/** An ISBN of ten with its check digit. */
function isIsbn(text: string): boolean {
  if (!/^\d{9}[\dX]$/.test(text)) return false;
  const sum = [...text].reduce((all, digit, at) => all + (10 - at) * (digit === 'X' ? 10 : Number(digit)), 0);
  return sum % 11 === 0;
}

const MOST_TITLE = 100;

/** The words that stand before `/dp/`. */
function titleOf(path: string, end = 0): string | null {
  const words = decoded(path.slice(0, end))
    .split('/')
    .at(-1)!
    .replace(/[-_+\s]+/g, ' ')
    .trim();
  return /\p{L}/u.test(words) && !/^(?:gp|exec|obidos|o)$/.test(words)
    ? words.slice(0, MOST_TITLE).toWellFormed()
    : null;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Letters that are taken for others. */
const LOOKALIKES: readonly [RegExp, string][] = [
  [/[аạàáâãäåāɑα@4]/g, 'a'],
  [/rn|ⅿ|м/g, 'm'],
  [/[0οоօöòóôõø]/g, 'o'],
  [/[пոñń]/g, 'n'],
  [/[ʐżźž2]/g, 'z'],
];

/** The host of an address that is none of Amazon's but reads like one. */
export function looksLikeAmazon(typed: string): boolean {
  if (readAmazon(typed) !== null) return false;
  const host = /^(?:[a-z]+:)?\/*(?:[^/?#]*@)?([^/?#:]+)/iu.exec(typed.trim())?.[1] ?? '';
  const plain = LOOKALIKES.reduce(
    (text, [letter, as]) => text.replace(letter, as),
    host.normalize('NFKC').toLowerCase(),
  );
  const own = [...Object.keys(AMAZON_MARKETPLACES), 'amazonaws.com', 'aboutamazon.com'];
  return /amazon|(?:^|\.)amzn\./.test(plain) && !own.some((name) => host.endsWith(`.${name}`));
}

/** How a tag ends in each country's program [R]. */
const ENDINGS: Partial<Record<AmazonMarketplace, string>> = {
  ...{ 'amazon.com': '-20', 'amazon.ca': '-20', 'amazon.com.mx': '-20', 'amazon.com.br': '-20' },
  ...{ 'amazon.co.uk': '-21', 'amazon.de': '-21', 'amazon.fr': '-21', 'amazon.it': '-21', 'amazon.es': '-21' },
  ...{ 'amazon.nl': '-21', 'amazon.se': '-21', 'amazon.pl': '-21', 'amazon.com.be': '-21', 'amazon.in': '-21' },
  ...{ 'amazon.co.jp': '-22', 'amazon.com.au': '-22', 'amazon.sg': '-22' },
};

/** It ends as tags of another country's program do. */
export function isTagOfElsewhere(marketplace: AmazonMarketplace, tag: string): boolean {
  const ending = /-2[0-2]$/.exec(tag)?.[0];
  return ending !== undefined && ENDINGS[marketplace] !== undefined && ending !== ENDINGS[marketplace];
}
