/** Conversations as they are kept in the database. Nothing here is asked for plain automations without steps. */

import type pg from 'pg';
import { inTransaction } from '#server/db/transaction.ts';
import {
  type Conversation,
  type ConversationEvent,
  move,
  windowAfter,
} from '#server/engine/conversations/conversation.ts';
import type { StoredConversation } from '#server/engine/deciding/decision.ts';
import { type Plan, sequenceOf, stepContent } from '#server/engine/deciding/message-plan.ts';
import { ERASED, type NewDelivery } from '#server/engine/outcomes/rows.ts';
import { MET, type Met, newContactEvent } from '#server/engine/product-event-rows.ts';
import { LISTENED, record } from '#server/events/product-events.ts';

type Client = pg.ClientBase | pg.Pool;

type Row = {
  creator_id: string;
  id: string;
  connection_id: string;
  automation_id: string;
  interaction_id: string;
  person_id: string;
  plan: Plan;
  state: Conversation['state'];
  ended_because: Conversation['endedBecause'];
  pending_delivery_id: string | null;
  follow_asks: number;
  email_hints: number;
  given_email: string | null;
  suggested_email: string | null;
  delivered_at: Date | null;
  expires_at: Date;
};

const COLUMNS = `c.creator_id, c.id, c.connection_id, c.automation_id, c.interaction_id, c.person_id, c.plan, c.state,
  c.ended_because, c.pending_delivery_id, c.follow_asks, c.email_hints, c.given_email, c.suggested_email, c.delivered_at,
  c.expires_at,
  (select i.is_test from interactions i where i.creator_id = c.creator_id and i.id = c.interaction_id) as is_test`;

/** `is_test` is null once the comment that began it is forgotten. */
type ReadRow = Row & { is_test: boolean | null };

/** Those named by taps, and those that wait for an address of these people; locked until the transaction ends. */
export async function findConversations(
  client: Client,
  ids: { creator_id: string; id: string }[],
  people: { connection_id: string; person_id: string }[],
): Promise<StoredConversation[]> {
  if (ids.length === 0 && people.length === 0) return [];
  const { rows } = await client.query<ReadRow>({
    name: 'engine-find-conversations',
    text: `select ${COLUMNS} from conversations c
           where (c.creator_id, c.id) in (
             select creator_id, id from json_to_recordset($1) as g(creator_id uuid, id uuid)
             union all
             select o.creator_id, o.id from json_to_recordset($2) as p(connection_id uuid, person_id text)
             join conversations o on o.connection_id = p.connection_id and o.person_id = p.person_id
               and o.state in ('opening', 'follow', 'email') and o.state = 'email'
           )
           order by c.id for update`,
    values: [JSON.stringify(ids), JSON.stringify(people)],
  });
  return rows.map(storedOf);
}

/** Begun and changed ones alike. */
export async function saveConversations(client: Client, stored: StoredConversation[], now: Date): Promise<void> {
  if (stored.length === 0) return;
  await client.query({
    name: 'engine-save-conversations',
    text: `insert into conversations (creator_id, id, connection_id, automation_id, interaction_id, person_id, plan, state,
             ended_because, pending_delivery_id, follow_asks, email_hints, given_email, suggested_email, delivered_at,
             expires_at, created_at, updated_at)
           select creator_id, id, connection_id, automation_id, interaction_id, person_id, plan, state, ended_because,
             pending_delivery_id, follow_asks, email_hints, given_email, suggested_email, delivered_at, expires_at, $2, $2
           from json_to_recordset($1) as g(creator_id uuid, id uuid, connection_id uuid, automation_id uuid,
             interaction_id uuid, person_id text, plan jsonb, state text, ended_because text, pending_delivery_id uuid,
             follow_asks smallint, email_hints smallint, given_email text, suggested_email text, delivered_at timestamptz,
             expires_at timestamptz)
           on conflict (creator_id, id) do update set person_id = excluded.person_id, state = excluded.state,
             ended_because = excluded.ended_because, pending_delivery_id = excluded.pending_delivery_id,
             follow_asks = excluded.follow_asks, email_hints = excluded.email_hints, given_email = excluded.given_email,
             suggested_email = excluded.suggested_email, delivered_at = excluded.delivered_at,
             expires_at = excluded.expires_at, updated_at = excluded.updated_at`,
    values: [JSON.stringify(stored.map(rowOf)), now],
  });
}

