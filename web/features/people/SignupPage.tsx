import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { signUp } from '#contract/session.ts';
import type { InviteFound } from '#contract/team.ts';
import { Invited } from '#web/features/people/Invited.tsx';
import { withInvite } from '#web/features/people/invite-address.ts';
import { MailboxHint } from '#web/features/people/MailboxHint.tsx';
import { Panel } from '#web/features/people/Panel.tsx';
import { ResendConfirmation } from '#web/features/people/ResendConfirmation.tsx';
import { SIGNUP_PAGE } from '#web/features/people/words.ts';
import { paths } from '#web/paths.ts';
import { TextLink } from '#web/shell/ButtonLink.tsx';
import { FormFrame, TextField, useApiForm } from '#web/shell/form.tsx';
import type { PublicHandle } from '#web/shell/PublicLayout.tsx';
import { reloadSession, useEnv } from '#web/shell/session.ts';
import { CenteredSpinner } from '#web/ui/Spinner.tsx';

/** The link of an invitation mail may be opened by somebody who is signed in. */
export const handle: PublicHandle = { open: 'with invite' };

/** `?invite=` is the token of an invitation mail: then it is said who invites, and the address is the invited one. */
export function Component() {
  const [search] = useSearchParams();
  const token = search.get('invite');
  const env = useEnv();
  if (env.isPending) return <CenteredSpinner />;
  const signingUp = env.data?.signUp ?? 'open';
  if (signingUp === 'closed') return <NoNewAccounts />;
  if (!token) return signingUp === 'open' ? <Signup invite={null} /> : <InviteNeeded />;
  return <Invited token={token}>{(invite) => <Signup invite={{ ...invite, token }} />}</Invited>;
}

function InviteNeeded() {
  return (
    <Panel title={SIGNUP_PAGE.signUpIsBy} lead={SIGNUP_PAGE.openTheLinkIn}>
      <ToLogin />
    </Panel>
  );
}

function NoNewAccounts() {
  return (
    <Panel title={SIGNUP_PAGE.signUpIsClosed} lead={SIGNUP_PAGE.thisCreatorHqIsnt}>
      <ToLogin />
    </Panel>
  );
}

function ToLogin() {
  return (
    <p className="text-muted">
      Already have an account? <TextLink to={paths.login}>{SIGNUP_PAGE.logIn}</TextLink>
    </p>
  );
}

type KnownInvite = InviteFound & { token: string };

function Signup({ invite }: { invite: KnownInvite | null }) {
  const [sentTo, setSentTo] = useState<string | null>(null);
  if (sentTo !== null) return <CheckYourMail email={sentTo} invite={invite} />;
  return <SignupForm invite={invite} onSent={setSentTo} />;
}

function SignupForm({ invite, onSent }: { invite: KnownInvite | null; onSent: (email: string) => void }) {
  const client = useQueryClient();
  const form = useApiForm({
    endpoint: signUp,
    schema: signUp.body,
    defaultValues: { name: '', email: invite?.email ?? '', password: '', inviteToken: invite?.token },
    request: (values) => ({ body: values }),
    // With an invite the address is confirmed already: its mail was read.
    onSuccess: ({ signedIn }, { email }) => (signedIn ? reloadSession(client) : onSent(email)),
  });
  return (
    <Panel title={titleOf(invite)} lead={leadOf(invite)}>
      <FormFrame form={form} submitLabel={SIGNUP_PAGE.createAccount} wideSubmit>
        <TextField form={form} name="name" label={SIGNUP_PAGE.yourName} autoComplete="name" />
        <TextField
          form={form}
          name="email"
          label={SIGNUP_PAGE.email}
          type="email"
          autoComplete="email"
          inputMode="email"
          readOnly={invite !== null}
          {...(invite && { hint: SIGNUP_PAGE.theInviteIsFor })}
        />
        <TextField
          form={form}
          name="password"
          label={SIGNUP_PAGE.password}
          hint={SIGNUP_PAGE.atLeast10Characters}
          type="password"
          autoComplete="new-password"
        />
      </FormFrame>
      <p className="text-muted">
        Already have an account?{' '}
        <TextLink to={withInvite(paths.login, invite?.token ?? null)}>{SIGNUP_PAGE.logIn}</TextLink>
      </p>
    </Panel>
  );
}

function titleOf(invite: KnownInvite | null): string {
  return invite?.creatorAccountHandle ? `Join @${invite.creatorAccountHandle}` : SIGNUP_PAGE.createYourAccount;
}

function leadOf(invite: KnownInvite | null): string {
  if (!invite?.creatorAccountHandle) return SIGNUP_PAGE.nextYoullConnect;
  return `${invite.invitedBy ?? SIGNUP_PAGE.someoneOnTheTeam} invites you to work on this creator’s account. Create your login first.`;
}

function CheckYourMail({ email, invite }: { email: string; invite: KnownInvite | null }) {
  return (
    <Panel
      title={SIGNUP_PAGE.checkYourEmail}
      lead={
        <>
          We sent a link to <strong className="break-words text-ink">{email}</strong>. Open it to confirm your email and
          log in{invite ? ', and the invite waits there for your answer' : ''}.
        </>
      }
    >
      <MailboxHint />
      <p className="text-muted text-sm">{SIGNUP_PAGE.nothingAfterAFew}</p>
      <div className="flex flex-wrap items-center gap-4">
        <ResendConfirmation email={email} />
        <TextLink to={withInvite(paths.login, invite?.token ?? null)}>{SIGNUP_PAGE.backToLogin}</TextLink>
      </div>
    </Panel>
  );
}
