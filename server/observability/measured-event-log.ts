/** The event log with a stopwatch: how long appends take, how many events there are in a batch. */
import type { EventLog } from '#server/events/event-log.ts';
import type { Measures } from './measures.ts';
import type { Tracing } from './traces.ts';

export function measureEventLog(log: EventLog, measures: Measures, tracing: Tracing | null): EventLog {
  return {
    async append(events) {
      const began = performance.now();
      try {
        await log.append(events);
      } catch (error) {
        measures.appendFailed(began);
        throw error;
      }
      const ended = performance.now();
      measures.appended(events.length, ended - began);
      tracing?.appended(events, began, ended);
    },
    async consume(shards, most, work, confirm) {
      const began = performance.now();
      const count = await log.consume(shards, most, work, confirm);
      if (count > 0) measures.workedOff(count, performance.now() - began);
      return count;
    },
    onAppended: (listener) => log.onAppended(listener),
    lag: () => log.lag(),
    close: () => log.close(),
  };
}
