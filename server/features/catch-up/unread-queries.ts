import { sql } from 'kysely';
import type { Database } from '#server/db/database.ts';

type Key = { creatorId: string; connectionId: string; mid: string };

export type Unread = Key & {
  platform: 'instagram' | 'facebook';
  accountId: string;
  standby: boolean;
  receivedAt: Date;
  failures: number;
};

/** Takes what is due, oldest first, and leaves it alone until `againAt`, should this worker die. Known messages just go. */
export async function claimDue(db: Database, claim: { now: Date; againAt: Date; limit: number }): Promise<Unread[]> {
  const { rows } = await sql<Unread>`
    with known as (
      delete from unread_messages u using interactions i
      where u.next_at <= ${claim.now} and i.connection_id = u.connection_id and i.platform_id = u.mid
      returning u.connection_id, u.mid
    ), due as (
      select u.creator_id, u.connection_id, u.mid from unread_messages u
      join connections c on c.creator_id = u.creator_id and c.id = u.connection_id
      where u.next_at <= ${claim.now} and c.disconnected_at is null and c.requires_auth_at is null
        and (u.connection_id, u.mid) not in (select connection_id, mid from known)
        and not exists (
          select from lane_states l where l.creator_id = c.creator_id and l.connection_id = c.id and l.lane = 'reads'
            and l.closed_until > ${claim.now}
        )
      order by u.received_at limit ${claim.limit}
    )
    update unread_messages u set next_at = ${claim.againAt}
    from due d, connections c
    where u.creator_id = d.creator_id and u.connection_id = d.connection_id and u.mid = d.mid
      and c.creator_id = u.creator_id and c.id = u.connection_id
    returning u.creator_id as "creatorId", u.connection_id as "connectionId", u.mid, c.platform,
      c.account_id as "accountId", u.standby, u.received_at as "receivedAt", u.failures
  `.execute(db.engine);
  return rows.sort((a, b) => a.receivedAt.getTime() - b.receivedAt.getTime());
}

export async function giveUp(db: Database, before: Date): Promise<Pick<Key, 'connectionId' | 'mid'>[]> {
  const rows = await db.engine
    .deleteFrom('unread_messages')
    .where('received_at', '<', before)
    .returning(['connection_id as connectionId', 'mid'])
    .execute();
  return rows;
}

export async function remove(db: Database, { creatorId, connectionId, mid }: Key): Promise<void> {
  await db.engine
    .deleteFrom('unread_messages')
    .where('creator_id', '=', creatorId)
    .where('connection_id', '=', connectionId)
    .where('mid', '=', mid)
    .execute();
}

export async function putOff(
  db: Database,
  { creatorId, connectionId, mid }: Key,
  { nextAt, failures }: { nextAt: Date; failures: number },
): Promise<void> {
  await db.engine
    .updateTable('unread_messages')
    .set({ next_at: nextAt, failures })
    .where('creator_id', '=', creatorId)
    .where('connection_id', '=', connectionId)
    .where('mid', '=', mid)
    .execute();
}
