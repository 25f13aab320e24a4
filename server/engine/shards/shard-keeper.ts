/** Takes, keeps and gives back the shards of one worker, and sees that their lanes are known before anything is claimed. */
import type { FastifyBaseLogger } from 'fastify';
import type pg from 'pg';
import type { Clock } from '#server/clock.ts';
import * as queries from '#server/engine/queries.ts';
import type { Dispatcher } from '#server/engine/sending/dispatcher.ts';
import { loadLanes } from '#server/engine/sending/lane-loading.ts';
import type { Lane, Lanes } from '#server/engine/sending/lanes.ts';
import type { Observed } from '#server/observability/observability.ts';
import { endLeases, giveBackShards, leave, RENEW_EVERY_MS, renewShards, takeShards } from './leases.ts';

export type ShardKeeperDeps = {
  pool: pg.Pool;
  clock: Clock;
  log: FastifyBaseLogger;
  observed?: Observed | undefined;
  workerId: string;
  lanes: Lanes;
  dispatcher: Dispatcher;
  /** Resolves when the batch of events that is under way has ended. */
  batchEnded: () => Promise<unknown>;
  /** More shards are held: somebody should look at their events. */
  onGained: () => void;
  /** Aborted when the worker ends. */
  stopping: AbortSignal;
};

export class ShardKeeper {
  private readonly deps: ShardKeeperDeps;
  private shards: number[] = [];

  constructor(deps: ShardKeeperDeps) {
    this.deps = deps;
  }

  /** Sorted. */
  get held(): number[] {
    return this.shards;
  }

  /**
   * Renews the shards held, takes free ones and gives back what is too much: every worker has its share.
   *
   * @param takeOver takes all of them, whoever holds them: see `endLeases`
   */
  async renew(takeOver: boolean): Promise<void> {
    const { pool, workerId, log, observed } = this.deps;
    if (takeOver) await endLeases(pool, workerId);
    const { held, share } = await renewShards(pool, workerId);
    const gone = this.shards.filter((shard) => !held.includes(shard));
    if (gone.length > 0) {
      log.warn({ gone }, 'lost shards; another worker took over');
      this.shards = this.shards.filter((shard) => held.includes(shard));
      await this.forgetLanes(gone);
    }
    const unread = held.filter((shard) => !this.shards.includes(shard));
    const gained = await this.take(unread, share - held.length);
    if (this.shards.length > share) await this.giveBack(this.shards.slice(share));
    observed?.measures.shardsHeld(this.shards.length, gained, gone.length);
  }

  /** Returns how many changed hands. No call is claimed before their lanes know of the calls of the last hour. */
  private async take(unread: number[], missing: number): Promise<number> {
    const { pool, workerId, dispatcher, onGained } = this.deps;
    if (unread.length === 0 && missing <= 0) {
      dispatcher.resumeClaims();
      return 0;
    }
    return dispatcher.withoutClaims(async () => {
      const taken = missing > 0 ? await takeShards(pool, workerId, missing) : [];
      const fresh = [...unread, ...taken];
      if (fresh.length > 0) {
        await this.forgetLanes(fresh);
        await loadLanes(this.deps, fresh);
        this.shards = [...this.shards, ...fresh].sort((one, other) => one - other);
        onGained();
      }
      return taken.length;
    });
  }

  /** Another worker has joined: it goes on where nothing is under way any more, or as good as nothing. */
  private async giveBack(shards: number[]): Promise<void> {
    const { clock, log, pool, workerId, dispatcher, batchEnded, stopping } = this.deps;
    const leaving = await dispatcher.withoutClaims(async () => {
      this.shards = this.shards.filter((shard) => !shards.includes(shard));
      await batchEnded();
      dispatcher.startBegun();
      return this.forgetLanes(shards);
    });
    const waited = new AbortController();
    const longEnough = clock.sleep(RENEW_EVERY_MS, AbortSignal.any([waited.signal, stopping]));
    await Promise.race([dispatcher.ended(leaving), longEnough]);
    waited.abort();
    await giveBackShards(pool, workerId, shards);
    log.info({ shards }, 'gave shards back: another worker takes its share');
  }

  /** Counters of lanes that others work, or worked meanwhile, would be wrong: they are read again when we have them back. */
  private async forgetLanes(shards: number[]): Promise<Lane[]> {
    const { pool, lanes, dispatcher, batchEnded } = this.deps;
    await batchEnded();
    const connections = await queries.findConnectionsOn(pool, shards, lanes.connectionIds());
    const forgotten = lanes.forget(connections);
    dispatcher.dropForgotten();
    return forgotten;
  }

  /** The worker ends: others may take all of them at once. */
  async leave(): Promise<void> {
    const { pool, workerId, log } = this.deps;
    await leave(pool, workerId).catch((error) =>
      log.warn({ err: error }, 'the shards could not be given back: their leases run out by themselves'),
    );
  }
}
