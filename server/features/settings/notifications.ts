/** Which mails a person gets about a creator. Everything, until they choose otherwise. */
import type * as z from 'zod/mini';
import type { NotificationChoices } from '#contract/settings.ts';
import type { CreatorTransaction } from '#server/db/database.ts';

type Choices = z.infer<typeof NotificationChoices>;
type Whose = { creatorId: string; userId: string };

export async function readChoices(trx: CreatorTransaction, { creatorId, userId }: Whose): Promise<Choices> {
  const row = await trx
    .selectFrom('notification_choices')
    .selectAll()
    .where('creator_id', '=', creatorId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return {
    connectionTrouble: row?.connection_trouble ?? true,
    invites: row?.invites ?? true,
    weeklyFigures: row?.weekly_figures ?? true,
    brokenLinks: row?.broken_links ?? true,
    newAccess: row?.new_access ?? true,
  };
}

/** Missing fields stay as they are. */
export async function changeChoices(
  trx: CreatorTransaction,
  { creatorId, userId }: Whose,
  choices: Partial<Choices>,
): Promise<void> {
  const row = {
    ...(choices.connectionTrouble !== undefined && { connection_trouble: choices.connectionTrouble }),
    ...(choices.invites !== undefined && { invites: choices.invites }),
    ...(choices.weeklyFigures !== undefined && { weekly_figures: choices.weeklyFigures }),
    ...(choices.brokenLinks !== undefined && { broken_links: choices.brokenLinks }),
    ...(choices.newAccess !== undefined && { new_access: choices.newAccess }),
  };
  await trx
    .insertInto('notification_choices')
    .values({ creator_id: creatorId, user_id: userId, ...row })
    .onConflict((conflict) => conflict.columns(['creator_id', 'user_id']).doUpdateSet(row))
    .execute();
}
