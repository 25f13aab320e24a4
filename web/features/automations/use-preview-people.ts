import { listConnections } from '#contract/connections.ts';
import { listInteractions } from '#contract/interactions.ts';
import type { PreviewPeople } from '#web/features/automations/PhonePreview.tsx';
import { useEndpoint } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';

/** Until somebody real has commented. */
const SOMEBODY = 'anna.cooks';

/** Who appears in the preview: the account that answers, and a follower who really wrote. */
export function usePreviewPeople(connectionId: string): PreviewPeople {
  const { creatorId, creatorAccount } = useCreator();
  const connections = useEndpoint(listConnections, { params: { creatorId } });
  const latest = useEndpoint(
    listInteractions,
    { params: { creatorId }, query: { limit: 5 } },
    // The same person all the while that the message is written.
    { staleTime: Number.POSITIVE_INFINITY },
  );
  const connection = connections.data?.items.find((one) => one.id === connectionId);
  return {
    creator: {
      handle: connection?.username ?? creatorAccount.handle,
      avatarUrl: connection?.avatarUrl ?? creatorAccount.instagramAvatarUrl,
    },
    follower: latest.data?.items.find((line) => line.username !== null)?.username ?? SOMEBODY,
  };
}
