import { useState } from 'react';
import { forgotPassword } from '#contract/session.ts';
import { MailboxHint } from '#web/features/people/MailboxHint.tsx';
import { Panel } from '#web/features/people/Panel.tsx';
import { paths } from '#web/paths.ts';
import { TextLink } from '#web/shell/ButtonLink.tsx';
import { FormFrame, TextField, useApiForm } from '#web/shell/form.tsx';

export function Component() {
  const [sentTo, setSentTo] = useState<string | null>(null);
  const form = useApiForm({
    endpoint: forgotPassword,
    schema: forgotPassword.body,
    defaultValues: { email: '' },
    request: (values) => ({ body: values }),
    onSuccess: (_, { email }) => setSentTo(email),
  });
  if (sentTo !== null) {
    return (
      <Panel
        title="Check your email"
        lead={
          <>
            If there’s an account for <strong className="break-words text-ink">{sentTo}</strong>, we sent a link to set
            a new password.
          </>
        }
      >
        <MailboxHint />
        <TextLink to={paths.login}>Back to login</TextLink>
      </Panel>
    );
  }
  return (
    <Panel title="Forgot your password?" lead="Enter your email and we’ll send you a link to set a new one.">
      <FormFrame form={form} submitLabel="Send link" wideSubmit>
        <TextField form={form} name="email" label="Email" type="email" autoComplete="username" inputMode="email" />
      </FormFrame>
      <TextLink to={paths.login}>Back to login</TextLink>
    </Panel>
  );
}
