import { changePassword } from '#contract/session.ts';
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
    <Card title="Password" description="Changing it logs out your other devices.">
      <FormFrame form={form} submitLabel="Change password">
        {/* For the password manager: whose password this is. */}
        <input type="hidden" autoComplete="username" value={account.email} readOnly />
        <TextField
          form={form}
          name="currentPassword"
          label="Current password"
          type="password"
          autoComplete="current-password"
        />
        <TextField
          form={form}
          name="newPassword"
          label="New password"
          hint="At least 10 characters. A few words you’ll remember work best."
          type="password"
          autoComplete="new-password"
        />
      </FormFrame>
    </Card>
  );
}
