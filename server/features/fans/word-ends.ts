/**
 * Ends before their day: a browser's word for a blog is good for an hour without asking. When something ends sooner, the blog is told that words from
 * before have to be asked about, so that a wrong message locks nobody out. The one writer of `asks_from` of `fan_devices`.
 */
import { sql, type Transaction } from 'kysely';
import * as z from 'zod/mini';
import { ENDED_AT_MOST, type ToldOfMembers } from '#contract/plugin.ts';
import type { Clock } from '#server/clock.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import { backOffMs, later, type QueuedJob, TryLater } from '#server/db/jobs.ts';
import type { Tables } from '#server/db/types.ts';
import type { JobDeps } from '#server/features/app-deps.ts';
import { callSite } from '#server/features/sites/site-calls.ts';
import { askAboutAll, findSite, type SiteRow } from '#server/features/sites/sites.ts';
import { DEAD_AFTER_S } from './tokens.ts';

type Whose = { creatorId: string; contactId: string };

/** What comes meanwhile waits as long. */
const LONGEST_PAUSE_MS = 5 * 60_000;
/** What a look at a blog has shown holds so long: there is one each day. */
const INLINE_S = 3 * 86_400;
/** A blog that called no more for so long hears of it when it does. */
const GIVEN_UP_MS = 2 * 86_400_000;

/** Tells a blog what the plugin keeps of members. */
export const tellSite: QueuedJob<
  Pick<JobDeps, 'db' | 'clock' | 'keys' | 'fetching'>,
  { creatorId: string; siteId: string }
> = {
  name: 'tell-site-of-members',
  payload: z.object({ creatorId: z.string(), siteId: z.string() }),
  atOnce: 10,
  run: async (deps, whose) => {
    const site = await findSite(deps, whose);
    const now = deps.clock.now();
    if (site === null || now.getTime() - site.last_heard_at.getTime() > GIVEN_UP_MS) return;
    // Its keys are not told: it fetches them, over a connection that it began.
    const isKeyNew = site.next_signing_key !== null || site.dead_signing_key !== null;
    const members = await tellingOf(deps, deps.db.engine, site);
    const { trouble } = await callSite(deps, site, { what: 'members', isKeyNew, members });
    if (trouble !== null) {
      throw new TryLater(`The blog was not told: ${trouble}.`, {
        pauseMs: (failures) => backOffMs(failures, LONGEST_PAUSE_MS),
      });
    }
  },
};

export async function tellingOf(
  { clock }: { clock: Clock },
  trx: Pick<Transaction<Tables>, 'selectFrom'>,
  site: SiteRow,
): Promise<ToldOfMembers> {
  const oldest = new Date(clock.now().getTime() - DEAD_AFTER_S * 1000);
  const rows = await trx
    .selectFrom('fan_devices')
    .select(['id', 'asks_from'])
    .where('creator_id', '=', site.creator_id)
    .where('site_id', '=', site.id)
    .where('asks_from', '>', oldest)
    .orderBy('asks_from', 'desc')
    .limit(ENDED_AT_MOST + 1)
    .execute();
  const probed = await trx
    .selectFrom('site_probes')
    .select('probed_at')
    .where('creator_id', '=', site.creator_id)
    .where('site_id', '=', site.id)
    .where('shows', '=', 'inline')
    .executeTakeFirst();
  // More of them: everybody asks once.
  const rest = rows[ENDED_AT_MOST]?.asks_from ?? null;
  return {
    at: secondsOf(clock.now()),
    asksFrom: Math.max(secondsOf(site.asks_from), secondsOf(rest)),
    asks: rows.slice(0, ENDED_AT_MOST).map(({ id, asks_from }) => ({ device: id, from: secondsOf(asks_from) })),
    inlineUntil: probed === undefined ? 0 : secondsOf(probed.probed_at) + INLINE_S,
  };
}

/** Of a contact and those whom they passed recipes to, or of one browser. */
export async function askAgain(
  deps: { clock: Clock },
  trx: Transaction<Tables>,
  { creatorId, contactId, device }: Whose & { device?: string },
): Promise<void> {
  const now = deps.clock.now();
  const rows = await trx
    .updateTable('fan_devices')
    .set({ asks_from: now })
    .where('creator_id', '=', creatorId)
    .where((eb) =>
      eb.or([
        eb('contact_id', '=', contactId),
        eb('id', 'in', (one) =>
          one
            .selectFrom('passed_opens as o')
            .innerJoin('passed_recipes as p', (join) =>
              join.onRef('p.creator_id', '=', 'o.creator_id').onRef('p.id', '=', 'o.passed_id'),
            )
            .select('o.device_id')
            .where('p.creator_id', '=', creatorId)
            .where('p.contact_id', '=', contactId),
        ),
      ]),
    )
    .where('site_id', 'is not', null)
    // Of those that ended, the blog may know already.
    .where(sql<boolean>`(ended_at is null or asks_from is null or asks_from < ended_at)`)
    .$if(device !== undefined, (query) => query.where('id', '=', device!))
    .returning('site_id')
    .execute();
  const sites = [...new Set(rows.map(({ site_id }) => site_id!))];
  await later(trx, deps, tellSite, ...sites.map((siteId) => ({ creatorId, siteId })));
}

/** Of many contacts, or of those who are erased: their blogs ask about all words once. */
export async function askAboutMany(
  deps: { clock: Clock },
  trx: CreatorTransaction,
  { creatorId, contactIds }: { creatorId: string; contactIds: string[] },
): Promise<void> {
  const rows = await trx
    .selectFrom('fan_devices')
    .select('site_id')
    .distinct()
    .where('creator_id', '=', creatorId)
    .where('contact_id', 'in', contactIds)
    .where('site_id', 'is not', null)
    .execute();
  const siteIds = rows.map(({ site_id }) => site_id!);
  await askAboutAll(trx, { creatorId, siteIds }, deps.clock.now());
  await later(trx, deps, tellSite, ...siteIds.map((siteId) => ({ creatorId, siteId })));
}

function secondsOf(at: Date | null): number {
  return at === null ? 0 : Math.floor(at.getTime() / 1000);
}
