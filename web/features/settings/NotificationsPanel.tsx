import type { ResponseOf } from '#contract/endpoint.ts';
import { changeNotifications, getNotifications } from '#contract/settings.ts';
import { Loaded } from '#web/shell/Loaded.tsx';
import { useChangeAtOnce, useEndpoint } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Card } from '#web/ui/Card.tsx';
import { Switch } from '#web/ui/inputs.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';

type Choices = ResponseOf<typeof getNotifications>;

const MAILS: { name: keyof Choices; label: string; hint: string }[] = [
  {
    name: 'connectionTrouble',
    label: 'A connection needs attention',
    hint: 'When you need to reconnect an account or a permission is missing, so replies don’t stop without you knowing.',
  },
  {
    name: 'brokenLinks',
    label: 'A link is broken',
    hint: 'When a page you link to stops working, and when it works again.',
  },
  { name: 'invites', label: 'Invites', hint: 'When someone invites you to another creator account.' },
  {
    name: 'newAccess',
    label: 'New webhooks, tokens and keys',
    hint: 'When someone on your team adds a webhook or creates an API token or key. Owners only.',
  },
  { name: 'weeklyFigures', label: 'Weekly summary', hint: 'Comments, replies and clicks, every Monday.' },
];

/** Mails for this person about this creator; each switch counts at once. */
export function NotificationsPanel() {
  const { creatorId, account, creatorAccount } = useCreator();
  const request = { params: { creatorId } };
  const choices = useEndpoint(getNotifications, request);
  return (
    <Card title="Email notifications" description={`To ${account.email}, about @${creatorAccount.handle} only.`}>
      <Loaded
        query={choices}
        loading="Loading your choices"
        failed="Couldn’t load your choices"
        skeleton={
          <div className="flex flex-col gap-3">
            {MAILS.map(({ name }) => (
              <Skeleton key={name} className="h-12" />
            ))}
          </div>
        }
      >
        {(data) => <Switches choices={data} request={request} />}
      </Loaded>
    </Card>
  );
}

function Switches({ choices, request }: { choices: Choices; request: { params: { creatorId: string } } }) {
  const choose = useChangeAtOnce(getNotifications, request, changeNotifications, (body) => ({ ...request, body }));
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="sr-only">Emails you want</legend>
      {MAILS.map(({ name, label, hint }) => (
        <Switch
          key={name}
          label={label}
          hint={hint}
          checked={choices[name]}
          onChange={(event) => choose({ ...choices, [name]: event.target.checked })}
        />
      ))}
    </fieldset>
  );
}
