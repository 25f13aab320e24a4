import { later, type QueuedJob, type RecurringJob, TryLater } from '#server/db/jobs.ts';
import { makePage, type ShopDeps } from './making.ts';
import { PAGE_JOB } from './page-job.ts';
import { findDuePages } from './queries.ts';

const HOUR_MS = 3_600_000;
const PAGES_AT_ONCE = 500;
const TIMEOUT_MS = 15_000;

const makeShopPage: QueuedJob<ShopDeps, { creatorId: string; pageId: string }> = {
  ...PAGE_JOB,
  atOnce: 10,
  async run(deps, { creatorId, pageId }) {
    const row = await deps.db.withCreator(creatorId, (trx) =>
      trx
        .selectFrom('shop_pages')
        .selectAll()
        .where('creator_id', '=', creatorId)
        .where('id', '=', pageId)
        .executeTakeFirst(),
    );
    // Made or renewed meanwhile.
    if (row === undefined || (row.state === 'ready' && row.try_at > deps.clock.now())) return;
    const made = await makePage(deps, row, TIMEOUT_MS);
    if ('says' in made && made.kind === 'try_later' && row.state === 'waiting') throw new TryLater(made.says);
  },
};

/** Those that end within a month, and that somebody opened lately. */
const renewShopPages: RecurringJob<ShopDeps> = {
  name: 'renew-shop-pages',
  everyMs: HOUR_MS,
  run: async ({ db, clock }) =>
    later(db.engine, { clock }, makeShopPage, ...(await findDuePages(db.engine, clock.now(), PAGES_AT_ONCE))),
};

export const shopJobs = [makeShopPage, renewShopPages];
