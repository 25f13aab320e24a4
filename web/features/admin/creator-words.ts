import type { adminListCreators } from '#contract/admin.ts';
import type { ResponseOf } from '#contract/endpoint.ts';

export type AdminCreator = ResponseOf<typeof adminListCreators>['items'][number];

/** "Creator, active" or "No plan". */
export function planWords({ planName, status }: Pick<AdminCreator, 'planName' | 'status'>): string {
  if (planName === null) return 'No plan';
  return status === null ? planName : `${planName}, ${status.replaceAll('_', ' ')}`;
}
