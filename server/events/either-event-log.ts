/**
 * Two event logs as one: events go to the first, and to the second while the first does not answer. A change of leader
 * takes NATS up to nine seconds; with the table of PostgreSQL behind it webhooks are accepted all the time, and are
 * refused only when both are away. An event whose first append was stored without an answer may be in both:
 * interactions are unique, so the second time changes nothing.
 */
import { EventEmitter } from 'node:events';
import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '#server/clock.ts';
import type { EngineTransaction } from '#server/db/transaction.ts';
import type { EventLog, LoggedEvent, NewEvent } from '#server/events/event-log.ts';

/** One append tries the first log again after this, while the others go on with the second. */
const TRY_FIRST_AGAIN_AFTER_MS = 1_000;
/** Another process may have written to the second log without our hearing of it. */
const LOOK_AT_SECOND_EVERY_MS = 1_000;

const LAG_WITHIN_MS = 1_000;

export type EitherEventLogOptions = { first: EventLog; second: EventLog; clock: Clock; log: FastifyBaseLogger };

export class EitherEventLog implements EventLog {
  private readonly first: EventLog;
  private readonly second: EventLog;
  private readonly clock: Clock;
  private readonly log: FastifyBaseLogger;
  private readonly appended = new EventEmitter();
  private firstIsAway = false;
  /** In ms since 1970, as the next. */
  private triedFirstAt = Number.NEGATIVE_INFINITY;
  private lookedAtSecondAt = Number.NEGATIVE_INFINITY;

  constructor({ first, second, clock, log }: EitherEventLogOptions) {
    this.first = first;
    this.second = second;
    this.clock = clock;
    this.log = log;
    first.onAppended(() => this.appended.emit('appended'));
    second.onAppended(() => {
      this.lookedAtSecondAt = Number.NEGATIVE_INFINITY;
      this.appended.emit('appended');
    });
  }

  /** @throws with status 503 when neither takes the events */
  async append(events: NewEvent[]): Promise<void> {
    const preferred = this.mayTryFirst() ? await this.appendToFirst(events) : 'away';
    if (preferred === 'done') return;
    try {
      await this.second.append(events);
    } catch (error) {
      if (this.firstIsAway && (await this.appendToFirst(events)) === 'done') return;
      throw Object.assign(new Error('Neither event log takes events.', { cause: error }), { statusCode: 503 });
    }
  }

  private mayTryFirst(): boolean {
    if (!this.firstIsAway) return true;
    if (!this.hasPassed(TRY_FIRST_AGAIN_AFTER_MS, this.triedFirstAt)) return false;
    this.triedFirstAt = this.clock.now().getTime();
    return true;
  }

  /** A clock that was set back puts nothing off. */
  private hasPassed(ms: number, since: number): boolean {
    const passed = this.clock.now().getTime() - since;
    return passed >= ms || passed < 0;
  }

  private async appendToFirst(events: NewEvent[]): Promise<'done' | 'away'> {
    try {
      await this.first.append(events);
      if (this.firstIsAway) this.log.warn('the first event log takes events again');
      this.firstIsAway = false;
      return 'done';
    } catch (error) {
      if (!this.firstIsAway) this.log.warn({ err: error }, 'the first event log takes no events: the second one does');
      this.firstIsAway = true;
      this.triedFirstAt = this.clock.now().getTime();
      return 'away';
    }
  }

  /** Of one log at a time: a batch is one transaction. */
  async consume(
    shards: number[],
    most: number,
    work: (events: LoggedEvent[], trx: EngineTransaction) => Promise<void>,
    confirm: (trx: EngineTransaction) => Promise<void>,
  ): Promise<number> {
    if (this.hasPassed(LOOK_AT_SECOND_EVERY_MS, this.lookedAtSecondAt)) {
      const count = await this.second.consume(shards, most, work, confirm);
      if (count > 0) return count;
      this.lookedAtSecondAt = this.clock.now().getTime();
    }
    return this.first.consume(shards, most, work, confirm);
  }

  onAppended(listener: () => void): () => void {
    this.appended.on('appended', listener);
    return () => void this.appended.off('appended', listener);
  }

  /** @throws when neither can say */
  async lag(): Promise<{ waiting: number; oldest: Date | null }> {
    const answers = await Promise.allSettled([this.first, this.second].map((log) => this.lagOf(log)));
    const lags = answers.filter((answer) => answer.status === 'fulfilled').map((answer) => answer.value);
    if (lags.length === 0) throw (answers[0] as PromiseRejectedResult).reason;
    const times = lags.map((lag) => lag.oldest?.getTime()).filter((time) => time !== undefined);
    return {
      waiting: lags.reduce((sum, lag) => sum + lag.waiting, 0),
      oldest: times.length === 0 ? null : new Date(Math.min(...times)),
    };
  }

  /** One that is asleep must not keep the other one from being heard. */
  private async lagOf(log: EventLog): Promise<{ waiting: number; oldest: Date | null }> {
    const answered = new AbortController();
    const late = this.clock.sleep(LAG_WITHIN_MS, answered.signal).then(() => null);
    const lag = await Promise.race([log.lag(), late]).finally(() => answered.abort());
    if (lag === null) throw new Error('The event log does not answer.');
    return lag;
  }

  async close(): Promise<void> {
    await Promise.all([this.first.close(), this.second.close()]);
  }
}
