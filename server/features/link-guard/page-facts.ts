/**
 * Facts that tell whether a page is still the one the creator meant. Pages are strangers' and long: everything here
 * goes through them once, by looking for fixed pieces.
 */

/** Facts of a page when it was first seen. */
export type PageFacts = {
  title: string;
  /** The first main heading. */
  heading: string;
  /** It describes a recipe to search engines (schema.org). */
  recipe: boolean;
};

const LONGEST = 300;
/** Shorter words are on every page. */
const TELLING_WORD = /[\p{L}\p{N}]{4,}/gu;
/** Of the words that told the page apart, as many must still be there. */
const STILL_THERE = 0.5;
const NOT_FOUND =
  /\b(page|post|recipe|content)? ?(was |is |could |can )?(not (be )?found|no longer (exists|available))|nothing (was )?found|does(n.t| not) exist|error 404|404 error|^404\b/i;

export function readPage(html: string): PageFacts {
  const title = clean(inside(html, 'title') ?? '');
  const heading = clean(inside(html, 'h1') ?? '');
  return { title, heading, recipe: /"@type"\s*:\s*(\[\s*)?"Recipe"/.test(html) };
}

/** Does the page call itself missing, although it answers as if all were well? */
export function saysNotFound({ title, heading }: PageFacts, first: PageFacts | null): boolean {
  return [title, heading].some((text) => NOT_FOUND.test(text) && text !== first?.title && text !== first?.heading);
}

/** `same`: its title, its heading or most of their words are still there. */
export function compare(first: PageFacts, html: string): 'same' | 'changed' | 'recipe_gone' {
  const now = readPage(html);
  if (first.title !== '' && now.title === first.title) return lostRecipe(first, now) ? 'recipe_gone' : 'same';
  if (first.heading !== '' && now.heading === first.heading) return 'same';
  const words = new Set(`${first.heading || first.title}`.toLowerCase().match(TELLING_WORD));
  if (words.size === 0) return 'same';
  const text = decode(html).toLowerCase();
  const left = [...words].filter((word) => text.includes(word)).length;
  if (left / words.size >= STILL_THERE) return 'same';
  return lostRecipe(first, now) ? 'recipe_gone' : 'changed';
}

/** Told to search engines before and not any more, with another main heading or none. */
function lostRecipe(first: PageFacts, now: PageFacts): boolean {
  return first.recipe && !now.recipe && now.heading !== first.heading;
}

/** Of the first element of this name, up to a few hundred signs where it does not end. */
export function inside(html: string, tag: string): string | null {
  const lower = html.toLowerCase();
  for (let at = lower.indexOf(`<${tag}`); at !== -1; at = lower.indexOf(`<${tag}`, at + 1)) {
    // `<h1` also begins `<h1x`.
    if (/[a-z0-9]/.test(lower[at + tag.length + 1] ?? '')) continue;
    const from = lower.indexOf('>', at);
    if (from === -1) return null;
    const to = lower.indexOf(`</${tag}`, from);
    return html.slice(from + 1, to === -1 ? from + 1 + LONGEST : to);
  }
  return null;
}

/** As people read it: without tags, in one line. */
export function clean(text: string): string {
  return decode(text.slice(0, 10 * LONGEST).replaceAll(/<[^<>]*>/g, ' '))
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, LONGEST)
    .toWellFormed()
    .replaceAll('\0', '');
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

function decode(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,6}));/gi, (written, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? written;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : written;
  });
}
