/** Where a recipe stands on a page: often in three places at once, each with something the others lack. */

import { guessLanguage, LANGUAGES } from '#contract/ingredients/languages.ts';
import { pairUp } from '#contract/ingredients/likeness.ts';
import { readLine } from '#contract/ingredients/reading.ts';
import { tidy } from '#contract/ingredients/tidy.ts';
import type { FoundBy } from '#contract/recipe-reading.ts';
import { durationOf, languageIn, readJsonLd, servingsIn } from './json-ld.ts';
import type { Page } from './page.ts';
import type { PageCard } from './page-cards.ts';
import type { PageLine, PageList } from './page-lists.ts';
import type { MicrodataRecipe } from './page-microdata.ts';
import { groupsOf, type RecipeReading, webAddressOrNull } from './recipe-reading.ts';

export type Source = RecipeReading<PageLine> & {
  by: FoundBy;
  /** Of a card whose site may tell more of it. */
  card: Pick<PageCard, 'plugin' | 'id'> | null;
};

/** Best first. */
const TRUST: readonly FoundBy[] = ['plugin', 'wprm', 'create', 'card', 'json_ld', 'microdata', 'list', 'text', 'post'];
/** Of the lines of the shorter one, for two lists to be of one recipe. */
const SAME_RECIPE = 0.5;
/** A card that has fewer of the lines was not understood. */
const MOST_OF_LINES = 0.6;
const LEAST_LIKE_INGREDIENTS = 2;

/** @returns of each recipe on the page its sources, in the order of the page; none without ingredients */
export function recipesOf(page: Page, address: string): Source[][] {
  const found = [
    ...page.cards.map(ofCard),
    ...readJsonLd(page.scripts, address).map((reading) => ofReading(reading, 'json_ld')),
    ...page.microdata.map((recipe) => ofMicrodata(recipe, address)),
  ];
  const recipes: Source[][] = [];
  for (const source of found.filter(hasLines)) {
    const scored = recipes.map((sources) => ({ sources, score: sameness(source, sources) }));
    const [best] = scored.toSorted((a, b) => b.score - a.score);
    if (best === undefined || best.score === 0) recipes.push([source]);
    else best.sources.push(source);
  }
  const [only] = recipes;
  // A list under a heading is read where nothing else tells of one.
  if (only === undefined) return ofLists(page.lists);
  // What has no lines has its other facts, and of one recipe there is no doubt of which.
  return recipes.length > 1 ? recipes : [[...only, ...found.filter((source) => !hasLines(source))]];
}

export function ofReading(reading: RecipeReading, by: FoundBy): Source {
  const groups = reading.groups.map(({ name, lines }) => ({ name, lines: lines.map((text) => ({ text, uid: null })) }));
  return { ...reading, by, card: null, groups };
}

/** All that the sources of one recipe tell, each field from the best that has it. `by`: of the lines. */
export function merge(sources: readonly Source[]): Source {
  const sorted = sources.toSorted((a, b) => TRUST.indexOf(a.by) - TRUST.indexOf(b.by));
  const first = <Key extends 'name' | 'picture' | 'servings' | 'minutes' | 'language'>(key: Key) =>
    sorted.map((source) => source[key]).find((value) => value !== null) ?? null;
  const most = Math.max(...sorted.map((source) => linesOf(source).length));
  const base =
    sorted.find((source) => hasLines(source) && linesOf(source).length >= MOST_OF_LINES * most) ?? sorted[0]!;
  return {
    by: base.by,
    card: sorted.map(({ card }) => card).find((card) => card !== null && card.id !== null) ?? null,
    ...{ name: first('name'), picture: first('picture'), servings: first('servings') },
    ...{ minutes: first('minutes'), language: first('language') },
    groups: groupsWith(
      base,
      sorted.filter((source) => source !== base),
    ),
    linesLeftOut: base.linesLeftOut,
  };
}

/** What the page says of itself stands in for what its recipe does not say. */
export function withPageFacts(source: Source, { title, picture, language }: Page, address: string): Source {
  return {
    ...source,
    name: source.name ?? title,
    picture: source.picture ?? webAddressOrNull(picture, address),
    language: source.language ?? languageIn(language) ?? guessLanguage(linesOf(source).map(textOf).join('\n')),
  };
}

/** The printed card has groups, its data the lines without what else the card says. */
function groupsWith(base: Source, others: readonly Source[]): Source['groups'] {
  if (base.by === 'card') {
    const data = others.find((other) => other.by === 'json_ld' && hasLines(other));
    return data === undefined ? base.groups : withTextsOf(base.groups, linesOf(data));
  }
  const isFlat = base.groups.every(({ name }) => name === null);
  if (!isFlat) return base.groups;
  const lines = linesOf(base);
  for (const other of others) {
    const theirs = linesOf(other);
    if (other.groups.every(({ name, lines }) => name === null && lines.every(({ uid }) => uid === null))) continue;
    const places = pairUp(lines.map(textOf), theirs.map(textOf));
    if (places.size >= MOST_OF_LINES * lines.length) return inGroupsOf(other, lines, places);
  }
  return base.groups;
}

