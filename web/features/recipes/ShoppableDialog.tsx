import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { listAutomations } from '#contract/automations.ts';
import { readRecipe } from '#contract/recipe-reading.ts';
import { getRecipe, linesToCheck, type Recipe } from '#contract/recipes.ts';
import { FromAddress, useReader } from '#web/features/recipes/BringIn.tsx';
import { choicesOf, type Found, pageIn, type ShoppablePost } from '#web/features/recipes/shoppable.ts';
import { type Made, useMakeShoppable } from '#web/features/recipes/use-make-shoppable.ts';
import { recipePath } from '#web/paths.ts';
import { ButtonLink } from '#web/shell/ButtonLink.tsx';
import { callApi } from '#web/shell/client.ts';
import { FormProblem } from '#web/shell/form.tsx';
import { LinkInput } from '#web/shell/LinkInput.tsx';
import { Loaded } from '#web/shell/Loaded.tsx';
import { useCreator } from '#web/shell/session.ts';
import { Alert } from '#web/ui/Alert.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Input } from '#web/ui/inputs.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';

type Props = { post: ShoppablePost; onClose: () => void; onOpenAutomation: (automationId: string) => void };

/** Reads the caption, shows what becomes of it, makes it, and takes it back. */
export function ShoppableDialog({ post, onClose, onOpenAutomation }: Props) {
  const shoppable = useMakeShoppable(post);
  const caption = useCaption(post);
  const [chosen, setChosen] = useState<Found | null>(null);
  const reader = useReader(
    (reading) => setChosen({ kind: 'reading', reading, pageUrl: reading.url }),
    (recipe) => setChosen({ kind: 'recipe', ...recipe }),
  );
  const { made } = shoppable;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={made === null ? 'Make it shoppable' : 'This post is shoppable'}
    >
      <FormProblem problem={shoppable.problem} />
      {made !== null ? (
        <Done made={made} busy={shoppable.busy} onUndo={() => shoppable.undo(made)} onOpen={onOpenAutomation} />
      ) : (
        <Loaded
          query={caption}
          loading="Reading the caption"
          failed="Couldn’t read the caption"
          skeleton={<Skeleton className="h-56" />}
        >
          {({ found }) =>
            (chosen ?? found) === null ? (
              <>
                <Alert title="No ingredients in the caption">Where is the recipe? We read them from its page.</Alert>
                <FromAddress reader={reader} />
              </>
            ) : (
              <Review
                post={post}
                found={(chosen ?? found)!}
                busy={shoppable.busy}
                onMake={(choices) => shoppable.make((chosen ?? found)!, choices)}
              />
            )
          }
        </Loaded>
      )}
    </Dialog>
  );
}

/** The recipe that the post's automation leads to already, else what the caption says, else the page that it links to; null: none has ingredients. */
function useCaption(post: ShoppablePost) {
  const { creatorId } = useCreator();
  const read = async (): Promise<{ found: Found | null }> => {
    const pageUrl = pageIn(post);
    const params = { creatorId };
    const known = await findRecipeOf(creatorId, post.id);
    if (known !== null) return { found: { kind: 'recipe', id: known.id, name: known.name } };
    const answer = await callApi(readRecipe, { params, body: { postId: post.id } });
    if (answer.kind === 'read') return { found: { kind: 'reading', reading: answer.reading, pageUrl } };
    if (pageUrl === null) return { found: null };
    const page = await callApi(readRecipe, { params, body: { url: pageUrl } });
    if (page.kind !== 'read') return { found: null };
    const { already, ...reading } = page.reading;
    if (already !== null) return { found: { kind: 'recipe', ...already } };
    return { found: { kind: 'reading', reading: { ...reading, already }, pageUrl } };
  };
  return useQuery({
    queryKey: ['shoppable caption', creatorId, post.id],
    queryFn: read,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });
}

