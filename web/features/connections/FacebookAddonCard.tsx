import { mayDo } from '#contract/roles.ts';
import { changeFacebookAddon, getFacebookAddon } from '#contract/settings.ts';
import { Loaded } from '#web/shell/Loaded.tsx';
import { useChangeAtOnce, useEndpoint } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Card } from '#web/ui/Card.tsx';
import { Switch } from '#web/ui/inputs.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';

/** Whether the connected Pages are answered too; counts at once. */
export function FacebookAddonCard({ creatorId }: { creatorId: string }) {
  const { role } = useCreator();
  const request = { params: { creatorId } };
  const addon = useEndpoint(getFacebookAddon, request);
  const choose = useChangeAtOnce(getFacebookAddon, request, changeFacebookAddon, (body) => ({ ...request, body }));
  return (
    <Card title="Facebook Addon">
      <Loaded
        query={addon}
        loading="Loading the Facebook Addon"
        failed="Couldn’t load the Facebook Addon"
        skeleton={<Skeleton className="h-12" />}
      >
        {({ facebookAddon }) => (
          <Switch
            label="Reply on my Facebook Pages"
            hint="Automations reply to comments and messages on your Pages in Messenger. While this is off, they only show up in your activity."
            checked={facebookAddon}
            disabled={role === null || !mayDo(role, 'connect')}
            onChange={(event) => choose({ facebookAddon: event.target.checked })}
          />
        )}
      </Loaded>
    </Card>
  );
}
