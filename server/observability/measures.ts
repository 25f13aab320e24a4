/**
 * Counters and timers of Creator HQ. The hot path calls these once
 * for a batch or a call to Meta, and they only add numbers up.
 *
 * NOTE: labels are for closed lists (a lane, an outcome's reason). Never for ids, names or anything that people enter: each
 * value is a time series that this process and whoever stores it keep for ever.
 */
import { Counter, Histogram, Registry } from 'prom-client';
import { gaugesOf } from './gauges.ts';
import { type Spread, spreadOf } from './spread.ts';

const ACK_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.02, 0.04, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const CALL_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** From a follower's tap to us: moments, unless Meta has an outage or repeats what we did not take. */
const AGE_SECONDS = [1, 2, 5, 10, 30, 60, 300, 900, 3600, 6 * 3600, 24 * 3600];
/** From the decision to the call: milliseconds when idle, hours behind Meta's limit. */
const WAIT_SECONDS = [0.005, 0.015, 0.06, 0.25, 1, 5, 30, 60, 300, 900, 3600, 4 * 3600, 24 * 3600];
const BATCH_EVENTS = [1, 2, 5, 10, 25, 50, 100, 250, 500];

/** How long the highest share of a limit that Meta told is shown. */
const USAGE_KEPT_MS = 60_000;
/** A proxy that sends nothing here any more brings no event that could be written: after a while it has to be tried again. */
const REFUSAL_KEPT_MS = 10_000;

type Decided = {
  interaction: { outcome: string; reason: string; occurred_at: Date; received_at: Date; found_by_reading: boolean };
};

export type Measures = ReturnType<typeof createMeasures>;

/** Totals since the start; of two, the difference is what happened in between. */
export type Totals = {
  acknowledged: number;
  refused: number;
  interactions: number;
  calls: number;
  leasesLost: number;
  failedAppends: number;
  shards: number;
  ack: Spread;
  age: Spread;
  call: Spread;
};

