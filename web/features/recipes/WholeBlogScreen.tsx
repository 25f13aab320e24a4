import { ArrowLeft } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import {
  continueRecipeImport,
  listRecipeImports,
  listUnreadPages,
  pauseRecipeImport,
  type RecipeImport,
  retryRecipeImport,
  startRecipeImport,
  undoRecipeImport,
} from '#contract/recipe-imports.ts';
import { listRecipes } from '#contract/recipes.ts';
import { listSites } from '#contract/sites.ts';
import { BLOG, countWords, STATES, titleOf } from '#web/features/recipes/whole-blog-words.ts';
import { paths } from '#web/paths.ts';
import { ButtonLink, TextLink } from '#web/shell/ButtonLink.tsx';
import { FormProblem } from '#web/shell/form.tsx';
import { LinkInput } from '#web/shell/LinkInput.tsx';
import { Loaded } from '#web/shell/Loaded.tsx';
import { PageHeader } from '#web/shell/PageHeader.tsx';
import { useEndpoint, useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Alert } from '#web/ui/Alert.tsx';
import { Badge } from '#web/ui/Badge.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Card } from '#web/ui/Card.tsx';
import { Field } from '#web/ui/Field.tsx';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';

const SHOWN_AT_MOST = 10;
/** Live updates come sooner; where they do not arrive, this does. */
const ASKED_EVERY_MS = 10_000;

/** All recipes of a blog: found, read in the background, and undone for a month. */
export function WholeBlogScreen() {
  const { creatorId } = useCreator();
  const imports = useEndpoint(
    listRecipeImports,
    { params: { creatorId }, query: { limit: SHOWN_AT_MOST } },
    { refetchInterval: ({ state }) => (state.data?.items.some(isAtWork) ? ASKED_EVERY_MS : false) },
  );
  return (
    <div className="flex max-w-3xl flex-col gap-4">
      <div>
        <TextLink to={paths.recipes} className="mb-2 inline-flex min-h-11 items-center gap-1.5 text-sm md:min-h-8">
          <ArrowLeft aria-hidden="true" className="size-4" />
          {BLOG.back}
        </TextLink>
        <PageHeader title={BLOG.title} description={BLOG.description} />
      </div>
      <Loaded query={imports} loading={BLOG.loading} failed={BLOG.failed} skeleton={<Skeleton className="h-64" />}>
        {({ items: [newest, ...earlier] }) => {
          const isUnderWay = newest !== undefined && (newest.state === 'running' || newest.state === 'paused');
          return (
            <>
              {!isUnderWay && <ChooseBlog />}
              {newest !== undefined && <OneImport one={newest} />}
              <Earlier imports={earlier} />
            </>
          );
        }}
      </Loaded>
    </div>
  );
}

function isAtWork({ state, undo }: RecipeImport): boolean {
  return state === 'running' || (undo !== null && !undo.isDone);
}

