import { ArrowLeft, BookOpen } from 'lucide-react';
import { Suspense } from 'react';
import { useWatch } from 'react-hook-form';
import { useNavigate, useParams } from 'react-router';
import * as z from 'zod/mini';
import {
  createRecipe,
  deleteRecipe,
  getRecipe,
  listRecipes,
  type Recipe,
  type RecipeInput,
  updateRecipe,
} from '#contract/recipes.ts';
import { Id } from '#contract/shapes.ts';
import { MessageTextField } from '#web/features/automations/MessageTextField.tsx';
import { DeleteFromLibrary, SavedMeanwhile, WhereUsed } from '#web/features/libraries/LibrarySheet.tsx';
import { useLibraryForm } from '#web/features/libraries/use-library-form.ts';
import { CheckAgain, LinkState } from '#web/features/link-guard/LinkState.tsx';
import { useLinkChecks } from '#web/features/link-guard/use-link-checks.ts';
import { RecipeForm } from '#web/features/recipes/recipe-form.ts';
import { paths } from '#web/paths.ts';
import { ButtonLink, TextLink } from '#web/shell/ButtonLink.tsx';
import { lazyPart } from '#web/shell/fetch-code.ts';
import { FormFrame, TextField, useFieldError } from '#web/shell/form.tsx';
import { LinkInput } from '#web/shell/LinkInput.tsx';
import { Loaded } from '#web/shell/Loaded.tsx';
import { PageHeader } from '#web/shell/PageHeader.tsx';
import { useEndpoint, useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Card } from '#web/ui/Card.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Picture } from '#web/ui/Picture.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { TagInput } from '#web/ui/TagInput.tsx';

/** What it needs of newsletters would be in the list of files that every visitor loads. */
const TellSavers = lazyPart(async () => (await import('#web/features/newsletters/TellSavers.tsx')).TellSavers);

const FRESH: RecipeInput = { name: '', url: '', pictureUrl: null, keywordIdeas: [], messageText: '' };

/** One recipe, new or saved. */
export function Component() {
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
  const back = () => navigate(paths.recipes);
  const { form, theirs, keepMine, takeTheirs } = useLibraryForm({
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
    onSaved: back,
  });
  const deleting = useEndpointMutation(deleteRecipe, {
    successToast: { title: 'Recipe deleted' },
    refreshes: [listRecipes],
    onSuccess: back,
  });
  const input = useWatch({ control: form.control }) as RecipeInput;
  const set = <F extends keyof RecipeInput>(field: F, value: RecipeInput[F]) =>
    form.setValue(field as 'name', value as string, { shouldDirty: true, shouldValidate: form.formState.isSubmitted });
  const moves = saved !== null && input.url !== saved.url && saved.usedBy.length > 0;
  const { links } = useLinkChecks();
  const link = links.find((one) => saved !== null && one.recipe?.id === saved.id);
  const pictureError = useFieldError(form.control, 'pictureUrl');
  const ideasError = useFieldError(form.control, 'keywordIdeas');
  const messageError = useFieldError(form.control, 'messageText');
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <Card>
        <div className="flex flex-col gap-6">
          {theirs && (
            <SavedMeanwhile
              theirs={`${theirs.name}\n${theirs.url}\n${theirs.keywordIdeas.join(', ')}\n${theirs.messageText}`}
              onMine={keepMine}
              onTheirs={takeTheirs}
            />
          )}
          <FormFrame form={form} submitLabel="Save">
            <TextField form={form} name="name" label="Name" placeholder="Lemon pasta" maxLength={120} />
            <TextField
              form={form}
              name="url"
              label="Recipe page link"
              as={LinkInput}
              hint={
                moves
                  ? `When you save, ${saved.usedBy.length === 1 ? 'one automation' : `${saved.usedBy.length} automations`} and all messages already sent will lead to the new address.`
                  : undefined
              }
            />
            <div className="flex items-end gap-3">
              <Field
                label="Picture"
                optional
                hint="Link to a picture. Only you see it."
                error={pictureError}
                className="min-w-0 flex-1"
              >
                {(wiring) => (
                  <LinkInput
                    {...wiring}
                    value={input.pictureUrl ?? ''}
                    onChange={(event) => set('pictureUrl', event.target.value.trim() || null)}
                  />
                )}
              </Field>
              <Picture src={input.pictureUrl} alt="" className="size-11 shrink-0 md:size-10" />
            </div>
            <Field
              label="Keywords"
              optional
              hint="Suggested when you create an automation for this recipe. Press Enter after each."
              error={ideasError}
            >
              {(wiring) => (
                <TagInput
                  {...wiring}
                  value={input.keywordIdeas}
                  onChange={(words) => set('keywordIdeas', words)}
                  placeholder="PASTA"
                />
              )}
            </Field>
            <MessageTextField
              label="Message"
              hint="Optional. The message an automation for this recipe starts with."
              kind="with_buttons"
              values={{ username: 'anna', word: input.keywordIdeas[0] ?? 'RECIPE' }}
              rows={4}
              inserts
              value={input.messageText}
              onChange={(text) => set('messageText', text)}
              error={messageError}
            />
          </FormFrame>
        </div>
      </Card>
      {saved && (
        <div className="flex flex-col gap-6">
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
          <Suspense>
            <TellSavers recipeId={saved.id} />
          </Suspense>
          <DeleteFromLibrary
            name={saved.name}
            usedBy={[]}
            busy={deleting.isPending}
            onDelete={() => deleting.mutate({ params: { creatorId, recipeId: saved.id } })}
          />
        </div>
      )}
    </div>
  );
}
