import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import {
  CONNECT_PATHS,
  type Connection,
  choosePages,
  listConnections,
  listGrantedPages,
} from '#contract/connections.ts';
import type { ResponseOf } from '#contract/endpoint.ts';
import { getMe } from '#contract/session.ts';
import { ConnectedAs } from '#web/features/connections/ConnectedAs.tsx';
import { PlatformMark } from '#web/features/connections/PlatformMark.tsx';
import { CONNECTED_AS, FACEBOOK_SUCCESS_PAGE } from '#web/features/connections/words.ts';
import { paths, settingsPath } from '#web/paths.ts';
import { ButtonLink } from '#web/shell/ButtonLink.tsx';
import { Loaded } from '#web/shell/Loaded.tsx';
import { PageHeader } from '#web/shell/PageHeader.tsx';
import { usePageTitle } from '#web/shell/page-title.ts';
import { refresh, useEndpoint, useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Alert } from '#web/ui/Alert.tsx';
import { Avatar } from '#web/ui/Avatar.tsx';
import { Button, LinkButton } from '#web/ui/Button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { EmptyState } from '#web/ui/states.tsx';

type Granted = ResponseOf<typeof listGrantedPages>['items'][number];
type Problem = ResponseOf<typeof choosePages>['problems'][number];

/** Back from Facebook's login: which of the Pages shall Creator HQ answer for? */
export function Component() {
  const { creatorId } = useCreator();
  useCleanHash();
  const pages = useEndpoint(listGrantedPages, { params: { creatorId } });
  const [connected, setConnected] = useState<Connection[] | null>(null);
  const again = CONNECT_PATHS.facebook(creatorId);
  if (connected !== null) {
    return <Connected connections={connected} />;
  }
  return (
    <div className="mx-auto max-w-2xl">
      <PageHeader
        title={FACEBOOK_SUCCESS_PAGE.chooseYourPages}
        description={FACEBOOK_SUCCESS_PAGE.creatorHqRepliesTo}
      />
      {pages.error?.code === 'not_connected' || pages.error?.code === 'needs_reconnect' ? (
        <EmptyState
          icon={<PlatformMark platform="facebook" className="size-7" />}
          title={pages.error.title}
          action={<LinkButton href={again}>{FACEBOOK_SUCCESS_PAGE.connectWithFacebook}</LinkButton>}
        >
          {pages.error.detail}
        </EmptyState>
      ) : (
        <Loaded
          query={pages}
          loading={FACEBOOK_SUCCESS_PAGE.loadingYourPages}
          failed={FACEBOOK_SUCCESS_PAGE.couldntLoadYourPages}
          skeleton={
            <div className="flex flex-col gap-3">
              <Skeleton className="h-20 w-full" />
              <Skeleton className="h-20 w-full" />
            </div>
          }
        >
          {({ items }) =>
            items.length === 0 ? (
              <EmptyState
                icon={<PlatformMark platform="facebook" className="size-7" />}
                title={FACEBOOK_SUCCESS_PAGE.noPagesFound}
                action={<LinkButton href={again}>{FACEBOOK_SUCCESS_PAGE.connectWithFacebookAgain}</LinkButton>}
              >
                {FACEBOOK_SUCCESS_PAGE.noPageWasSelected}
              </EmptyState>
            ) : (
              <ChoosePages creatorId={creatorId} pages={items} onConnected={setConnected} />
            )
          }
        </Loaded>
      )}
    </div>
  );
}

function Connected({ connections }: { connections: Connection[] }) {
  usePageTitle(CONNECTED_AS.pageTitle);
  return (
    <div className="mx-auto flex max-w-2xl flex-col items-start gap-5">
      <ConnectedAs connections={connections} />
      <ButtonLink to={paths.home}>{CONNECTED_AS.done}</ButtonLink>
    </div>
  );
}

/** Facebook hangs `#_=_` on every address it returns to. */
function useCleanHash() {
  const { hash, pathname, search } = useLocation();
  const navigate = useNavigate();
  useEffect(() => {
    if (hash === '#_=_') void navigate(pathname + search, { replace: true });
  }, [hash, pathname, search, navigate]);
}

