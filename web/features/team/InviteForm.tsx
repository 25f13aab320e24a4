import { getTeam, sendInvite } from '#contract/team.ts';
import { ROLE_LABEL } from '#web/features/team/words.ts';
import { FormFrame, TextField, useApiForm } from '#web/shell/form.tsx';
import { useCreator } from '#web/shell/session.ts';
import { Card } from '#web/ui/Card.tsx';
import { Radio } from '#web/ui/inputs.tsx';
import { showToast } from '#web/ui/toast.ts';

const ROLES = [
  { value: 'collaborator', hint: 'Everything except billing, the team, disconnecting and deleting.' },
  { value: 'owner', hint: 'Can do everything you can.' },
] as const;

const EMPTY = { email: '', role: 'collaborator' as 'owner' | 'collaborator' };

export function InviteForm() {
  const { creatorId } = useCreator();
  const form = useApiForm({
    endpoint: sendInvite,
    schema: sendInvite.body,
    defaultValues: EMPTY,
    request: (values) => ({ params: { creatorId }, body: values }),
    refreshes: [getTeam],
    onSuccess: ({ email }) => {
      showToast({ tone: 'success', title: 'Invite sent', detail: `${email} has 7 days to accept.` });
      form.reset(EMPTY);
    },
  });
  return (
    <Card title="Invite someone" description="They get an email with a link that works for 7 days.">
      <FormFrame form={form} submitLabel="Send invite">
        <TextField form={form} name="email" label="Email" type="email" autoComplete="off" inputMode="email" />
        <fieldset className="flex flex-col gap-2">
          <legend className="mb-1.5 font-medium text-sm">Role</legend>
          <div className="grid gap-2 sm:grid-cols-2">
            {ROLES.map(({ value, hint }) => (
              <Radio key={value} value={value} label={ROLE_LABEL[value]} hint={hint} {...form.register('role')} />
            ))}
          </div>
        </fieldset>
      </FormFrame>
    </Card>
  );
}
