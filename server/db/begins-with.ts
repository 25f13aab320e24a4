import { type RawBuilder, sql } from 'kysely';

/**
 * For an index with `text_pattern_ops`: a range, because row-level security lets no `like` into an index scan. Nothing begins
 * with an empty text: of a name it is what signs alone fold to.
 *
 * @param text as the column is folded
 */
export function beginsWith(column: string, text: string): RawBuilder<unknown> {
  if (text === '') return sql`false`;
  return sql`(${sql.ref(column)} ~>=~ ${text} and ${sql.ref(column)} ~<~ ${`${text}\u{10ffff}`})`;
}
