/**
 * The state behind the editor of ingredients: its undo, what was last saved, and what someone else saved meanwhile. Unsaved work
 * lies in the tab's drafts with the version it began from; it is never dropped without asking.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useReducer, useState } from 'react';
import { flushSync } from 'react-dom';
import {
  getIngredients,
  type IngredientsInput,
  type RecipeIngredients,
  saveIngredients,
} from '#contract/recipe-ingredients.ts';
import { getRecipe, listRecipes } from '#contract/recipes.ts';
import { EMPTY } from '#web/features/recipes/ingredients/line-edits.ts';
import type { KeptIngredients } from '#web/features/recipes/ingredients-draft.ts';
import type { ApiError } from '#web/shell/api-error.ts';
import { dropDraft, keepDraft, readDraft } from '#web/shell/drafts.ts';
import { beginHistory, reduceHistory } from '#web/shell/history.ts';
import { setAnswer, useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';

type Options = {
  /** Null: the recipe itself is not saved yet; the draft is saved with it. */
  recipeId: string | null;
  draftKey: string;
  answer: RecipeIngredients | null;
  refetch: () => unknown;
};

export function useIngredients({ recipeId, draftKey, answer, refetch }: Options) {
  const client = useQueryClient();
  const { creatorId } = useCreator();
  const saved = savedOf(answer);
  const [kept] = useState(() => readKept(draftKey));
  const [base, setBase] = useState(() => ({ ...saved, ...(kept !== null && { version: kept.version }) }));
  const [history, step] = useReducer(
    reduceHistory<IngredientsInput>,
    kept?.content ?? base.content,
    beginHistory<IngredientsInput>,
  );
  const [restored, setRestored] = useState(kept !== null && recipeId !== null);
  const [problem, setProblem] = useState<ApiError | null>(null);
  const { now: content } = history;
  const dirty = !same(content, base.content);
  const isNewer = saved.version > base.version;
  const isChangedMeanwhile = isNewer && dirty && !same(content, saved.content);
  const saving = useEndpointMutation(saveIngredients, {
    errorToast: false,
    successToast: { title: 'Ingredients saved' },
    refreshes: [listRecipes, getRecipe],
  });

  // Nothing of ours is lost: what someone else saved is simply what it is now.
  const newer = isNewer && !isChangedMeanwhile ? answer : null;
  const begin = (from: RecipeIngredients | null) => {
    setBase(savedOf(from));
    step({ do: 'begin', now: savedOf(from).content });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each answer
  useEffect(() => {
    if (newer !== null) begin(newer);
  }, [newer]);

  useEffect(() => {
    if (dirty) keepDraft(draftKey, { version: base.version, content } satisfies KeptIngredients);
    else dropDraft(draftKey);
  }, [draftKey, dirty, base, content]);

  async function save(): Promise<void> {
    if (recipeId === null || saving.isPending) return;
    setProblem(null);
    const request = { params: { creatorId, recipeId } };
    try {
      const now = await saving.mutateAsync({ ...request, body: { ...content, version: base.version } });
      // The server trims; shown, unless it was typed on meanwhile.
      flushSync(() => {
        setBase(savedOf(now));
        setRestored(false);
        step({ do: 'edit', change: (typed) => (typed === content ? savedOf(now).content : typed), atMs: Date.now() });
      });
      await setAnswer(client, getIngredients, request, now);
    } catch (error) {
      const failure = error as ApiError;
      if (failure.code === 'changed_meanwhile') await refetch();
      else setProblem(failure);
    }
  }

  return {
    content,
    dirty,
    restored: restored && dirty,
    /** Someone else's version, while the creator has not chosen. */
    theirs: isChangedMeanwhile ? saved.content : null,
    problem,
    saving: saving.isPending,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    undo: () => step({ do: 'undo' }),
    redo: () => step({ do: 'redo' }),
    /** @param what edits of the same thing in quick succession are undone together */
    edit: (change: (content: IngredientsInput) => IngredientsInput, what?: string) =>
      step({ do: 'edit', change, atMs: Date.now(), ...(what !== undefined && { what }) }),
    save,
    /** Ours replaces theirs with the next save. */
    keepMine: () => setBase(saved),
    /** Forgets what is not saved. */
    startOver: () => {
      setProblem(null);
      begin(answer);
    },
  };
}

export type IngredientsState = ReturnType<typeof useIngredients>;

function savedOf(answer: RecipeIngredients | null): KeptIngredients {
  if (answer === null) return { version: 0, content: EMPTY };
  const { servings, minutes, measures, language, lines, steps, version } = answer;
  return { version, content: { servings, minutes, measures, language, lines, steps } };
}

function same(a: IngredientsInput, b: IngredientsInput): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

/** Nothing of an older version of the app. */
function readKept(draftKey: string): KeptIngredients | null {
  const { content, version } = readDraft<KeptIngredients>(draftKey) ?? {};
  return content === undefined || version === undefined ? null : { content, version };
}
