import { CONNECT_PATHS } from '#contract/connections.ts';
import { PlatformMark } from '#web/features/connections/PlatformMark.tsx';
import { useEnv } from '#web/shell/session.ts';
import { Alert } from '#web/ui/Alert.tsx';
import { LinkButton } from '#web/ui/Button.tsx';
import { Loading, Skeleton } from '#web/ui/Skeleton.tsx';

type Props = { creatorId: string; returnTo?: 'account-setup' };

/** The ways to Meta that this installation has. Each leaves the app and comes back. */
export function ConnectButtons({ creatorId, returnTo }: Props) {
  const env = useEnv();
  if (env.isPending) {
    return (
      <Loading>
        <Skeleton className="h-24 w-full" />
      </Loading>
    );
  }
  const logins = env.data?.logins ?? { instagram: false, facebook: false };
  if (!logins.instagram && !logins.facebook) {
    return (
      <Alert variant="warning" title="Connecting isn’t set up yet">
        The people who run this Creator HQ need to add a Meta app. See docs/configuration.md.
      </Alert>
    );
  }
  return (
    <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,15rem),1fr))] gap-3">
      {logins.instagram && (
        <Way text="The quickest way. You don’t need a Facebook Page.">
          <LinkButton href={CONNECT_PATHS.instagram(creatorId, returnTo)} className="w-full">
            <PlatformMark platform="instagram" />
            Connect with Instagram
          </LinkButton>
        </Way>
      )}
      {logins.facebook && (
        <Way text="For Facebook Pages and the Instagram accounts linked to them.">
          <LinkButton
            href={CONNECT_PATHS.facebook(creatorId, returnTo)}
            variant={logins.instagram ? 'secondary' : 'primary'}
            className="w-full"
          >
            <PlatformMark platform="facebook" />
            Connect with Facebook
          </LinkButton>
        </Way>
      )}
    </div>
  );
}

function Way({ text, children }: { text: string; children: React.ReactNode }) {
  return (
    <div className="flex flex-col justify-between gap-3 rounded-lg border border-line bg-surface p-4">
      <p className="text-muted text-sm">{text}</p>
      {children}
    </div>
  );
}
