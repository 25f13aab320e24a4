/** The automation a post that asks for a word gets with one tap. */
import type { Automation, AutomationInput } from '#contract/automations.ts';
import { isOrdinaryWord } from '#contract/caption-words.ts';
import { linkIn } from '#contract/link-in.ts';
import { normaliseText } from '#contract/matching/index.ts';
import type { Post } from '#contract/posts.ts';
import type { Recipe } from '#contract/recipes.ts';
import { suggestionsFor } from '#contract/suggestions.ts';
import { newInput } from '#web/features/automations/automation-form.ts';

type AskingPost = Pick<Post, 'id' | 'connectionId' | 'caption' | 'asksFor'>;
type KnownRecipe = Pick<Recipe, 'id' | 'name' | 'url' | 'leadsTo' | 'keywordIdeas' | 'messageText'>;
type Made = Pick<Automation, 'trigger' | 'words' | 'buttons' | 'publicReplies' | 'replyId'>;

/**
 * Listens for the word that the caption asks for. The link is empty where none is known; public replies are the creator's
 * usual ones.
 *
 * @param automations newest first
 */
export function inputFor(
  post: AskingPost,
  recipes: readonly KnownRecipe[],
  automations: readonly Made[],
): AutomationInput {
  const { caption, connectionId, id } = post;
  const input = newInput({ connectionId, postId: id, suggestedWords: [post.asksFor ?? ''], caption });
  const usual = automations.find(({ trigger }) => trigger === 'comment');
  const recipe = recipeFor(post, recipes);
  const link = recipe ? { url: recipe.leadsTo, recipeId: recipe.id } : (linkOf(post, automations) ?? { url: '' });
  return {
    ...input,
    ...(usual && { publicReplies: usual.publicReplies, replyId: usual.replyId }),
    messageText: recipe?.messageText || input.messageText,
    buttons: [{ title: input.buttons[0]?.title ?? 'Get the recipe', ...link }],
  };
}

/** The recipe that the caption links to, else the one with the word as a keyword, else the one that the caption names. */
function recipeFor({ caption, asksFor }: AskingPost, recipes: readonly KnownRecipe[]): KnownRecipe | undefined {
  const link = linkIn(caption);
  const word = keyOf(asksFor ?? '');
  const said = new Set(wordsOf(caption));
  const named = recipes
    .map((recipe) => ({ recipe, words: wordsOf(recipe.name).filter((one) => !isOrdinaryWord(one)) }))
    .filter(({ words }) => words.length > 1 && words.every((one) => said.has(one)))
    .sort((a, b) => b.words.length - a.words.length);
  return (
    recipes.find(({ url }) => link !== null && url !== null && pageOf(url) === pageOf(link)) ??
    (ASKED_FOR_ANYTHING.has(word)
      ? undefined
      : recipes.find(({ keywordIdeas }) => keywordIdeas.some((idea) => keyOf(idea) === word))) ??
    named[0]?.recipe
  );
}

/** The link in the caption, else where the creator's other automations lead with this word, when they all lead there. */
function linkOf(
  { caption, asksFor }: AskingPost,
  automations: readonly Made[],
): { url: string; recipeId?: string; part?: 'list' } | null {
  const url = linkIn(caption);
  if (url !== null) return { url };
  const word = keyOf(asksFor ?? '');
  if (ASKED_FOR_ANYTHING.has(word)) return null;
  const buttons = automations
    .filter(({ words }) => words.some((one) => keyOf(one) === word))
    .flatMap(({ buttons: [first] }) => (first === undefined ? [] : [first]));
  const [first] = buttons;
  if (first === undefined || buttons.some((button) => button.url !== first.url)) return null;
  const { title: _, ...link } = first;
  return link;
}

/** Words that say nothing about what the post is about. */
const ASKED_FOR_ANYTHING = new Set(
  ['recipe', 'recipes', 'link', 'ingredients', 'yes', 'please', 'want', 'info', 'details', 'send', 'me'].flatMap(
    (word) => [word, ...suggestionsFor(word).translations.flatMap(({ words }) => words.map(keyOf))],
  ),
);

/** Sites where creators have pages but that are not theirs. */
const OTHERS = /(?:^|\.)(?:instagram|facebook|tiktok|youtube|youtu|amazon|amzn|ltk|shopltk|etsy|linktr|bit)\.[a-z.]+$/;

/** The creator's own site by where most of their links lead; null: they have no links yet. */
export function siteOf(
  recipes: readonly Pick<Recipe, 'url'>[],
  automations: readonly Pick<Made, 'buttons'>[],
): string | null {
  const links = [...recipes, ...automations.flatMap(({ buttons }) => buttons)].flatMap(({ url }) => url ?? []);
  const sites = links
    .filter((url) => URL.canParse(url) && !OTHERS.test(new URL(url).hostname))
    .map((url) => new URL(url).origin);
  const [most] = [...Map.groupBy(sites, (site) => site)].sort(([, a], [, b]) => b.length - a.length);
  return most === undefined ? null : `${most[0]}/`;
}

function keyOf(word: string): string {
  return normaliseText(word).key;
}

function wordsOf(text: string): string[] {
  return keyOf(text).match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** An address without what does not tell pages apart. */
function pageOf(url: string): string {
  return url
    .replace(/^https?:\/\/(?:www\.)?/i, '')
    .replace(/[?#].*$/, '')
    .replace(/\/$/, '');
}
