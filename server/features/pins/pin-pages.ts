/** Pins that began, changed or ended since shops last made pages of their lists. */
import { type Kysely, sql } from 'kysely';
import type { Tables } from '#server/db/types.ts';

/** `recipeIds`: null for every recipe. */
type ChangedPin = { creatorId: string; id: string; recipeIds: string[] | null };

/** @param db that may read every creator's rows */
export async function findChangedPins(db: Kysely<Tables>, now: Date, most: number): Promise<ChangedPin[]> {
  const { rows } = await sql<ChangedPin>`
    select creator_id as "creatorId", id, recipe_ids as "recipeIds" from sponsor_pins
    where begins_at <= ${now} and (pages_at is null or pages_at < begins_at)
      or ends_at <= ${now} and pages_at < ends_at
    order by ends_at limit ${most}
  `.execute(db);
  return rows;
}

export async function notePagesMade(db: Kysely<Tables>, { creatorId, id }: ChangedPin, now: Date): Promise<void> {
  await db
    .updateTable('sponsor_pins')
    .set({ pages_at: now })
    .where('creator_id', '=', creatorId)
    .where('id', '=', id)
    .execute();
}
