/**
 * Instacart: one call makes one page for all items, which lives for a year at most. A call repeated makes a second page, which does
 * no harm. It has no field for the shop the shopper prefers, and tells no prices; facts in `types.ts`.
 */
import * as z from 'zod/mini';
import { wordsOf } from '../one-by-one.ts';
import {
  chosenItems,
  type Selection,
  type Shop,
  type ShopContext,
  type ShopItem,
  type ShopLine,
  type ShopList,
  type ShopPage,
  type Trouble,
} from '../shop.ts';
import { itemsNamedIn, readJson, troubleOf } from './errors.ts';
import { Answer, type Ingredient, type ListPage, type RecipePage } from './types.ts';
import { measurementOf } from './units.ts';

type Access = NonNullable<ShopContext['access']['instacart']>;

export const INSTACART_URL = 'https://connect.instacart.com';
const SHOPPERS_ORIGIN = 'https://www.instacart.com';
const DAYS = 365;
const DAY_MS = 86_400_000;
/** Calls for one page: each further one leaves out what was refused before. */
const TRIES = 3;
const LONGEST_TITLE = 200;
const MOST_BYTES = 64 * 1024;

export const instacart: Shop = {
  id: 'instacart',
  name: 'Instacart',
  regions: () => ['US', 'CA'],
  needs: ({ instacart: access }) => (access === null ? 'key' : null),
  async open(list, selection, context) {
    const access = context.access.instacart;
    if (access === null) return { kind: 'our_key', says: 'There’s no API key for Instacart.' };
    return makePage(access, list, selection, context);
  },
  leadTo: (url, { instacart: access }) => withPartner(url, access?.partnerId ?? null),
};

async function makePage(
  access: Access,
  list: ShopList,
  selection: Selection,
  { now, timeoutMs }: ShopContext,
): Promise<ShopPage | Trouble> {
  const chosen = chosenItems(list, selection);
  const signal = AbortSignal.timeout(timeoutMs);
  let sent = chosen.filter((item) => wordsOf(item) !== null);
  let trouble: Trouble = { kind: 'refused', says: 'Nothing on this list names a food.' };
  for (let tries = 0; tries < TRIES && sent.length > 0; tries++) {
    const answer = await call(access, list, sent, signal);
    if ('url' in answer) {
      const expiresAt = new Date(now.getTime() + DAYS * DAY_MS);
      return { kind: 'page', url: answer.url, expiresAt, lines: chosen.map((item) => lineOf(item, sent)) };
    }
    trouble = answer.trouble;
    const { refused } = answer;
    if (refused.size === 0) break;
    sent = sent.filter((_, place) => !refused.has(place));
  }
  return trouble;
}

function lineOf(item: ShopItem, sent: ShopItem[]): ShopLine {
  if (sent.includes(item)) return { key: item.key, state: 'sent', url: null };
  return { key: item.key, state: 'left_out', why: wordsOf(item) === null ? 'no_food' : 'not_taken' };
}

type Called = { url: string } | { trouble: Trouble; refused: Set<number> };

async function call(access: Access, list: ShopList, items: ShopItem[], signal: AbortSignal): Promise<Called> {
  const isRecipe = list.kind === 'recipe';
  try {
    const answer = await fetch(`${access.url}/idp/v1/products/${isRecipe ? 'recipe' : 'products_link'}`, {
      method: 'POST',
      redirect: 'error',
      signal,
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        'user-agent': 'Creator-HQ/1',
        authorization: `Bearer ${access.apiKey}`,
      },
      body: JSON.stringify(isRecipe ? recipePage(list, items) : listPage(list, items)),
    });
    const text = await beginOf(answer);
    if (answer.status >= 400) {
      const refused = answer.status === 400 ? itemsNamedIn(text) : new Set<number>();
      return { trouble: troubleOf(answer.status, text), refused };
    }
    return pageOf(access, text);
  } catch (error) {
    const says = `Instacart can’t be reached: ${(error as Error).message}`;
    return { trouble: { kind: 'try_later', says }, refused: new Set() };
  }
}

