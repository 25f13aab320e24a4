/** The link by which somebody who moved in goes on here, from the day until which they paid elsewhere. */
import { sql } from 'kysely';
import * as z from 'zod/mini';
import type { CreatorTransaction } from '#server/db/database.ts';
import type { JobDeps } from '#server/features/app-deps.ts';
import { dayOf } from '#server/features/billing/mails.ts';
import { creatorHash } from '#server/features/contacts/creator-secret.ts';
import { isSame } from '../entering.ts';
import { mailFan } from '../mails.ts';

type Deps = Pick<JobDeps, 'db' | 'clock' | 'ids' | 'keys' | 'config'>;

const REMIND_MS = 3 * 86_400_000;

export async function goOnUrl(
  deps: Deps,
  { creatorId, handle, passId }: { creatorId: string; handle: string; passId: string },
): Promise<string> {
  const on = `${passId}.${await macOf(deps, creatorId, passId)}`;
  return `${deps.config.baseUrl}/join/${encodeURIComponent(handle)}?${new URLSearchParams({ on })}`;
}

/** Once, three days before what they paid elsewhere is over, where they have not gone on. */
export async function remindToGoOn(deps: JobDeps): Promise<void> {
  const now = deps.clock.now();
  await deps.db.engine.transaction().execute(async (trx) => {
    const { rows } = await sql<{ creatorId: string; contactId: string; passId: string; until: Date; handle: string }>`
      update passes p set told_charge = 'moved' from creators c
      where c.id = p.creator_id and p.move_id is not null and p.ended_at is null and p.told_charge is null
        and p.ends_at > ${now} and p.ends_at <= ${new Date(now.getTime() + REMIND_MS)}
        -- They were mailed when they moved in.
        and p.begins_at < p.ends_at - interval '7 days'
        and not exists (
          select from passes paid where paid.creator_id = p.creator_id and paid.contact_id = p.contact_id
            and paid.source = 'stripe' and paid.ended_at is null)
        and not exists (select from membership_ends e where e.creator_id = p.creator_id and e.called_off_at is null)
      returning p.creator_id as "creatorId", p.contact_id as "contactId", p.id as "passId", p.ends_at as until, c.handle
    `.execute(trx);
    for (const { until, handle, passId, ...whose } of rows) {
      const day = dayOf(until);
      await mailFan(deps, trx, whose, {
        kind: 'fan_moved_in_ends',
        letter: {
          subject: `Your membership ends on ${day}`,
          paragraphs: [`To go on from ${day}, say so here. Nothing is charged before that day.`],
          button: {
            label: `Go on from ${day}`,
            url: await goOnUrl(deps, { creatorId: whose.creatorId, handle, passId }),
          },
        },
      });
    }
  });
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
  if (!z.uuid().safeParse(passId).success || !isSame(mac, await macOf(deps, creatorId, passId))) return null;
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