/** @param onFailure told when a value could not be read for a snapshot */
export function createMeasures(onFailure: (error: unknown) => void = () => {}) {
  const registry = new Registry();
  const registers = [registry];
  const gauge = gaugesOf(registry, onFailure);
  const counter = <Label extends string = never>(name: string, help: string, labelNames: Label[] = []) =>
    new Counter<Label>({ name, help, labelNames, registers });
  const histogram = <Label extends string = never>(
    name: string,
    help: string,
    buckets: number[],
    labelNames: Label[] = [],
  ) => new Histogram<Label>({ name, help, buckets, labelNames, registers });

  const webhooks = counter('creator_hq_webhooks_total', 'Webhooks from Meta by response.', ['result']);
  const otherWebhooks = counter('creator_hq_other_webhooks_total', 'Webhooks from others than Meta by response.', [
    'sender',
    'result',
  ]);
  const ack = histogram(
    'creator_hq_webhook_ack_duration_seconds',
    'From the arrival of a webhook to its acknowledgement.',
    ACK_SECONDS,
  );
  const responses = counter('creator_hq_http_responses_total', 'Responses to browsers and tools by class of status.', [
    'status',
  ]);
  const appended = counter('creator_hq_event_log_events_total', 'Events written to the event log.');
  const append = histogram(
    'creator_hq_event_log_append_duration_seconds',
    'Until events were durable in the event log.',
    ACK_SECONDS,
  );
  const appendFailures = counter('creator_hq_event_log_append_failures_total', 'Appends that failed.');
  const workedOff = counter(
    'creator_hq_events_worked_off_total',
    'Events that were worked off and left the event log.',
  );
  const batch = histogram(
    'creator_hq_ingest_batch_duration_seconds',
    'One batch of events: read, decided, committed.',
    CALL_SECONDS,
  );
  const batchEvents = histogram('creator_hq_ingest_batch_events', 'Events in one batch.', BATCH_EVENTS);
  const interactions = counter('creator_hq_interactions_total', 'Interactions by the outcome that was decided.', [
    'outcome',
    'reason',
  ]);
  const age = histogram(
    'creator_hq_webhook_age_seconds',
    'From what a follower did to its webhook here: the time that Meta takes.',
    AGE_SECONDS,
  );
  const malformed = counter(
    'creator_hq_events_malformed_total',
    'Events of a known kind without what that kind must have.',
  );
  const messagesRead = counter(
    'creator_hq_messages_read_total',
    'Messages that Meta told of by their id alone, by what came of reading them.',
    ['result'],
  );
  const wait = histogram(
    'creator_hq_delivery_wait_seconds',
    'From the decision to the first call to Meta.',
    WAIT_SECONDS,
    ['lane'],
  );
  const deliveries = counter('creator_hq_deliveries_total', 'Calls of the lanes by what they came to.', [
    'lane',
    'result',
  ]);
  const failures = counter('creator_hq_delivery_failures_total', 'Deliveries given up, by reason.', ['lane', 'reason']);
  const calls = counter('creator_hq_graph_calls_total', 'Calls to Meta by verdict.', ['operation', 'verdict']);
  const call = histogram('creator_hq_graph_call_duration_seconds', 'Calls to Meta until the answer.', CALL_SECONDS, [
    'operation',
  ]);
  const leases = counter('creator_hq_shard_leases_total', 'Shards that changed hands here.', ['change']);
  const jobs = counter('creator_hq_job_runs_total', 'Jobs that ran here, by result.', ['job', 'result']);
  let usage = { percent: 0, atMs: Number.NEGATIVE_INFINITY };
  let shards = 0;
  let refusedAtMs = Number.NEGATIVE_INFINITY;
  let takenAtMs = Number.NEGATIVE_INFINITY;

  gauge(
    'creator_hq_graph_usage_ratio',
    'The highest share of one of its limits that Meta told in the last minute; 1 is the limit.',
    () => (performance.now() - usage.atMs > USAGE_KEPT_MS ? null : usage.percent / 100),
  );
  gauge('creator_hq_shards_held', 'Shards that this process works.', () => shards);

  return {
    registry,
    gauge,

    webhookAnswered(status: number, durationMs: number): void {
      webhooks.inc({ result: webhookResult(status) });
      if (status === 200) ack.observe(durationMs / 1000);
    },

    otherWebhookAnswered(sender: string, status: number): void {
      otherWebhooks.inc({ sender, result: webhookResult(status) });
    },

    responded(status: number): void {
      responses.inc({ status: `${Math.floor(status / 100)}xx` });
    },

    appended(events: number, durationMs: number): void {
      takenAtMs = performance.now();
      refusedAtMs = Number.NEGATIVE_INFINITY;
      appended.inc(events);
      append.observe(durationMs / 1000);
    },

    /** @param beganAtMs of `performance.now()`: one that hung while others were taken says nothing of what is now */
    appendFailed(beganAtMs: number): void {
      if (beganAtMs >= takenAtMs) refusedAtMs = performance.now();
      appendFailures.inc();
    },

    /** The last write to the event log failed, less than ten seconds ago. */
    refusesEvents(nowMs = performance.now()): boolean {
      return nowMs - refusedAtMs < REFUSAL_KEPT_MS;
    },

    workedOff(events: number, durationMs: number): void {
      workedOff.inc(events);
      batch.observe(durationMs / 1000);
      batchEvents.observe(events);
    },

    /** New interactions of a batch that has committed. */
    decided(decisions: readonly Decided[]): void {
      for (const { interaction } of decisions) {
        interactions.inc({ outcome: interaction.outcome, reason: interaction.reason });
        // Meta never announced events we found ourselves.
        if (interaction.found_by_reading) continue;
        age.observe(Math.max(0, interaction.received_at.getTime() - interaction.occurred_at.getTime()) / 1000);
      }
    },

    malformed(events: number): void {
      malformed.inc(events);
    },

    messageRead(result: 'read' | 'failed' | 'given_up'): void {
      messagesRead.inc({ result });
    },

    /** The call of a delivery begins. */
    started({ lane, attempts, created_at }: { lane: string; attempts: number; created_at: Date }, nowMs: number): void {
      if (attempts === 1) wait.observe({ lane }, Math.max(0, nowMs - created_at.getTime()) / 1000);
    },

    /** The result of a delivery; `queued` is another try. */
    delivered(lane: string, { state, failure_reason }: { state: string; failure_reason: string | null }): void {
      deliveries.inc({ lane, result: state === 'queued' ? 'retried' : state });
      if (state === 'failed' || state === 'expired') failures.inc({ lane, reason: failure_reason ?? state });
    },

    called(operation: string, verdict: string, durationMs: number, usagePercent: number | null): void {
      calls.inc({ operation, verdict });
      call.observe({ operation }, durationMs / 1000);
      if (usagePercent === null) return;
      const now = performance.now();
      if (usagePercent >= usage.percent || now - usage.atMs > USAGE_KEPT_MS)
        usage = { percent: usagePercent, atMs: now };
    },

    shardsHeld(held: number, gained: number, lost: number): void {
      shards = held;
      if (gained > 0) leases.inc({ change: 'gained' }, gained);
      if (lost > 0) leases.inc({ change: 'lost' }, lost);
    },

    jobRan(job: string, succeeded: boolean): void {
      jobs.inc({ job, result: succeeded ? 'succeeded' : 'failed' });
    },

    async totals(): Promise<Totals> {
      const acknowledged = await total(webhooks, { result: 'acknowledged' });
      return {
        acknowledged,
        refused: (await total(webhooks)) - acknowledged,
        interactions: await total(interactions),
        calls: await total(calls),
        leasesLost: await total(leases, { change: 'lost' }),
        failedAppends: await total(appendFailures),
        shards,
        ack: await spreadOf(ack),
        age: await spreadOf(age),
        call: await spreadOf(call),
      };
    },
  };
}

/** Over all labels, or over those that are like these. */
async function total(counter: Counter, like: Record<string, string> = {}): Promise<number> {
  const wanted = Object.entries(like);
  const { values } = await counter.get();
  return values
    .filter(({ labels }) => wanted.every(([name, value]) => labels[name] === value))
    .reduce((sum, { value }) => sum + value, 0);
}

function webhookResult(status: number): string {
  if (status === 200) return 'acknowledged';
  if (status === 403) return 'wrong_signature';
  if (status === 503) return 'unavailable';
  return status < 500 ? 'malformed' : 'failed';
}
