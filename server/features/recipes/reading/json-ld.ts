/**
 * Recipes in a page's `<script type="application/ld+json">`, as they are in the wild: https://schema.org/Recipe says what they should
 * be, and public scrapers' issues what they are [C]. What cannot be read of a field leaves the field empty, never the recipe.
 */
import { guessLanguage, LANGUAGES } from '#contract/ingredients/languages.ts';
import { readLine } from '#contract/ingredients/reading.ts';
import { tidy } from '#contract/ingredients/tidy.ts';
import { groupsOf, minutesOrNull, type RecipeReading, servingsOrNull, webAddressOrNull } from './recipe-reading.ts';

type Node = Record<string, unknown>;

/** Longer ones are no recipe, and cost their parsing. */
const LONGEST_SCRIPT = 2_000_000;
const MOST_NODES = 20_000;
const DEEPEST = 40;

/**
 * @param scripts the text of each element
 * @param address of the page
 * @returns each recipe once, in the order of the page
 */
export function readJsonLd(scripts: readonly string[], address: string): RecipeReading[] {
  const nodes = scripts.flatMap((script) => nodesIn(parseLoosely(script)));
  const byId = new Map(nodes.filter((node) => Object.keys(node).length > 1).map((node) => [node['@id'], node]));
  const readings = nodes.filter(isRecipe).map((node) => readRecipe(node, byId, address));
  const keyOf = ({ name, groups }: RecipeReading) => JSON.stringify([name?.toLowerCase(), groups]);
  return [...new Map(readings.toReversed().map((reading) => [keyOf(reading), reading])).values()].reverse();
}

/** @returns undefined for what is no JSON however it is taken */
function parseLoosely(script: string): unknown {
  if (script.length > LONGEST_SCRIPT) return undefined;
  const bare = script.replaceAll(/<!--|-->|(?:\/\*\s?|\/\/\s?)?(?:<!\[CDATA\[|\]\]>)(?:\s?\*\/)?/g, '').trim();
  for (const forgive of [() => script, () => bare, () => mended(bare)]) {
    try {
      return JSON.parse(forgive());
    } catch {
      // The next one, which forgives more.
    }
  }
  return undefined;
}

