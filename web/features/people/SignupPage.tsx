import { useState } from 'react';
import { signUp } from '#contract/session.ts';
import { MailboxHint } from '#web/features/people/MailboxHint.tsx';
import { Panel } from '#web/features/people/Panel.tsx';
import { ResendConfirmation } from '#web/features/people/ResendConfirmation.tsx';
import { paths } from '#web/paths.ts';
import { TextLink } from '#web/shell/ButtonLink.tsx';
import { FormFrame, TextField, useApiForm } from '#web/shell/form.tsx';

export function Component() {
  const [sentTo, setSentTo] = useState<string | null>(null);
  return sentTo === null ? <SignupForm onSent={setSentTo} /> : <CheckYourMail email={sentTo} />;
}

function SignupForm({ onSent }: { onSent: (email: string) => void }) {
  const form = useApiForm({
    endpoint: signUp,
    schema: signUp.body,
    defaultValues: { name: '', email: '', password: '' },
    request: (values) => ({ body: values }),
    onSuccess: (_, { email }) => onSent(email),
  });
  return (
    <Panel title="Create your account" lead="Next you pick a handle and connect Instagram or Facebook.">
      <FormFrame form={form} submitLabel="Create account" wideSubmit>
        <TextField form={form} name="name" label="Your name" autoComplete="name" />
        <TextField form={form} name="email" label="Email" type="email" autoComplete="email" inputMode="email" />
        <TextField
          form={form}
          name="password"
          label="Password"
          hint="At least 10 characters; a few words you remember are best."
          type="password"
          autoComplete="new-password"
        />
      </FormFrame>
      <p className="text-muted">
        Already have an account? <TextLink to={paths.login}>Log in</TextLink>
      </p>
    </Panel>
  );
}

function CheckYourMail({ email }: { email: string }) {
  return (
    <Panel
      title="Check your mail"
      lead={
        <>
          We sent a link to <strong className="break-words text-ink">{email}</strong>. Open it to confirm that the
          address is yours; that logs you in.
        </>
      }
    >
      <MailboxHint />
      <p className="text-muted text-sm">Nothing there after a few minutes? Look in the spam folder first.</p>
      <div className="flex flex-wrap items-center gap-4">
        <ResendConfirmation email={email} />
        <TextLink to={paths.login}>Back to login</TextLink>
      </div>
    </Panel>
  );
}
