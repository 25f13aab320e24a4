import { Suspense } from 'react';
import { useLocation, useParams, useSearchParams } from 'react-router';
import { MealPlanScreens } from '#web/features/meal-plans/MealPlanScreens.tsx';
import { RecipePage } from '#web/features/recipes/RecipePage.tsx';
import { RecipesPage } from '#web/features/recipes/RecipesPage.tsx';
import { ShopTheRecipePage } from '#web/features/recipes/ShopTheRecipePage.tsx';
import { WholeBlogScreen } from '#web/features/recipes/WholeBlogScreen.tsx';
import { paths } from '#web/paths.ts';
import { lazyPart } from '#web/shell/fetch-code.ts';
import { Skeleton } from '#web/ui/Skeleton.tsx';

const RecipeSettingsPage = lazyPart(
  async () => (await import('#web/features/shops/RecipeSettingsPage.tsx')).RecipeSettingsPage,
);

/** Shop the Recipe, its recipes and meal plans: one file, as each one's name is in the list that every visitor loads. */
export function Component() {
  const { recipeId } = useParams();
  const { pathname } = useLocation();
  const [params] = useSearchParams();
  if (pathname === paths.shopTheRecipeSettings) {
    return (
      <Suspense fallback={<Skeleton className="h-96" />}>
        <RecipeSettingsPage />
      </Suspense>
    );
  }
  if (pathname.startsWith(paths.mealPlans)) return <MealPlanScreens />;
  if (recipeId !== undefined) return <RecipePage />;
  if (params.get('import') === 'blog') return <WholeBlogScreen />;
  return pathname.startsWith(paths.recipes) ? <RecipesPage /> : <ShopTheRecipePage />;
}
