/**
 * Messages whose link is broken, of automations that hold them back. They wait as long as they can: the last seventh of
 * the time in which the platform takes them is for sending, for a message whose link may work again later is worth more
 * than none. Answers in lives are not held, for the live would be over.
 */
import { type Kysely, sql } from 'kysely';
import type { Tables } from '#server/db/types.ts';

/**
 * Holds back what now must wait, lets go what need not any more. Safe to repeat.
 *
 * @returns connections whose lanes have something to send
 */
export async function settleHolds(trx: Kysely<Tables>, creatorId: string, now: Date): Promise<string[]> {
  await sql`
    with holding as (
      select distinct a.id, a.connection_id from automations a
      join link_uses u on u.creator_id = a.creator_id and u.automation_id = a.id
      join watched_links w on w.creator_id = u.creator_id and w.id = u.link_id and w.state = 'broken'
      where a.creator_id = ${creatorId} and a.when_link_breaks = 'hold'
    ), held as (
      update deliveries d set held_from = d.due_at,
        due_at = greatest(d.due_at, d.expires_at - (d.expires_at - ${now}::timestamptz) / 7)
      from holding h
      where d.creator_id = ${creatorId} and d.connection_id = h.connection_id and d.automation_id = h.id
        and d.listed_as = 'queued' and d.held_from is null and not d.uncertain and d.expires_at > ${now}
        and d.kind <> 'public_reply' and d.lane <> 'live_replies' and d.content ->> 'byHand' is null
        and coalesce(d.content ->> 'step', 'next') in ('next', 'delivery', 'follow_up')
      returning d.interaction_id, d.due_at, d.content ->> 'step' as step
    )
    update interactions i set reason = 'link_broken', waiting_until = h.due_at, outcome_at = ${now}
    from held h
    where i.creator_id = ${creatorId} and i.id = h.interaction_id and i.outcome = 'waiting'
      and h.step is distinct from 'follow_up'
  `.execute(trx);
  const { rows } = await sql<{ id: string }>`
    with freed as (
      update deliveries d set due_at = greatest(d.held_from, ${now}::timestamptz), held_from = null
      where d.creator_id = ${creatorId} and d.listed_as = 'queued' and d.held_from is not null
        and not exists (
          select from automations a
          join link_uses u on u.creator_id = a.creator_id and u.automation_id = a.id
          join watched_links w on w.creator_id = u.creator_id and w.id = u.link_id and w.state = 'broken'
          where a.creator_id = d.creator_id and a.id = d.automation_id and a.when_link_breaks = 'hold'
        )
      returning d.connection_id, d.interaction_id
    ), told as (
      update interactions i set reason = 'queued', waiting_until = null, outcome_at = ${now}
      from freed f
      where i.creator_id = ${creatorId} and i.id = f.interaction_id and i.outcome = 'waiting' and i.reason = 'link_broken'
    )
    select distinct connection_id as id from freed
  `.execute(trx);
  return rows.map(({ id }) => id);
}
