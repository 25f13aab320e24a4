import { useQueryClient } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { createCreator } from '#contract/creators.ts';
import { ConnectButtons } from '#web/features/connections/ConnectButtons.tsx';
import { ConnectProblemNotice } from '#web/features/connections/ConnectProblemNotice.tsx';
import { beginWithCurrentCreator } from '#web/features/switching/switch-creator.ts';
import { paths } from '#web/paths.ts';
import { ButtonLink, TextLink } from '#web/shell/ButtonLink.tsx';
import { FormFrame, TextField, useApiForm } from '#web/shell/form.tsx';
import { usePageTitle } from '#web/shell/page-title.ts';
import { reloadSession, useSession } from '#web/shell/session.ts';
import { cx } from '#web/ui/class-names.ts';

/** Two steps: a handle, then an account to answer for. `?new=1`: another creator for somebody who has one already. */
export function Component() {
  usePageTitle('Set up your account');
  const [search] = useSearchParams();
  const session = useSession().data;
  const creator = session?.creatorAccount;
  const { INSTAGRAM_BUSINESS_USER, FACEBOOK_BUSINESS_PAGE } = session?.tokenDetails ?? {};
  const connected = Boolean(INSTAGRAM_BUSINESS_USER ?? FACEBOOK_BUSINESS_PAGE);
  const another = Boolean(creator) && search.get('new') === '1';
  return (
    <div className="flex flex-col gap-6">
      <Steps current={creator && !another ? 2 : 1} />
      {creator && !another ? (
        <ConnectStep creatorId={creator._id} handle={creator.handle} connected={connected} />
      ) : (
        <HandleStep current={creator?.handle ?? null} />
      )}
    </div>
  );
}

function Steps({ current }: { current: 1 | 2 }) {
  return (
    <ol className="flex gap-2 text-sm">
      {['Your handle', 'Connect'].map((name, index) => {
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

/** @param props.current handle of the creator she is working in, when this is to be another one */
function HandleStep({ current }: { current: string | null }) {
  const client = useQueryClient();
  const form = useApiForm({
    endpoint: createCreator,
    schema: createCreator.body,
    defaultValues: { handle: '' },
    request: (values) => ({ body: values }),
    // The new creator is the current one from here on. A tab never goes from one creator to another without loading anew.
    onSuccess: () => (current !== null ? beginWithCurrentCreator() : reloadSession(client)),
  });
  return (
    <div className="flex flex-col gap-5">
      <div>
        <h1 className="font-semibold text-2xl">
          {current === null ? 'What do followers call you?' : 'Start another creator account'}
        </h1>
        <p className="mt-1 text-muted">
          Most people use their Instagram handle. This is {current === null ? 'your' : 'the'} account’s name in Creator
          HQ.
        </p>
      </div>
      <FormFrame
        form={form}
        submitLabel="Continue"
        actions={current !== null && <TextLink to={paths.home}>Cancel, back to @{current}</TextLink>}
      >
        <TextField
          form={form}
          name="handle"
          label="Handle"
          hint="Letters, numbers, periods and underscores, without the @."
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      </FormFrame>
    </div>
  );
}

function ConnectStep({ creatorId, handle, connected }: { creatorId: string; handle: string; connected: boolean }) {
  if (connected) {
    return (
      <div className="flex flex-col items-start gap-5">
        <h1 className="font-semibold text-2xl">@{handle} is connected</h1>
        <ConnectProblemNotice />
        <ButtonLink to={paths.home}>Go to Creator HQ</ButtonLink>
      </div>
    );
  }
  return (
    <div className="flex flex-col gap-5">
      <div>
        <h1 className="font-semibold text-2xl">Connect your account, @{handle}</h1>
        <p className="mt-1 text-muted">
          You need an Instagram professional account (creator or business). You can switch a personal account for free
          in the Instagram app.
        </p>
      </div>
      <ConnectProblemNotice />
      <ConnectButtons creatorId={creatorId} returnTo="account-setup" />
      <p className="text-muted">
        <TextLink to={paths.home}>Do this later</TextLink>: you can look around, but automations only reply once you
        connect an account.
      </p>
    </div>
  );
}
