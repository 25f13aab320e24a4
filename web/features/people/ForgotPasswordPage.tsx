import { useState } from 'react';
import { forgotPassword } from '#contract/session.ts';
import { MailboxHint } from '#web/features/people/MailboxHint.tsx';
import { Panel } from '#web/features/people/Panel.tsx';
import { FORGOT_PASSWORD_PAGE } from '#web/features/people/words.ts';
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
        title={FORGOT_PASSWORD_PAGE.checkYourEmail}
        lead={
          <>
            If there’s an account for <strong className="break-words text-ink">{sentTo}</strong>, we sent a link to set
            a new password.
          </>
        }
      >
        <MailboxHint />
        <TextLink to={paths.login}>{FORGOT_PASSWORD_PAGE.backToLogin}</TextLink>
      </Panel>
    );
  }
  return (
    <Panel title={FORGOT_PASSWORD_PAGE.forgotYourPassword} lead={FORGOT_PASSWORD_PAGE.enterYourEmailAnd}>
      <FormFrame form={form} submitLabel={FORGOT_PASSWORD_PAGE.sendLink} wideSubmit>
        <TextField
          form={form}
          name="email"
          label={FORGOT_PASSWORD_PAGE.email}
          type="email"
          autoComplete="username"
          inputMode="email"
        />
      </FormFrame>
      <TextLink to={paths.login}>{FORGOT_PASSWORD_PAGE.backToLogin}</TextLink>
    </Panel>
  );
}
