import { fullMomentOf } from '#web/ui/moment.ts';

/** When somebody of support was here, what they opened and how much they changed: "Nov 20, 2026, 2:05 PM, for 12 minutes". */
export function visitWords(visit: { startedAt: string; endedAt: string | null; reads: number; actions: number }): {
  when: string;
  did: string;
} {
  const started = fullMomentOf(Date.parse(visit.startedAt));
  const { reads, actions } = visit;
  const opened =
    reads === 0
      ? 'Opened no pages with people’s data.'
      : `Opened ${reads === 1 ? 'one page' : `${reads} pages`} with people’s data.`;
  const changed = actions === 0 ? 'Changed nothing.' : `Changed ${actions === 1 ? 'one thing' : `${actions} things`}.`;
  return {
    when: visit.endedAt === null ? `Since ${started}` : `${started}, for ${lasted(visit.startedAt, visit.endedAt)}`,
    did: `${opened} ${changed}`,
  };
}

function lasted(startedAt: string, endedAt: string): string {
  const minutes = Math.round((Date.parse(endedAt) - Date.parse(startedAt)) / 60_000);
  if (minutes < 1) return 'less than a minute';
  return minutes === 1 ? 'a minute' : `${minutes} minutes`;
}
