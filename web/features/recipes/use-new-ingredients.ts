import { type IngredientsInput, saveIngredients } from '#contract/recipe-ingredients.ts';
import { listRecipes, type Recipe } from '#contract/recipes.ts';
import { ingredientsDraft, type KeptIngredients } from '#web/features/recipes/ingredients-draft.ts';
import type { ApiError } from '#web/shell/api-error.ts';
import { dropDraft, keepDraft, readDraft } from '#web/shell/drafts.ts';
import { useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { showToast } from '#web/ui/toast.ts';

/**
 * Saves what was entered as ingredients of a recipe that exists now.
 *
 * @returns whether nothing is left to do: false where they could not be saved and wait as its draft
 */
export function useNewIngredients(): (recipe: Recipe) => Promise<boolean> {
  const { creatorId } = useCreator();
  const saving = useEndpointMutation(saveIngredients, {
    successToast: false,
    errorToast: false,
    refreshes: [listRecipes],
  });
  return async (recipe) => {
    const content = readDraft<KeptIngredients>(ingredientsDraft(null))?.content;
    dropDraft(ingredientsDraft(null));
    if (content === undefined) return true;
    // Steps are read on the recipe's page where it has one.
    const input: IngredientsInput = recipe.url === null ? content : { ...content, steps: [] };
    // A recipe without a page has its list at once.
    const version = recipe.list === null ? 0 : 1;
    try {
      const params = { creatorId, recipeId: recipe.id };
      await saving.mutateAsync({ params, body: { ...input, version } });
      return true;
    } catch (error) {
      const { detail } = error as ApiError;
      keepDraft(ingredientsDraft(recipe.id), { version, content: input });
      showToast({ tone: 'error', title: 'The recipe is saved, its ingredients aren’t', detail });
      return false;
    }
  };
}
