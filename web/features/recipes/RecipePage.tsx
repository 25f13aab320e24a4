import { ArrowLeft, BookOpen } from 'lucide-react';
import { Suspense } from 'react';
import { useWatch } from 'react-hook-form';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import * as z from 'zod/mini';
import {
  createRecipe,
  getRecipe,
  listRecipes,
  type Recipe,
  type RecipeInput,
  updateRecipe,
} from '#contract/recipes.ts';
import { Id } from '#contract/shapes.ts';
import { useLibraryForm } from '#web/features/libraries/use-library-form.ts';
import { RecipeDetails } from '#web/features/recipes/RecipeDetails.tsx';
import { NewIngredientsTab, RecipeIngredientsTab } from '#web/features/recipes/RecipeIngredientsTab.tsx';
import { LockBadge } from '#web/features/recipes/RecipeStateBadge.tsx';
import { RecipeUses } from '#web/features/recipes/RecipeUses.tsx';
import { RecipeForm } from '#web/features/recipes/recipe-form.ts';
import { RecipeFiguresTab } from '#web/features/recipes/ShoppingFigures.tsx';
import { useNewIngredients } from '#web/features/recipes/use-new-ingredients.ts';
import { paths, type RecipeTab, recipePath } from '#web/paths.ts';
import { ButtonLink, TextLink } from '#web/shell/ButtonLink.tsx';
import { lazyPart } from '#web/shell/fetch-code.ts';
import { Loaded } from '#web/shell/Loaded.tsx';
import { PageHeader } from '#web/shell/PageHeader.tsx';
import { useEndpoint } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Badge } from '#web/ui/Badge.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { TabPanel, Tabs } from '#web/ui/Tabs.tsx';

/** What it needs of newsletters would be in the list of files that every visitor loads. */
const TellSavers = lazyPart(async () => (await import('#web/features/newsletters/TellSavers.tsx')).TellSavers);

const FRESH: RecipeInput = { name: '', url: null, pictureUrl: null, keywordIdeas: [], messageText: '' };

/** One recipe, new or saved. */
export function RecipePage() {
  const { recipeId = 'new' } = useParams();
  const { creatorId } = useCreator();
  const isNew = recipeId === 'new';
  // Old addresses carry ids of another product: nobody needs to be asked for them.
  const mayExist = z.safeParse(Id, recipeId).success;
  const recipe = useEndpoint(getRecipe, { params: { creatorId, recipeId } }, { enabled: mayExist, retry: false });
  return (
    <>
      <TextLink to={paths.recipes} className="mb-2 inline-flex min-h-11 items-center gap-1.5 text-sm md:min-h-8">
        <ArrowLeft aria-hidden="true" className="size-4" />
        Recipes
      </TextLink>
      <PageHeader title={isNew ? 'New recipe' : (recipe.data?.name ?? 'Recipe')} />
      {recipe.data?.lock && <LockBadge lock={recipe.data.lock} />}
      {isNew ? (
        <Editor key="new" saved={null} refetch={() => {}} />
      ) : !mayExist || recipe.error?.code === 'not_found' ? (
        <EmptyState
          icon={<BookOpen className="size-7" />}
          title="Recipe not found"
          action={<ButtonLink to={paths.recipes}>See all recipes</ButtonLink>}
        >
          It may have been deleted, or the address is incomplete.
        </EmptyState>
      ) : (
        <Loaded
          query={recipe}
          loading="Loading the recipe"
          failed="Couldn’t load the recipe"
          skeleton={<Skeleton className="h-96" />}
        >
          {(data) => <Editor key={data.id} saved={data} refetch={recipe.refetch} />}
        </Loaded>
      )}
    </>
  );
}

function Editor({ saved, refetch }: { saved: Recipe | null; refetch: () => unknown }) {
  const { creatorId } = useCreator();
  const navigate = useNavigate();
  const [tab, setTab] = useTab(saved === null);
  const saveNewIngredients = useNewIngredients();
  const library = useLibraryForm({
    saved,
    latest: saved,
    inputOf: ({ name, url, pictureUrl, keywordIdeas, messageText }: Recipe) => ({
      name,
      url,
      pictureUrl,
      keywordIdeas,
      messageText,
    }),
    fresh: FRESH,
    endpoint: (saved ? updateRecipe : createRecipe) as typeof updateRecipe,
    schema: RecipeForm,
    request: (values: RecipeInput, version) => ({
      params: { creatorId, recipeId: saved?.id ?? '' },
      body: { ...values, version },
    }),
    draftKey: `recipe:${saved?.id ?? 'new'}`,
    refreshes: [listRecipes, getRecipe],
    refetch,
    onSaved: async (recipe) => {
      const isReady = saved !== null || (await saveNewIngredients(recipe));
      await navigate(isReady ? paths.recipes : recipePath(recipe.id, 'ingredients'));
    },
  });
  const { form } = library;
  const url = useWatch({ control: form.control, name: 'url' });
  const saveNew = async () => {
    // What is missing stands in its fields.
    if (!(await form.trigger())) setTab('details');
    await form.submit();
  };
  const toCheck = saved?.list?.toCheck ?? 0;
  return (
    <Tabs
      value={tab}
      onValueChange={(chosen) => setTab(chosen as RecipeTab)}
      label="Parts of the recipe"
      tabs={[
        { value: 'details', label: 'Details' },
        {
          value: 'ingredients',
          label: (
            <span className="inline-flex items-center gap-1.5">
              Ingredients {toCheck > 0 && <Badge tone="warning">{toCheck} to check</Badge>}
            </span>
          ),
        },
        ...(saved === null
          ? []
          : [
              { value: 'used', label: 'Used in' },
              { value: 'figures', label: 'Figures' },
            ]),
      ]}
    >
      <TabPanel value="details" keep>
        <div className="flex max-w-3xl flex-col gap-6">
          <RecipeDetails saved={saved} library={library} />
          {saved !== null && (
            <Suspense>
              <TellSavers recipeId={saved.id} />
            </Suspense>
          )}
        </div>
      </TabPanel>
      <TabPanel value="ingredients">
        {saved === null ? (
          <>
            <NewIngredientsTab pageUrl={url} />
            <div className="sticky bottom-0 z-10 mt-4 flex justify-end border-line border-t bg-canvas py-3">
              <Button busy={form.busy} onClick={saveNew}>
                Save recipe
              </Button>
            </div>
          </>
        ) : (
          <RecipeIngredientsTab recipeId={saved.id} pageUrl={saved.url} />
        )}
      </TabPanel>
      {saved !== null && (
        <>
          <TabPanel value="used">
            <RecipeUses saved={saved} />
          </TabPanel>
          <TabPanel value="figures">
            <RecipeFiguresTab recipeId={saved.id} />
          </TabPanel>
        </>
      )}
    </Tabs>
  );
}

/** In the address. */
function useTab(isNew: boolean): [RecipeTab, (tab: RecipeTab) => void] {
  const [params, setParams] = useSearchParams();
  const asked = params.get('tab');
  const isOfSaved = (asked === 'used' || asked === 'figures') && !isNew;
  const tab = asked === 'ingredients' || isOfSaved ? asked : 'details';
  return [tab, (chosen) => setParams(chosen === 'details' ? {} : { tab: chosen }, { replace: true })];
}
