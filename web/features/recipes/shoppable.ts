/** "Make it shoppable": of a post's caption a recipe with its list, and an automation on that post with buttons to both. */
import type { Automation, AutomationInput } from '#contract/automations.ts';
import { linkIn } from '#contract/link-in.ts';
import { MAX_BUTTONS } from '#contract/message-text.ts';
import type { Post } from '#contract/posts.ts';
import type { Reading } from '#contract/recipe-reading.ts';
import type { Recipe } from '#contract/recipes.ts';
import { editedOf, newInput } from '#web/features/automations/automation-form.ts';
import { listButton } from '#web/features/recipes/recipe-buttons.ts';

export type ShoppablePost = Pick<Post, 'id' | 'connectionId' | 'caption' | 'pictureUrl' | 'asksFor'> & {
  suggestedWords: readonly string[];
};

/** What was found: a recipe to be made, or one that is there. `pageUrl`: as the caption or the page says. */
export type Found =
  | { kind: 'reading'; reading: Reading; pageUrl: string | null }
  | { kind: 'recipe'; id: string; name: string };

/** What the creator says yes to. `pageUrl`: empty for a recipe without a page. */
export type Choices = { name: string; pageUrl: string; word: string };

const WORD_WHERE_NONE_IS_ASKED_FOR = 'RECIPE';

export function choicesOf(post: ShoppablePost, found: Found): Choices {
  return {
    name: found.kind === 'recipe' ? found.name : (found.reading.name ?? ''),
    pageUrl: found.kind === 'recipe' ? '' : (found.reading.url ?? found.pageUrl ?? ''),
    word: post.asksFor ?? post.suggestedWords[0] ?? WORD_WHERE_NONE_IS_ASKED_FOR,
  };
}

/** The page that a caption names. */
export function pageIn({ caption }: Pick<ShoppablePost, 'caption'>): string | null {
  return linkIn(caption);
}

/** A new automation for the post, or what the one it has becomes: its text, its words and other buttons stay. */
export function shoppableInput(
  post: ShoppablePost,
  before: Automation | null,
  recipe: Pick<Recipe, 'id' | 'url' | 'leadsTo' | 'list'>,
  word: string,
): AutomationInput {
  const input =
    before === null
      ? newInput({ connectionId: post.connectionId, postId: post.id, suggestedWords: [word], caption: post.caption })
      : editedOf(before);
  return { ...input, words: withWord(input, word), buttons: withButtons(input, recipe) };
}

function withWord({ words, mode, keywordIds }: AutomationInput, word: string): string[] {
  const has = words.some((one) => one.toLocaleUpperCase('en') === word.toLocaleUpperCase('en'));
  return has || mode === 'any_comment' || keywordIds.length > 0 ? words : [...words, word];
}

function withButtons(
  { buttons }: AutomationInput,
  { id, url, leadsTo, list }: Parameters<typeof shoppableInput>[2],
): AutomationInput['buttons'] {
  const toPage = url === null ? [] : [{ title: 'Get the recipe', url: leadsTo, recipeId: id }];
  const toList = list === null ? [] : [listButton(id, list.url)];
  // A button that leads to this recipe's page by its address is that button.
  const others = buttons.filter((button) => button.url !== '' && button.recipeId !== id && button.url !== url);
  return [...toPage, ...toList, ...others].slice(0, MAX_BUTTONS);
}
