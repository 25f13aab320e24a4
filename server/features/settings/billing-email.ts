/** Where invoices go: the address of whoever has owned the creator the longest, until another is given. */
import type { Database } from '#server/db/database.ts';

/** The engine's role reads it: people's addresses are out of reach of a creator's own. */
export async function readBillingEmail({ db }: { db: Database }, creatorId: string): Promise<string> {
  const row = await db.engine
    .selectFrom('creators')
    .leftJoin('memberships', (join) =>
      join.onRef('memberships.creator_id', '=', 'creators.id').on('memberships.role', '=', 'owner'),
    )
    .leftJoin('users', 'users.id', 'memberships.user_id')
    .select((eb) => eb.fn.coalesce('creators.billing_email', 'users.email').as('email'))
    .where('creators.id', '=', creatorId)
    .orderBy('memberships.created_at')
    .orderBy('memberships.id')
    .limit(1)
    .executeTakeFirst();
  return row?.email ?? '';
}

export async function changeBillingEmail({ db }: { db: Database }, creatorId: string, email: string): Promise<void> {
  await db.withCreator(creatorId, (trx) =>
    trx.updateTable('creators').set({ billing_email: email }).where('id', '=', creatorId).execute(),
  );
}
