import { useQueryClient } from '@tanstack/react-query';
import { Suspense, useEffect, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { login, loginDemo, loginSecondFactor } from '#contract/session.ts';
import type { InviteFound } from '#contract/team.ts';
import { withInvite } from '#web/features/people/invite-address.ts';
import { MailboxHint } from '#web/features/people/MailboxHint.tsx';
import { Panel } from '#web/features/people/Panel.tsx';
import { ResendConfirmation } from '#web/features/people/ResendConfirmation.tsx';
import { paths } from '#web/paths.ts';
import { TextLink } from '#web/shell/ButtonLink.tsx';
import { lazyPart } from '#web/shell/fetch-code.ts';
import { FormFrame, TextField, useApiForm } from '#web/shell/form.tsx';
import type { LoginState } from '#web/shell/Gate.tsx';
import type { PublicHandle } from '#web/shell/PublicLayout.tsx';
import { useEndpointMutation } from '#web/shell/queries.ts';
import { reloadSession, useEnv } from '#web/shell/session.ts';
import { Alert } from '#web/ui/Alert.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Checkbox } from '#web/ui/inputs.tsx';
import { CenteredSpinner } from '#web/ui/Spinner.tsx';

/** The link of an invitation mail may be opened by somebody who is signed in. */
export const handle: PublicHandle = { open: 'with invite' };

/** Fetched only for the few who come with an invite. */
const Invited = lazyPart(async () => (await import('#web/features/people/Invited.tsx')).Invited);

/**
 * Once the session is there, the layout leads on: to where they came from, or to the home screen. `?invite=` is the token
 * of an invitation mail; the invite waits for an answer behind the login.
 */
export function Component() {
  const env = useEnv();
  const [search] = useSearchParams();
  const ended = (useLocation().state as LoginState)?.ended;
  const token = search.get('invite') || null;
  const [secondFactor, setSecondFactor] = useState(false);
  // The demo's button must not push the form away under somebody's finger.
  if (env.isPending) return <CenteredSpinner />;
  if (secondFactor) return <SecondFactor onBack={() => setSecondFactor(false)} />;
  const onSecondFactor = () => setSecondFactor(true);
  if (token) {
    return (
      <Suspense fallback={<CenteredSpinner />}>
        <Invited token={token}>
          {(invite) => <InvitedLogin invite={invite} token={token} onSecondFactor={onSecondFactor} />}
        </Invited>
      </Suspense>
    );
  }
  return (
    <Panel title="Log in" lead={ended && 'Your session ended. Log in and you’re back where you were.'}>
      {env.data?.simulated && <EnterDemo />}
      <PasswordLogin email="" onSecondFactor={onSecondFactor} />
      {env.data?.signUp !== 'closed' && (
        <p className="text-muted">
          New here?{' '}
          {env.data?.signUp === 'invited' ? (
            'Open the link in the email that invited you.'
          ) : (
            <TextLink to={paths.signup}>Create an account</TextLink>
          )}
        </p>
      )}
    </Panel>
  );
}

type InvitedLoginProps = { invite: InviteFound; token: string; onSecondFactor: () => void };

function InvitedLogin({ invite, token, onSecondFactor }: InvitedLoginProps) {
  const who = invite.invitedBy ?? 'Someone on the team';
  const team = invite.creatorAccountHandle;
  return (
    <Panel
      title={team ? `Log in to join @${team}` : 'Log in'}
      lead={team && `${who} invites you to work on this creator’s account.`}
    >
      <PasswordLogin email={invite.email} emailFixed onSecondFactor={onSecondFactor} />
      <p className="text-muted">
        No account yet? <TextLink to={withInvite(paths.signup, token)}>Create one</TextLink>
      </p>
    </Panel>
  );
}

type PasswordLoginProps = { email: string; emailFixed?: boolean; onSecondFactor: () => void };

function PasswordLogin({ email, emailFixed = false, onSecondFactor }: PasswordLoginProps) {
  const client = useQueryClient();
  const [unconfirmed, setUnconfirmed] = useState<string | null>(null);
  const form = useApiForm({
    endpoint: login,
    schema: login.body,
    defaultValues: { email, password: '' },
    request: (values) => {
      setUnconfirmed(null);
      return { body: values };
    },
    onSuccess: ({ secondFactorNeeded }) => (secondFactorNeeded ? onSecondFactor() : reloadSession(client)),
    onProblem: ({ code }) => {
      if (code !== 'email_not_verified') return false;
      setUnconfirmed(form.getValues('email'));
      return true;
    },
  });
  return (
    <FormFrame form={form} submitLabel="Log in" wideSubmit>
      {unconfirmed !== null && (
        <Alert variant="warning" title="Please confirm your email first" announce>
          <p>We sent a link to {unconfirmed} when you signed up. Open it, then log in here.</p>
          <div className="mt-3 flex flex-col items-start gap-2">
            <ResendConfirmation email={unconfirmed} />
            <MailboxHint />
          </div>
        </Alert>
      )}
      <TextField
        form={form}
        name="email"
        label="Email"
        type="email"
        autoComplete="username"
        inputMode="email"
        readOnly={emailFixed}
        {...(emailFixed && { hint: 'The invite is for this address.' })}
      />
      <TextField
        form={form}
        name="password"
        label="Password"
        type="password"
        autoComplete="current-password"
        aside={<TextLink to={paths.forgotPassword}>Forgot password?</TextLink>}
      />
    </FormFrame>
  );
}

function SecondFactor({ onBack }: { onBack: () => void }) {
  const client = useQueryClient();
  const form = useApiForm({
    endpoint: loginSecondFactor,
    schema: loginSecondFactor.body,
    defaultValues: { code: '', trustDevice: false },
    request: (values) => ({ body: values }),
    onSuccess: () => reloadSession(client),
  });
  return (
    <Panel title="One more step" lead="Enter the code from your authenticator app, or one of your backup codes.">
      <FormFrame
        form={form}
        submitLabel="Continue"
        actions={
          <Button variant="quiet" onClick={onBack}>
            Back
          </Button>
        }
      >
        <TextField
          form={form}
          name="code"
          label="Code"
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
        />
        <Checkbox label="Don’t ask again on this device for 30 days" {...form.register('trustDevice')} />
      </FormFrame>
    </Panel>
  );
}

/** Only while simulators stand in for Meta: a creator with posts, followers and a phone to play with. */
function EnterDemo() {
  const client = useQueryClient();
  const enter = useEndpointMutation(loginDemo, { successToast: false, onSuccess: () => reloadSession(client) });
  const isLong = useLasts(enter.isPending);
  return (
    <div className="flex flex-col gap-3 rounded-lg border border-accent-line bg-accent-soft p-4">
      <p className="text-sm">
        Instagram is simulated here. Try everything as the demo creator, without an account. Nothing reaches real
        people.
      </p>
      <Button className="w-full" busy={enter.isPending} onClick={() => enter.mutate({})}>
        Try the demo
      </Button>
      {isLong && (
        <p role="status" className="text-sm">
          Filling the demo with its last 60 days. This takes up to a minute, once.
        </p>
      )}
    </div>
  );
}

const LONG_MS = 1500;

/** Whether it has been so for longer than a click takes. */
function useLasts(is: boolean): boolean {
  const [lasts, setLasts] = useState(false);
  useEffect(() => {
    if (!is) return;
    const timer = setTimeout(() => setLasts(true), LONG_MS);
    return () => {
      clearTimeout(timer);
      setLasts(false);
    };
  }, [is]);
  return lasts;
}
