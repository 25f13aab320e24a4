import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Navigate } from 'react-router';
import { type InviteFound, lookUpInvite } from '#contract/team.ts';
import { OtherPersonsInvite } from '#web/features/people/OtherPersonsInvite.tsx';
import { Panel } from '#web/features/people/Panel.tsx';
import { INVITED } from '#web/features/people/words.ts';
import { paths } from '#web/paths.ts';
import type { ApiError } from '#web/shell/api-error.ts';
import { ButtonLink, TextLink } from '#web/shell/ButtonLink.tsx';
import { callApi } from '#web/shell/client.ts';
import { useSession } from '#web/shell/session.ts';
import { Button } from '#web/ui/Button.tsx';
import { CenteredSpinner } from '#web/ui/Spinner.tsx';

/**
 * Looks up the invite of a mail's link before its screen is shown, or says that the link no longer works. Who is signed
 * in already goes on to the app, where the invite waits; with another address than the invited one they are told so.
 */
export function Invited({ token, children }: { token: string; children: (invite: InviteFound) => ReactNode }) {
  const invite = useQuery<InviteFound, ApiError>({
    queryKey: [lookUpInvite.path, token],
    queryFn: ({ signal }) => callApi(lookUpInvite, { body: { token } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
  const session = useSession();
  if (invite.isPending || session.isPending) return <CenteredSpinner label={INVITED.loadingYourInvite} />;
  if (invite.isSuccess) {
    const signedInAs = session.data?.account.email;
    if (signedInAs === undefined) return children(invite.data);
    if (signedInAs === invite.data.email) return <Navigate to={paths.home} replace />;
    return <OtherPersonsInvite invite={invite.data} signedInAs={signedInAs} />;
  }
  const { code, title, detail } = invite.error;
  const over = code === 'link_expired' || code === 'invalid_input';
  return (
    <Panel title={over ? INVITED.thisInviteNoLonger : title} lead={detail}>
      {over ? (
        <>
          <p className="text-muted">{INVITED.itMayHaveBeen}</p>
          <ButtonLink to={paths.login}>{INVITED.goToLogin}</ButtonLink>
        </>
      ) : (
        <>
          <Button busy={invite.isFetching} onClick={() => invite.refetch()}>
            {INVITED.tryAgain}
          </Button>
          <TextLink to={paths.login}>{INVITED.continueWithoutTheInvite}</TextLink>
        </>
      )}
    </Panel>
  );
}
