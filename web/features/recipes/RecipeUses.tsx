import { useNavigate } from 'react-router';
import { deleteRecipe, listRecipes, type Recipe } from '#contract/recipes.ts';
import { DeleteFromLibrary, WhereUsed } from '#web/features/libraries/LibrarySheet.tsx';
import { CheckAgain, LinkState } from '#web/features/link-guard/LinkState.tsx';
import { useLinkChecks } from '#web/features/link-guard/use-link-checks.ts';
import { paths } from '#web/paths.ts';
import { useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Card } from '#web/ui/Card.tsx';

/** Where a recipe is used, whether its page works, and the way to delete it. */
export function RecipeUses({ saved }: { saved: Recipe }) {
  const { creatorId } = useCreator();
  const navigate = useNavigate();
  const deleting = useEndpointMutation(deleteRecipe, {
    successToast: { title: 'Recipe deleted' },
    refreshes: [listRecipes],
    onSuccess: () => navigate(paths.recipes),
  });
  const { links } = useLinkChecks();
  const link = links.find((one) => one.recipe?.id === saved.id);
  return (
    <div className="flex max-w-3xl flex-col gap-6">
      {saved.usedBy.length === 0 ? (
        <Card title="Not used yet">
          <p className="text-muted text-sm">Choose it in an automation, next to a button’s link.</p>
        </Card>
      ) : (
        <Card>
          <WhereUsed usedBy={saved.usedBy} />
        </Card>
      )}
      {link && (
        <Card title="Recipe page">
          <div className="flex flex-wrap items-center justify-between gap-2">
            <LinkState link={link} className="min-w-0 flex-1" />
            <CheckAgain link={link} />
          </div>
        </Card>
      )}
      <DeleteFromLibrary
        name={saved.name}
        usedBy={[]}
        busy={deleting.isPending}
        onDelete={() => deleting.mutate({ params: { creatorId, recipeId: saved.id } })}
      />
    </div>
  );
}
