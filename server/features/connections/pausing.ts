/**
 * A platform's webhooks are paused: Meta has an outage, or the operator stops sending until something is mended. What
 * comes meanwhile is decided and waits (the engine claims nothing of a paused connection); it goes out afterwards.
 */
import { sql } from 'kysely';
import type { Database } from '#server/db/database.ts';
import { ENGINE_CHANNEL, type Signal } from '#server/signals.ts';

/**
 * Pauses every connected account of the platform, or lifts the pause wherever it is; a second time changes nothing. Workers hear of it
 * when it is committed, whoever calls.
 *
 * @returns how many accounts were not as wanted before
 */
export async function pauseWebhooks(
  db: Database,
  platform: 'instagram' | 'facebook',
  on: boolean,
  now: Date,
): Promise<number> {
  return db.engine.transaction().execute(async (trx) => {
    const changed = await trx
      .updateTable('connections')
      .set({ webhooks_paused_at: on ? now : null })
      .where('platform', '=', platform)
      .where('webhooks_paused_at', on ? 'is' : 'is not', null)
      // What was disconnected meanwhile may be connected again: no pause is left behind.
      .$if(on, (connected) => connected.where('disconnected_at', 'is', null))
      .returning('id')
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
    const signal: Signal = { what: 'all' };
    await sql`select pg_notify(${ENGINE_CHANNEL}, ${JSON.stringify(signal)})`.execute(trx);
    return changed.length;
  });
}
