/**
 * Calls off waiting deliveries: the only place that takes deliveries off the queue without a try. Who lost what they
 * waited for is told why, and may be answered again. Public replies go, too: they would promise a message.
 */
import { REASONS } from '#contract/outcomes.ts';
import { type InTransaction, queryRows } from '#server/db/query-rows.ts';
import type { Ended } from '#server/engine/conversations/conversation.ts';
import { deliveryEvent, FINISHED, type FinishedRow } from '#server/engine/product-event-rows.ts';
import { LISTENED, record } from '#server/events/product-events.ts';

type Rule = {
  state: 'cancelled' | 'expired';
  /** Uncertain sends that can be looked up are called off without a look; others stay, and are not sent if not found. */
  unseen: boolean;
  /** Messages the team sent by hand are called off too. */
  byHand: boolean;
  /** How the conversation that waited for it ends. */
  conversation: Ended;
};

/** Why something is called off; the outcome and its reason bear the same name. */
export const CALL_OFF = {
  stopped: { state: 'cancelled', unseen: true, byHand: false, conversation: 'stopped' },
  blocked: { state: 'cancelled', unseen: true, byHand: false, conversation: 'blocked' },
  taken_over: { state: 'cancelled', unseen: true, byHand: false, conversation: 'taken_over' },
  unsent: { state: 'cancelled', unseen: false, byHand: false, conversation: 'unsent' },
  comment_changed: { state: 'cancelled', unseen: false, byHand: false, conversation: 'unsent' },
  catch_up_cancelled: { state: 'cancelled', unseen: false, byHand: false, conversation: 'cancelled' },
  being_deleted: { state: 'cancelled', unseen: false, byHand: true, conversation: 'cancelled' },
  live_over: { state: 'expired', unseen: false, byHand: true, conversation: 'not_sent' },
  /** Those selected were looked for as long as anything is to be found. */
  deadline_passed: { state: 'expired', unseen: true, byHand: true, conversation: 'not_sent' },
  /** Nothing is left to look with. */
  disconnected: { state: 'cancelled', unseen: true, byHand: true, conversation: 'cancelled' },
  erased: { state: 'cancelled', unseen: true, byHand: true, conversation: 'erased' },
} as const satisfies Record<string, Rule>;
export type CalledOff = keyof typeof CALL_OFF;

type PersonKey = { creator_id: string; connection_id: string; id: string };

/** Which deliveries: what these people, writings, lives … wait for. */
export type Which =
  /** All conversations with them end, also those that wait for nothing. */
  | { people: PersonKey[] }
  /** Comments or messages by the platform's ids. */
  | { written: { creator_id: string; connection_id: string; platform_id: string }[] }
  /** Also what was to be called at once: nothing of it has been committed. */
  | { justDecided: { creator_id: string; id: string }[] }
  | { catchUp: { creatorId: string; id: string } }
  | { creatorId: string }
  /** At most so many at a time, also those that a worker is at: nobody records anything of them any more. */
  | { connection: { creatorId: string; id: string }; most: number }
  /** Answers to comments in these lives; messages to people who have answered since have a window of their own. */
  | { lives: { creatorId: string; ids: string[] } }
  /** Everywhere: what is too late, and private replies in lives that are over. */
  | { overdue: 'deadline' | 'live' };

/**
 * Calls off what waits, and tells who listens. Safe to repeat; every rule but the selection stands in `CALL_OFF`.
 *
 * @returns how many deliveries are off the queue, and whose lists changed
 */
