/**
 * Forgets on time what docs/privacy.md says is kept no longer. Rows go in small steps with a rest as long as each step
 * took, so that the engine never waits for more than one of them (docs/decisions/0023-old-rows-go-in-steps.md). Each turn can
 * stop anywhere; the next one goes on.
 */
import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '#server/clock.ts';
import type { Config } from '#server/config.ts';
import type { Database } from '#server/db/database.ts';
import * as queries from './queries.ts';

export type ForgettingDeps = { db: Database; clock: Clock; config: Pick<Config, 'keep'>; log: FastifyBaseLogger };

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const ROWS_PER_STEP = 1000;
/** Hashes of keys and tokens that are over: as long as anybody may ask which one it was. */
const DEAD_SECRETS_KEPT_DAYS = 90;
/** Taps of a link that came with no message of ours. */
const STRAY_CLICKS_KEPT_DAYS = 30;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** One turn over everything. */
export async function forgetOld(deps: ForgettingDeps): Promise<void> {
  const { db, clock, log } = deps;
  const { keep } = deps.config;
  const now = clock.now();
  const today = new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS);
  const ago = (days: number) => new Date(today.getTime() - days * DAY_MS);
  const due = await queries.findDueCreators(db, today, keep);
  const nothingOld = due.filter(({ hasOld }) => !hasOld);
  for (let from = 0; from < nothingOld.length; from += ROWS_PER_STEP) {
    await queries.recordNothingOld(db, nothingOld.slice(from, from + ROWS_PER_STEP));
  }
  for (const creator of due.filter(({ hasOld }) => hasOld)) {
    try {
      await forgetOldOf(deps, creator);
    } catch (error) {
      // One creator must not keep the others' data longer.
      log.error({ err: error, creatorId: creator.creatorId }, 'old data could not be deleted; it is tried again');
    }
  }
  for (const { creatorId, before } of await queries.findWithWebhookLog(db, today, keep)) {
    await inSteps(clock, () => queries.deleteWebhookLog(db, creatorId, before, ROWS_PER_STEP));
  }
  await inSteps(clock, () => queries.deletePictures(db, ago(keep.storyPicturesDays), ROWS_PER_STEP));
  await inSteps(clock, () => queries.deleteParked(db, ago(keep.parkedEventsDays), ROWS_PER_STEP));
  await inSteps(clock, () => queries.deleteAudit(db, ago(keep.auditLogDays), ROWS_PER_STEP));
  await inSteps(clock, () => queries.deleteStrayClicks(db, ago(STRAY_CLICKS_KEPT_DAYS), ROWS_PER_STEP));
  await inSteps(clock, () => queries.deleteDeletedAutomations(db, ago(keep.historyDays), ROWS_PER_STEP));
  await queries.forgetOldSecrets(db, now);
  await inSteps(clock, () => queries.deleteDeadSecrets(db, ago(DEAD_SECRETS_KEPT_DAYS), now, ROWS_PER_STEP));
}

async function forgetOldOf({ db, clock, log }: ForgettingDeps, creator: queries.DueCreator): Promise<void> {
  const { creatorId, historyBefore, textsBefore } = creator;
  await queries.beginHistoryAt(db, creatorId, historyBefore);
  const deleted = await inSteps(clock, () => queries.deleteOldest(db, creatorId, historyBefore, ROWS_PER_STEP));
  await inSteps(clock, () => queries.deleteOldestBeside(db, creatorId, historyBefore, ROWS_PER_STEP));

  let after: queries.TextPosition | null = { at: creator.textsClearedTo, id: FIRST_ID };
  while (after !== null) {
    const began = performance.now();
    after = await queries.clearTexts(db, creatorId, { after, before: textsBefore, most: ROWS_PER_STEP });
    if (after !== null) await clock.sleep(performance.now() - began);
  }
  await inSteps(clock, () => queries.clearOwnTexts(db, creatorId, textsBefore, ROWS_PER_STEP));
  await queries.recordTextsCleared(db, creatorId, textsBefore);
  if (deleted > 0) log.info({ creatorId, deleted }, 'old activity was deleted');
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
