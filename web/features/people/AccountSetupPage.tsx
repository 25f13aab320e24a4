import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearchParams } from 'react-router';
import { CONNECT_PATHS, listConnections } from '#contract/connections.ts';
import { changeHandle, createCreator } from '#contract/creators.ts';
import { mayDo } from '#contract/roles.ts';
import type { Me } from '#contract/session.ts';
import { ConnectButtons } from '#web/features/connections/ConnectButtons.tsx';
import { ConnectedAs } from '#web/features/connections/ConnectedAs.tsx';
import { ConnectProblemNotice } from '#web/features/connections/ConnectProblemNotice.tsx';
import { PersonalAccountSteps } from '#web/features/connections/PersonalAccountSteps.tsx';
import { PlatformMark } from '#web/features/connections/PlatformMark.tsx';
import { HandleField } from '#web/features/people/HandleField.tsx';
import { SETUP, setupWords } from '#web/features/people/words.ts';
import { beginWithCurrentCreator } from '#web/features/switching/switch-creator.ts';
import { paths } from '#web/paths.ts';
import { ButtonLink, TextLink } from '#web/shell/ButtonLink.tsx';
import { FormFrame, useApiForm } from '#web/shell/form.tsx';
import { Loaded } from '#web/shell/Loaded.tsx';
import { usePageTitle } from '#web/shell/page-title.ts';
import { useEndpoint } from '#web/shell/queries.ts';
import { reloadSession, useEnv, useSession } from '#web/shell/session.ts';
import { LinkButton } from '#web/ui/Button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { CenteredSpinner } from '#web/ui/Spinner.tsx';

type CreatorAccount = NonNullable<Me['creatorAccount']>;

/**
 * Two steps: connect Instagram, which tells the handle, and keep or change that. Without Instagram (`?by=handle`, or where
 * this installation has no login of theirs) it is the handle first. `?new=1`: another creator for somebody who has one.
 */
export function Component() {
  usePageTitle(SETUP.pageTitle);
  const [search] = useSearchParams();
  const session = useSession().data;
  const env = useEnv();
  const creator = session?.creatorAccount;
  if (env.isPending) return <CenteredSpinner />;
  if (creator && search.get('new') !== '1') return <Existing creator={creator} me={session} />;
  const instagramFirst = env.data?.logins.instagram && search.get('by') !== 'handle';
  const current = creator?.handle ?? null;
  return (
    <div className="flex flex-col gap-6">
      <Steps names={instagramFirst ? SETUP.instagramFirst : SETUP.handleFirst} current={1} />
      {instagramFirst ? <InstagramStep current={current} /> : <HandleStep current={current} />}
    </div>
  );
}

function Existing({ creator, me }: { creator: CreatorAccount; me: Me }) {
  const { INSTAGRAM_BUSINESS_USER, FACEBOOK_BUSINESS_PAGE } = me.tokenDetails;
  const isConnected = Boolean(INSTAGRAM_BUSINESS_USER ?? FACEBOOK_BUSINESS_PAGE);
  return (
    <div className="flex flex-col gap-6">
      <Steps names={isConnected ? SETUP.instagramFirst : SETUP.handleFirst} current={2} />
      {isConnected ? (
        <ConnectedStep creator={creator} mayRename={me.role !== null && mayDo(me.role, 'team')} />
      ) : (
        <ConnectStep creatorId={creator._id} handle={creator.handle} />
      )}
    </div>
  );
}

function Steps({ names, current }: { names: readonly string[]; current: 1 | 2 }) {
  return (
    <ol className="flex gap-2 text-sm">
      {names.map((name, index) => {
        const reached = index + 1 <= current;
        return (
          <li
            key={name}
            aria-current={index + 1 === current ? 'step' : undefined}
            className={cx('flex-1 border-t-3 pt-2', reached ? 'border-accent font-medium' : 'border-line text-muted')}
          >
            {index + 1}. {name}
          </li>
        );
      })}
    </ol>
  );
}

