/** What fills a template: as it comes, and as it may be printed. Everything that comes from a blog or a reader is text here. */
import type { EmailField } from '#contract/email-templates.ts';
import { oneLine } from '#server/platforms/email/one-line.ts';
import { type SpokenLanguage, spokenLanguage } from './fixed-words.ts';

/** A page that a reader saved, as their blog read it from its own page; never from the browser. */
export type SavedPage = {
  url: string;
  title: string;
  pictureUrl: string | null;
  recipe: {
    name: string;
    /** Of the card in the page, without `#`. */
    anchor: string | null;
    ingredients: string[];
    totalMinutes: number | null;
    yield: string | null;
  } | null;
  /** Part of it is only for subscribers. */
  isLocked?: boolean;
  /** Further pages that they saved, in the same mail. */
  others?: { url: string; title: string }[];
};

export type ListedRecipe = {
  title: string;
  url: string;
  pictureUrl: string | null;
};
/** `shopUrl`: of its shopping list; null without one. */
type ShownRecipe = ListedRecipe & { shopUrl: string | null };

export type MailData = {
  /** As readers know them. */
  creatorName: string;
  postalAddress: string | null;
  /** The contact's. */
  name: string | null;
  about: SavedPage | null;
  /** Recipes of recipe lists, by the block's id. */
  listed: ReadonlyMap<string, ListedRecipe[]>;
  /** The newsletter question; `tripwireUrl` is followed by programs alone. */
  question: { wording: string; confirmUrl: string; tripwireUrl: string } | null;
  isConfirmed: boolean;
  /** Everything they saved; null in tests and previews. */
  cookbookUrl: string | null;
  /** Ends every mail, for somebody who never asked. */
  notMeUrl: string;
  /** Ends newsletters. */
  unsubscribeUrl: string;
  /** Where a link of the creator's leads, if not there at once. */
  follow?: (url: string) => string;
  /** Where the shopping list of a page's recipe is, if it has one. */
  shopUrlOf?: (page: string) => string | null;
  /** For whom alone the blog shows the recipe, if not for everybody. */
  lockedFor?: string | null;
};

export type Facts = Pick<MailData, 'question' | 'isConfirmed' | 'cookbookUrl' | 'notMeUrl' | 'unsubscribeUrl'> & {
  creatorName: string;
  postalAddress: string;
  fields: Record<EmailField, string>;
  /** Of the recipe's card in its page. */
  recipeUrl: string | null;
  pictureUrl: string | null;
  shopUrl: string | null;
  /** Of the page's blog. */
  host: string | null;
  lockedFor: string | null;
  ingredients: string[];
  /** How many more there are. */
  moreIngredients: number;
  listed: ReadonlyMap<string, ShownRecipe[]>;
  others: { url: string; title: string }[];
  follow: (url: string) => string;
};

/** Longer lists end with a hint to the page. */
export const MOST_INGREDIENTS = 60;
const LONGEST_INGREDIENT = 160;
const LONGEST_TITLE = 150;
const LONGEST_WORDING = 500;
const LONGEST_URL = 1500;
const LONGEST_ADDRESS = 300;

/** @param language of the template */
export function factsOf(data: MailData, language: string, mostIngredients = MOST_INGREDIENTS): Facts {
  const { about, question, follow = (url) => url, shopUrlOf = () => null, lockedFor = null } = data;
  const recipe = about?.recipe ?? null;
  const creatorName = oneLine(data.creatorName, 80);
  const recipeUrl = about === null ? null : cardUrl(about);
  const host = recipeUrl === null ? null : new URL(recipeUrl).host;
  const ingredients = (lockedFor === null ? (recipe?.ingredients ?? []) : []).filter((one) => one.trim() !== '');
  return {
    creatorName,
    postalAddress: oneLine(data.postalAddress ?? '', LONGEST_ADDRESS),
    fields: {
      'first name': oneLine(data.name ?? '', 60).split(' ')[0]!,
      creator: creatorName,
      'recipe.title': oneLine(recipe?.name || about?.title || '', LONGEST_TITLE),
      'recipe.time': recipe?.totalMinutes ? inWords(recipe.totalMinutes, spokenLanguage(language)) : '',
      'recipe.yield': oneLine(recipe?.yield ?? '', 60),
      'recipe.blog': host ?? '',
    },
    recipeUrl,
    host,
    pictureUrl: webUrl(about?.pictureUrl ?? ''),
    shopUrl: about === null ? null : shopUrlOf(about.url),
    lockedFor,
    ingredients: ingredients.slice(0, mostIngredients).map((one) => oneLine(one, LONGEST_INGREDIENT)),
    moreIngredients: Math.max(0, ingredients.length - mostIngredients),
    listed: new Map(
      [...data.listed].map(([id, recipes]) => [id, recipes.flatMap((recipe) => listable(recipe, follow, shopUrlOf))]),
    ),
    others: (about?.others ?? []).flatMap(({ url, title }) => {
      const page = webUrl(url);
      return page === null ? [] : [{ url: page, title: oneLine(title, LONGEST_INGREDIENT) || page }];
    }),
    question: question && { ...question, wording: oneLine(question.wording, LONGEST_WORDING) },
    isConfirmed: data.isConfirmed,
    cookbookUrl: data.cookbookUrl,
    notMeUrl: data.notMeUrl,
    unsubscribeUrl: data.unsubscribeUrl,
    follow,
  };
}

function listable(
  { title, url, pictureUrl }: ListedRecipe,
  follow: Facts['follow'],
  shopUrlOf: (page: string) => string | null,
): ShownRecipe[] {
  const page = webUrl(url);
  if (page === null) return [];
  const shown = { title: oneLine(title, LONGEST_TITLE), url: follow(page), pictureUrl: webUrl(pictureUrl ?? '') };
  return [{ ...shown, shopUrl: shopUrlOf(url) }];
}

/** Null unless the page is one of the web. */
export function cardUrl({ url, recipe }: SavedPage): string | null {
  const page = webUrl(url);
  if (page === null || recipe?.anchor == null) return page;
  const card = new URL(page);
  card.hash = recipe.anchor;
  return card.href;
}

function webUrl(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  return ['https:', 'http:'].includes(url.protocol) && url.href.length <= LONGEST_URL ? url.href : null;
}

function inWords(minutes: number, language: SpokenLanguage): string {
  const parts = [
    { unit: 'hour', value: Math.floor(minutes / 60) },
    { unit: 'minute', value: minutes % 60 },
  ].filter(({ value }) => value > 0);
  return parts.map(({ unit, value }) => value.toLocaleString(language, { style: 'unit', unit })).join(' ');
}
