import { type adminGetOperations, diskState } from '#contract/admin.ts';
import type { ResponseOf } from '#contract/endpoint.ts';
import type { BadgeTone } from '#web/ui/Badge.tsx';
import { numerals } from '#web/ui/numerals.ts';

export type Operations = ResponseOf<typeof adminGetOperations>;

/** As in the health check: a worker tells every few seconds that it lives. */
const SILENT_AFTER_MS = 30_000;

export function workerState(
  worker: { seenAt: string; shards: number },
  nowMs: number,
): { label: string; tone: BadgeTone } {
  if (nowMs - Date.parse(worker.seenAt) <= SILENT_AFTER_MS) return { label: 'Running', tone: 'accent' };
  // What it had to do others have taken over: it was stopped, or its work was taken from it.
  return worker.shards === 0 ? { label: 'Gone', tone: 'neutral' } : { label: 'Silent', tone: 'error' };
}

/** Closed while its time is still to come; a time that is over means nothing any more. */
export function laneWords(
  lane: { closedUntil: string | null; closedReason: string | null },
  nowMs: number,
): { closed: boolean; reason: string | null } {
  const closed = lane.closedUntil !== null && Date.parse(lane.closedUntil) > nowMs;
  return { closed, reason: closed ? (lane.closedReason?.replaceAll('_', ' ') ?? null) : null };
}

/** As in the readiness check: events live for milliseconds. */
const EVENTS_LATE_MS = 60_000;
/** Mails and news for other tools go out within seconds, or are tried again. */
const MAILS_LATE_MS = 15 * 60_000;
/** A job that failed once is simply run again. */
const FAILURES_THAT_TELL = 3;
/** Meta answers a webhook within seconds and keeps an eye on those that are slow; see docs/operations.md. */
const SLOW_ACK_MS = 2000;
const LOOP_HELD_UP_MS = 1000;

/** What needs a person, the gravest first; empty when all goes well. */
export function troubles(of: Operations, nowMs: number): { what: string; tone: 'error' | 'warning' }[] {
  const found: { what: string; tone: 'error' | 'warning' }[] = [];
  const when = (is: boolean, tone: 'error' | 'warning', what: string) => {
    if (is) found.push({ what, tone });
  };
  const count = (state: Operations['connections'][number]['state']) =>
    of.connections.find((each) => each.state === state)?.count ?? 0;
  const isLate = (oldest: string | null, afterMs: number) => oldest !== null && nowMs - Date.parse(oldest) > afterMs;
  const working = of.workers.some((worker) => workerState(worker, nowMs).label === 'Running');
  const living = of.processes.filter(({ seenAt }) => nowMs - Date.parse(seenAt) <= SILENT_AFTER_MS);

  when(!working, 'error', 'No worker is running, so nothing is sent.');
  when(
    working && of.shards.free > 0,
    'error',
    `${of.shards.free} of ${of.shards.held + of.shards.free} shards have no worker, so their accounts wait.`,
  );
  when(of.eventLog.refusing, 'error', 'Events can’t be written, so webhooks are refused.');
  when(isLate(of.eventLog.oldest, EVENTS_LATE_MS), 'error', 'The oldest event has waited more than a minute.');
  when(of.eventLog.parked > 0, 'error', plural(of.eventLog.parked, 'event', 'couldn’t be processed'));
  for (const { host, lastMinute, loopDelayMs, pools, disk } of living) {
    const { ackP99Ms, refused, failedAppends = 0 } = lastMinute;
    const space = disk ? diskState(disk) : 'enough';
    when(space === 'nearly_full', 'error', `The disk on ${host} is almost full. Free up space now.`);
    when(space === 'low', 'warning', `The disk on ${host} is filling up: ${gigabytes(disk?.freeBytes ?? 0)} free.`);
    when(
      failedAppends > 0,
      'error',
      `${host} couldn’t write events (${numerals(failedAppends)} times in the last minute).`,
    );
    when(ackP99Ms !== null && ackP99Ms > SLOW_ACK_MS, 'error', `${host} is slow to acknowledge webhooks.`);
    when(refused > 0, 'warning', `${host} refused ${plural(refused, 'webhook', 'in the last minute')}`);
    when(loopDelayMs > LOOP_HELD_UP_MS, 'warning', `${host} was blocked for ${seconds(loopDelayMs / 1000)}.`);
    when(
      pools.some(({ waiting }) => waiting > 0),
      'warning',
      `${host} is waiting for database connections.`,
    );
  }
  for (const job of of.jobs) {
    const { failuresInARow: times, heldBecause } = job;
    when(
      heldBecause !== null,
      'error',
      `The job "${jobWords(job.name)}" is on hold and deletes nothing. ${heldBecause}`,
    );
    when(times >= FAILURES_THAT_TELL, 'error', `The job "${jobWords(job.name)}" has failed ${times} times in a row.`);
  }
  when(count('needs_reconnect') > 0, 'warning', plural(count('needs_reconnect'), 'account', 'must be reconnected'));
  when(count('barred') > 0, 'warning', plural(count('barred'), 'account', 'temporarily blocked by Meta'));
  when(count('paused') > 0, 'warning', plural(count('paused'), 'account', 'paused by a Meta outage'));
  for (const { setting, says } of of.setup) when(true, 'warning', `${setting}: ${says}`);
  when(
    !of.mails.readable && isLate(of.mails.oldest, MAILS_LATE_MS),
    'error',
    'The oldest email has waited more than 15 minutes.',
  );
  when(of.mails.failed > 0, 'warning', plural(of.mails.failed, 'email', 'failed in the last 24 hours'));
  when(
    !of.mails.readable && isLate(of.readerMails.oldest, MAILS_LATE_MS),
    'error',
    'The oldest reader email has waited more than 15 minutes.',
  );
  const failedToReaders = of.readerMails.failed;
  when(failedToReaders > 0, 'warning', plural(failedToReaders, 'reader email', 'failed in the last 24 hours'));
  for (const { name, state, says } of of.mailChecks) {
    when(state === 'trouble', name === 'relay' ? 'error' : 'warning', says);
  }
  const { refusedUs, notUnderstood } = of.readerMails;
  when(
    refusedUs > 0,
    'warning',
    `${plural(refusedUs, 'reader email', 'came back because a mail server doesn’t trust this one')} Check SPF, DKIM, and block lists.`,
  );
  when(
    notUnderstood > 0,
    'warning',
    `${plural(notUnderstood, 'email report', 'couldn’t be read')} Look in “Creator HQ/Not understood” in the bounce mailbox.`,
  );
  const { failing, switchedOff } = of.outgoingWebhooks;
  when(failing > 0, 'warning', plural(failing, 'webhook', 'not responding'));
  when(switchedOff > 0, 'warning', plural(switchedOff, 'webhook', 'turned off after failing'));
  const grave = (tone: string) => Number(tone !== 'error');
  return found.sort((a, b) => grave(a.tone) - grave(b.tone));
}