/** The outcome of a conversation's message, from the dispatcher. */
export type MessageNews = {
  creatorId: string;
  conversationId: string;
  /** The follower's id in the conversation, as Meta tells it in answer to a private reply. */
  personId: string | null;
  interactionId: string;
  automationId: string | null;
  deliveryId: string;
  /** Which try says so; null where it does not matter: it was sent. */
  attempts: number | null;
  happened: ConversationEvent;
};

/**
 * Moves conversations on after their messages were sent, refused or dropped. A worker that slept while another one took
 * its deliveries over moves nothing.
 *
 * @param options.newId of the message that may follow
 * @returns the messages that follow, to be queued in the same transaction
 */
export async function moveConversations(
  client: Client,
  news: MessageNews[],
  options: { baseUrl: string; newId: () => string; now: Date },
): Promise<NewDelivery[]> {
  const known = new Map(
    (
      await findConversations(
        client,
        news.map(({ creatorId, conversationId }) => ({ creator_id: creatorId, id: conversationId })),
        [],
      )
    ).map((stored) => [stored.id, stored]),
  );
  const windows = await findWindows(client, [...known.values()]);
  const current = await findCurrent(client, news);
  const following: NewDelivery[] = [];
  for (const { conversationId, personId, interactionId, automationId, deliveryId: about, happened } of news) {
    const stored = known.get(conversationId);
    if (stored === undefined || !current.has(about)) continue;
    const windowUntil = windows.get(conversationId) ?? null;
    const event = happened.kind === 'sent' ? { ...happened, windowUntil } : happened;
    const deliveryId = options.newId();
    const moved = move(sequenceOf(stored.plan), stored.conversation, event, deliveryId);
    const knownAs = stored.personId === ERASED ? ERASED : (personId ?? stored.personId);
    const now = { ...stored, personId: knownAs, conversation: moved.conversation };
    known.set(conversationId, now);
    if (moved.say !== 'follow_up' || windowUntil === null) continue;
    const { plan } = stored;
    following.push({
      creator_id: stored.creatorId,
      id: deliveryId,
      connection_id: stored.connectionId,
      interaction_id: interactionId,
      automation_id: automationId,
      conversation_id: conversationId,
      variant: plan.variant,
      kind: 'message',
      lane: 'messages',
      recipient: now.personId,
      content: stepContent(plan, 'follow_up', {
        baseUrl: options.baseUrl,
        deliveryId,
        conversationId,
        name: null,
      }),
      priority: 0,
      due_at: new Date(options.now.getTime() + plan.followUp!.afterMinutes * 60_000),
      expires_at: windowUntil,
      created_at: options.now,
    });
  }
  await saveConversations(client, [...known.values()], options.now);
  return following;
}

/** Which deliveries these news are still about; locked. */
async function findCurrent(client: Client, news: MessageNews[]): Promise<Set<string>> {
  const { rows } = await client.query<{ id: string }>({
    name: 'engine-find-current',
    text: `select d.id
           from json_to_recordset($1) as g(id uuid, attempts smallint)
           join deliveries d on d.id = g.id
           where d.state = 'sending' and (g.attempts is null or d.attempts = g.attempts)
           order by d.id for update of d`,
    values: [JSON.stringify(news.map(({ deliveryId, attempts }) => ({ id: deliveryId, attempts })))],
  });
  return new Set(rows.map(({ id }) => id));
}

/** Until when Meta takes messages, by conversation; none where the follower never wrote. */
async function findWindows(client: Client, stored: StoredConversation[]): Promise<Map<string, Date>> {
  if (stored.length === 0) return new Map();
  const { rows } = await client.query<{ id: string; at: Date }>({
    name: 'engine-find-windows',
    text: `select c.id, p.last_wrote_at as at
           from conversations c
           join people p on p.creator_id = c.creator_id and p.connection_id = c.connection_id and p.id = c.person_id
           where (c.creator_id, c.id) in (select creator_id, id from json_to_recordset($1) as g(creator_id uuid, id uuid))
             and p.last_wrote_at is not null`,
    values: [JSON.stringify(stored.map(({ creatorId, id }) => ({ creator_id: creatorId, id })))],
  });
  return new Map(rows.map(({ id, at }) => [id, windowAfter(at)]));
}

/** Facts the sender needs right before it sends a message of a conversation. */
export type BeforeSending = {
  stored: StoredConversation;
  stopped: boolean;
  blocked: boolean;
  takenOver: boolean;
  clicked: boolean;
  lastWroteAt: Date | null;
  emailAsked: boolean;
};