function ChooseBlog() {
  const { creatorId } = useCreator();
  const sites = useEndpoint(listSites, { params: { creatorId } });
  const [typed, setTyped] = useState<string | null>(null);
  const known = sites.data?.items.find(({ state, url }) => state === 'live' && url !== null)?.url ?? '';
  const site = typed ?? known;
  const starting = useEndpointMutation(startRecipeImport, {
    successToast: false,
    errorToast: false,
    refreshes: [listRecipeImports],
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (site.trim() !== '' && !starting.isPending) starting.mutate({ params: { creatorId }, body: { site } });
  };
  return (
    <Card title={BLOG.choose} description={BLOG.chooseSays}>
      <form noValidate onSubmit={submit} className="flex flex-col items-start gap-4">
        <FormProblem problem={starting.error} />
        <Field className="w-full" label={BLOG.address}>
          {(wiring) => <LinkInput {...wiring} value={site} onChange={({ target }) => setTyped(target.value)} />}
        </Field>
        <Button type="submit" busy={starting.isPending} disabled={site.trim() === ''}>
          {BLOG.start}
        </Button>
      </form>
    </Card>
  );
}

function OneImport({ one }: { one: RecipeImport }) {
  const { found, waiting, state, undo, failure } = one;
  return (
    <Card title={titleOf(one)} aside={<Badge tone={state === 'failed' ? 'warning' : 'neutral'}>{STATES[state]}</Badge>}>
      <div className="flex flex-col gap-4">
        {failure !== null && (
          <Alert variant="warning" announce>
            {failure}
          </Alert>
        )}
        {state === 'running' && (
          <div>
            <p role="status" className="text-muted">
              {found === 0 ? BLOG.finding : BLOG.progress(found - waiting, found)}
            </p>
            <progress
              aria-label={BLOG.title}
              className="mt-3 w-full accent-accent"
              {...(found > 0 && { value: found - waiting, max: found })}
            />
            <p className="mt-2 text-muted text-sm">{BLOG.pace}</p>
          </div>
        )}
        {undo === null ? (
          <ul className="flex flex-col gap-1.5">
            {countWords(one).map((words) => (
              <li key={words}>{words}</li>
            ))}
          </ul>
        ) : (
          <p role="status">{undo.isDone ? BLOG.undone(undo) : BLOG.undoing}</p>
        )}
        {one.notRead > 0 && <NotRead importId={one.id} />}
        <Actions one={one} />
      </div>
    </Card>
  );
}

function NotRead({ importId }: { importId: string }) {
  const { creatorId } = useCreator();
  const pages = useEndpoint(listUnreadPages, {
    params: { creatorId, recipeImportId: importId },
    query: { limit: SHOWN_AT_MOST },
  });
  if (pages.data === undefined || pages.data.items.length === 0) return null;
  return (
    <details className="rounded-md bg-sunken p-3 text-sm">
      <summary className="min-h-11 cursor-pointer content-center font-medium md:min-h-8">{BLOG.notRead}</summary>
      <ul className="flex flex-col gap-2">
        {pages.data.items.map(({ url, says }) => (
          <li key={url} className="break-words">
            <bdi className="break-all font-medium">{url}</bdi> <span className="text-muted">{says}</span>
          </li>
        ))}
      </ul>
      {pages.data.next !== null && <p className="mt-2 text-muted">{BLOG.more}</p>}
    </details>
  );
}

function Actions({ one }: { one: RecipeImport }) {
  const { creatorId } = useCreator();
  const options = { successToast: false, refreshes: [listRecipeImports, listRecipes] } as const;
  const pausing = useEndpointMutation(pauseRecipeImport, options);
  const continuing = useEndpointMutation(continueRecipeImport, options);
  const retrying = useEndpointMutation(retryRecipeImport, options);
  const undoing = useEndpointMutation(undoRecipeImport, options);
  const request = { params: { creatorId, recipeImportId: one.id } };
  const { state, undo, undoUntil, found } = one;
  return (
    <div className="flex flex-col gap-2 sm:flex-row sm:flex-wrap">
      {state === 'running' && (
        <Button variant="secondary" busy={pausing.isPending} onClick={() => pausing.mutate(request)}>
          {BLOG.pause}
        </Button>
      )}
      {(state === 'paused' || state === 'failed') && undo === null && (
        <Button busy={continuing.isPending} onClick={() => continuing.mutate(request)}>
          {found === 0 ? BLOG.again : BLOG.goOn}
        </Button>
      )}
      {one.made + one.updated > 0 && (
        <ButtonLink to={one.toCheck > 0 ? `${paths.recipes}?state=to_check` : paths.recipes} variant="secondary">
          {BLOG.see}
        </ButtonLink>
      )}
      {state === 'done' && one.notRead > 0 && undo === null && (
        <Button variant="secondary" busy={retrying.isPending} onClick={() => retrying.mutate(request)}>
          {BLOG.retry}
        </Button>
      )}
      {undoUntil !== null && (
        <Button variant="quiet" busy={undoing.isPending} onClick={() => undoing.mutate(request)}>
          {BLOG.undo}
        </Button>
      )}
    </div>
  );
}

function Earlier({ imports }: { imports: RecipeImport[] }) {
  if (imports.length === 0) return null;
  return (
    <Card title={BLOG.earlier}>
      <ul className="flex flex-col divide-y divide-line">
        {imports.map((one) => (
          <li key={one.id} className="flex min-h-11 flex-wrap items-center justify-between gap-x-3 py-2">
            <bdi className="min-w-0 break-all font-medium">{new URL(one.site).host}</bdi>
            <span className="text-muted text-sm">
              {one.undo === null ? BLOG.recipes(one.made + one.updated + one.same) : BLOG.wasUndone}{' '}
              <RelativeTime at={one.madeAt} className="text-faint" />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