/** @param props.current handle of the creator they are working in, when this is to be another one */
function InstagramStep({ current }: { current: string | null }) {
  const byHandle = `${paths.accountSetup}?${new URLSearchParams({ ...(current !== null && { new: '1' }), by: 'handle' })}`;
  return (
    <div className="flex flex-col gap-5">
      <Head title={current === null ? SETUP.connectTitle : SETUP.anotherTitle} lead={SETUP.connectLead} />
      <ConnectProblemNotice />
      <LinkButton href={CONNECT_PATHS.instagramFirst} className="w-full">
        <PlatformMark platform="instagram" />
        {SETUP.connect}
      </LinkButton>
      <PersonalAccountSteps />
      <p className="flex flex-wrap gap-x-4 gap-y-1 text-muted">
        <TextLink to={byHandle}>{SETUP.byHandle}</TextLink>
        {current !== null && <TextLink to={paths.home}>{setupWords.cancel(current)}</TextLink>}
      </p>
    </div>
  );
}

/** @param props.current as above */
function HandleStep({ current }: { current: string | null }) {
  const client = useQueryClient();
  const form = useApiForm({
    endpoint: createCreator,
    schema: createCreator.body,
    defaultValues: { handle: '' },
    request: (values) => ({ body: values }),
    // The new creator is the current one from here on. A tab never goes from one creator to another without a reload.
    onSuccess: () => (current !== null ? beginWithCurrentCreator() : reloadSession(client)),
  });
  return (
    <div className="flex flex-col gap-5">
      <Head
        title={current === null ? SETUP.handleTitle : SETUP.anotherTitle}
        lead={setupWords.handleLead(current !== null)}
      />
      <FormFrame
        form={form}
        submitLabel="Continue"
        actions={current !== null && <TextLink to={paths.home}>{setupWords.cancel(current)}</TextLink>}
      >
        <HandleField form={form} />
      </FormFrame>
    </div>
  );
}

function ConnectStep({ creatorId, handle }: { creatorId: string; handle: string }) {
  return (
    <div className="flex flex-col gap-5">
      <Head title={setupWords.connectTitle(handle)} lead={SETUP.connectLead} />
      <ConnectProblemNotice />
      <ConnectButtons creatorId={creatorId} returnTo="account-setup" />
      <PersonalAccountSteps />
      <p className="text-muted">
        <TextLink to={paths.home}>{SETUP.later}</TextLink>
        {SETUP.laterMeans}
      </p>
    </div>
  );
}

/** Who was connected, and the handle that came with it, to keep or to change. */
function ConnectedStep({ creator, mayRename }: { creator: CreatorAccount; mayRename: boolean }) {
  const params = { creatorId: creator._id };
  const connections = useEndpoint(listConnections, { params });
  return (
    <div className="flex flex-col gap-5">
      <Loaded
        query={connections}
        loading={SETUP.loading}
        failed={SETUP.failed}
        skeleton={<Skeleton className="h-16 w-full" />}
      >
        {({ items }) => <ConnectedAs connections={items} />}
      </Loaded>
      <ConnectProblemNotice />
      {mayRename ? (
        <KeepHandle creator={creator} />
      ) : (
        <ButtonLink to={paths.home} className="self-start">
          {SETUP.done}
        </ButtonLink>
      )}
    </div>
  );
}

function KeepHandle({ creator }: { creator: CreatorAccount }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const form = useApiForm({
    endpoint: changeHandle,
    schema: changeHandle.body,
    defaultValues: { handle: creator.handle },
    request: (body) => ({ params: { creatorId: creator._id }, body }),
    onSuccess: async ({ handle }) => {
      if (handle !== creator.handle) await reloadSession(client);
      await navigate(paths.home);
    },
  });
  return (
    <FormFrame form={form} submitLabel={SETUP.done}>
      <HandleField form={form} />
    </FormFrame>
  );
}

function Head({ title, lead }: { title: string; lead: string }) {
  return (
    <div>
      <h1 className="font-semibold text-2xl">{title}</h1>
      <p className="mt-1 text-muted">{lead}</p>
    </div>
  );
}
