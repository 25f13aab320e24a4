import type { Kysely } from 'kysely';
import * as z from 'zod/mini';
import { later } from '#server/db/jobs.ts';
import type { Tables } from '#server/db/types.ts';

/** The job of `listing.ts`, for those who queue it. */
export const NO_MAIL_CHANGED = {
  name: 'list-no-mail',
  payload: z.object({ creatorId: z.uuid(), hash: z.string(), contactId: z.nullable(z.uuid()) }),
};

/** What may be sent to an address changed: the list apart from the database learns it (`listing.ts`). */
export function noMailChanged(
  db: Kysely<Tables>,
  at: Date,
  ...changed: z.infer<typeof NO_MAIL_CHANGED.payload>[]
): Promise<void> {
  return later(db, { clock: { now: () => at } }, NO_MAIL_CHANGED, ...changed);
}
