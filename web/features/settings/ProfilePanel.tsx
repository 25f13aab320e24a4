import { useQueryClient } from '@tanstack/react-query';
import { changeHandle } from '#contract/creators.ts';
import { mayDo } from '#contract/roles.ts';
import { updateProfile } from '#contract/session.ts';
import { HandleField } from '#web/features/people/HandleField.tsx';
import { TimeZoneCard } from '#web/features/settings/TimeZoneCard.tsx';
import { PROFILE_PANEL } from '#web/features/settings/words.ts';
import { FormFrame, TextField, useApiForm } from '#web/shell/form.tsx';
import { reloadSession, useCreator } from '#web/shell/session.ts';
import { Card } from '#web/ui/Card.tsx';

export function ProfilePanel() {
  const client = useQueryClient();
  const { account } = useCreator();
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
          <dl className="text-sm">
            <dt className="text-muted">{PROFILE_PANEL.email}</dt>
            <dd className="break-words">{account.email}</dd>
          </dl>
        </FormFrame>
      </Card>
      <HandleCard />
      <TimeZoneCard />
    </div>
  );
}

/** The account's name in Creator HQ. No link and no message has it in it. */
function HandleCard() {
  const client = useQueryClient();
  const { creatorAccount, creatorId, role } = useCreator();
  const form = useApiForm({
    endpoint: changeHandle,
    schema: changeHandle.body,
    defaultValues: { handle: creatorAccount.handle },
    request: (body) => ({ params: { creatorId }, body }),
    successToast: { title: PROFILE_PANEL.handleChanged },
    onSuccess: async ({ handle }) => {
      form.reset({ handle });
      await reloadSession(client);
    },
  });
  const mayRename = role !== null && mayDo(role, 'team');
  return (
    <Card title={PROFILE_PANEL.creatorHandle} description={PROFILE_PANEL.whatAHandleIs}>
      {mayRename ? (
        <FormFrame form={form} submitLabel={PROFILE_PANEL.changeHandle}>
          <HandleField form={form} hint={PROFILE_PANEL.handleRules} />
        </FormFrame>
      ) : (
        <p>
          @{creatorAccount.handle} <span className="text-muted">{PROFILE_PANEL.onlyAnOwnerCan}</span>
        </p>
      )}
    </Card>
  );
}
