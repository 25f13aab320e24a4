/**
 * The Facebook Addon, switched on per creator: comments and messages on their connected Pages are answered like those at
 * Instagram. While it is off, what comes in is on record as skipped (`facebook_addon_off`) and nothing goes out.
 */
import type { ConnectionDeps } from './connection-deps.ts';
import * as queries from './queries.ts';

export async function readFacebookAddon({ db }: Pick<ConnectionDeps, 'db'>, creatorId: string): Promise<boolean> {
  return db.withCreator(creatorId, (trx) => queries.findFacebookAddon(trx, creatorId));
}

/**
 * Counts for everything decided from now on; what waits already keeps its turn.
 *
 * @returns the connections of Pages that it concerns
 */
export async function changeFacebookAddon(
  deps: Pick<ConnectionDeps, 'db' | 'connectionChanged'>,
  creatorId: string,
  on: boolean,
): Promise<string[]> {
  const pages = await deps.db.withCreator(creatorId, async (trx) => {
    await queries.setFacebookAddon(trx, creatorId, on);
    return (await queries.findShown(trx, creatorId)).filter(
      ({ platform, disconnected_at }) => platform === 'facebook' && disconnected_at === null,
    );
  });
  for (const { id } of pages) await deps.connectionChanged({ creatorId, connectionId: id });
  return pages.map(({ id }) => id);
}
