/** Feature flags: a creator's own value, else everyone's, else off. */

import { sql } from 'kysely';
import { FLAG_NAMES, type FlagName, type Flags } from '#contract/flags.ts';
import type { Database } from '#server/db/database.ts';
import { AppError } from '#server/errors.ts';
import { type AuditDeps, writeAudit } from '#server/features/admin/audit.ts';
import { pageFrom, readPosition } from '#server/http/page-position.ts';
import type { SignedIn } from '#server/http/sessions.ts';

type Deps = AuditDeps & { db: Database };

const PAGE_SIZE = 100;

/** OpenFeature's words for where a value comes from. */
type Reason = 'TARGETING_MATCH' | 'STATIC' | 'DEFAULT';

/** @param creatorId null for somebody without a creator: everyone's values */
export async function evaluate(
  { db }: Pick<Deps, 'db'>,
  creatorId: string | null,
): Promise<{ key: FlagName; value: boolean; reason: Reason; variant: string }[]> {
  const rows = await db.engine
    .selectFrom('flag_values')
    .select(['flag', 'creator_id', 'is_on'])
    .where((is) => is.or([is('creator_id', 'is', null), is('creator_id', '=', creatorId)]))
    .execute();
  return FLAG_NAMES.map((key) => {
    const own = rows.find((row) => row.flag === key && row.creator_id !== null);
    const everyones = rows.find((row) => row.flag === key && row.creator_id === null);
    const value = (own ?? everyones)?.is_on ?? false;
    const reason = own !== undefined ? 'TARGETING_MATCH' : everyones !== undefined ? 'STATIC' : 'DEFAULT';
    return { key, value, reason, variant: value ? 'on' : 'off' };
  });
}

/** For everyone, and every creator that differs. */
export async function listFlags(
  { db }: Pick<Deps, 'db'>,
  query: { after?: string | undefined; limit?: number | undefined },
) {
  const limit = query.limit ?? PAGE_SIZE;
  const after = readPosition(query.after, 'uuid', 'name');
  const { rows: creators } = await sql<{ id: string; position: string }>`
    select id, handle as position from creators
    where exists (select from flag_values f where f.creator_id = creators.id and f.flag = any(${FLAG_NAMES}))
      ${after === null ? sql`` : sql`and (handle, id) > (${after.at}::text, ${after.id}::uuid)`}
    order by handle, id limit ${limit + 1}
  `.execute(db.engine);
  const { items, next } = pageFrom(creators, limit);
  const ids = items.map(({ id }) => id);
  const known = await db.engine
    .selectFrom('flag_values')
    .select(['flag', 'is_on', 'creator_id'])
    .where('flag', 'in', FLAG_NAMES)
    .where((is) => is.or([is('creator_id', 'is', null), is('creator_id', '=', sql<string>`any(${ids}::uuid[])`)]))
    .execute();
  const valuesOf = (of: typeof known): Partial<Flags> => Object.fromEntries(of.map((row) => [row.flag, row.is_on]));
  const off = Object.fromEntries(FLAG_NAMES.map((name) => [name, false])) as Flags;
  return {
    everyone: { ...off, ...valuesOf(known.filter((row) => row.creator_id === null)) },
    items: items.map(({ id, position }) => ({
      creatorId: id,
      handle: position,
      flags: valuesOf(known.filter((row) => row.creator_id === id)),
    })),
    next,
  };
}

/**
 * @param change.creatorId null: for everyone
 * @param change.on null: follow everyone again; for everyone itself: off
 * @throws AppError not_found when there is no such creator
 */
export async function setFlag(
  deps: Deps,
  { user, adminVisit }: SignedIn,
  { flag, creatorId, on }: { flag: FlagName; creatorId: string | null; on: boolean | null },
): Promise<void> {
  await deps.db.engine.transaction().execute(async (trx) => {
    if (creatorId !== null) {
      const creator = await trx.selectFrom('creators').select('id').where('id', '=', creatorId).executeTakeFirst();
      if (creator === undefined) throw new AppError('not_found', 'This creator doesn’t exist.');
    }
    if (on === null) {
      await trx
        .deleteFrom('flag_values')
        .where('flag', '=', flag)
        .where('creator_id', 'is not distinct from', creatorId)
        .execute();
    } else {
      await trx
        .insertInto('flag_values')
        .values({ flag, creator_id: creatorId, is_on: on, changed_at: deps.clock.now() })
        .onConflict((conflict) =>
          conflict.columns(['flag', 'creator_id']).doUpdateSet({ is_on: on, changed_at: deps.clock.now() }),
        )
        .execute();
    }
    await writeAudit(trx, deps, {
      admin_id: user.id,
      admin_name: user.name,
      creator_id: creatorId,
      visit_id: adminVisit?.creatorId === creatorId ? (adminVisit?.id ?? null) : null,
      what: `Set the flag ${flag}`,
      detail: on === null ? 'as for everyone' : on ? 'on' : 'off',
    });
  });
}
