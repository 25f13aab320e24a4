/** The link by which somebody who moved in goes on here, from the day until which they paid elsewhere. */
import * as z from 'zod/mini';
import type { CreatorTransaction } from '#server/db/database.ts';
import type { JobDeps } from '#server/features/app-deps.ts';
import { creatorHash } from '#server/features/contacts/creator-secret.ts';

type Deps = Pick<JobDeps, 'db' | 'clock' | 'ids' | 'keys' | 'config'>;

export async function goOnUrl(
  deps: Deps,
  { creatorId, handle, passId }: { creatorId: string; handle: string; passId: string },
): Promise<string> {
  const on = `${passId}.${await macOf(deps, creatorId, passId)}`;
  return `${deps.config.baseUrl}/join/${encodeURIComponent(handle)}?${new URLSearchParams({ on })}`;
}

function macOf(deps: Deps, creatorId: string, passId: string): Promise<string> {
  return creatorHash(deps.db.engine, deps, { creatorId, purpose: 'fan_go_on', text: passId }, deps.clock.now());
}

/** @param on of such a link @returns what the page to join begins with; null: it is not ours, or their day is over */
export async function findToGoOn(
  deps: Deps,
  trx: CreatorTransaction,
  { creatorId, on }: { creatorId: string; on: string },
): Promise<{ email: string; choice: string; paidUntil: Date } | null> {
  const [passId = '', mac = ''] = on.split('.');
  if (!z.uuid().safeParse(passId).success || mac !== (await macOf(deps, creatorId, passId))) return null;
  const row = await trx
    .selectFrom('passes as p')
    .innerJoin('contacts as c', (join) =>
      join.onRef('c.creator_id', '=', 'p.creator_id').onRef('c.id', '=', 'p.contact_id'),
    )
    .leftJoin('member_move_rows as r', (join) =>
      join.onRef('r.creator_id', '=', 'p.creator_id').onRef('r.pass_id', '=', 'p.id'),
    )
    .select(['c.email', 'p.tier_id', 'p.ends_at', 'r.billing_interval'])
    .where('p.id', '=', passId)
    .where('p.ended_at', 'is', null)
    .where('p.ends_at', '>', deps.clock.now())
    .executeTakeFirst();
  if (row?.email == null) return null;
  return { email: row.email, choice: `${row.tier_id} ${row.billing_interval ?? 'month'}`, paidUntil: row.ends_at! };
}