/** "1 event couldn’t be processed.", "2 events couldn’t be processed." */
function plural(count: number, what: string, then: string): string {
  return `${numerals(count)} ${what}${count === 1 ? '' : 's'} ${then}.`;
}

/** Of all processes together: sums of counts, the worst of times. */
export function lastMinute(processes: Operations['processes'], nowMs: number) {
  const living = processes.filter(({ seenAt }) => nowMs - Date.parse(seenAt) <= SILENT_AFTER_MS);
  const figures = living.map((each) => each.lastMinute);
  const sum = (of: 'webhooks' | 'refused' | 'interactions' | 'calls') =>
    figures.reduce((total, figure) => total + figure[of], 0);
  const worst = (of: 'ackP99Ms' | 'ageP50Seconds' | 'ageP99Seconds' | 'callP99Ms') => {
    const known = figures.map((figure) => figure[of]).filter((value) => value !== null);
    return known.length === 0 ? null : Math.max(...known);
  };
  return {
    webhooks: sum('webhooks'),
    refused: sum('refused'),
    calls: sum('calls'),
    ackP99Ms: worst('ackP99Ms'),
    ageP50Seconds: worst('ageP50Seconds'),
    ageP99Seconds: worst('ageP99Seconds'),
    callP99Ms: worst('callP99Ms'),
  };
}

/** "12 ms", "1.5 s", "4 min", "3 h". */
export function seconds(value: number): string {
  if (value < 1) return `${Math.round(value * 1000)} ms`;
  if (value < 10) return `${Math.round(value * 10) / 10} s`;
  if (value < 120) return `${Math.round(value)} s`;
  if (value < 7200) return `${Math.round(value / 60)} min`;
  return `${Math.round(value / 3600)} h`;
}

export function megabytes(bytes: number): string {
  return `${numerals(Math.round(bytes / 1024 ** 2))} MB`;
}

export function gigabytes(bytes: number): string {
  return `${numerals(Math.round(bytes / 1024 ** 3 / 0.1) / 10)} GB`;
}

export function jobState(job: Operations['jobs'][number], nowMs: number): { label: string; tone: BadgeTone } {
  if (job.failuresInARow > 0) return { label: 'Failing', tone: 'error' };
  if (job.heldBecause !== null) return { label: 'Held', tone: 'warning' };
  if (nowMs - Date.parse(job.nextAt) > JOB_LATE_MS) return { label: 'Late', tone: 'warning' };
  return job.lastSucceededAt === null ? { label: 'Not run yet', tone: 'neutral' } : { label: 'OK', tone: 'accent' };
}

/** Workers look every second what is due. */
const JOB_LATE_MS = 5 * 60_000;

/** `refresh-tokens` reads better as "refresh tokens". */
export function jobWords(name: string): string {
  return name.replaceAll(/[-_]/g, ' ');
}
