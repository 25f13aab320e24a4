/** Where a creator's days begin and end (`day_of`). Another zone counts from then on; days that were counted stay. */
import { sql } from 'kysely';
import type { CreatorTransaction } from '#server/db/database.ts';
import { AppError } from '#server/errors.ts';

export async function readTimeZone(trx: CreatorTransaction, creatorId: string): Promise<{ timeZone: string | null }> {
  const { time_zone } = await trx
    .selectFrom('creators')
    .select('time_zone')
    .where('id', '=', creatorId)
    .executeTakeFirstOrThrow();
  return { timeZone: time_zone };
}

/**
 * @param choice.first the browser's, which counts only where none was chosen
 * @throws AppError invalid_input for a name that the database does not know
 */
export async function changeTimeZone(
  trx: CreatorTransaction,
  creatorId: string,
  { timeZone, first = false }: { timeZone: string; first?: boolean | undefined },
): Promise<{ timeZone: string | null }> {
  const { rows } = await sql`select from pg_timezone_names where name = ${timeZone}`.execute(trx);
  if (rows.length === 0) {
    const message = 'We don’t know this time zone. Choose one from the list.';
    throw new AppError('invalid_input', message, { fields: [{ path: 'timeZone', message }] });
  }
  await sql`
    update creators set time_zone = ${timeZone} where id = ${creatorId} and (time_zone is null or not ${first})
  `.execute(trx);
  return readTimeZone(trx, creatorId);
}
