import type { Insertable, Selectable, Transaction } from 'kysely';
import type { CreatorTransaction } from '#server/db/database.ts';
import type { ApiKeysTable, Tables } from '#server/db/types.ts';
import { nameInTeam } from '#server/features/people/memberships.ts';

export type ApiKeyRow = Selectable<ApiKeysTable>;

/** `made_by`: the name of who made it, while that person is in the team. `plugin_version`: what the live site told with this key. */
export type ShownRow = ApiKeyRow & { made_by: string | null; plugin_version: string | null };

export function findCurrent(trx: CreatorTransaction, creatorId: string): Promise<ShownRow | undefined> {
  return trx
    .selectFrom('api_keys')
    .leftJoin('sites', (join) =>
      join
        .onRef('sites.creator_id', '=', 'api_keys.creator_id')
        .onRef('sites.key_id', '=', 'api_keys.id')
        .on('sites.is_live', '=', true),
    )
    .selectAll('api_keys')
    .select('sites.plugin_version')
    .select(nameInTeam('api_keys.creator_id', 'api_keys.created_by').as('made_by'))
    .where('api_keys.creator_id', '=', creatorId)
    .where('api_keys.ended_at', 'is', null)
    .executeTakeFirst();
}

/** Of the key in use. */
export async function handOver(
  trx: Transaction<Tables>,
  { creatorId, from, to }: { creatorId: string; from: string; to: string },
): Promise<void> {
  await trx
    .updateTable('api_keys')
    .set({ created_by: to })
    .where('creator_id', '=', creatorId)
    .where('created_by', '=', from)
    .where('ended_at', 'is', null)
    .execute();
}

/** Two who make one at the same moment go one after the other. */
export async function endCurrent(trx: Transaction<Tables>, creatorId: string, at: Date): Promise<void> {
  await trx.selectFrom('creators').select('id').where('id', '=', creatorId).forUpdate().execute();
  await trx
    .updateTable('api_keys')
    .set({ ended_at: at })
    .where('creator_id', '=', creatorId)
    .where('ended_at', 'is', null)
    .execute();
}

export function insert(trx: Transaction<Tables>, row: Insertable<ApiKeysTable>): Promise<ApiKeyRow> {
  return trx.insertInto('api_keys').values(row).returningAll().executeTakeFirstOrThrow();
}
