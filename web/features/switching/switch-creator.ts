import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { accessMembership } from '#contract/team.ts';
import { type CreatorTabs, creatorTabs } from '#web/features/switching/creator-tabs.ts';
import { callApi } from '#web/shell/client.ts';
import { checkSession } from '#web/shell/session.ts';
import { showToast } from '#web/ui/toast.ts';

type Deps = {
  client: QueryClient;
  tabs: CreatorTabs;
  /** Reloads the app: the only way in which a tab ever comes to another creator. */
  reload: () => void;
};

/**
 * Moves the session to the creator of a membership. Until the page is reloaded this tab keeps showing the creator
 * it shows; calls that are still under way are broken off, so that nothing lands in between.
 * @throws when the server did not do it, or did not say whether it did; the tab has then asked where the session is
 */
export async function switchCreator(
  { client, tabs, reload }: Deps,
  params: { userId: string; membershipId: string },
): Promise<void> {
  try {
    await callApi(accessMembership, { params });
  } catch (error) {
    // The answer may be what got lost.
    tabs.tellMoved();
    await checkSession(client);
    throw error;
  }
  await client.cancelQueries();
  tabs.tellMoved();
  reload();
}

/** `mutate(membershipId)`. Stays busy when it worked: the page is on its way out. */
export function useSwitchCreator(userId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (membershipId: string) =>
      switchCreator({ client, tabs: creatorTabs, reload: reloadScreen }, { userId, membershipId }),
    onSuccess: () => showToast({ tone: 'success', title: 'Switching Creator...' }),
    onError: (error) => {
      showToast({ tone: 'error', title: 'Failed to switch creator', detail: error.message });
    },
  });
}

/** After something else moved the session (a creator was added): the same, for the other tabs and this one. */
export function beginWithCurrentCreator(screen = location.pathname): void {
  creatorTabs.tellMoved();
  location.replace(screen);
}

/** Without the query: the ids in it (a post, a contact) are the other creator's. */
export function reloadScreen(): void {
  location.replace(location.pathname);
}
