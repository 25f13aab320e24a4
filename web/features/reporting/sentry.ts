/** Errors, traces and replays to Sentry; fetched only where a DSN is configured. Sampling as in the spec's section 9. */
import {
  addEventProcessor,
  browserTracingIntegration,
  captureException,
  init,
  replayIntegration,
} from '@sentry/browser';
import { scrubValue } from '#web/features/reporting/scrub.ts';
import { scrubBreadcrumb, scrubEvent, scrubReplayEvent } from '#web/features/reporting/scrub-event.ts';
import { SPEC_NUMBERS } from '#web/ui/spec-numbers.ts';

type Settings = { dsn: string; environment: string };

/** @param early errors from before the SDK was there */
export function startSentry({ dsn, environment }: Settings, early: readonly unknown[]): void {
  init({
    dsn,
    environment,
    ...SPEC_NUMBERS.sampling,
    integrations: [
      browserTracingIntegration(),
      // Every text and picture on our screens is somebody's: a replay shows shapes.
      replayIntegration({
        maskAllText: true,
        maskAllInputs: true,
        blockAllMedia: true,
        networkDetailAllowUrls: [],
        beforeAddRecordingEvent: (event) => ({ ...event, data: scrubRecorded(event.data) }) as typeof event,
      }),
    ],
    dataCollection: { userInfo: false, cookies: false, httpHeaders: false, httpBodies: [], urlQueryParams: false },
    // Streamed spans would pass by `beforeSendTransaction`.
    traceLifecycle: 'static',
    beforeSend: scrubEvent,
    beforeSendTransaction: scrubEvent,
    beforeBreadcrumb: scrubBreadcrumb,
  });
  // A replay's list of addresses passes by `beforeSend` too.
  addEventProcessor(scrubReplayEvent);
  for (const error of early) captureException(error);
}

/** `tag` says what was recorded, `payload` what with. */
function scrubRecorded(data: unknown): unknown {
  const { tag, payload } = data as { tag?: unknown; payload?: unknown };
  return { tag, payload: scrubPayload(payload) };
}

function scrubPayload(payload: unknown): unknown {
  if (typeof payload !== 'object' || payload === null) return payload;
  const { message: _words, data, description, ...rest } = payload as Record<string, unknown>;
  return {
    ...rest,
    ...(description !== undefined && { description: scrubValue(description) }),
    ...(data !== undefined && { data: scrubValue(data) }),
  };
}
