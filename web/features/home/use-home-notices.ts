import { useQuery, useQueryClient } from '@tanstack/react-query';
import { previewCatchUp } from '#contract/catch-up.ts';
import { getHomeNotices } from '#contract/home-notices.ts';
import { listLinkChecks } from '#contract/link-guard.ts';
import { listPosts } from '#contract/posts.ts';
import { listCaptionWarnings, listPreparedPosts, listWakingPosts } from '#contract/prepared-posts.ts';
import { listQueues } from '#contract/queue.ts';
import { ASKING } from '#web/features/home/asking-filter.ts';
import { callApi } from '#web/shell/client.ts';
import { queryKey, wholeListKey } from '#web/shell/queries.ts';

/**
 * Notices above the figures are asked for beside them, so that nothing pushes them down once they are there: in one
 * go, kept where each card looks for its part. From then on each card asks for itself.
 *
 * @returns whether the cards may be drawn; one failure is enough for that, it is tried again and nobody waits
 */
export function useHomeNotices(creatorId: string): boolean {
  const client = useQueryClient();
  const request = { params: { creatorId } };
  const { isPending, failureCount } = useQuery({
    queryKey: queryKey(getHomeNotices, request),
    queryFn: async ({ signal }) => {
      const notices = await callApi(getHomeNotices, request, { signal });
      client.setQueryData(queryKey(listQueues, request), notices.queues);
      if (notices.linkChecks.next === null) {
        client.setQueryData(wholeListKey(listLinkChecks, request), notices.linkChecks);
      }
      client.setQueryData(queryKey(previewCatchUp, request), notices.catchUp);
      client.setQueryData(queryKey(listCaptionWarnings, { ...request, query: {} }), notices.captionWarnings);
      client.setQueryData(queryKey(listPreparedPosts, request), notices.preparedPosts);
      client.setQueryData(queryKey(listWakingPosts, request), notices.wakingPosts);
      client.setQueryData(queryKey(listPosts, { ...request, query: ASKING }), notices.askingPosts);
      return true;
    },
    enabled: ({ state }) => state.data === undefined,
  });
  return !isPending || failureCount > 0;
}