/** Without commas before a closing bracket and semicolons at the end; line breaks and other controls in strings escaped. */
function mended(text: string): string {
  const parts = text.replace(/;\s*$/, '').match(/"[^"\\]*(?:\\[\s\S][^"\\]*)*"?|[^"]+/g) ?? [];
  return parts
    .map((part) =>
      part.startsWith('"')
        ? part
            .replaceAll(/\p{Cc}/gu, (control) => JSON.stringify(control).slice(1, -1))
            .replaceAll(/\\(["\\/bfnrtu])?/g, (written, escaped) => (escaped === undefined ? '\\\\' : written))
        : part.replaceAll(/,(?=\s*[}\]])/g, ''),
    )
    .join('');
}

/** Every object in it, in its order, whatever it hangs on: `@graph`, `mainEntity`, lists of lists. */
function nodesIn(json: unknown, found: Node[] = [], depth = 0): Node[] {
  if (typeof json !== 'object' || json === null || depth > DEEPEST) return found;
  if (!Array.isArray(json)) found.push(json as Node);
  for (const inner of Object.values(json)) {
    if (found.length >= MOST_NODES) break;
    nodesIn(inner, found, depth + 1);
  }
  return found;
}

function isRecipe(node: Node): boolean {
  return listOf(node['@type']).some((type) => /^(?:https?:\/\/schema\.org\/|schema:)?Recipe$/i.test(String(type)));
}

function readRecipe(node: Node, byId: ReadonlyMap<unknown, Node>, address: string): RecipeReading {
  const lines = ingredientsIn(node.recipeIngredient ?? node.ingredients).filter((text) => text !== '');
  return {
    name: textOrNull(node.name ?? node.headline),
    picture: pictureIn(node.image, byId, address) ?? pictureIn(node.thumbnailUrl, byId, address),
    servings: servingsIn(node.recipeYield ?? node.yield),
    minutes: minutesIn(node),
    language: languageIn(node.inLanguage),
    ...groupsOf(lines.map(asEntry)),
  };
}

/** A heading may stand among the lines of every recipe. */
export function asEntry(text: string): { heading: string } | { line: string } {
  return readLine(text, { lexicon: LANGUAGES[guessLanguage(text)] }).kind === 'heading'
    ? { heading: text }
    : { line: text };
}

/** A list, a text with line breaks, lists of lists, a `PropertyValue`, and what is none of them left out. */
function ingredientsIn(value: unknown): string[] {
  return listOf(value).flatMap((one) => {
    if (typeof one === 'string') return one.split(/\r\n|[\r\n]|<br\s*\/?>|<\/(?:li|p)>/i).map(lineOf);
    if (typeof one !== 'object' || one === null) return [];
    const { name, text, value: amount, unitText, unitCode } = one as Node;
    const parts = [amount, unitText ?? unitCode, name ?? text];
    return [lineOf(parts.filter((part) => ['string', 'number'].includes(typeof part)).join(' '))];
  });
}

/** WP Recipe Maker prints notes in brackets of their own [C]. */
export function lineOf(raw: string): string {
  return tidy(raw)
    .replaceAll(/\(\s*\(/g, '(')
    .replaceAll(/\)\s*\)/g, ')');
}

/** A text, an object with one, the first of a list of them, or the id of one that stands elsewhere. */
function pictureIn(value: unknown, byId: ReadonlyMap<unknown, Node>, address: string, depth = 0): string | null {
  for (const one of listOf(value)) {
    if (typeof one === 'string') {
      const found = webAddressOrNull(one, address);
      if (found !== null) return found;
    } else if (typeof one === 'object' && one !== null && depth < 3) {
      const { url, contentUrl, '@id': id } = one as Node;
      const elsewhere = url === undefined && contentUrl === undefined ? byId.get(id) : undefined;
      const found = pictureIn(elsewhere ?? url ?? contentUrl, byId, address, depth + 1);
      if (found !== null) return found;
    }
  }
  return null;
}

/** A number, "4-6 servings", "24 cookies", ["4", "4 people"]; of a range the least. */
export function servingsIn(value: unknown): number | null {
  for (const one of listOf(value)) {
    const said = typeof one === 'object' && one !== null ? (one as Node).value : one;
    const servings = servingsOrNull(Number(/\d+/.exec(String(said ?? ''))?.[0]));
    if (servings !== null) return servings;
  }
  return null;
}

function minutesIn({ totalTime, prepTime, cookTime, performTime }: Node): number | null {
  const parts = [prepTime, cookTime ?? performTime].map(durationOf).filter((part) => part !== null);
  return durationOf(totalTime) ?? (parts.length === 0 ? null : minutesOrNull(parts.reduce((a, b) => a + b)));
}

/** In minutes: ISO 8601, plain minutes, "1 hr 20 min", an object with the longest. */
export function durationOf(value: unknown): number | null {
  const { maxValue, value: own, minValue } = (typeof value === 'object' ? (value ?? {}) : {}) as Node;
  const said = typeof value === 'object' ? (maxValue ?? own ?? minValue) : value;
  if (typeof said === 'number') return minutesOrNull(said);
  const text = typeof said === 'string' ? said.trim() : '';
  const iso = /^P(?:(\d+)D)?(?:T(?:(\d+(?:\.\d+)?)H)?(?:(\d+(?:\.\d+)?)M)?(?:[\d.]+S)?)?$/i.exec(text);
  if (iso !== null) return minutesOrNull(inMinutes(iso.slice(1)));
  if (/^\d+$/.test(text)) return minutesOrNull(Number(text));
  const spoken = [/(\d{1,5}) ?d/i, /(\d{1,5}) ?h/i, /(\d{1,5}) ?m/i].map((unit) => unit.exec(text)?.[1]);
  return minutesOrNull(inMinutes(spoken));
}

function inMinutes([days, hours, minutes]: readonly (string | undefined)[]): number {
  return Number(days ?? 0) * 24 * 60 + Number(hours ?? 0) * 60 + Number(minutes ?? 0);
}

export function languageIn(value: unknown): string | null {
  for (const one of listOf(value)) {
    const said = typeof one === 'object' && one !== null ? (one as Node).alternateName : one;
    if (typeof said === 'string' && /^[a-z]{2,3}(?:[-_][a-z\d]{2,8}){0,3}$/i.test(said))
      return said.replaceAll('_', '-');
  }
  return null;
}

function textOrNull(value: unknown): string | null {
  const [first] = listOf(value);
  return typeof first === 'string' && tidy(first) !== '' ? tidy(first) : null;
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value.flat(3) : value === undefined || value === null ? [] : [value];
}