function withTextsOf(groups: Source['groups'], data: readonly PageLine[]): Source['groups'] {
  const printed = groups.flatMap(({ lines }) => lines);
  const places = pairUp(printed.map(textOf), data.map(textOf));
  const textFor = new Map([...places].map(([line, other]) => [printed[line], data[other]!.text]));
  return groups.map(({ name, lines }) => ({
    name,
    lines: lines.map((line) => ({ text: textFor.get(line) ?? line.text, uid: line.uid })),
  }));
}

/** Lines where another source has them; one that it lacks stays behind the one before it. */
function inGroupsOf(other: Source, lines: readonly PageLine[], places: Map<number, number>): Source['groups'] {
  const slots = other.groups.flatMap(({ lines: inside }, group) => inside.map(({ uid }) => ({ group, uid })));
  const groups = other.groups.map(({ name }) => ({ name, placed: [] as (PageLine & { at: number })[] }));
  let at = -1;
  for (const [line, { text }] of lines.entries()) {
    const place = places.get(line);
    at = place ?? at;
    const slot = slots[Math.max(0, at)]!;
    groups[slot.group]!.placed.push({ text, uid: place === undefined ? null : slot.uid, at });
  }
  return groups
    .filter(({ placed }) => placed.length > 0)
    .map(({ name, placed }) => ({
      name,
      lines: placed.toSorted((a, b) => a.at - b.at).map(({ text, uid }) => ({ text, uid })),
    }));
}

/** 0: it is another recipe than the one that these tell of. */
export function sameness(source: Source, sources: readonly Source[]): number {
  const lines = linesOf(source).map(textOf);
  const scores = sources.map((other) => {
    const theirs = linesOf(other).map(textOf);
    const share = pairUp(lines, theirs).size / Math.min(lines.length, theirs.length);
    const isNamesake = source.name !== null && source.name.toLowerCase() === other.name?.toLowerCase();
    // Two cards are two recipes, unless the page shows one twice.
    if (share < SAME_RECIPE || (other.by === source.by && !isNamesake)) return 0;
    return share + (isNamesake ? 1 : 0);
  });
  return sources.some(({ by }, at) => by === source.by && scores[at] === 0) ? 0 : Math.max(...scores);
}

function ofCard({ plugin, id, name, servings, minutes, ingredients }: PageCard): Source {
  const read = { name, picture: null, servings, minutes, language: null, ...groupsOfList(ingredients) };
  return { ...read, by: 'card', card: { plugin, id } };
}

function ofMicrodata({ properties, ingredients }: MicrodataRecipe, address: string): Source {
  const { name, image, recipeYield, yield: yielded, totalTime, prepTime, cookTime, inLanguage } = properties;
  const parts = [prepTime, cookTime].map(durationOf).filter((part) => part !== null);
  return {
    by: 'microdata',
    card: null,
    name: tidy(name ?? '') || null,
    picture: webAddressOrNull(image, address),
    servings: servingsIn(recipeYield ?? yielded),
    minutes: durationOf(totalTime) ?? (parts.length > 0 ? parts.reduce((sum, part) => sum + part) : null),
    language: languageIn(inLanguage),
    ...groupsOfList(ingredients),
  };
}

/** The one that is most of ingredients. */
function ofLists(lists: readonly PageList[]): Source[][] {
  const rated = lists.map((list) => ({ list, count: list.filter(isLikeIngredient).length }));
  const [best] = rated.toSorted((a, b) => b.count - a.count);
  if (best === undefined || best.count < LEAST_LIKE_INGREDIENTS) return [];
  const lines = best.list.filter((entry) => 'line' in entry).length;
  if (best.count < lines / 2) return [];
  const nothing = { name: null, picture: null, servings: null, minutes: null, language: null };
  return [[{ ...nothing, by: 'list', card: null, ...groupsOfList(best.list) }]];
}

function isLikeIngredient(entry: PageList[number]): boolean {
  if (!('line' in entry)) return false;
  const lexicon = LANGUAGES[guessLanguage(entry.line.text)];
  const { amounts, food } = readLine(entry.line.text, { lexicon });
  return food !== null && (amounts.length > 0 || lexicon.foods.has(food.key));
}

function groupsOfList(list: PageList) {
  return groupsOf<PageLine>(list);
}

export function linesOf({ groups }: Pick<Source, 'groups'>): PageLine[] {
  return groups.flatMap(({ lines }) => lines);
}

function hasLines(source: Source): boolean {
  return source.groups.length > 0;
}

function textOf({ text }: PageLine): string {
  return text;
}
