import type { adminListCreators } from '#contract/admin.ts';
import type { ResponseOf } from '#contract/endpoint.ts';
import type { BadgeTone } from '#web/ui/Badge.tsx';

export type AdminCreator = ResponseOf<typeof adminListCreators>['items'][number];

const HEALTH: Record<string, { label: string; tone: BadgeTone }> = {
  working: { label: 'working', tone: 'accent' },
  needs_reconnect: { label: 'reconnect needed', tone: 'error' },
  missing_permissions: { label: 'permission missing', tone: 'warning' },
  missing_webhooks: { label: 'not hearing comments', tone: 'warning' },
  barred: { label: 'paused by Meta', tone: 'warning' },
  disconnected: { label: 'disconnected', tone: 'neutral' },
};

/** A connection's health in words; one that this screen does not know yet stands as it is. */
export function healthWords(health: string): { label: string; tone: BadgeTone } {
  return HEALTH[health] ?? { label: health.replaceAll('_', ' '), tone: 'neutral' };
}

/** "Creator, active" or "No plan". */
export function planWords({ planName, status }: Pick<AdminCreator, 'planName' | 'status'>): string {
  if (planName === null) return 'No plan';
  return status === null ? planName : `${planName}, ${status.replaceAll('_', ' ')}`;
}
