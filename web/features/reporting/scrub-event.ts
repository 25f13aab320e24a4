import type { Breadcrumb, Event } from '@sentry/browser';
import { scrubAddress, scrubText, scrubValue } from '#web/features/reporting/scrub.ts';

/** The part of an event that may be sent: where in our code it happened, not with whose words. */
export function scrubEvent<E extends Event>(event: E): E {
  return {
    ...event,
    ...(event.message !== undefined && { message: scrubText(event.message) }),
    ...(event.logentry && { logentry: { message: scrubText(event.logentry.message ?? '') } }),
    ...(event.transaction !== undefined && { transaction: scrubAddress(event.transaction) }),
    ...(event.exception && {
      exception: {
        values: event.exception.values?.map((one) => ({
          ...one,
          ...(one.value !== undefined && { value: scrubText(one.value) }),
        })),
      },
    }),
    ...(event.breadcrumbs && {
      breadcrumbs: event.breadcrumbs.map(scrubBreadcrumb).filter((breadcrumb) => breadcrumb !== null),
    }),
    ...(event.request && { request: event.request.url ? { url: scrubAddress(event.request.url) } : {} }),
    ...(event.user && { user: event.user.id === undefined ? {} : { id: event.user.id } }),
    ...(event.extra && { extra: scrubValue(event.extra) as Record<string, unknown> }),
    ...(event.spans && {
      spans: event.spans.map((span) => ({
        ...span,
        ...(span.description !== undefined && { description: scrubWords(span.description) }),
        data: scrubValue(span.data) as typeof span.data,
      })),
    }),
  } as E;
}

/** Data sent with a replay beside its recording; every other event as it is. */
export function scrubReplayEvent<E extends { type?: string | undefined }>(event: E): E {
  if (event.type !== 'replay_event') return event;
  const { urls, ...rest } = event as E & { urls?: string[] };
  return { ...scrubEvent(rest as Event), ...(urls && { urls: urls.map(scrubAddress) }) } as unknown as E;
}

/** Null: not kept at all. Logs and clicks are full of names and texts; visited addresses are not. */
export function scrubBreadcrumb(breadcrumb: Breadcrumb): Breadcrumb | null {
  const { category = '', data, type, timestamp, level } = breadcrumb;
  if (!['navigation', 'fetch', 'xhr'].includes(category)) return null;
  const kept = ['url', 'from', 'to', 'method', 'status_code'].filter((name) => data?.[name] !== undefined);
  return {
    category,
    ...(type !== undefined && { type }),
    ...(timestamp !== undefined && { timestamp }),
    ...(level !== undefined && { level }),
    data: Object.fromEntries(
      kept.map((name) => {
        const value: unknown = data?.[name];
        return [name, typeof value === 'string' && name !== 'method' ? scrubAddress(value) : value];
      }),
    ),
  };
}

/** "GET /api/v1/…?after=…" as well as an address alone. */
function scrubWords(description: string): string {
  return description.split(' ').map(scrubAddress).join(' ');
}
