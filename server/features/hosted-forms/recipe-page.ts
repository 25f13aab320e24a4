/** Reads title, picture and recipe from the HTML of a page: JSON-LD first, then Open Graph, then its title. */
import * as z from 'zod/mini';
import { Submission, type SubmittedPage } from '#contract/plugin.ts';
import { clean, inside } from '#server/features/link-guard/page-facts.ts';
import { cleanPage, nameOfPage } from '#server/features/submissions/submission-input.ts';

type Node = Record<string, unknown>;

const MOST_NODES = 1_000;
const LONGEST_URL = 2_000;

/** Never throws: the page is a stranger's, and `html` may end anywhere. */
export function readRecipePage(html: string, url: string): SubmittedPage {
  const recipe = findRecipe(html);
  const title = metaOf(html, 'og:title') || clean(inside(html, 'title') ?? '') || clean(inside(html, 'h1') ?? '');
  return cleanPage(
    z.parse(Submission.shape.page, {
      url,
      title: title || textOf(recipe?.name) || nameOfPage(url),
      pictureUrl: webUrl(pictureOf(recipe?.image) ?? metaOf(html, 'og:image'), url),
      recipe: recipe && {
        name: textOf(recipe.name),
        anchor: null,
        ingredients: [recipe.recipeIngredient ?? recipe.ingredients ?? []].flat().map(textOf),
        totalMinutes: minutesOf(recipe),
        // Often twice, as a number and in words.
        yield:
          [recipe.recipeYield]
            .flat()
            .map(textOf)
            .toSorted((a, b) => b.length - a.length)[0] || null,
      },
    }),
  );
}

/** Each part of the page is looked at once, whatever stands there. */
function findRecipe(html: string): Node | null {
  const opens = /<script\b[^<>]{0,500}\bapplication\/ld\+json[^<>]{0,500}>/gi;
  const closes = /<\/script/gi;
  while (opens.exec(html) !== null) {
    closes.lastIndex = opens.lastIndex;
    const end = closes.exec(html)?.index;
    if (end === undefined) return null;
    const found = recipeIn(parsed(html.slice(opens.lastIndex, end)));
    if (found !== null) return found;
    opens.lastIndex = end;
  }
  return null;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

function recipeIn(data: unknown): Node | null {
  const nodes = [data];
  for (let at = 0; at < nodes.length && at < MOST_NODES; at++) {
    const node = nodes[at];
    if (Array.isArray(node)) nodes.push(...node.slice(0, MOST_NODES));
    else if (isNode(node)) {
      if ([node['@type']].flat().includes('Recipe')) return node;
      nodes.push(node['@graph'], node.mainEntity);
    }
  }
  return null;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null;
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? clean(String(value)) : '';
}

function pictureOf(image: unknown): string | null {
  const [first] = [image].flat();
  const address = isNode(first) ? (first.url ?? first.contentUrl) : first;
  return typeof address === 'string' && address !== '' ? address : null;
}

/** ISO 8601: `PT1H20M`. */
function minutesOf({ totalTime, prepTime, cookTime }: Node): number | null {
  const [total, prep, cook] = [totalTime, prepTime, cookTime].map((time) => {
    const found = /^P(?:(\d{1,2})D)?(?:T(?:(\d{1,3})H)?(?:(\d{1,4})M)?)?/i.exec(typeof time === 'string' ? time : '');
    const [days, hours, minutes] = (found ?? []).slice(1).map((part) => Number(part ?? 0));
    return found === null ? 0 : (days! * 24 + hours!) * 60 + minutes!;
  });
  return total || prep! + cook! || null;
}

function metaOf(html: string, property: string): string {
  const named = new RegExp(`\\b(?:property|name)\\s*=\\s*["']?${property}["'\\s>]`, 'i');
  for (const [tag] of html.matchAll(/<meta\s[^<]{0,4000}/gi)) {
    if (!named.test(tag)) continue;
    const [, double, single] = /\bcontent\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(tag) ?? [];
    const content = clean(double ?? single ?? '');
    if (content !== '') return content;
  }
  return '';
}

function webUrl(address: string, base: string): string | null {
  if (address === '' || !URL.canParse(address, base)) return null;
  const { href, protocol } = new URL(address, base);
  return ['https:', 'http:'].includes(protocol) && href.length <= LONGEST_URL ? href : null;
}
