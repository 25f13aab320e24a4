import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Navigate, useSearchParams } from 'react-router';
import { verifyEmail } from '#contract/session.ts';
import { Panel } from '#web/features/people/Panel.tsx';
import { paths } from '#web/paths.ts';
import type { ApiError } from '#web/shell/api-error.ts';
import { ButtonLink } from '#web/shell/ButtonLink.tsx';
import { callApi } from '#web/shell/client.ts';
import { reloadSession } from '#web/shell/session.ts';
import { Button } from '#web/ui/Button.tsx';
import { CenteredSpinner } from '#web/ui/Spinner.tsx';
import { showToast } from '#web/ui/toast.ts';

/** Landing of the confirmation mail: `?token=`. Confirms by itself, logs in and leads on. */
export function Component() {
  const [search] = useSearchParams();
  const token = search.get('token');
  return token ? <Confirming token={token} /> : <Incomplete />;
}

function Confirming({ token }: { token: string }) {
  const client = useQueryClient();
  // A query, although it changes something: it runs once per token however often this is drawn.
  const confirmation = useQuery<boolean, ApiError>({
    queryKey: [verifyEmail.path, token],
    queryFn: async () => {
      await callApi(verifyEmail, { body: { token } });
      await reloadSession(client);
      showToast({ tone: 'success', title: 'Email confirmed' });
      return true;
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  if (confirmation.isPending) return <CenteredSpinner label="Confirming your email" />;
  if (confirmation.isSuccess) return <Navigate to={paths.home} replace />;
  const { error } = confirmation;
  const expired = error.code === 'link_expired';
  return (
    <Panel title={error.title} lead={error.detail}>
      {expired ? (
        <>
          <p className="text-muted">
            If you have confirmed before, just log in. Otherwise log in with your email and password; the login page
            then offers a new mail.
          </p>
          <ButtonLink to={paths.login}>Go to login</ButtonLink>
        </>
      ) : (
        <Button busy={confirmation.isFetching} onClick={() => confirmation.refetch()}>
          Try again
        </Button>
      )}
    </Panel>
  );
}

function Incomplete() {
  return (
    <Panel
      title="This link is not complete"
      lead="Open the link in the mail once more, or copy all of it into the address bar."
    >
      <ButtonLink to={paths.login}>Go to login</ButtonLink>
    </Panel>
  );
}
