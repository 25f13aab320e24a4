import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ResponseOf } from '#contract/endpoint.ts';
import { lookUpInvite } from '#contract/team.ts';
import { Panel } from '#web/features/people/Panel.tsx';
import { paths } from '#web/paths.ts';
import type { ApiError } from '#web/shell/api-error.ts';
import { ButtonLink, TextLink } from '#web/shell/ButtonLink.tsx';
import { callApi } from '#web/shell/client.ts';
import { Button } from '#web/ui/Button.tsx';
import { CenteredSpinner } from '#web/ui/Spinner.tsx';

export type InviteFound = ResponseOf<typeof lookUpInvite>;

/** Looks up the invite of a mail's link before its screen is shown, or says that the link no longer works. */
export function Invited({ token, children }: { token: string; children: (invite: InviteFound) => ReactNode }) {
  const invite = useQuery<InviteFound, ApiError>({
    queryKey: [lookUpInvite.path, token],
    queryFn: ({ signal }) => callApi(lookUpInvite, { body: { token } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
  if (invite.isPending) return <CenteredSpinner label="Looking up your invite" />;
  if (invite.isSuccess) return children(invite.data);
  const { code, title, detail } = invite.error;
  const over = code === 'link_expired' || code === 'invalid_input';
  return (
    <Panel title={over ? 'This invite no longer works' : title} lead={detail}>
      {over ? (
        <>
          <p className="text-muted">
            It may have been answered, taken back, or sent again with a newer link. Look for a newer mail, or ask for
            another invite.
          </p>
          <ButtonLink to={paths.login}>Go to login</ButtonLink>
        </>
      ) : (
        <>
          <Button busy={invite.isFetching} onClick={() => invite.refetch()}>
            Try again
          </Button>
          <TextLink to={paths.login}>Go on without the invite</TextLink>
        </>
      )}
    </Panel>
  );
}
