/** What a post that asks for a word gets with one tap. */
import type { Automation, AutomationInput } from '#contract/automations.ts';
import { normaliseText } from '#contract/matching/index.ts';
import type { Post } from '#contract/posts.ts';
import type { Recipe } from '#contract/recipes.ts';
import { newInput } from '#web/features/automations/automation-form.ts';
import { linkIn } from '#web/features/prepared-posts/recipe-start.ts';

/**
 * Listens for the word that the caption asks for. The link is that of the recipe with this keyword, else the first in the
 * caption, else empty; public replies are the creator's usual ones.
 *
 * @param usual their newest automation for comments; null: they have none
 */
export function inputFor(
  post: Pick<Post, 'id' | 'connectionId' | 'caption' | 'asksFor'>,
  recipes: readonly Pick<Recipe, 'id' | 'url' | 'keywordIdeas' | 'messageText'>[],
  usual: Pick<Automation, 'publicReplies' | 'replyId'> | null,
): AutomationInput {
  const word = post.asksFor ?? '';
  const { key } = normaliseText(word);
  const input = newInput({ connectionId: post.connectionId, postId: post.id, suggestedWords: [word] });
  const recipe = recipes.find(({ keywordIdeas }) => keywordIdeas.some((idea) => normaliseText(idea).key === key));
  const [button] = input.buttons;
  return {
    ...input,
    ...(usual !== null && { publicReplies: usual.publicReplies, replyId: usual.replyId }),
    messageText: recipe?.messageText || input.messageText,
    buttons: [
      {
        title: button?.title ?? 'Get the recipe',
        url: recipe?.url ?? linkIn(post.caption) ?? '',
        ...(recipe && { recipeId: recipe.id }),
      },
    ],
  };
}
