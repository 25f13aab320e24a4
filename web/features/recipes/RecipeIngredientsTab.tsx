import { Suspense } from 'react';
import { getIngredients } from '#contract/recipe-ingredients.ts';
import { ingredientsDraft } from '#web/features/recipes/ingredients-draft.ts';
import { lazyPart } from '#web/shell/fetch-code.ts';
import { Loaded } from '#web/shell/Loaded.tsx';
import { useEndpoint } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Skeleton } from '#web/ui/Skeleton.tsx';

/** Brings the reader of lines and the foods it knows: tens of kilobytes that no other screen needs. */
const IngredientsEditor = lazyPart(
  async () => (await import('#web/features/recipes/ingredients/IngredientsEditors.ts')).IngredientsEditor,
);

const WAITING = <Skeleton className="h-96" />;

/** The ingredients of a saved recipe. */
export function RecipeIngredientsTab({ recipeId, pageUrl }: { recipeId: string; pageUrl: string | null }) {
  const { creatorId } = useCreator();
  const ingredients = useEndpoint(getIngredients, { params: { creatorId, recipeId } });
  return (
    <Loaded
      query={ingredients}
      loading="Loading the ingredients"
      failed="Couldn’t load the ingredients"
      skeleton={WAITING}
    >
      {(answer) => (
        <Suspense fallback={WAITING}>
          <IngredientsEditor
            recipeId={recipeId}
            draftKey={ingredientsDraft(recipeId)}
            answer={answer}
            refetch={ingredients.refetch}
            pageUrl={pageUrl}
          />
        </Suspense>
      )}
    </Loaded>
  );
}

/** Of a recipe that is not saved yet; they are saved with it. */
export function NewIngredientsTab({ pageUrl }: { pageUrl: string | null }) {
  return (
    <Suspense fallback={WAITING}>
      <IngredientsEditor
        recipeId={null}
        draftKey={ingredientsDraft(null)}
        answer={null}
        refetch={() => {}}
        pageUrl={pageUrl}
      />
    </Suspense>
  );
}
