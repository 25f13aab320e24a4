import { getIngredients, type RecipeIngredients, undoSync } from '#contract/recipe-ingredients.ts';
import { getRecipe, listRecipes } from '#contract/recipes.ts';
import { becameWords } from '#web/features/recipes/ingredients/words.ts';
import { useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Alert } from '#web/ui/Alert.tsx';
import { Button } from '#web/ui/Button.tsx';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';

/** What the recipe's page changed without the creator, while that can be undone. */
export function SyncNotice({ recipeId, sync }: { recipeId: string; sync: NonNullable<RecipeIngredients['sync']> }) {
  const { creatorId } = useCreator();
  const undoing = useEndpointMutation(undoSync, {
    successToast: { title: 'The ingredients are as before' },
    refreshes: [getIngredients, listRecipes, getRecipe],
  });
  return (
    <Alert
      variant="info"
      title="We read your page again"
      action={
        <Button
          size="small"
          variant="secondary"
          busy={undoing.isPending}
          onClick={() => undoing.mutate({ params: { creatorId, recipeId } })}
        >
          Undo
        </Button>
      }
    >
      {becameWords(sync)} <RelativeTime at={sync.at} className="text-muted" />
    </Alert>
  );
}
