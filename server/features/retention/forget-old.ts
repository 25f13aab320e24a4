/**
 * Forgets on time what docs/privacy.md says is kept no longer, by what each table says of its age. Rows go in small steps with a rest as long as each step
 * took, so that the engine never waits for more than one of them (docs/decisions/0023-old-rows-go-in-steps.md). Each turn can
 * stop anywhere; the next one goes on.
 */
import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '#server/clock.ts';
import type { Config } from '#server/config.ts';
import type { Database } from '#server/db/database.ts';
import type { HeldTable } from '#server/db/holds.ts';
import * as queries from './queries.ts';

export type ForgettingDeps = {
  db: Database;
  held: HeldTable[];
  clock: Clock;
  config: Pick<Config, 'keep'>;
  log: FastifyBaseLogger;
};

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const ROWS_PER_STEP = 1000;

/** One turn over everything. */
export async function forgetOld(deps: ForgettingDeps): Promise<void> {
  const { db, clock, held, log } = deps;
  const { keep } = deps.config;
  const now = clock.now();
  const today = new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS);
  const agings = held.flatMap(({ table, ages = [] }) => ages.map((age): queries.Aging => ({ table, ...age })));
  const chosen = agings.filter(queries.isChosen);
  const due = await queries.findDueCreators(db, chosen, today, keep);
  const nothingOld = due.filter(({ hasOld }) => !hasOld);
  for (let from = 0; from < nothingOld.length; from += ROWS_PER_STEP) {
    await queries.recordNothingOld(db, nothingOld.slice(from, from + ROWS_PER_STEP));
  }
  for (const creator of due.filter(({ hasOld }) => hasOld)) {
    try {
      await forgetOldOf(deps, chosen, creator);
    } catch (error) {
      // One creator must not keep the others' data longer.
      log.error({ err: error, creatorId: creator.creatorId }, 'old data could not be deleted; it is tried again');
    }
  }
  for (const aging of agings.filter((one) => !queries.isChosen(one))) {
    const days = typeof aging.keep === 'number' ? aging.keep : keep[aging.keep];
    await forget(deps, aging, { before: days === 0 ? now : new Date(today.getTime() - days * DAY_MS) });
  }
}

async function forgetOldOf(
  deps: ForgettingDeps,
  agings: queries.ChosenAging[],
  { creatorId, before, textsClearedTo }: queries.DueCreator,
): Promise<void> {
  const { db, log } = deps;
  await queries.beginHistoryAt(db, creatorId, before.historyDays);
  let deleted = 0;
  // Rows that go need not be cleared first.
  for (const aging of agings.toSorted((one, other) => Number(!!one.clears) - Number(!!other.clears))) {
    const found = await forget(deps, aging, { creatorId, before: before[aging.keep], clearedTo: textsClearedTo });
    if (!aging.clears) deleted += found;
  }
  await queries.recordTextsCleared(db, creatorId, before.textsDays);
  if (deleted > 0) log.info({ creatorId, deleted }, 'old activity was deleted');
}

/** @returns how many rows were found */
function forget(
  { db, clock }: ForgettingDeps,
  aging: queries.Aging,
  { creatorId = null, before, clearedTo = null }: { creatorId?: string | null; before: Date; clearedTo?: Date | null },
): Promise<number> {
  const old = { before, clearedTo, most: ROWS_PER_STEP };
  const step = aging.steps?.(db, { ...old, creatorId: creatorId ?? '' });
  return inSteps(clock, step ?? (() => queries.age(db, aging, { ...old, creatorId })));
}

/** Repeats a step until it finds no full step's work. @returns how many rows it found in all */
async function inSteps(clock: Clock, step: () => Promise<number>): Promise<number> {
  let total = 0;
  for (;;) {
    const began = performance.now();
    const found = await step();
    total += found;
    if (found < ROWS_PER_STEP) return total;
    await clock.sleep(performance.now() - began);
  }
}

/** For the worker's list of repeated jobs. */
export const retentionJobs = [{ name: 'forget-old', everyMs: HOUR_MS, deletesByAge: true, run: forgetOld }];