type ChooseProps = { creatorId: string; pages: Granted[]; onConnected: (connections: Connection[]) => void };

function ChoosePages({ creatorId, pages, onConnected }: ChooseProps) {
  const client = useQueryClient();
  const choosable = pages.filter((page) => page.problem === null);
  const [chosen, setChosen] = useState(() => choosable.map((page) => page.pageId));
  const [problems, setProblems] = useState<Problem[]>([]);
  const choose = useEndpointMutation(choosePages, {
    successToast: false,
    refreshes: [listConnections, listGrantedPages],
    onSuccess: async ({ items, problems }) => {
      await refresh(client, getMe);
      if (problems.length > 0) setProblems(problems);
      else onConnected(items);
    },
  });
  const toggle = (pageId: string) =>
    setChosen(chosen.includes(pageId) ? chosen.filter((other) => other !== pageId) : [...chosen, pageId]);

  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (chosen.length > 0 && !choose.isPending) choose.mutate({ params: { creatorId }, body: { pageIds: chosen } });
      }}
    >
      {problems.length > 0 && (
        <Alert variant="warning" title={FACEBOOK_SUCCESS_PAGE.somePagesCouldntBe} announce>
          <ul className="list-disc pl-5">
            {problems.map((problem) => (
              <li key={problem.pageId}>
                {pages.find((page) => page.pageId === problem.pageId)?.name ?? FACEBOOK_SUCCESS_PAGE.aPage}:{' '}
                {problem.detail}
              </li>
            ))}
          </ul>
        </Alert>
      )}
      <fieldset className="flex flex-col gap-3">
        <legend className="sr-only">{FACEBOOK_SUCCESS_PAGE.availablePages}</legend>
        {pages.map((page) => (
          <PageChoice
            key={page.pageId}
            page={page}
            checked={chosen.includes(page.pageId)}
            onToggle={() => toggle(page.pageId)}
          />
        ))}
      </fieldset>
      <p className="text-muted text-sm">
        Missing a Page?{' '}
        <a href={CONNECT_PATHS.facebook(creatorId)} className="font-medium text-accent-ink underline">
          {FACEBOOK_SUCCESS_PAGE.goBackToFacebook}
        </a>
        {FACEBOOK_SUCCESS_PAGE.chooseEditSettingsAnd}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" busy={choose.isPending} disabled={chosen.length === 0}>
          {chosen.length > 1 ? `Connect ${chosen.length} Pages` : FACEBOOK_SUCCESS_PAGE.connectPage}
        </Button>
        <ButtonLink variant="quiet" to={settingsPath('connections')}>
          {FACEBOOK_SUCCESS_PAGE.notNow}
        </ButtonLink>
      </div>
    </form>
  );
}

function PageChoice({ page, checked, onToggle }: { page: Granted; checked: boolean; onToggle: () => void }) {
  const refused = page.problem !== null;
  return (
    <label
      className={cx(
        'flex items-start gap-3 rounded-lg border border-line bg-surface p-4',
        refused ? 'cursor-not-allowed' : 'has-checked:border-accent has-checked:bg-accent-soft',
      )}
    >
      <input
        type="checkbox"
        className="mt-2.5 size-5 shrink-0 accent-accent"
        checked={checked}
        disabled={refused}
        onChange={onToggle}
      />
      <Avatar sources={[page.pictureUrl]} name={page.name} />
      <span className="flex min-w-0 flex-col gap-0.5">
        <span className="flex items-center gap-2 font-medium">
          <PlatformMark platform="facebook" className="size-4 text-muted" />
          {page.name}
        </span>
        <span className="flex items-center gap-2 text-muted text-sm">
          {page.instagram ? (
            <>
              <PlatformMark platform="instagram" className="size-4" />@{page.instagram.username}
            </>
          ) : (
            FACEBOOK_SUCCESS_PAGE.noInstagramAccountLinked
          )}
        </span>
        {page.connected && <span className="text-muted text-sm">{FACEBOOK_SUCCESS_PAGE.alreadyConnected}</span>}
        {refused && <span className="text-error-ink text-sm">{page.problem}</span>}
      </span>
    </label>
  );
}
