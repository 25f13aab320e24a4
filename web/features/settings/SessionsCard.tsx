import { MonitorSmartphone } from 'lucide-react';
import type { ResponseOf } from '#contract/endpoint.ts';
import { endOtherSessions, endSession, listSessions } from '#contract/settings.ts';
import { SESSIONS_CARD } from '#web/features/settings/words.ts';
import { Loaded } from '#web/shell/Loaded.tsx';
import { useEndpoint, useEndpointMutation } from '#web/shell/queries.ts';
import { Badge } from '#web/ui/Badge.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Card } from '#web/ui/Card.tsx';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';

type Session = ResponseOf<typeof listSessions>['items'][number];

/** Where they are signed in; a device that is lost or was borrowed can be signed out from here. */
export function SessionsCard() {
  const sessions = useEndpoint(listSessions, {});
  const endOthers = useEndpointMutation(endOtherSessions, {
    refreshes: [listSessions],
    successToast: { title: SESSIONS_CARD.loggedOutEverywhereElse },
  });
  const others = sessions.data?.items.filter((session) => !session.current).length ?? 0;
  return (
    <Card title={SESSIONS_CARD.whereYoureLoggedIn} description={SESSIONS_CARD.logOutDevicesYou}>
      <Loaded
        query={sessions}
        loading={SESSIONS_CARD.loadingYourSessions}
        failed={SESSIONS_CARD.couldntLoadYourSessions}
        skeleton={
          <div className="flex flex-col gap-3">
            <Skeleton className="h-14" />
            <Skeleton className="h-14" />
          </div>
        }
      >
        {({ items }) => (
          <>
            <ul className="divide-y divide-line">
              {items.map((session) => (
                <SessionRow key={session.id} session={session} />
              ))}
            </ul>
            {others > 0 && (
              <Button
                variant="secondary"
                className="mt-4"
                busy={endOthers.isPending}
                onClick={() => endOthers.mutate({})}
              >
                {SESSIONS_CARD.logOutAllOther}
              </Button>
            )}
          </>
        )}
      </Loaded>
    </Card>
  );
}

function SessionRow({ session }: { session: Session }) {
  const end = useEndpointMutation(endSession, {
    refreshes: [listSessions],
    successToast: { title: SESSIONS_CARD.loggedOut, detail: `${session.device} is logged out.` },
  });
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-3 first:pt-0">
      <MonitorSmartphone aria-hidden="true" className="size-5 shrink-0 text-faint" />
      <div className="min-w-0 flex-1 basis-48">
        <p className="break-words font-medium">{session.device}</p>
        <p className="text-muted text-sm">
          {session.current ? (
            SESSIONS_CARD.activeNow
          ) : (
            <>
              Last used <RelativeTime at={session.seenAt} />
            </>
          )}
          , logged in <RelativeTime at={session.signedInAt} />
          {session.address && (
            <>
              , from <span className="break-words">{session.address}</span>
            </>
          )}
        </p>
      </div>
      {session.current ? (
        <Badge tone="accent">{SESSIONS_CARD.thisDevice}</Badge>
      ) : (
        <Button
          variant="secondary"
          size="small"
          busy={end.isPending}
          aria-label={`Log out ${session.device}`}
          onClick={() => end.mutate({ params: { sessionId: session.id } })}
        >
          {SESSIONS_CARD.logOut}
        </Button>
      )}
    </li>
  );
}
