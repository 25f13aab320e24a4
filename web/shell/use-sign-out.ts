import { useQueryClient } from '@tanstack/react-query';
import { logout } from '#contract/session.ts';
import { dropAllDrafts } from '#web/shell/drafts.ts';
import { useEndpointMutation } from '#web/shell/queries.ts';
import { forgetSession } from '#web/shell/session.ts';

type Options = {
  /** Whether it is said that it worked. */
  successToast?: boolean;
  onSignedOut?: () => void | Promise<void>;
};

/** Signing out, by the person's own wish. */
export function useSignOut({ successToast = true, onSignedOut }: Options = {}) {
  const client = useQueryClient();
  const { mutate, isPending } = useEndpointMutation(logout, {
    successToast: successToast && { title: 'Logged out successfully' },
    errorToast: { title: 'Failed to logout' },
    onSuccess: () => {
      dropAllDrafts();
      forgetSession(client, { onPurpose: true });
      return onSignedOut?.();
    },
    // Released parts with nothing to show yet.
    onError: () => void client.refetchQueries({ predicate: ({ state }) => state.status === 'pending' }),
  });
  const signOut = async () => {
    // Answered after the end of the session, it would read as if the session had run out.
    await client.cancelQueries();
    mutate({});
  };
  return { signOut: () => void signOut(), isPending };
}
