import type { BroadcastSummary } from '#contract/newsletters.ts';
import { NEWSLETTERS, STATES } from '#web/features/newsletters/words.ts';
import { Badge } from '#web/ui/Badge.tsx';

export function BroadcastBadge({ broadcast: { state, asked } }: { broadcast: BroadcastSummary }) {
  if (state === 'draft' && asked !== null) return <Badge tone="warning">{NEWSLETTERS.askedShort}</Badge>;
  return <Badge tone={STATES[state].tone}>{STATES[state].label}</Badge>;
}
