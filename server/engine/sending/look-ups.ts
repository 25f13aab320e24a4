/**
 * Looking for a message that may have arrived: Meta has no idempotency keys, so before a direct message goes out again its
 * conversation is read (architecture rule 3; docs/decisions/0025-looking-for-a-message.md).
 */

import type pg from 'pg';
import { textArray } from '#server/db/arrays.ts';
import type { ClaimedDelivery } from '#server/engine/outcomes/rows.ts';
import { LaneWindow } from '#server/engine/sending/lane-window.ts';
import type { FoundMessage } from '#server/platforms/meta/read-calls.ts';

/** How often an account's conversations may be read [D]. */
const PER_SECOND = 2;
const SECOND_MS = 1000;
/**
 * A machine's clock and Meta's are never further apart than this: TLS and signatures fail long before. Only a guard
 * against very old messages; what counts is Meta's own time.
 */
const CLOCKS_APART_MS = 2 * 3_600_000;

/**
 * The look-ups of one connection: paced, those that must wait spread, so that the queue is not asked in vain for each; and one
 * message for each person at a time, as the one that is found missing and goes out again is what another one would find.
 */
export class LookUps {
  private readonly made = new LaneWindow(PER_SECOND, SECOND_MS);
  private bookedUntil = 0;
  /** By recipient. */
  private readonly underWay = new Map<string, ClaimedDelivery>();

  /** @returns false while another one to the same person is looked for or goes out again; else `end` must follow */
  begin(delivery: ClaimedDelivery): boolean {
    if (this.underWay.has(delivery.recipient)) return false;
    this.underWay.set(delivery.recipient, delivery);
    return true;
  }

  /** Records the result; does nothing where it has not begun. */
  end(delivery: ClaimedDelivery): void {
    if (this.underWay.get(delivery.recipient) === delivery) this.underWay.delete(delivery.recipient);
  }

  /** Asks for a look-up at `now`, in ms since 1970. Null: it may be made, and counts; else when to ask again. */
  take(now: number): number | null {
    if (this.made.available(now) > 0) {
      this.made.take(now);
      return null;
    }
    this.bookedUntil = Math.max(this.made.nextAt(now), this.bookedUntil + SECOND_MS / PER_SECOND);
    return this.bookedUntil;
  }

  /** One that another worker may have made. */
  note(at: number): void {
    this.made.take(at);
  }
}

/**
 * Which of a conversation's messages is this delivery: one of ours with its text, sent after what it answers in Meta's own
 * time (ours may be wrong, and says nothing of a try before the last), and not known as another delivery.
 *
 * @returns the message; null when it is not there; `later` while another one of the same text is on its way to this
 *   person for the first time (of others `LookUps.begin` takes care), so that nobody can tell whose it is
 */
export async function findInConversation(
  client: pg.Pool,
  delivery: ClaimedDelivery,
  messages: FoundMessage[],
): Promise<FoundMessage | 'later' | null> {
  const { text, buttons, tap, card } = delivery.content;
  const isTemplate = buttons.length > 0 || tap !== undefined || card !== undefined;
  const alike = messages.filter(
    (message) =>
      message.personId !== delivery.recipient &&
      // Whether a template shows its text in this list is not documented.
      (message.text === text || (isTemplate && message.text === '')),
  );
  if (alike.length === 0) return null;
  const { rows } = await client.query<{ since: Date; others: string[]; rival: boolean }>({
    name: 'engine-find-in-conversation',
    text: `select date_trunc('second', greatest(i.occurred_at, $4::timestamptz)) as since,
             array(
               select mid from unnest($5::text[]) as mid
               where exists (
                 select from deliveries d
                 where d.connection_id = $3 and d.recipient_person_id = $7 and d.platform_message_id = mid and d.id <> $6
               )
             ) as others,
             exists (
               select from deliveries_under_way() as under_way(id) join deliveries d on d.id = under_way.id
               where d.connection_id = $3 and d.state = 'sending' and d.kind = 'message' and d.recipient = $7 and d.id <> $6
                 and (d.content ->> 'text' = $8 or $9) and not d.uncertain
             ) as rival
           from interactions i where i.id = $2 and i.creator_id = $1`,
    values: [
      delivery.creator_id,
      delivery.interaction_id,
      delivery.connection_id,
      new Date(delivery.created_at.getTime() - CLOCKS_APART_MS),
      textArray(alike.map(({ mid }) => mid)),
      delivery.id,
      delivery.recipient,
      text,
      isTemplate,
    ],
  });
  // Erased together with the person.
  if (rows[0] === undefined) return null;
  const { since, others, rival } = rows[0];
  const ours = alike.filter(({ mid, at }) => (at === null || at >= since) && !others.includes(mid));
  if (ours.length === 0) return null;
  return rival ? 'later' : ours[0]!;
}
