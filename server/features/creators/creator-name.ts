import { sql } from 'kysely';

/** The name readers know a creator by: that of their account, or its handle. */
export function creatorName(creatorId: ReturnType<typeof sql>) {
  return sql<string>`coalesce(
    (select name from connections where creator_id = ${creatorId} and name <> '' order by disconnected_at nulls first, id limit 1),
    (select handle from creators where id = ${creatorId}))`;
}
