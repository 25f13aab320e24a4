/**
 * Records what happened: written in the transaction in which it happens, by the code that writes it, for those who
 * listen: outgoing webhooks, and for contacts newsletter tools and the welcome series. Another reader adds its creators to
 * `LISTENED` and its rows to `record`; whoever writes events stays as it is.
 *
 * A creator nobody listens to costs nothing: statements answer with what happened only where `LISTENED` has its creator,
 * and without an event there is nothing to record. An endpoint added while a batch is under way may miss that batch.
 */
import type * as z from 'zod/mini';
import type { OUTGOING_DATA, OutgoingType } from '#contract/outgoing-webhooks.ts';
import { type Querying, queryRows } from '#server/db/query-rows.ts';

export type ProductEvent = {
  [Type in OutgoingType]: {
    type: Type;
    creatorId: string;
    happenedAt: Date;
    data: z.infer<(typeof OUTGOING_DATA)[Type]>;
  };
}[OutgoingType];

/** For `where creator_id in …`: creators of whom somebody wants to hear. */
export const LISTENED = '(select creator_id from outgoing_endpoints where switched_off_at is null)';

/** How long an event is tried. */
export const TRIED_FOR_MS = 24 * 3_600_000;

/** All events of a batch in one statement; of those, what each listener chose. */
export async function record(trx: Querying, events: ProductEvent[], now: Date): Promise<void> {
  if (events.length === 0) return;
  await queryRows(
    trx,
    `insert into outgoing_events (creator_id, endpoint_id, type, happened_at, due_at, expires_at, data)
     select e.creator_id, e.id, g.type, g."happenedAt", $2, $3, g.data
     from json_to_recordset($1) as g(type text, "creatorId" uuid, "happenedAt" timestamptz, data jsonb)
     join outgoing_endpoints e on e.creator_id = g."creatorId" and e.switched_off_at is null and g.type = any(e.types)`,
    [JSON.stringify(events), now, new Date(now.getTime() + TRIED_FOR_MS)],
  );
  const changed = contactChanges(events);
  if (changed.length === 0) return;
  await tellTools(trx, changed, now);
  await beginWelcomes(trx, changed, now);
}

type ContactChange = { creator: string; contact: string; change: string };

function contactChanges(events: ProductEvent[]): ContactChange[] {
  return events.flatMap(({ type, creatorId, data }) =>
    type === 'contact' && data.contactId !== undefined && data.change !== 'saved'
      ? [{ creator: creatorId, contact: data.contactId, change: data.change }]
      : [],
  );
}

/** Once in their life; it goes on in server/features/newsletters/welcome-series.ts. */
async function beginWelcomes(trx: Querying, changed: ContactChange[], now: Date): Promise<void> {
  await queryRows(
    trx,
    `insert into welcome_runs (creator_id, contact_id, began_at, last_at, next_at)
     select distinct s.creator_id, c.id, $2::timestamptz, $2::timestamptz, $2::timestamptz
     from json_to_recordset($1) as g(creator uuid, contact uuid, change text)
     join newsletter_settings s on s.creator_id = g.creator and s.welcome and s.writer = 'here'
     join contacts c on c.creator_id = g.creator and c.id = g.contact
     where g.change = 'confirmed'
     on conflict (creator_id, contact_id) do nothing`,
    [JSON.stringify(changed), now],
  );
}

/** A tool hears of those who confirmed, and of what becomes of those whom it knows. */
async function tellTools(trx: Querying, changed: ContactChange[], now: Date): Promise<void> {
  await queryRows(
    trx,
    `insert into integration_contacts as c (creator_id, integration_id, contact_id, state, due_at)
     select distinct i.creator_id, i.id, g.contact, 'waiting', $2::timestamptz
     from json_to_recordset($1) as g(creator uuid, contact uuid, change text)
     join data_integrations i on i.creator_id = g.creator
     where g.change = 'confirmed' or exists (
       select from integration_contacts k where k.creator_id = i.creator_id and k.integration_id = i.id and k.contact_id = g.contact)
     on conflict (creator_id, integration_id, contact_id) do update set state = 'waiting', due_at = excluded.due_at, failure = null`,
    [JSON.stringify(changed), now],
  );
}
