import type { InviteFound } from '#contract/team.ts';
import { Panel } from '#web/features/people/Panel.tsx';
import { paths } from '#web/paths.ts';
import { TextLink } from '#web/shell/ButtonLink.tsx';
import { useSignOut } from '#web/shell/use-sign-out.ts';
import { Button } from '#web/ui/Button.tsx';

/** The link was opened by somebody who is signed in with another address than the one invited. Nothing is changed. */
export function OtherPersonsInvite({ invite, signedInAs }: { invite: InviteFound; signedInAs: string }) {
  const { signOut, isPending } = useSignOut({ successToast: false });
  return (
    <Panel
      title="This invite is for someone else"
      lead={
        <>
          It was sent to <strong className="break-words text-ink">{invite.email}</strong>, and you’re logged in as{' '}
          <strong className="break-words text-ink">{signedInAs}</strong>.
        </>
      }
    >
      <p className="text-muted">Log out to use the other address, or ask for an invite to this one.</p>
      <Button busy={isPending} onClick={signOut}>
        Log out
      </Button>
      <TextLink to={paths.home}>Go to Creator HQ</TextLink>
    </Panel>
  );
}
