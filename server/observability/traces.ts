/**
 * Traces of single webhooks through the program: webhook → append → decide → send. A few are drawn by lot; of the others
 * nothing is kept.
 *
 * A trace's id is the hash of the webhook's body. So the process that takes the webhook and the worker that works it off,
 * perhaps on another machine, come to the same id and the same lot without passing anything along: the event log keeps bodies
 * and nothing else. Spans carry ids of rows, counts and words of closed lists. Never texts, names, addresses or tokens.
 */
import { createHash, randomBytes } from 'node:crypto';
import { eventsOf } from '#server/events/bodies.ts';
import type { NewEvent } from '#server/events/event-log.ts';

/** As OTLP numbers them. */
export const SPAN_KIND = { internal: 1, server: 2, client: 3, consumer: 5 } as const;

export type Span = {
  /** 16 and 8 bytes in hex. */
  traceId: string;
  spanId: string;
  parentSpanId: string | null;
  name: 'webhook' | 'append' | 'decide' | 'send';
  kind: (typeof SPAN_KIND)[keyof typeof SPAN_KIND];
  /** Milliseconds since 1970, with fractions. */
  startMs: number;
  endMs: number;
  attributes: Record<string, string | number>;
  failed: boolean;
};

/** All times are of `performance.now()`. */
export type Tracing = {
  acknowledged(body: string, status: number, elapsedMs: number): void;
  appended(events: readonly NewEvent[], began: number, ended: number): void;
  /** A batch has committed with these new interactions. */
  decided(events: readonly NewEvent[], decisions: readonly Decided[], began: number): void;
  sent(delivery: Sent, verdict: string, began: number): void;
};

type Decided = { interaction: { id: string; platform_id: string }; delivery: unknown };
type Sent = { id: string; interaction_id: string; lane: string; kind: string; attempts: number };
type Context = { traceId: string; spanId: string };

/** Of a message that waits longer the sending is not traced. */
const REMEMBERED_AT_MOST = 5_000;

/**
 * @param deps.sampled the share of webhooks that are traced, 0 to 1
 * @param deps.onSpan takes finished spans; must not throw
 */
export function createTracing(deps: {
  sampled: number;
  onSpan: (span: Span) => void;
  newSpanId?: () => string;
}): Tracing {
  const { sampled, onSpan, newSpanId = () => randomBytes(8).toString('hex') } = deps;
  /** Where the interactions of traced webhooks go on, until they are sent. */
  const deciding = new Map<string, Context>();

  /** Null for the many that are not traced. */
  function rootOf(body: string): Context | null {
    const hash = createHash('sha256').update(body).digest('hex');
    const lot = Number.parseInt(hash.slice(24, 32), 16) / 2 ** 32;
    return lot < sampled ? { traceId: hash.slice(0, 32), spanId: hash.slice(32, 48) } : null;
  }

  function finish(
    { traceId, spanId }: Context,
    parentSpanId: string | null,
    span: Pick<Span, 'name' | 'kind' | 'attributes'> & { began: number; ended: number; failed?: boolean },
  ): void {
    const { began, ended, failed = false, ...rest } = span;
    const { timeOrigin } = performance;
    onSpan({ traceId, spanId, parentSpanId, ...rest, failed, startMs: timeOrigin + began, endMs: timeOrigin + ended });
  }

  return {
    acknowledged(body, status, elapsedMs) {
      // Refused requests were perhaps not from Meta at all.
      const root = status === 200 ? rootOf(body) : null;
      if (root === null) return;
      const ended = performance.now();
      const attributes = { 'http.response.status_code': status, 'http.request.body.size': Buffer.byteLength(body) };
      finish(root, null, { name: 'webhook', kind: SPAN_KIND.server, began: ended - elapsedMs, ended, attributes });
    },

    appended(events, began, ended) {
      const root = events[0] === undefined ? null : rootOf(events[0].body);
      if (root === null) return;
      finish({ ...root, spanId: newSpanId() }, root.spanId, {
        name: 'append',
        kind: SPAN_KIND.internal,
        began,
        ended,
        attributes: { 'creator_hq.event_log.events': events.length },
      });
    },

    decided(events, decisions, began) {
      const ended = performance.now();
      for (const logged of events) {
        const { body, shard } = logged;
        const root = rootOf(body);
        if (root === null) continue;
        const inside = new Set(eventsOf(logged).map((event) => ('platformId' in event ? event.platformId : '')));
        const own = decisions.filter(({ interaction }) => inside.has(interaction.platform_id));
        const context = { traceId: root.traceId, spanId: newSpanId() };
        for (const { interaction, delivery } of own) if (delivery !== null) remember(interaction.id, context);
        finish(context, root.spanId, {
          name: 'decide',
          kind: SPAN_KIND.consumer,
          began,
          ended,
          attributes: {
            'creator_hq.shard': shard,
            'creator_hq.batch.events': events.length,
            'creator_hq.interactions': own.length,
            'creator_hq.interaction.id': own[0]?.interaction.id ?? '',
          },
        });
      }
    },

    sent({ id, interaction_id, lane, kind, attempts }, verdict, began) {
      const parent = deciding.get(interaction_id);
      if (parent === undefined) return;
      finish({ traceId: parent.traceId, spanId: newSpanId() }, parent.spanId, {
        name: 'send',
        kind: SPAN_KIND.client,
        began,
        ended: performance.now(),
        failed: verdict !== 'done',
        attributes: {
          'creator_hq.delivery.id': id,
          'creator_hq.delivery.kind': kind,
          'creator_hq.lane': lane,
          'creator_hq.attempt': attempts,
          'creator_hq.verdict': verdict,
        },
      });
    },
  };

  function remember(interactionId: string, context: Context): void {
    deciding.set(interactionId, context);
    if (deciding.size <= REMEMBERED_AT_MOST) return;
    for (const oldest of deciding.keys()) {
      deciding.delete(oldest);
      return;
    }
  }
}
