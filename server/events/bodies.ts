/**
 * The content of the event log: a body of Meta's webhooks as it came, or events that we found ourselves, which no webhook
 * told of. No webhook can be taken for the second: what has no `object` is refused where it arrives.
 */
import type { PlatformEvent } from '#server/platforms/meta/events.ts';
import { readEnvelope } from '#server/platforms/meta/webhook.ts';
import type { NewEvent } from './event-log.ts';

const FOUND = '{"platform_events":';

/** For `EventLog.append`. */
export function bodyOf(events: readonly PlatformEvent[]): Pick<NewEvent, 'body' | 'read'> {
  return { body: `${FOUND}${JSON.stringify(events)}}`, read: events };
}

/** @throws NotAnEnvelope when the body as a whole cannot be read */
export function eventsOf({ body, receivedAt, read }: Omit<NewEvent, 'shard'>): readonly PlatformEvent[] {
  if (read !== undefined) return read;
  if (!body.startsWith(FOUND)) return readEnvelope(body, receivedAt);
  const reviveTime = (key: string, value: unknown) => (key === 'at' ? new Date(value as string) : value);
  return (JSON.parse(body, reviveTime) as { platform_events: PlatformEvent[] }).platform_events;
}
