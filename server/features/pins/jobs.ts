import { sql } from 'kysely';
import type { RecurringJob } from '#server/db/jobs.ts';
import type { JobDeps } from '#server/features/app-deps.ts';
import { countDays, type PinDays } from './pin-days.ts';

const HOUR_MS = 3_600_000;
const COUNTED_AFTER_END_MS = 48 * HOUR_MS;

/** Of pins that run, or ran lately: each hour. */
const keepPinDays: RecurringJob<Pick<JobDeps, 'db' | 'clock'>> = {
  name: 'keep-pin-days',
  everyMs: HOUR_MS,
  async run({ db, clock }) {
    const now = clock.now();
    const { rows } = await sql<{ creator_id: string; id: string; time_zone: string; days: PinDays }>`
      select creator_id, id, time_zone, days from sponsor_pins
      where begins_at <= ${now} and ends_at > ${new Date(now.getTime() - COUNTED_AFTER_END_MS)}
    `.execute(db.engine);
    for (const pin of rows) {
      const days = await countDays(db.engine, pin, pin.days, now);
      await db.engine
        .updateTable('sponsor_pins')
        .set({ days: JSON.stringify(days) })
        .where('creator_id', '=', pin.creator_id)
        .where('id', '=', pin.id)
        .execute();
    }
  },
};

export const pinJobs = [keepPinDays];
