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
    <Panel
      title="Sign-up is by invitation"
      lead="Open the link in your invite email. No invite? Ask a teammate or the people who run this Creator HQ."
    >
      <ToLogin />
    </Panel>
  );
}

function NoNewAccounts() {
  return (
    <Panel title="Sign-up is closed" lead="This Creator HQ isn’t taking new accounts.">
      <ToLogin />
    </Panel>
  );
}

function ToLogin() {
  return (
    <p className="text-muted">
      Already have an account? <TextLink to={paths.login}>Log in</TextLink>
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
      <FormFrame form={form} submitLabel="Create account" wideSubmit>
        <TextField form={form} name="name" label="Your name" autoComplete="name" />
        <TextField
          form={form}
          name="email"
          label="Email"
          type="email"
          autoComplete="email"
          inputMode="email"
          readOnly={invite !== null}
          {...(invite && { hint: 'The invite is for this address.' })}
        />
        <TextField
          form={form}
          name="password"
          label="Password"
          hint="At least 10 characters. A few words you’ll remember work best."
          type="password"
          autoComplete="new-password"
        />
      </FormFrame>
      <p className="text-muted">
        Already have an account? <TextLink to={withInvite(paths.login, invite?.token ?? null)}>Log in</TextLink>
      </p>
    </Panel>
  );
}

function titleOf(invite: KnownInvite | null): string {
  return invite?.creatorAccountHandle ? `Join @${invite.creatorAccountHandle}` : 'Create your account';
}

function leadOf(invite: KnownInvite | null): string {
  if (!invite?.creatorAccountHandle) return 'Next, you’ll choose a handle and connect Instagram or Facebook.';
  return `${invite.invitedBy ?? 'Someone on the team'} invites you to work on this creator’s account. Create your login first.`;
}

function CheckYourMail({ email, invite }: { email: string; invite: KnownInvite | null }) {
  return (
    <Panel
      title="Check your email"
      lead={
        <>
          We sent a link to <strong className="break-words text-ink">{email}</strong>. Open it to confirm your email and
          log in{invite ? ', and the invite waits there for your answer' : ''}.
        </>
      }
    >
      <MailboxHint />
      <p className="text-muted text-sm">Nothing after a few minutes? Check your spam folder.</p>
      <div className="flex flex-wrap items-center gap-4">
        <ResendConfirmation email={email} />
        <TextLink to={withInvite(paths.login, invite?.token ?? null)}>Back to login</TextLink>
      </div>
    </Panel>
  );
}
