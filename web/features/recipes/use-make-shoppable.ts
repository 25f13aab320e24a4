import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { discardDraft, saveDraft } from '#contract/automation-drafts.ts';
import {
  type Automation,
  createAutomation,
  deleteAutomation,
  getAutomation,
  listAutomations,
} from '#contract/automations.ts';
import { ingredientsOf } from '#contract/ingredients/from-page.ts';
import { listPosts } from '#contract/posts.ts';
import { getIngredients, saveIngredients } from '#contract/recipe-ingredients.ts';
import { createRecipe, deleteRecipe, getRecipe, listRecipes, type Recipe } from '#contract/recipes.ts';
import { type Choices, type Found, type ShoppablePost, shoppableInput } from '#web/features/recipes/shoppable.ts';
import { ApiError } from '#web/shell/api-error.ts';
import { callApi } from '#web/shell/client.ts';
import { refresh } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';

/** `before`: the automation that the post had; null: it had none. */
export type Made = { recipe: Recipe; isNewRecipe: boolean; automation: Automation; before: Automation | null };

/** Makes a post shoppable, step by step: what failed half-way is continued where it stopped. Undo takes all of it back. */
export function useMakeShoppable(post: ShoppablePost) {
  const { creatorId } = useCreator();
  const client = useQueryClient();
  const [state, setState] = useState<{ busy: boolean; problem: ApiError | null; made: Made | null }>({
    ...{ busy: false, problem: null, made: null },
  });
  const recipeSoFar = useRef<{ recipe: Recipe; isNew: boolean } | null>(null);
  const params = { creatorId };

  async function run(work: () => Promise<Made | null>): Promise<void> {
    setState((before) => ({ ...before, busy: true, problem: null }));
    try {
      const made = await work();
      for (const changed of [listRecipes, listAutomations, getAutomation, listPosts]) void refresh(client, changed);
      setState({ busy: false, problem: null, made });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setState((before) => ({ ...before, busy: false, problem: error }));
    }
  }

  async function recipeOf(found: Found, { name, pageUrl, word }: Choices): Promise<{ recipe: Recipe; isNew: boolean }> {
    const get = async (recipeId: string) => callApi(getRecipe, { params: { creatorId, recipeId } });
    if (found.kind === 'recipe') return { recipe: await get(found.id), isNew: false };
    const url = pageUrl === '' ? null : pageUrl;
    const pictureUrl = found.reading.pictureUrl;
    try {
      const body = { name, url, pictureUrl, keywordIdeas: [word], messageText: '' };
      return { recipe: await callApi(createRecipe, { params, body }), isNew: true };
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'already_exists' || url === null) throw error;
      const { items } = await callApi(listRecipes, { params, query: { search: url.slice(0, 100), limit: 10 } });
      const same = items.find((one) => one.url === url);
      if (same === undefined) throw error;
      return { recipe: same, isNew: false };
    }
  }

  /** A recipe that has ingredients keeps its own. */
  async function withList(recipe: Recipe, found: Found): Promise<Recipe> {
    if (found.kind === 'recipe' || (recipe.list?.lines ?? 0) > 0) return recipe;
    const of = { creatorId, recipeId: recipe.id };
    const { version } = await callApi(getIngredients, { params: of });
    const input = ingredientsOf(found.reading, () => crypto.randomUUID());
    // Steps are read on the recipe's page where it has one.
    const body = { ...input, steps: recipe.url === null ? input.steps : [], version };
    await callApi(saveIngredients, { params: of, body });
    return callApi(getRecipe, { params: of });
  }

  async function automationFor(recipe: Recipe, word: string): Promise<Pick<Made, 'automation' | 'before'>> {
    const { items } = await callApi(listAutomations, { params, query: { postId: post.id, limit: 10 } });
    const before = items.find(({ switchedOnAt }) => switchedOnAt !== null) ?? items[0] ?? null;
    const input = shoppableInput(post, before, recipe, word);
    if (before === null) return { automation: await callApi(createAutomation, { params, body: input }), before };
    const body = { ...input, version: before.version, draftVersion: before.draftVersion };
    const automation = await callApi(saveDraft, { params: { creatorId, automationId: before.id }, body });
    return { automation, before };
  }

  const make = (found: Found, choices: Choices) =>
    run(async () => {
      recipeSoFar.current ??= await recipeOf(found, choices);
      const { isNew } = recipeSoFar.current;
      const recipe = await withList(recipeSoFar.current.recipe, found);
      recipeSoFar.current = { recipe, isNew };
      return { recipe, isNewRecipe: isNew, ...(await automationFor(recipe, choices.word)) };
    });

  const undo = ({ recipe, isNewRecipe, automation, before }: Made) =>
    run(async () => {
      const of = { creatorId, automationId: automation.id };
      const { version, draftVersion } = automation;
      if (before === null) await callApi(deleteAutomation, { params: of });
      else if (before.draft === null) await callApi(discardDraft, { params: of, body: { draftVersion } });
      else await callApi(saveDraft, { params: of, body: { ...before.draft.input, version, draftVersion } });
      if (isNewRecipe) await callApi(deleteRecipe, { params: { creatorId, recipeId: recipe.id } });
      recipeSoFar.current = null;
      return null;
    });

  return { ...state, make, undo };
}