export async function callOff(
  trx: InTransaction,
  which: Which,
  because: CalledOff,
  now: Date,
): Promise<{ count: number; creatorIds: string[] }> {
  const { given, where } = selection(which);
  if (Array.isArray(given) && given.length === 0) return { count: 0, creatorIds: [] };
  const { state, unseen, byHand, conversation }: Rule = CALL_OFF[because];
  const ofPeople = 'people' in which;
  const waits =
    'connection' in which || 'justDecided' in which
      ? `d.state in ('queued', 'sending')`
      : `d.listed_as = 'queued' and d.state = 'queued'`;
  const text = `
    with chosen as materialized (
      select d.id from ${where} and ${waits} and d.called_off is null
        ${byHand ? '' : 'and d.sent_by is null'}
      ${'most' in which ? `limit ${which.most}` : ''}
      for update of d
    ), kept as (
      update deliveries d set called_off = $2
      from chosen c where d.id = c.id and d.uncertain and d.kind <> 'private_reply' and ${!unseen}
    ), dropped as (
      update deliveries d set state = $3, finished_at = $4, failure_reason = $2
      from chosen c where d.id = c.id and (not d.uncertain or d.kind = 'private_reply' or ${unseen})
      returning d.*, d.content ->> 'step' = 'follow_up' as is_follow_up,
        d.kind <> 'public_reply' and coalesce(d.content ->> 'step', '') <> 'follow_up' and d.content ->> 'byHand' is null as is_answer
    ), told as (
      update interactions i set outcome = $5, reason = $2, waiting_until = null, outcome_at = $4
      from dropped x where i.creator_id = x.creator_id and i.id = x.interaction_id and x.is_answer and i.outcome = 'waiting'
    ), may_be_answered as (
      delete from answered_people a using dropped x, interactions i
      where x.is_answer and not x.uncertain and i.creator_id = x.creator_id and i.id = x.interaction_id
        and a.creator_id = i.creator_id and a.person_id = i.person_id and a.automation_id = i.automation_id
        and a.interaction_id = i.id
    ), ended as (
      update conversations v set state = 'ended', updated_at = $4, pending_delivery_id = null,
        ended_because = ${ofPeople ? '$6' : `case when x.is_follow_up then 'delivered' else $6 end`}
      from ${
        ofPeople
          ? `json_to_recordset($1) as x(creator_id uuid, connection_id uuid, id text)
             where v.connection_id = x.connection_id and v.person_id = x.id`
          : 'dropped x where v.id = x.conversation_id and v.pending_delivery_id = x.id'
      } and v.creator_id = x.creator_id and v.state <> 'ended'
    )
    select creator_id, count(*)::int as count, null::json as told from dropped group by creator_id
    union all
    select creator_id, 0, row_to_json(x) from (select ${FINISHED} from dropped) as x where creator_id in ${LISTENED}`;
  const values = [
    typeof given === 'string' ? given : JSON.stringify(given),
    because,
    state,
    now,
    REASONS[because].status,
    conversation,
  ];
  const rows = await queryRows<{ creator_id: string; count: number; told: FinishedRow | null }>(trx, text, values);
  await record(
    trx,
    rows.flatMap(({ told }) => (told === null ? [] : [deliveryEvent({ ...told, finished_at: now }, now)])),
    now,
  );
  const counted = rows.filter(({ told }) => told === null);
  return { count: counted.reduce((sum, row) => sum + row.count, 0), creatorIds: counted.map((row) => row.creator_id) };
}

/** The SQL after `from`, over `$1`, which is JSON or an id. */
function selection(which: Which): { given: object | string; where: string } {
  if ('people' in which)
    return {
      given: which.people,
      where: `json_to_recordset($1) as g(creator_id uuid, connection_id uuid, id text)
        join interactions i on i.creator_id = g.creator_id and i.connection_id = g.connection_id and i.person_id = g.id
        join deliveries d on d.creator_id = i.creator_id and d.interaction_id = i.id where true`,
    };
  if ('written' in which)
    return {
      given: which.written,
      where: `json_to_recordset($1) as g(creator_id uuid, connection_id uuid, platform_id text)
        join interactions i on i.connection_id = g.connection_id and i.platform_id = g.platform_id
        join deliveries d on d.creator_id = i.creator_id and d.interaction_id = i.id where i.creator_id = g.creator_id`,
    };
  if ('justDecided' in which)
    return {
      given: which.justDecided,
      where: `json_to_recordset($1) as g(creator_id uuid, id uuid)
        join deliveries d on d.creator_id = g.creator_id and d.interaction_id = g.id where true`,
    };
  if ('catchUp' in which)
    return {
      given: which.catchUp,
      where: `json_to_record($1) as g("creatorId" uuid, id uuid)
        join deliveries d on d.creator_id = g."creatorId" and d.catch_up_id = g.id where true`,
    };
  if ('connection' in which)
    return {
      given: which.connection,
      where: `json_to_record($1) as g("creatorId" uuid, id uuid)
        join deliveries d on d.creator_id = g."creatorId" and d.connection_id = g.id where true`,
    };
  if ('creatorId' in which) return { given: which.creatorId, where: 'deliveries d where d.creator_id = $1::uuid' };
  if ('lives' in which)
    return {
      given: which.lives,
      where: `json_to_record($1) as g("creatorId" uuid, ids text[])
        join interactions i on i.creator_id = g."creatorId" and i.post_id = any(g.ids) and i.kind = 'live_comment'
        join deliveries d on d.creator_id = i.creator_id and d.interaction_id = i.id
        where d.kind in ('private_reply', 'public_reply')`,
    };
  if (which.overdue === 'live')
    return {
      given: '',
      where: `deliveries d where $1 = '' and d.lane = 'live_replies' and (
        d.expires_at <= $4::timestamptz or exists (
          select from interactions i join stories s on s.creator_id = i.creator_id and s.id = i.post_id
          where i.id = d.interaction_id and s.kind = 'live' and s.ended_at <= $4::timestamptz
        ))`,
    };
  return {
    given: '',
    where: `deliveries d where $1 = '' and d.lane <> 'live_replies' and d.expires_at <= $4::timestamptz and (
      not d.uncertain or d.kind = 'private_reply' or d.expires_at <= $4::timestamptz - interval '7 days')`,
  };
}
