import type { ResponseOf } from '#contract/endpoint.ts';
import { changeNotifications, getNotifications } from '#contract/settings.ts';
import { NOTIFICATIONS_PANEL } from '#web/features/settings/words.ts';
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
    label: NOTIFICATIONS_PANEL.aConnectionNeedsAttention,
    hint: NOTIFICATIONS_PANEL.whenYouNeedTo,
  },
  {
    name: 'brokenLinks',
    label: NOTIFICATIONS_PANEL.aLinkIsBroken,
    hint: NOTIFICATIONS_PANEL.whenAPageYou,
  },
  { name: 'invites', label: NOTIFICATIONS_PANEL.invites, hint: NOTIFICATIONS_PANEL.whenSomeoneInvitesYou },
  {
    name: 'newAccess',
    label: NOTIFICATIONS_PANEL.newWebhooksTokensAnd,
    hint: NOTIFICATIONS_PANEL.whenSomeoneOnYour,
  },
  {
    name: 'weeklyFigures',
    label: NOTIFICATIONS_PANEL.weeklySummary,
    hint: NOTIFICATIONS_PANEL.commentsRepliesAndClicks,
  },
];

/** Mails for this person about this creator; each switch counts at once. */
export function NotificationsPanel() {
  const { creatorId, account, creatorAccount } = useCreator();
  const request = { params: { creatorId } };
  const choices = useEndpoint(getNotifications, request);
  return (
    <Card
      title={NOTIFICATIONS_PANEL.emailNotifications}
      description={`To ${account.email}, about @${creatorAccount.handle} only.`}
    >
      <Loaded
        query={choices}
        loading={NOTIFICATIONS_PANEL.loadingYourChoices}
        failed={NOTIFICATIONS_PANEL.couldntLoadYourChoices}
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
      <legend className="sr-only">{NOTIFICATIONS_PANEL.emailsYouWant}</legend>
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