async function beginOf(answer: Response): Promise<string> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const part of answer.body ?? []) {
    text += decoder.decode(part as Uint8Array, { stream: true });
    if (text.length > MOST_BYTES) throw new Error('The answer is too long.');
  }
  return text;
}

/** Whoever answers in Instacart's place must not be able to lead shoppers elsewhere. */
function pageOf({ url: base }: Access, text: string): Called {
  const read = z.safeParse(Answer, readJson(text));
  const url = read.success && URL.canParse(read.data.products_link_url) ? new URL(read.data.products_link_url) : null;
  if (url === null) return { trouble: { kind: 'try_later', says: 'Instacart sent no link.' }, refused: new Set() };
  if (!isTheirs(url, base)) {
    return { trouble: { kind: 'refused', says: `Instacart sent a link to ${url.host}.` }, refused: new Set() };
  }
  return { url: url.href };
}

/** Its development system answers with links of its own hosts. */
function isTheirs(url: URL, base: string): boolean {
  if (url.origin === SHOPPERS_ORIGIN) return true;
  if (base === INSTACART_URL || url.username !== '') return false;
  const isDevelopment = new URL(base).host.endsWith('.dev.instacart.tools');
  return (
    url.origin === new URL(base).origin ||
    (isDevelopment && url.protocol === 'https:' && url.host.endsWith('.dev.instacart.tools'))
  );
}

function recipePage(list: ShopList, items: ShopItem[]): RecipePage {
  const { author, servings, minutes } = list;
  return {
    ...pageHead(list),
    ...(author !== null && { author, content_creator_credit_info: author }),
    ...(servings !== null && { servings: Math.max(1, Math.round(servings)) }),
    ...(minutes !== null && { cooking_time: Math.round(minutes) }),
    external_reference_id: list.id,
    ingredients: items.map((item) => {
      const measurement = measurementOf(item);
      return { ...named(item), ...(measurement !== null && { measurements: [measurement] }) };
    }),
    landing_page_configuration: { ...linkBack(list), enable_pantry_items: true },
  };
}

function listPage(list: ShopList, items: ShopItem[]): ListPage {
  return {
    ...pageHead(list),
    link_type: 'shopping_list',
    line_items: items.map((item) => {
      const measurement = measurementOf(item);
      return { ...named(item), ...(measurement !== null && { line_item_measurements: [measurement] }) };
    }),
    // Pantry items are a matter of recipe pages only.
    landing_page_configuration: linkBack(list),
  };
}

function pageHead({ title, pictureUrl }: ShopList) {
  return {
    title: title.slice(0, LONGEST_TITLE).toWellFormed(),
    ...(pictureUrl !== null && { image_url: pictureUrl }),
    expires_in: DAYS,
  };
}

function linkBack({ pageUrl }: ShopList) {
  return pageUrl === null ? {} : { partner_linkback_url: pageUrl };
}

/** Words to look for, and the full lines as their author wrote them. */
function named(item: ShopItem): Omit<Ingredient, 'measurements'> {
  const sources = [...item.parts.flatMap((part) => part.sources), ...item.unmeasured];
  return {
    name: wordsOf(item)!,
    display_text: [...new Set(sources.map(({ text }) => text))].join(' + ').slice(0, LONGEST_TITLE).toWellFormed(),
    ...(item.upcs !== undefined && { upcs: item.upcs }),
    ...(item.brand !== undefined && { filters: { brand_filters: [item.brand] } }),
  };
}

/** Parameters of Instacart's program at Impact [C]. */
function withPartner(address: string, partnerId: string | null): string {
  if (partnerId === null) return address;
  const url = new URL(address);
  for (const [name, value] of Object.entries({
    utm_campaign: 'instacart-idp',
    utm_medium: 'affiliate',
    utm_source: 'instacart_idp',
    utm_term: 'partnertype-mediapartner',
    utm_content: `campaignid-20313_partnerid-${partnerId}`,
  })) {
    url.searchParams.set(name, value);
  }
  return url.href;
}
