/** Strangers' servers are asked slowly: each host has its turns, one after another, all processes together. */
import { sql } from 'kysely';
import type { Clock } from '#server/clock.ts';
import type { Database } from '#server/db/database.ts';

/** Waits until the host may be asked. @param pauseMs between two requests to it */
export async function takeTurn(
  { db, clock }: { db: Pick<Database, 'engine'>; clock: Clock },
  host: string,
  pauseMs: number,
): Promise<void> {
  const now = clock.now();
  const { rows } = await sql<{ turn: Date }>`
    insert into link_hosts as h (host, next_at) values (${host}, ${new Date(now.getTime() + pauseMs)})
    on conflict (host) do update
      set next_at = greatest(h.next_at, ${now}::timestamptz) + make_interval(secs => ${pauseMs / 1000})
    returning next_at - make_interval(secs => ${pauseMs / 1000}) as turn
  `.execute(db.engine);
  const waitMs = rows[0]!.turn.getTime() - clock.now().getTime();
  if (waitMs > 0) await clock.sleep(waitMs);
}
