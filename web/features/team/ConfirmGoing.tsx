import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { listTokens } from '#contract/api-tokens.ts';
import { listEndpoints } from '#contract/outgoing-webhooks.ts';
import { getApiKey } from '#contract/settings.ts';
import { getTeam, removeMember } from '#contract/team.ts';
import { NEW_KEY_TITLE, OnceShown } from '#web/features/other-tools/OnceShown.tsx';
import type { TeamMember } from '#web/features/team/words.ts';
import { paths } from '#web/paths.ts';
import { refresh, useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Button } from '#web/ui/Button.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { Radio } from '#web/ui/inputs.tsx';
import { Question } from '#web/ui/Question.tsx';

type Props = { member: TeamMember; open: boolean; onOpenChange: (open: boolean) => void };

/** Removes a person, or lets one go: with what becomes of the webhooks and the API key that they made. */
export function ConfirmGoing({ member, open, onOpenChange }: Props) {
  const client = useQueryClient();
  const { creatorId, creatorAccount } = useCreator();
  const [webhooks, setWebhooks] = useState<'keep' | 'remove'>();
  const [apiKey, setApiKey] = useState<'keep' | 'replace'>();
  const remove = useEndpointMutation(removeMember, {
    refreshes: member.you ? [] : [listTokens, listEndpoints, getApiKey],
    successToast: !member.you && { title: 'Removed', detail: `${member.name} no longer has access.` },
    onSuccess: (answer) => {
      // Everything on screen is of an account that is not theirs any more.
      if (member.you) location.assign(paths.home);
      // The row goes, and this with it: a new key is read first.
      else if (answer.apiKey === null) close();
    },
  });
  const close = () => {
    onOpenChange(false);
    void refresh(client, getTeam);
  };
  const handle = `@${creatorAccount.handle}`;
  const newKey = remove.data?.apiKey;
  if (newKey) {
    return (
      <Dialog
        open={open}
        onOpenChange={close}
        title={`${member.name} was removed`}
        footer={<Button onClick={close}>Done</Button>}
      >
        <OnceShown title={NEW_KEY_TITLE} label="Copy key" text={newKey} />
        <p className="text-muted text-sm">Paste it into the WordPress plugin. The old key no longer works.</p>
      </Dialog>
    );
  }
  const asksWebhooks = !member.you && member.webhooks > 0;
  const asksKey = !member.you && member.apiKey;
  const decided = (!asksWebhooks || webhooks !== undefined) && (!asksKey || apiKey !== undefined);
  const query = { ...(asksWebhooks && { webhooks }), ...(asksKey && { apiKey }) };
  return (
    <Question
      open={open}
      onOpenChange={onOpenChange}
      title={member.you ? `Leave ${handle}?` : `Remove ${member.name}?`}
      description={
        member.you
          ? `You lose access right away, and your API tokens stop working.${member.webhooks > 0 ? ' Webhooks you added are turned off.' : ''} To come back, you need a new invite.`
          : `${member.name} loses access to ${handle} right away, and their API tokens stop working. Automations they set up stay.`
      }
      keep={member.you ? 'Stay' : 'Keep on the team'}
      act={member.you ? 'Leave' : 'Remove'}
      danger
      busy={remove.isPending}
      disabled={!decided}
      onAct={() => remove.mutate({ params: { creatorId, membershipId: member.membershipId }, query })}
    >
      {asksWebhooks && (
        <Choice
          legend={`${member.webhooks === 1 ? 'A webhook' : `${member.webhooks} webhooks`} they added`}
          chosen={webhooks}
          choose={setWebhooks}
          options={[
            { value: 'keep', label: 'Keep, under your name', hint: 'The other tool still gets events.' },
            { value: 'remove', label: 'Remove', hint: 'Nothing more is sent there.' },
          ]}
        />
      )}
      {asksKey && (
        <Choice
          legend="The API key they created"
          chosen={apiKey}
          choose={setApiKey}
          options={[
            { value: 'keep', label: 'Keep', hint: 'They may still have a copy of it.' },
            {
              value: 'replace',
              label: 'Create a new one',
              hint: 'You’ll paste it into the WordPress plugin afterward.',
            },
          ]}
        />
      )}
    </Question>
  );
}

function Choice<Value extends string>({
  legend,
  options,
  chosen,
  choose,
}: {
  legend: string;
  options: { value: Value; label: string; hint: string }[];
  chosen: Value | undefined;
  choose: (value: Value) => void;
}) {
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-2 font-medium text-sm">{legend}</legend>
      {options.map(({ value, label, hint }) => (
        <Radio
          key={value}
          name={legend}
          value={value}
          label={label}
          hint={hint}
          checked={chosen === value}
          onChange={() => choose(value)}
        />
      ))}
    </fieldset>
  );
}
