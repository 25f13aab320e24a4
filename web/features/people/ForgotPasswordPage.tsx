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
        title="Check your mail"
        lead={
          <>
            If there is an account for <strong className="break-words text-ink">{sentTo}</strong>, a link to set a new
            password is on its way.
          </>
        }
      >
        <MailboxHint />
        <TextLink to={paths.login}>Back to login</TextLink>
      </Panel>
    );
  }
  return (
    <Panel title="Forgot your password?" lead="Tell us your email and we send you a link to set a new one.">
      <FormFrame form={form} submitLabel="Send the link" wideSubmit>
        <TextField form={form} name="email" label="Email" type="email" autoComplete="username" inputMode="email" />
      </FormFrame>
      <TextLink to={paths.login}>Back to login</TextLink>
    </Panel>
  );
}
