import type { Connection } from '#contract/connections.ts';
import type { BadgeTone } from '#web/ui/Badge.tsx';

/** How a connected account is doing, in a word or two. */
export const HEALTH_WORDS: Record<Connection['health'], { label: string; tone: BadgeTone }> = {
  working: { label: 'Working', tone: 'accent' },
  needs_reconnect: { label: 'Reconnect needed', tone: 'error' },
  missing_permissions: { label: 'Permission missing', tone: 'warning' },
  missing_webhooks: { label: 'Not hearing comments', tone: 'warning' },
  barred: { label: 'Paused by Meta', tone: 'warning' },
  disconnected: { label: 'Disconnected', tone: 'neutral' },
};
