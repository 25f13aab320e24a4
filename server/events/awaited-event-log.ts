/**
 * An event log that is not there yet. A process starts all the same while NATS is away or chooses a leader: what stands
 * behind it (`either-event-log.ts`) takes the events, and it is looked for until it comes.
 */
import { EventEmitter } from 'node:events';
import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '#server/clock.ts';
import type { EventLog, NewEvent } from '#server/events/event-log.ts';

const LOOK_AGAIN_AFTER_MS = 1_000;

export type FindingEventLog = {
  /** One look. @throws when it is not there */
  find: () => Promise<EventLog>;
  /** Is it there, and wants nothing of us? Then waiting helps nobody. */
  isRefusal: (error: unknown) => boolean;
  clock: Clock;
  log: FastifyBaseLogger;
};

/**
 * The event log itself where it comes within `withinMs`, else one that takes and hands out nothing until it does.
 *
 * @throws when it refuses us
 */
export async function awaitEventLog(options: FindingEventLog, withinMs: number): Promise<EventLog> {
  const { find, isRefusal, clock, log } = options;
  for (const giveUpAt = clock.now().getTime() + withinMs; ; await clock.sleep(LOOK_AGAIN_AFTER_MS)) {
    try {
      return await find();
    } catch (error) {
      if (isRefusal(error)) throw error;
      if (clock.now().getTime() >= giveUpAt) {
        log.warn({ err: error }, 'the first event log is not there: started without it, it is looked for every second');
        return new AwaitedEventLog(options);
      }
      log.info({ err: error }, 'the first event log is not there yet');
    }
  }
}

class AwaitedEventLog implements EventLog {
  private readonly options: FindingEventLog;
  private found: EventLog | null = null;
  private readonly appended = new EventEmitter();
  private readonly closing = new AbortController();
  private readonly looking: Promise<void>;

  constructor(options: FindingEventLog) {
    this.options = options;
    this.looking = this.look();
  }

  private async look(): Promise<void> {
    const { find, clock, log } = this.options;
    const { signal } = this.closing;
    for (;;) {
      await clock.sleep(LOOK_AGAIN_AFTER_MS, signal);
      if (signal.aborted) return;
      try {
        const found = await find();
        found.onAppended(() => this.appended.emit('appended'));
        this.found = found;
        log.warn('the first event log is there');
        // It may have kept something since the process before this one.
        this.appended.emit('appended');
        return;
      } catch (error) {
        log.debug({ err: error }, 'the first event log is still not there');
      }
    }
  }

  private there(): EventLog {
    if (this.found === null) throw new Error('The event log is not there yet.');
    return this.found;
  }

  async append(events: NewEvent[]): Promise<void> {
    await this.there().append(events);
  }

  async consume(...given: Parameters<EventLog['consume']>): Promise<number> {
    return this.found === null ? 0 : this.found.consume(...given);
  }

  onAppended(listener: () => void): () => void {
    this.appended.on('appended', listener);
    return () => void this.appended.off('appended', listener);
  }

  async lag(): Promise<{ waiting: number; oldest: Date | null }> {
    return this.there().lag();
  }

  async close(): Promise<void> {
    this.closing.abort();
    await this.looking;
    await this.found?.close();
  }
}