/** Null: the conversation is gone, erased with the person. */
export async function findBeforeSending(
  client: Client,
  delivery: { creator_id: string; conversation_id: string },
  now: Date,
): Promise<BeforeSending | null> {
  const { rows } = await client.query<
    ReadRow & {
      stopped: boolean;
      blocked: boolean;
      taken_over: boolean;
      clicked: boolean;
      last_wrote_at: Date | null;
      email_asked: boolean;
    }
  >({
    name: 'engine-find-before-sending',
    text: `select ${COLUMNS}, p.stopped_at is not null as stopped, p.blocked_at is not null as blocked,
             coalesce(p.taken_over_until > $3, false) as taken_over, p.last_wrote_at, p.email_asked_at is not null as email_asked,
             exists (
               select from deliveries d
               where d.creator_id = c.creator_id and d.conversation_id = c.id and d.clicked_at is not null
             ) as clicked
           from conversations c
           left join people p on p.creator_id = c.creator_id and p.connection_id = c.connection_id and p.id = c.person_id
           where c.creator_id = $1 and c.id = $2`,
    values: [delivery.creator_id, delivery.conversation_id, now],
  });
  const row = rows[0];
  if (row === undefined) return null;
  return {
    stored: storedOf(row),
    stopped: row.stopped,
    blocked: row.blocked,
    takenOver: row.taken_over,
    clicked: row.clicked,
    lastWroteAt: row.last_wrote_at,
    emailAsked: row.email_asked,
  };
}

/** One question for all time, whichever conversation asks it first. False: the person was asked before. */
export function claimEmailAsk(
  pool: pg.Pool,
  { creatorId, connectionId, personId }: StoredConversation,
  now: Date,
): Promise<boolean> {
  return inTransaction(pool, async (trx) => {
    const { rows } = await trx.query<Met & { is_new: boolean; listened: boolean }>(
      `insert into people as p (creator_id, connection_id, id, first_seen_at, email_asked_at) values ($1, $2, $3, $4, $4)
       on conflict (creator_id, connection_id, id) do update set email_asked_at = $4 where p.email_asked_at is null
       returning ${MET}, p.creator_id in ${LISTENED} as listened`,
      [creatorId, connectionId, personId, now],
    );
    const met = rows.filter((row) => row.is_new && row.listened);
    await record(trx, met.map(newContactEvent), now);
    return rows.length === 1;
  });
}

/** Closes the books of what nobody goes on with. Answers how many. */
export async function endTimedOut(client: Client, now: Date): Promise<number> {
  const { rowCount } = await client.query(
    `update conversations set state = 'ended', updated_at = $1,
       ended_because = case state when 'opening' then 'no_tap' when 'follow' then 'no_follow' when 'email' then 'no_answer'
                       else 'delivered' end
     where state <> 'ended' and expires_at <= $1`,
    [now],
  );
  return rowCount ?? 0;
}

function storedOf(row: ReadRow): StoredConversation {
  return {
    creatorId: row.creator_id,
    id: row.id,
    connectionId: row.connection_id,
    automationId: row.automation_id,
    interactionId: row.interaction_id,
    isTest: row.is_test ?? false,
    personId: row.person_id,
    plan: row.plan,
    conversation: {
      state: row.state,
      endedBecause: row.ended_because,
      pending: row.pending_delivery_id,
      followAsks: row.follow_asks,
      emailHints: row.email_hints,
      givenEmail: row.given_email,
      suggestedEmail: row.suggested_email,
      deliveredAt: row.delivered_at,
      expiresAt: row.expires_at,
    },
  };
}

function rowOf({
  creatorId,
  connectionId,
  automationId,
  interactionId,
  personId,
  id,
  plan,
  conversation,
}: StoredConversation): Row {
  return {
    creator_id: creatorId,
    id,
    connection_id: connectionId,
    automation_id: automationId,
    interaction_id: interactionId,
    person_id: personId,
    plan,
    state: conversation.state,
    ended_because: conversation.endedBecause,
    pending_delivery_id: conversation.pending,
    follow_asks: conversation.followAsks,
    email_hints: conversation.emailHints,
    given_email: conversation.givenEmail,
    suggested_email: conversation.suggestedEmail,
    delivered_at: conversation.deliveredAt,
    expires_at: conversation.expiresAt,
  };
}
