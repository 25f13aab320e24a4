import { type Kysely, type Selectable, sql } from 'kysely';
import type { CreatorTransaction } from '#server/db/database.ts';
import type { ShopPagesTable, Tables } from '#server/db/types.ts';
import type { ShopLine } from '#server/platforms/shops/shop.ts';

export type PageRow = Selectable<ShopPagesTable>;

const DAY_MS = 86_400_000;
/** Opened by nobody for so long, a page ends; the next tap makes it anew. */
const USED_WITHIN_DAYS = 180;

export async function pagesInUse(trx: CreatorTransaction, creatorId: string, now: Date) {
  return trx
    .selectFrom('shop_pages')
    .select((eb) => [sql<number>`count(*)::int`.as('pages'), eb.fn.min<Date | null>('try_at').as('renewsAt')])
    .where('creator_id', '=', creatorId)
    .where('state', '=', 'ready')
    .where('ends_at', '>', now)
    .where('used_at', '>', usedSince(now))
    .executeTakeFirstOrThrow();
}

export function findPage(trx: CreatorTransaction, creatorId: string, shop: string, hash: string) {
  return trx
    .selectFrom('shop_pages')
    .selectAll()
    .where('creator_id', '=', creatorId)
    .where('shop', '=', shop)
    .where('hash', '=', hash)
    .executeTakeFirst();
}

/** The one of what starts ticked, if it is made. */
export function findUsual(trx: CreatorTransaction, creatorId: string, shop: string, listId: string) {
  return trx
    .selectFrom('shop_pages')
    .selectAll()
    .where('creator_id', '=', creatorId)
    .where('shop', '=', shop)
    .where('list_id', '=', listId)
    .where('is_usual', '=', true)
    .where('state', '=', 'ready')
    .orderBy('made_at', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Once a day is enough to know which ones are opened. */
export async function noteUsed(trx: CreatorTransaction, row: PageRow, now: Date): Promise<void> {
  if (row.used_at.getTime() > now.getTime() - DAY_MS) return;
  await trx
    .updateTable('shop_pages')
    .set({ used_at: now })
    .where('creator_id', '=', row.creator_id)
    .where('id', '=', row.id)
    .execute();
}

export type NewPage = Pick<PageRow, 'id' | 'creator_id' | 'shop' | 'list_kind' | 'list_id' | 'hash' | 'is_usual'> & {
  list: string;
};

/** One that is to be made. @returns its id; of one that was there already, its own */
export async function insertWaiting(trx: CreatorTransaction, page: NewPage, now: Date): Promise<PageRow> {
  if (page.is_usual) {
    await trx
      .updateTable('shop_pages')
      .set({ is_usual: false })
      .where('creator_id', '=', page.creator_id)
      .where('shop', '=', page.shop)
      .where('list_id', '=', page.list_id)
      .where('is_usual', '=', true)
      .where('hash', '<>', page.hash)
      .execute();
  }
  return trx
    .insertInto('shop_pages')
    .values({ ...page, state: 'waiting', used_at: now, try_at: now })
    .onConflict((conflict) =>
      conflict
        .columns(['creator_id', 'shop', 'hash'])
        .doUpdateSet((eb) => ({ is_usual: sql<boolean>`${eb.ref('shop_pages.is_usual')} or excluded.is_usual` })),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function noteMade(
  trx: CreatorTransaction,
  row: PageRow,
  made: { url: string; endsAt: Date; lines: ShopLine[]; now: Date; renewAt: Date },
): Promise<void> {
  await trx
    .updateTable('shop_pages')
    .set({
      state: 'ready',
      url: made.url,
      ends_at: made.endsAt,
      lines: JSON.stringify(made.lines),
      made_at: made.now,
      try_at: made.renewAt,
      failing_since: null,
    })
    .where('creator_id', '=', row.creator_id)
    .where('id', '=', row.id)
    .execute();
}

/** What was made before goes on leading there until it ends. @returns since when it fails */
export async function noteFailed(
  trx: CreatorTransaction,
  row: PageRow,
  { now, tryAt, isRefused }: { now: Date; tryAt: Date; isRefused: boolean },
): Promise<Date> {
  const { failing_since: since } = await trx
    .updateTable('shop_pages')
    .set({
      try_at: tryAt,
      failing_since: sql`coalesce(failing_since, ${now})`,
      ...(isRefused && { state: sql<'refused'>`case when state = 'waiting' then 'refused' else state end` }),
    })
    .where('creator_id', '=', row.creator_id)
    .where('id', '=', row.id)
    .returning('failing_since')
    .executeTakeFirstOrThrow();
  return since!;
}

/** Of all creators: pages that are to be made, or made anew, and that somebody opens. */
export async function findDuePages(db: Kysely<Tables>, now: Date, most: number) {
  return db
    .selectFrom('shop_pages')
    .innerJoin('creators', 'creators.id', 'shop_pages.creator_id')
    .select(['shop_pages.creator_id as creatorId', 'shop_pages.id as pageId'])
    .where('creators.delete_at', 'is', null)
    .where('shop_pages.state', '<>', 'refused')
    .where('try_at', '<=', now)
    .where('used_at', '>', usedSince(now))
    .orderBy('try_at')
    .limit(most)
    .execute();
}

function usedSince(now: Date): Date {
  return new Date(now.getTime() - USED_WITHIN_DAYS * DAY_MS);
}
