import { useQueryClient } from '@tanstack/react-query';
import { updateProfile } from '#contract/session.ts';
import { TimeZoneCard } from '#web/features/settings/TimeZoneCard.tsx';
import { PROFILE_PANEL } from '#web/features/settings/words.ts';
import { FormFrame, TextField, useApiForm } from '#web/shell/form.tsx';
import { reloadSession, useCreator } from '#web/shell/session.ts';
import { Card } from '#web/ui/Card.tsx';

export function ProfilePanel() {
  const client = useQueryClient();
  const { account, creatorAccount } = useCreator();
  const form = useApiForm({
    endpoint: updateProfile,
    schema: updateProfile.body,
    defaultValues: { name: account.name },
    request: (values) => ({ body: values }),
    successToast: true,
    onSuccess: () => reloadSession(client),
    draftKey: 'profile',
  });
  return (
    <div className="flex flex-col gap-5">
      <Card title={PROFILE_PANEL.you}>
        <FormFrame form={form} submitLabel={PROFILE_PANEL.save}>
          <TextField form={form} name="name" label={PROFILE_PANEL.yourName} autoComplete="name" />
          <dl className="grid gap-x-6 gap-y-3 text-sm sm:grid-cols-2">
            <div>
              <dt className="text-muted">{PROFILE_PANEL.email}</dt>
              <dd className="break-words">{account.email}</dd>
            </div>
            <div>
              <dt className="text-muted">{PROFILE_PANEL.creatorHandle}</dt>
              <dd>@{creatorAccount.handle}</dd>
            </div>
          </dl>
        </FormFrame>
      </Card>
      <TimeZoneCard />
    </div>
  );
}
