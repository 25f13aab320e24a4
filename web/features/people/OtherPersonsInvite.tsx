import type { InviteFound } from '#contract/team.ts';
import { Panel } from '#web/features/people/Panel.tsx';
import { OTHER_PERSONS_INVITE } from '#web/features/people/words.ts';
import { paths } from '#web/paths.ts';
import { TextLink } from '#web/shell/ButtonLink.tsx';
import { useSignOut } from '#web/shell/use-sign-out.ts';
import { Button } from '#web/ui/Button.tsx';

/** The link was opened by somebody who is signed in with another address than the one invited. Nothing is changed. */
export function OtherPersonsInvite({ invite, signedInAs }: { invite: InviteFound; signedInAs: string }) {
  const { signOut, isPending } = useSignOut({ successToast: false });
  return (
    <Panel
      title={OTHER_PERSONS_INVITE.thisInviteIsFor}
      lead={
        <>
          It was sent to <strong className="break-words text-ink">{invite.email}</strong>, and you’re logged in as{' '}
          <strong className="break-words text-ink">{signedInAs}</strong>.
        </>
      }
    >
      <p className="text-muted">{OTHER_PERSONS_INVITE.logOutToUse}</p>
      <Button busy={isPending} onClick={signOut}>
        {OTHER_PERSONS_INVITE.logOut}
      </Button>
      <TextLink to={paths.home}>{OTHER_PERSONS_INVITE.goToCreatorHq}</TextLink>
    </Panel>
  );
}