/** @returns null where the post's automations lead to none that has ingredients */
async function findRecipeOf(creatorId: string, postId: string): Promise<Recipe | null> {
  const { items } = await callApi(listAutomations, { params: { creatorId }, query: { postId, limit: 10 } });
  const recipeId = items.flatMap(({ buttons }) => buttons).find((button) => button.recipeId != null)?.recipeId;
  if (recipeId == null) return null;
  const recipe = await callApi(getRecipe, { params: { creatorId, recipeId } });
  return (recipe.list?.lines ?? 0) > 0 ? recipe : null;
}

type ReviewProps = {
  post: ShoppablePost;
  found: Found;
  busy: boolean;
  onMake: (choices: ReturnType<typeof choicesOf>) => void;
};

function Review({ post, found, busy, onMake }: ReviewProps) {
  const [choices, setChoices] = useState(() => choicesOf(post, found));
  const isReady = choices.name.trim() !== '' && choices.word.trim() !== '';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady && !busy) onMake(choices);
  };
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      {found.kind === 'recipe' ? (
        <p>
          <bdi className="font-medium">{found.name}</bdi> is one of your recipes.
        </p>
      ) : (
        <>
          <Field label="Recipe">
            {(wiring) => (
              <Input
                {...wiring}
                maxLength={120}
                value={choices.name}
                onChange={({ target }) => setChoices({ ...choices, name: target.value })}
              />
            )}
          </Field>
          <Lines found={found} />
          <Field label="Recipe page" optional hint="Without one, the shopping list is the recipe’s page.">
            {(wiring) => (
              <LinkInput
                {...wiring}
                value={choices.pageUrl}
                onChange={({ target }) => setChoices({ ...choices, pageUrl: target.value.trim() })}
              />
            )}
          </Field>
        </>
      )}
      <Field label="Followers comment">
        {(wiring) => (
          <Input
            {...wiring}
            maxLength={100}
            value={choices.word}
            onChange={({ target }) => setChoices({ ...choices, word: target.value })}
          />
        )}
      </Field>
      <p className="text-muted text-sm">
        {choices.pageUrl !== '' || found.kind === 'recipe'
          ? 'They get “Get the recipe” and “Shop ingredients”.'
          : 'They get “Shop ingredients”.'}{' '}
        Nothing is sent until you turn it on.
      </p>
      <Button type="submit" busy={busy} disabled={!isReady}>
        Make it shoppable
      </Button>
    </form>
  );
}

function Lines({ found }: { found: Extract<Found, { kind: 'reading' }> }) {
  const id = useId();
  const lines = found.reading.groups.flatMap((group) => group.lines);
  return (
    <section aria-labelledby={id} className="text-sm">
      <h3 id={id} className="font-medium">
        {lines.length === 1 ? '1 ingredient' : `${lines.length} ingredients`}
      </h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolled by keyboard too */}
      <ul tabIndex={0} aria-labelledby={id} className="mt-1 max-h-40 overflow-y-auto rounded-md bg-sunken px-3 py-2">
        {lines.map(({ text }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two lines may say the same
          <li key={at}>
            <bdi>{text}</bdi>
          </li>
        ))}
      </ul>
    </section>
  );
}

type DoneProps = { made: Made; busy: boolean; onUndo: () => void; onOpen: Props['onOpenAutomation'] };

function Done({ made: { recipe, automation, before }, busy, onUndo, onOpen }: DoneProps) {
  const toCheck = recipe.list?.toCheck ?? 0;
  return (
    <>
      <p>
        {before === null
          ? 'The automation is ready. Look it over, then turn it on.'
          : 'The buttons are in a draft of this post’s automation. Look it over, then publish it.'}
      </p>
      {toCheck > 0 && (
        <Alert
          variant="warning"
          title={`${linesToCheck(toCheck)} first`}
          action={
            <ButtonLink to={recipePath(recipe.id, 'ingredients')} size="small" variant="secondary">
              Check
            </ButtonLink>
          }
        />
      )}
      <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
        <Button variant="quiet" busy={busy} onClick={onUndo}>
          Undo
        </Button>
        <Button onClick={() => onOpen(automation.id)}>Open the automation</Button>
      </div>
    </>
  );
}
