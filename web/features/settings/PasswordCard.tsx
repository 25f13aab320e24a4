import { changePassword } from '#contract/session.ts';
import { PASSWORD_CARD } from '#web/features/settings/words.ts';
import { FormFrame, TextField, useApiForm } from '#web/shell/form.tsx';
import { useCreator } from '#web/shell/session.ts';
import { Card } from '#web/ui/Card.tsx';

const EMPTY = { currentPassword: '', newPassword: '' };

export function PasswordCard() {
  const { account } = useCreator();
  const form = useApiForm({
    endpoint: changePassword,
    schema: changePassword.body,
    defaultValues: EMPTY,
    request: (values) => ({ body: values }),
    successToast: true,
    onSuccess: () => {
      form.reset(EMPTY);
    },
  });
  return (
    <Card title={PASSWORD_CARD.password} description={PASSWORD_CARD.changingItLogsOut}>
      <FormFrame form={form} submitLabel={PASSWORD_CARD.changePassword}>
        {/* For the password manager: whose password this is. */}
        <input type="hidden" autoComplete="username" value={account.email} readOnly />
        <TextField
          form={form}
          name="currentPassword"
          label={PASSWORD_CARD.currentPassword}
          type="password"
          autoComplete="current-password"
        />
        <TextField
          form={form}
          name="newPassword"
          label={PASSWORD_CARD.newPassword}
          hint={PASSWORD_CARD.atLeast10Characters}
          type="password"
          autoComplete="new-password"
        />
      </FormFrame>
    </Card>
  );
}
