import type { ResponseOf } from '#contract/endpoint.ts';
import { listEvents, redeliver } from '#contract/outgoing-webhooks.ts';
import { Loaded } from '#web/shell/Loaded.tsx';
import { useEndpoint, useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Badge } from '#web/ui/Badge.tsx';
import { Button } from '#web/ui/Button.tsx';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';

type Event = ResponseOf<typeof listEvents>['items'][number];

const REFRESH_MS = 2000;

const STATES = {
  queued: { label: 'Waiting', tone: 'info' },
  delivered: { label: 'Delivered', tone: 'accent' },
  failed: { label: 'Failed', tone: 'error' },
} as const;

/** The last events of one address and how they went; fresh while one looks. */
export function EventLog({ endpointId, mayResend }: { endpointId: string; mayResend: boolean }) {
  const { creatorId } = useCreator();
  const events = useEndpoint(
    listEvents,
    { params: { creatorId, endpointId }, query: { limit: 20 } },
    { refetchInterval: REFRESH_MS },
  );
  return (
    <Loaded
      query={events}
      loading="Loading log"
      failed="Couldn’t load the log"
      skeleton={<Skeleton className="h-16" />}
    >
      {({ items }) =>
        items.length === 0 ? (
          <p className="text-muted text-sm">Nothing was sent in the last 30 days.</p>
        ) : (
          <ul aria-label="Log" className="rounded-md bg-sunken px-3">
            {items.map((event) => (
              <EventRow key={event.id} event={event} endpointId={endpointId} mayResend={mayResend} />
            ))}
          </ul>
        )
      }
    </Loaded>
  );
}

function EventRow({ event, endpointId, mayResend }: { event: Event; endpointId: string; mayResend: boolean }) {
  const { creatorId } = useCreator();
  const again = useEndpointMutation(redeliver, { refreshes: [listEvents] });
  const last = event.tries.at(-1);
  const { label, tone } = STATES[event.state];
  return (
    <li className="flex flex-wrap items-start justify-between gap-2 border-line border-b py-2 text-sm last:border-b-0">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2">
          <span className="font-medium">{event.type}</span>
          <Badge tone={tone}>{label}</Badge>
          <span className="text-muted">
            <RelativeTime at={event.happenedAt} />
          </span>
        </p>
        {last && (
          <p className="break-words text-muted">
            {last.error ?? `${last.status} after ${last.ms} ms`}
            {event.tries.length > 1 && ` (${event.tries.length} tries)`}
          </p>
        )}
        {last && event.nextTryAt && (
          <p className="text-muted">
            Next try: <RelativeTime at={event.nextTryAt} />
          </p>
        )}
      </div>
      {mayResend && last && (
        <Button
          variant="secondary"
          size="small"
          busy={again.isPending}
          onClick={() => again.mutate({ params: { creatorId, endpointId, eventId: event.id } })}
        >
          Send again
        </Button>
      )}
    </li>
  );
}
