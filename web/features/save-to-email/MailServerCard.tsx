import { useState } from 'react';
import * as z from 'zod/mini';
import {
  getSending,
  MailSecurity,
  MailServerLogin,
  removeMailServer,
  type Sending,
  setMailServer,
} from '#contract/sending.ts';
import { getMe } from '#contract/session.ts';
import { MAIL_SERVER } from '#web/features/save-to-email/words.ts';
import { FormFrame, TextField, useApiForm, useFieldError } from '#web/shell/form.tsx';
import { useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Alert } from '#web/ui/Alert.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Card } from '#web/ui/Card.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Input, Select } from '#web/ui/inputs.tsx';
import { Question } from '#web/ui/Question.tsx';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';

/** Through which mail server emails to readers leave. */
export function MailServerCard({ mailServer, mayChange }: { mailServer: Sending['mailServer']; mayChange: boolean }) {
  const { creatorId } = useCreator();
  const [editing, setEditing] = useState(false);
  const [removing, setRemoving] = useState(false);
  const remove = useEndpointMutation(removeMailServer, {
    refreshes: [getSending, getMe],
    successToast: { title: MAIL_SERVER.removed },
    onSuccess: () => setRemoving(false),
  });
  return (
    <Card title={MAIL_SERVER.title} description={MAIL_SERVER.says}>
      <div className="flex flex-col gap-4">
        <p className="wrap-anywhere">
          {mailServer === null
            ? MAIL_SERVER.shared
            : MAIL_SERVER.own(mailServer.host, mailServer.port, mailServer.user)}
        </p>
        {mailServer?.trouble && (
          <Alert variant="error" title={MAIL_SERVER.trouble}>
            <span className="wrap-anywhere">{mailServer.trouble.says}</span> {MAIL_SERVER.since}{' '}
            <RelativeTime at={mailServer.trouble.since} />. {MAIL_SERVER.emailsWait}
          </Alert>
        )}
        {editing && <LoginForm mailServer={mailServer} onDone={() => setEditing(false)} />}
        {mayChange && !editing && (
          <div className="flex flex-wrap gap-2">
            <Button variant="secondary" onClick={() => setEditing(true)}>
              {mailServer === null ? MAIL_SERVER.useOwn : MAIL_SERVER.change}
            </Button>
            {mailServer !== null && (
              <Button variant="quiet" className="text-error-ink" onClick={() => setRemoving(true)}>
                {MAIL_SERVER.remove}
              </Button>
            )}
          </div>
        )}
      </div>
      <Question
        open={removing}
        onOpenChange={setRemoving}
        title={MAIL_SERVER.removeTitle}
        description={MAIL_SERVER.removeSays}
        keep={MAIL_SERVER.keep}
        act={MAIL_SERVER.remove}
        danger
        busy={remove.isPending}
        onAct={() => remove.mutate({ params: { creatorId } })}
      />
    </Card>
  );
}

const PORTS: Record<MailSecurity, number> = { tls: 465, starttls: 587, none: 25 };
/** Left empty, the password stays as it is. */
const Login = z.extend(MailServerLogin, { password: z.string() });

function LoginForm({ mailServer, onDone }: { mailServer: Sending['mailServer']; onDone: () => void }) {
  const { creatorId, account } = useCreator();
  const { email } = account;
  const { host = '', port = PORTS.tls, security = 'tls', user = '' } = mailServer ?? {};
  const form = useApiForm({
    endpoint: setMailServer,
    schema: Login,
    defaultValues: { host, port, security, user, password: '' },
    request: ({ password, ...body }) => ({
      params: { creatorId },
      body: { ...body, ...(password !== '' && { password }) },
    }),
    onSuccess: onDone,
    refreshes: [getSending, getMe],
    successToast: { title: MAIL_SERVER.saved, detail: MAIL_SERVER.savedSays(email) },
  });
  const portError = useFieldError(form.control, 'port');
  const securityError = useFieldError(form.control, 'security');
  const chosen = form.register('security', {
    onChange: (event) => {
      if (Object.values(PORTS).includes(form.getValues('port'))) {
        form.setValue('port', PORTS[event.target.value as MailSecurity]);
      }
    },
  });
  const asTyped = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const;
  return (
    <FormFrame
      form={form}
      submitLabel={MAIL_SERVER.save}
      actions={
        <Button variant="quiet" onClick={onDone}>
          {MAIL_SERVER.cancel}
        </Button>
      }
    >
      <TextField {...asTyped} form={form} name="host" label={MAIL_SERVER.host} placeholder="smtp.example.com" />
      <Field label={MAIL_SERVER.security} error={securityError}>
        {(wiring) => (
          <Select {...wiring} {...chosen}>
            {MailSecurity.options.map((option) => (
              <option key={option} value={option}>
                {MAIL_SERVER.securities[option]}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label={MAIL_SERVER.port} error={portError}>
        {(wiring) => (
          <Input {...wiring} inputMode="numeric" type="number" {...form.register('port', { valueAsNumber: true })} />
        )}
      </Field>
      <TextField {...asTyped} form={form} name="user" label={MAIL_SERVER.user} />
      <TextField
        form={form}
        name="password"
        type="password"
        autoComplete="off"
        label={MAIL_SERVER.password}
        hint={mailServer === null ? MAIL_SERVER.passwordHint : MAIL_SERVER.passwordStays}
        optional={mailServer !== null}
      />
      <p className="text-muted text-sm">{MAIL_SERVER.testSays(email)}</p>
    </FormFrame>
  );
}
