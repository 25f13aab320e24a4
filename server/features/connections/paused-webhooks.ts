/**
 * A platform's webhooks are paused: Meta has an outage, or the operator stops sending until something is mended. What
 * comes meanwhile is decided and waits (the engine claims nothing of a paused connection); it goes out afterwards.
 */
import { sql } from 'kysely';
import type { Reason } from '#contract/outcomes.ts';
import type { CreatorTransaction, Database } from '#server/db/database.ts';
import { tellWaiting } from '#server/engine/outcomes/waiting-rows.ts';
import { ENGINE_CHANNEL, type Signal } from '#server/engine/signals.ts';
import { LIVE_CHANNEL, livePayloads } from '#server/features/live/live-updates.ts';

/**
 * Pauses every connected account of the platform and each that is connected from now on, or lifts the pause wherever it
 * is; a second time changes nothing. Workers and open pages hear of it when it is committed, whoever calls.
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
    await trx
      .updateTable('platform_pauses')
      .set({ paused_at: on ? now : null })
      .where('platform', '=', platform)
      .where('paused_at', on ? 'is' : 'is not', null)
      .execute();
    const changed = await trx
      .updateTable('connections')
      .set({ webhooks_paused_at: on ? now : null })
      .where('platform', '=', platform)
      .where('webhooks_paused_at', on ? 'is' : 'is not', null)
      // An account disconnected meanwhile may be connected again: no pause is left behind.
      .$if(on, (connected) => connected.where('disconnected_at', 'is', null))
      .returning(['id', 'creator_id'])
      .execute();
    const ids = changed.map(({ id }) => id);
    // A connection that must be reconnected first waits for that, not for the pause.
    const from: Reason[] = on ? ['queued', 'rate_limited', 'trying_again'] : ['paused'];
    await tellWaiting(trx, ids, { from, to: on ? 'paused' : 'queued' }, now);
    const signal: Signal = { what: 'all' };
    await sql`select pg_notify(${ENGINE_CHANNEL}, ${JSON.stringify(signal)})`.execute(trx);
    const payloads = livePayloads(
      [...new Set(changed.map((row) => row.creator_id))].map((creatorId) => ({
        creatorId,
        events: [{ what: 'connections' }, { what: 'interactions' }],
      })),
    );
    await sql`select pg_notify(${LIVE_CHANNEL}, payload) from unnest(${payloads}::text[]) as payload`.execute(trx);
    return changed.length;
  });
}

/** Since when the platform is paused; null: it is not. No pause begins or ends before the transaction does. */
export async function pausedSince(trx: CreatorTransaction, platform: 'instagram' | 'facebook'): Promise<Date | null> {
  const { rows } = await sql<{ since: Date | null }>`select platform_paused_since(${platform}) as since`.execute(trx);
  return rows[0]!.since;
}
