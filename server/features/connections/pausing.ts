/**
 * A platform's webhooks are paused: Meta has an outage, or the operator stops sending until something is mended. What
 * comes meanwhile is decided and waits (the engine claims nothing of a paused connection); it goes out afterwards.
 */
import { sql } from 'kysely';
import type { Database } from '#server/db/database.ts';

export type Changed = { creatorId: string; connectionId: string };

/**
 * Sets or lifts the pause of every connected account of the platform; a second time changes nothing.
 *
 * @returns whose pause changed. The caller passes each on to `connectionChanged` (or as a signal, see server/signals.ts),
 * so that the engine goes on at once and not at its next sweep.
 */
export async function pauseWebhooks(
  db: Database,
  platform: 'instagram' | 'facebook',
  on: boolean,
  now: Date,
): Promise<Changed[]> {
  return db.engine.transaction().execute(async (trx) => {
    const changed = await trx
      .updateTable('connections')
      .set({ webhooks_paused_at: on ? now : null })
      .where('platform', '=', platform)
      .where('disconnected_at', 'is', null)
      .where('webhooks_paused_at', on ? 'is' : 'is not', null)
      .returning(['creator_id', 'id'])
      .execute();
    const ids = changed.map(({ id }) => id);
    // Whoever must reconnect first waits for that, not for the pause.
    const [from, to] = on ? [['queued', 'rate_limited', 'trying_again'], 'paused'] : [['paused'], 'queued'];
    await sql`
      update interactions i set reason = ${to}, waiting_until = null, outcome_at = ${now}
      from deliveries d
      where d.connection_id = any(${ids}) and d.state = 'queued' and d.kind <> 'public_reply'
        and i.creator_id = d.creator_id and i.id = d.interaction_id and i.outcome = 'waiting' and i.reason = any(${from})
    `.execute(trx);
    return changed.map(({ creator_id, id }) => ({ creatorId: creator_id, connectionId: id }));
  });
}
