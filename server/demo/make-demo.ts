/** Makes the demo with a past, on the side of a start; see `play-past.ts` for what happens in it. */
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import type { Database } from '#server/db/database.ts';
import { rollUpCounts } from '#server/engine/outcomes/counts.ts';
import type { AppDeps } from '#server/features/app-deps.ts';
import { reconcile } from '#server/features/catch-up/reconcile.ts';
import { DEMO, ensureDemoPeople } from '#server/features/people/demo.ts';
import { syncNow } from '#server/features/posts/post-sync.ts';
import { deleteCreator, deleteLargeTables } from '#server/features/settings/deletion-queries.ts';
import { beingMadeFile, type Simulated } from '#server/simulated.ts';
import { olderPosts } from '#simulators/meta/demo/past.ts';
import { seedDemo, seedDemoBefore, seedSurroundings } from '#simulators/meta/demo/world.ts';
import { addFirstAutomations } from './creator.ts';
import { connect } from './demo.ts';
import { addLibraries } from './libraries.ts';
import { type CreateEngine, enterPast } from './past.ts';
import { playPast, type Span } from './play-past.ts';

const DAY_MS = 24 * 3_600_000;

export type Making = {
  span: Span;
  createEngine: CreateEngine;
  /** The same database. It need not be durable until all is made. */
  db: Database;
  stopping: AbortSignal;
};

/**
 * Nobody else may work this database meanwhile. The simulator's clock and webhooks are the demo's until it is made.
 *
 * @throws when `stopping` aborts: a half-made demo is made again at the next start
 */
export async function makeDemoWithPast(
  now: AppDeps,
  { control, save }: Pick<Simulated, 'control' | 'save'>,
  { span, createEngine, db, stopping }: Making,
): Promise<void> {
  const mark = beingMadeFile(now.config);
  if (!existsSync(mark) && (await isThere(now))) {
    // Somebody took the simulator's file away: what is in the database stays.
    await seedDemo(control);
    return;
  }
  await writeFile(mark, '');
  await forgetHalfMade(now);
  const began = span.end - span.days * DAY_MS;
  const { webhookUrl } = await control.app();
  const { webhooks } = await control.settings();
  await control.holdClockAt(began);
  const past = await enterPast(now, createEngine, { db, from: began });
  try {
    await control.updateApp({ webhookUrl: past.webhookUrl });
    // Events of one moment come together, as at Meta.
    await control.updateSettings({ webhooks: { maxBatch: 100 } });
    const { accountId, pageId } = await seedDemoBefore(control, olderPosts(span.days));
    const { userId, creatorId } = await ensureDemoPeople(past.deps);
    const connectionId = await connect(past.deps, control, { instagramAccountId: accountId }, { userId, creatorId });
    const owner = { userId, creatorId, connectionId, libraries: await addLibraries(past.deps, creatorId) };
    await syncNow(past.deps, creatorId);
    await addFirstAutomations(past.deps, owner);
    await reconcile(past.deps, new Map());
    const finish = () => seedSurroundings(control, { accountId, pageId });
    await playPast(past, control, { accountId, owner, span, stopping, finish });
    await syncNow(past.deps, creatorId);
    // By the program's own connections: with this commit all before it is on the disk.
    await rollUpCounts(now.db);
  } finally {
    await past.close();
    await control.updateSettings({ webhooks });
    await control.updateApp({ webhookUrl });
    await control.letClockGo();
  }
  save();
  await rm(mark);
}

async function isThere({ db }: AppDeps): Promise<boolean> {
  return (await findDemoCreators(db)).length > 0;
}

function findDemoCreators({ engine }: AppDeps['db']) {
  return engine
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select('m.creator_id')
    .where('u.email', '=', DEMO.email)
    .execute();
}

/** Of a start that was ended meanwhile. */
async function forgetHalfMade({ db, held }: AppDeps): Promise<void> {
  for (const { creator_id: creatorId } of await findDemoCreators(db)) {
    await deleteLargeTables(db.engine, held, creatorId);
    await db.engine.transaction().execute((trx) => deleteCreator(trx, held, creatorId));
  }
}
