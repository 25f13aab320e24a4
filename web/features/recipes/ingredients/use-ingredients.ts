/** The state behind the editor of a recipe's ingredients. */
import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import {
  getIngredients,
  type IngredientsInput,
  type RecipeIngredients,
  saveIngredients,
} from '#contract/recipe-ingredients.ts';
import { getRecipe, listRecipes } from '#contract/recipes.ts';
import { EMPTY } from '#web/features/recipes/ingredients/line-edits.ts';
import type { KeptIngredients } from '#web/features/recipes/ingredients-draft.ts';
import { setAnswer, useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { useVersionedDraft, type VersionedDraft } from '#web/shell/versioned-draft.ts';

type Options = {
  /** Null: the recipe itself is not saved yet; the draft is saved with it. */
  recipeId: string | null;
  draftKey: string;
  answer: RecipeIngredients | null;
  refetch: () => unknown;
};

export type IngredientsState = VersionedDraft<IngredientsInput>;

export function useIngredients({ recipeId, draftKey, answer, refetch }: Options): IngredientsState {
  const client = useQueryClient();
  const { creatorId } = useCreator();
  const saved = useMemo(() => savedOf(answer), [answer]);
  const saving = useEndpointMutation(saveIngredients, {
    errorToast: false,
    successToast: { title: 'Ingredients saved' },
    refreshes: [listRecipes, getRecipe],
  });
  return useVersionedDraft({
    ...{ draftKey, saved, refetch },
    send:
      recipeId === null
        ? null
        : async ({ version, content }) => {
            const request = { params: { creatorId, recipeId } };
            const now = await saving.mutateAsync({ ...request, body: { ...content, version } });
            await setAnswer(client, getIngredients, request, now);
            return savedOf(now);
          },
  });
}

function savedOf(answer: RecipeIngredients | null): KeptIngredients {
  if (answer === null) return { version: 0, content: EMPTY };
  const { servings, minutes, measures, language, lines, steps, version } = answer;
  return { version, content: { servings, minutes, measures, language, lines, steps } };
}
