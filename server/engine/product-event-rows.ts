/** Product events about deliveries and contacts. */
import type { ProductEvent } from '#server/events/product-events.ts';

/** Of a delivery that came to its end, for `select`. */
export const FINISHED = `creator_id, id, interaction_id, automation_id, connection_id, kind, state, content ->> 'text' as text,
  variant, failure_reason, finished_at`;

export type FinishedRow = {
  creator_id: string;
  id: string;
  interaction_id: string;
  automation_id: string | null;
  connection_id: string;
  kind: 'private_reply' | 'message' | 'public_reply';
  state: 'sent' | 'failed' | 'expired' | 'cancelled';
  text: string | null;
  variant: string | null;
  failure_reason: string | null;
  finished_at: Date | null;
};

export function deliveryEvent(row: FinishedRow, now: Date): ProductEvent {
  return {
    type: 'delivery',
    creatorId: row.creator_id,
    happenedAt: row.finished_at ?? now,
    data: {
      id: row.id,
      interactionId: row.interaction_id,
      automationId: row.automation_id,
      connectionId: row.connection_id,
      kind: row.kind,
      state: row.state,
      text: row.text,
      variant: row.variant,
      failure: row.failure_reason,
      finishedAt: row.finished_at?.toISOString() ?? null,
    },
  };
}

/** Of a contact, for `returning` after an `insert into people as p`. */
export const MET = 'p.creator_id, p.connection_id, p.id, p.username, p.first_seen_at, p.xmax = 0 as is_new';

export type Met = {
  creator_id: string;
  connection_id: string;
  id: string;
  username: string | null;
  first_seen_at: Date | string;
};

export function newContactEvent(row: Met): ProductEvent {
  return {
    type: 'contact',
    creatorId: row.creator_id,
    happenedAt: new Date(row.first_seen_at),
    data: { change: 'new', connectionId: row.connection_id, personId: row.id, username: row.username, email: null },
  };
}
