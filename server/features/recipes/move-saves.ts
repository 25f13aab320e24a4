import { sql } from 'kysely';
import type { CreatorTransaction } from '#server/db/database.ts';
import { addressKey } from './address-key.ts';

type Move = { id: number; from: string; to: string };

/** Pages have other addresses now: who saved them goes on having saved them, once, and corrections reach them there. */
export async function moveSaves(trx: CreatorTransaction, creatorId: string, moves: Move[]): Promise<void> {
  if (moves.length === 0) return;
  const rows = moves.map(({ id, from, to }) => ({ id, from_key: addressKey(from), to_key: addressKey(to), url: to }));
  const moved = sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as m(id bigint, from_key text, to_key text, url text)`;
  const moving = sql`md5(s.page_key) = md5('moving ' || m.id) and s.page_key = 'moving ' || m.id`;
  const target = sql`m.to_key || substr(s.address_key, length(s.page_key) + 1)`;
  // Set aside first: pages may change places.
  await sql`
    update saved_recipes s set url = m.url, address_key = 'moving ' || m.id || substr(s.address_key, length(s.page_key) + 1)
    from ${moved} where s.creator_id = ${creatorId} and md5(s.page_key) = md5(m.from_key) and s.page_key = m.from_key
  `.execute(trx);
  await sql`
    with doubled as (
      delete from saved_recipes s using ${moved}, saved_recipes kept
      where s.creator_id = ${creatorId} and ${moving} and kept.creator_id = s.creator_id and kept.contact_id = s.contact_id
        and md5(kept.address_key) = md5(${target})
      returning s.contact_id, s.times, s.first_saved_at, kept.id as kept_id
    ), joined as (
      update saved_recipes k set times = k.times + d.times, first_saved_at = least(k.first_saved_at, d.first_saved_at)
      from doubled d where k.creator_id = ${creatorId} and k.id = d.kept_id
    )
    update contacts c set saved_count = c.saved_count - d.count
    from (select contact_id, count(*)::int as count from doubled group by contact_id) d
    where c.creator_id = ${creatorId} and c.id = d.contact_id
  `.execute(trx);
  await sql`
    update saved_recipes s set address_key = ${target}
    from ${moved} where s.creator_id = ${creatorId} and ${moving}
  `.execute(trx);
  await sql`
    update broadcasts b set page_key = m.to_key || substr(b.page_key, length(m.from_key) + 1)
    from ${moved} where b.creator_id = ${creatorId} and split_part(b.page_key, '#', 1) = m.from_key
  `.execute(trx);
}
