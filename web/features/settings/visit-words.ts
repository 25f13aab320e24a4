import { fullMomentOf } from '#web/ui/moment.ts';

/** When somebody of support was here and how much they changed: "Nov 20, 2026, 2:05 PM, for 12 minutes". */
export function visitWords(visit: { startedAt: string; endedAt: string | null; actions: number }): {
  when: string;
  did: string;
} {
  const started = fullMomentOf(Date.parse(visit.startedAt));
  const { actions } = visit;
  return {
    when: visit.endedAt === null ? `Since ${started}` : `${started}, for ${lasted(visit.startedAt, visit.endedAt)}`,
    did:
      actions === 0 ? 'Looked and changed nothing.' : `Changed ${actions === 1 ? 'one thing' : `${actions} things`}.`,
  };
}

function lasted(startedAt: string, endedAt: string): string {
  const minutes = Math.round((Date.parse(endedAt) - Date.parse(startedAt)) / 60_000);
  if (minutes < 1) return 'less than a minute';
  return minutes === 1 ? 'a minute' : `${minutes} minutes`;
}
