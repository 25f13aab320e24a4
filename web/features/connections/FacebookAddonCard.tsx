import { mayDo } from '#contract/roles.ts';
import { changeFacebookAddon, getFacebookAddon } from '#contract/settings.ts';
import { FACEBOOK_ADDON_CARD } from '#web/features/connections/words.ts';
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
    <Card title={FACEBOOK_ADDON_CARD.facebookAddon}>
      <Loaded
        query={addon}
        loading={FACEBOOK_ADDON_CARD.loadingTheFacebookAddon}
        failed={FACEBOOK_ADDON_CARD.couldntLoadTheFacebook}
        skeleton={<Skeleton className="h-12" />}
      >
        {({ facebookAddon }) => (
          <Switch
            label={FACEBOOK_ADDON_CARD.replyOnMyFacebook}
            hint={FACEBOOK_ADDON_CARD.automationsReplyToComments}
            checked={facebookAddon}
            disabled={role === null || !mayDo(role, 'connect')}
            onChange={(event) => choose({ facebookAddon: event.target.checked })}
          />
        )}
      </Loaded>
    </Card>
  );
}
