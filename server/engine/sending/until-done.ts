import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '#server/clock.ts';

/**
 * Writes something down, again and again until the database has done it: a call was made, whatever the database does now,
 * and a lane closed only in memory would stay closed with nobody told why, and open again after a restart.
 */
export async function untilDone<T>(
  { clock, log }: { clock: Clock; log: FastifyBaseLogger },
  what: string,
  work: () => Promise<T>,
): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      log.error({ err: error }, `${what} could not be recorded; trying again`);
      await clock.sleep(Math.min(100 * 2 ** attempt, 5000));
    }
  }
}
