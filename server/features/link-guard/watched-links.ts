/** Which addresses are watched: those that automations which are on send. Told by every rule that changes one. */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Clock, Ids } from '#server/clock.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import { settleHolds } from '#server/engine/outcomes/settle-holds.ts';
import * as queries from './queries.ts';

/** An address that was looked at so lately is not looked at again because somebody saved. */
const LATELY_MS = 60_000;
/** An app link that nobody followed for so long is not watched any more. */
const USED_WITHIN_MS = 30 * 86_400_000;

/**
 * Changes of where automations lead (automations, recipes) run one after the other, creator by creator: the list of
 * watched addresses is worked out from all of them. Take it before any row is locked.
 */
export async function changeLinksAlone(trx: CreatorTransaction, creatorId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`links ${creatorId}`}, 0))`.execute(trx);
}

/**
 * Brings the list of a creator's watched addresses up to date. New ones are looked at at once, and those of the automation
 * that was just saved or switched on. Take `changeLinksAlone` first.
 *
 * @returns connections whose messages wait no longer
 */
export async function watchLinks(
  { clock, ids }: { clock: Clock; ids: Ids },
  trx: CreatorTransaction,
  creatorId: string,
  saved: { automationId: string } | null,
): Promise<string[]> {
  const now = clock.now();
  const live = await queries.findLiveLinks(trx, creatorId);
  const uses = live.map(({ automationId, url }) => ({ id: automationId, url }));
  await watch({ clock, ids }, trx, creatorId, 'automationId', uses);
  if (saved !== null) {
    await queries.lookSoon(trx, creatorId, saved.automationId, { now, since: new Date(now.getTime() - LATELY_MS) });
  }
  return settleHolds(trx, creatorId, now);
}

/** As `watchLinks`, of a creator's app links: those that are used. Take `changeLinksAlone` first. */
export async function watchAppLinks(
  { clock, ids }: { clock: Clock; ids: Ids },
  trx: CreatorTransaction,
  creatorId: string,
): Promise<void> {
  const now = clock.now();
  const since = new Date(now.getTime() - USED_WITHIN_MS);
  const live = await queries.findLiveAppLinks(trx, creatorId, { since, now });
  const uses = live.map(({ appLinkId, url }) => ({ id: appLinkId, url }));
  await watch({ clock, ids }, trx, creatorId, 'appLinkId', uses);
}

async function watch(
  { clock, ids }: { clock: Clock; ids: Ids },
  trx: CreatorTransaction,
  creatorId: string,
  of: 'automationId' | 'appLinkId',
  addresses: { id: string; url: string }[],
): Promise<void> {
  const now = clock.now();
  const uses = addresses.flatMap(({ id, url }) => {
    const address = watchedAddress(url);
    return address === null ? [] : [{ id, url: address, hash: hashOf(address), host: new URL(address).host }];
  });
  const links = new Map(uses.map(({ url, hash, host }) => [hash, { id: ids.uuid(now), url, hash, host }]));
  await queries.replaceWatched(trx, creatorId, [...links.values()], { of, uses }, now);
}

/** As an address is written in the list; null for what is none. */
export function watchedAddress(url: string): string | null {
  // Rules check addresses; what is in the database may be older than the rules.
  if (!URL.canParse(url) || !/^https?:/i.test(url)) return null;
  const address = new URL(url);
  address.hash = '';
  return address.href;
}

function hashOf(url: string): string {
  return createHash('sha256').update(url).digest('base64url');
}

/** Is this address known to be broken? */
export async function isBroken(trx: CreatorTransaction, creatorId: string, url: string): Promise<boolean> {
  const address = watchedAddress(url);
  return address !== null && (await queries.isBroken(trx, creatorId, hashOf(address)));
}
