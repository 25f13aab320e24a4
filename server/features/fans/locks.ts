/** What of the live blog is locked and whether the lock holds, as its creator sees it. */
import type { ResponseOf } from '#contract/endpoint.ts';
import type { Finding, getLocks } from '#contract/locks.ts';
import type { Clock } from '#server/clock.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import { later } from '#server/db/jobs.ts';
import { AppError } from '#server/errors.ts';
import { replaceKey } from '#server/features/sites/signing-keys.ts';
import type { Keys } from '#server/secrets.ts';
import { endDevicesOf } from './entering.ts';
import { noteChecking, probeSite } from './probe.ts';
import { tellSite } from './word-ends.ts';

type Deps = { clock: Clock; keys: Pick<Keys, 'encryptionKeys'> };
type Shown = ResponseOf<typeof getLocks>;

const AWAY_AFTER_MS = 2 * 86_400_000;

export async function describeLocks(
  { clock }: Pick<Deps, 'clock'>,
  trx: CreatorTransaction,
  creatorId: string,
): Promise<Shown> {
  const site = await trx
    .selectFrom('sites as s')
    .leftJoin('site_probes as p', (join) =>
      join.onRef('p.creator_id', '=', 's.creator_id').onRef('p.site_id', '=', 's.id'),
    )
    .select(['s.id', 's.place', 's.posts_locked', 's.posts_public', 's.last_heard_at', 's.checks_from'])
    .select(['p.probed_at', 'p.finding', 'p.shows', 'p.page_url', 'p.words', 'p.seen', 'p.ways', 'p.leaks'])
    .select(['p.members_see', 'p.cache'])
    .where('s.creator_id', '=', creatorId)
    .where('s.is_live', '=', true)
    .where('s.kind', '=', 'wordpress')
    .executeTakeFirst();
  if (site === undefined) return { site: null };
  const { posts_locked: locked, posts_public: all, probed_at: at } = site;
  return {
    site: {
      ...{ id: site.id, name: site.place },
      posts: locked === null || all === null ? null : { locked, all },
      lastHeardAt: site.last_heard_at.toISOString(),
      isAway: clock.now().getTime() - site.last_heard_at.getTime() > AWAY_AFTER_MS,
      isChecking: site.checks_from !== null && (at === null || at < site.checks_from),
      probe:
        at === null
          ? null
          : {
              ...{ at: at.toISOString(), finding: site.finding as Finding, shows: site.shows as 'inline' | 'fragment' },
              ...{ pageUrl: site.page_url, words: site.words!, seen: site.seen!, ways: site.ways! },
              ...{ leaks: site.leaks!, membersSee: site.members_see!, cache: site.cache },
            },
    },
  };
}

/** @throws AppError not_found: no WordPress is connected */
export async function checkSoon(deps: Pick<Deps, 'clock'>, trx: CreatorTransaction, creatorId: string): Promise<Shown> {
  const siteId = await needSite(deps, trx, creatorId);
  await noteChecking(deps, trx, { creatorId, siteId });
  await later(trx, deps, probeSite, { creatorId, siteId });
  return describeLocks(deps, trx, creatorId);
}

/**
 * The blog was hacked: whatever was signed for it is worthless, and members enter again.
 *
 * @throws AppError not_found: no WordPress is connected
 */
export async function replaceHackedKey(deps: Deps, trx: CreatorTransaction, creatorId: string): Promise<Shown> {
  const siteId = await needSite(deps, trx, creatorId);
  await replaceKey(deps, trx, { creatorId, siteId });
  await endDevicesOf(deps, trx, { creatorId, siteId });
  await later(trx, deps, tellSite, { creatorId, siteId });
  return describeLocks(deps, trx, creatorId);
}

/** @throws AppError not_found: no WordPress is connected */
export async function needSite(deps: Pick<Deps, 'clock'>, trx: CreatorTransaction, creatorId: string): Promise<string> {
  const { site } = await describeLocks(deps, trx, creatorId);
  if (site === null) throw new AppError('not_found', 'No WordPress is connected.');
  return site.id;
}
