import type { adminListCreators } from '#contract/admin.ts';
import type { ResponseOf } from '#contract/endpoint.ts';
import { HEALTH_WORDS } from '#web/features/connections/health-words.ts';
import type { BadgeTone } from '#web/ui/Badge.tsx';

export type AdminCreator = ResponseOf<typeof adminListCreators>['items'][number];

/** A connection's health in words; one that this screen does not know yet stands as it is. */
export function healthWords(health: string): { label: string; tone: BadgeTone } {
  const known: Partial<Record<string, { label: string; tone: BadgeTone }>> = HEALTH_WORDS;
  return known[health] ?? { label: health.replaceAll('_', ' '), tone: 'neutral' };
}

/** "Creator, active" or "No plan". */
export function planWords({ planName, status }: Pick<AdminCreator, 'planName' | 'status'>): string {
  if (planName === null) return 'No plan';
  return status === null ? planName : `${planName}, ${status.replaceAll('_', ' ')}`;
}
