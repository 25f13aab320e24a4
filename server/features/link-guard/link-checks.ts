/** The guard at work: looks at what is due, notes what it finds, holds messages back or lets them go, tells the creator. */
import type { FastifyBaseLogger } from 'fastify';
import { readAmazon } from '#contract/amazon.ts';
import type { LiveEvent } from '#contract/interactions.ts';
import type { LinkProblem } from '#contract/link-guard.ts';
import type { Clock, Ids } from '#server/clock.ts';
import type { Config } from '#server/config.ts';
import type { Database } from '#server/db/database.ts';
import { settleHolds } from '#server/engine/outcomes/settle-holds.ts';
import { noticeIngredients } from '#server/features/recipes/noticing.ts';
import { amazonRulesOf } from '#server/features/shops/settings.ts';
import { type Mail, mailLater } from '#server/platforms/email/mail-later.ts';
import type { GuardedFetch } from '#server/platforms/guarded-fetch.ts';
import { takeTurn } from '#server/platforms/host-turns.ts';
import { type Sight, visit } from '#server/platforms/visiting.ts';
import { afterLook, BUSY, lookEveryMs } from './check-intervals.ts';
import { linkBroken, linkWorks } from './mails.ts';
import { readPage } from './page-facts.ts';
import * as queries from './queries.ts';
import { findRecipients } from './recipients.ts';
import { judge } from './verdicts.ts';

export type GuardDeps = {
  config: Pick<Config, 'baseUrl' | 'linkGuard'>;
  db: Database;
  clock: Clock;
  ids: Ids;
  log: FastifyBaseLogger;
  fetching: GuardedFetch;
  live: { publish(creatorId: string, event: LiveEvent): void };
  /** Told after the change: the engine forgets which automations hold messages back. */
  automationsChanged(change: { creatorId: string }): Promise<void> | void;
  deliveriesQueued(change: { creatorId: string; connectionId: string }): Promise<void> | void;
  /** For a look; 20 seconds unless told otherwise. */
  timeoutMs?: number;
};

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const TIMEOUT_MS = 20_000;
/** Recipes stand below long stories; more than this is not read. */
const MAX_BYTES = 512 * 1024;
/** Between two requests to one host, all processes together. */
const HOST_PAUSE_MS = 4000;
/** One site with forty recipes that is down is one mail. */
const ONE_MAIL_PER_HOST_MS = HOUR_MS;
/** A link that comes and goes is one mail a day. */
const ONE_MAIL_PER_LINK_MS = 24 * HOUR_MS;

/** Looks at an address, unless somebody has done so since it was due. */
export async function lookAt(
  deps: GuardDeps,
  { creatorId, linkId }: { creatorId: string; linkId: string },
): Promise<void> {
  const { db, clock, config, fetching, timeoutMs = TIMEOUT_MS } = deps;
  const link = await queries.findWatched(db.engine, creatorId, linkId);
  if (link === undefined || link.next_check_at > clock.now()) return;
  const sight = await visit(
    {
      fetching,
      timeoutMs,
      maxBytes: MAX_BYTES,
      userAgent: `CreatorHQ-link-monitor/1.0 (+${config.baseUrl})`,
      takeTurn: (host) => takeTurn(deps, host, HOST_PAUSE_MS),
    },
    link.url,
    // Changed or broken pages must be read in full.
    link.state === 'fine' && link.problem === null
      ? { etag: link.etag, lastModified: link.last_modified }
      : { etag: null, lastModified: null },
  );
  const amazon = readAmazon(link.url) === null ? null : await amazonRulesOf(db.engine, creatorId);
  const found = judge(link.url, sight, { firstLook: link.first_look, now: clock.now(), amazon });
  await record(deps, link, sight, found);
  if (sight.kind !== 'page' || sight.status !== 200 || sight.text === null) return;
  const page = { url: link.url, html: sight.text };
  await db.withCreator(creatorId, (trx) => noticeIngredients(deps, trx, creatorId, page));
}

async function record(
  deps: GuardDeps,
  { creator_id: creatorId, id }: queries.WatchedRow,
  sight: Sight,
  found: LinkProblem | null,
): Promise<void> {
  const { db, clock, live } = deps;
  const now = clock.now();
  let freed: string[] = [];
  let told = false;
  await db.engine.transaction().execute(async (trx) => {
    const link = await queries.lockWatched(trx, creatorId, id);
    // No automation sends it any more.
    if (link === undefined) return;
    const before = {
      state: link.state,
      problem: link.problem,
      failedSince: link.failed_since,
      brokenSince: link.broken_since,
    };
    const after = afterLook(before, found, { busy: link.busy, now });
    await queries.saveLook(trx, link, { ...after, ...rememberedOf(link, sight, found), checkedAt: now });
    if (after.tells === null) return;
    told = true;
    freed = await settleHolds(trx, creatorId, now);
    await mail(deps, trx, { ...link, problem: after.problem }, after.tells);
  });
  live.publish(creatorId, { what: 'links' });
  if (!told) return;
  await deps.automationsChanged({ creatorId });
  live.publish(creatorId, { what: 'automations' });
  for (const connectionId of freed) await deps.deliveriesQueued({ creatorId, connectionId });
}

/** The base that the next check is compared with. */
function rememberedOf(link: queries.WatchedRow, sight: Sight, found: LinkProblem | null) {
  const remembered = {
    firstLook: link.first_look,
    etag: link.etag,
    lastModified: link.last_modified,
    certificateEndsAt: link.certificate_ends_at,
  };
  if (sight.kind !== 'page') return remembered;
  const isGood =
    sight.status >= 200 && sight.status < 300 && (found === null || found === 'slow' || found === 'certificate_ends');
  return {
    firstLook: remembered.firstLook ?? (isGood && sight.text !== null ? readPage(sight.text) : null),
    // A page that says "unchanged" need not say since when once more.
    etag: isGood ? sight.etag : sight.status === 304 ? link.etag : null,
    lastModified: isGood ? sight.lastModified : sight.status === 304 ? link.last_modified : null,
    certificateEndsAt: sight.certificateEndsAt,
  };
}

async function mail(
  deps: GuardDeps,
  trx: Parameters<typeof mailLater>[0],
  link: queries.WatchedRow,
  tells: 'broken' | 'works',
): Promise<void> {
  const { config, clock } = deps;
  const { creator_id: creatorId, mailed_at: mailedAt } = link;
  const now = clock.now();
  const ago = (ms: number) => new Date(now.getTime() - ms);
  let letterTo: (person: { name: string; email: string }) => Mail;
  const about = { url: link.url, automations: await queries.findNames(trx, creatorId, link.id) };
  if (tells === 'works') {
    // Who heard of the break hears of its end.
    if (mailedAt === null || link.broken_since === null || mailedAt < link.broken_since) return;
    letterTo = (person) => linkWorks(person, config.baseUrl, about);
  } else {
    if (mailedAt !== null && mailedAt > ago(ONE_MAIL_PER_LINK_MS)) return;
    if (await queries.wasMailed(trx, creatorId, link.host, ago(ONE_MAIL_PER_HOST_MS))) return;
    const problem = link.problem!;
    letterTo = (person) => linkBroken(person, config.baseUrl, { ...about, problem });
    await queries.noteMailed(trx, link, now);
  }
  for (const person of await findRecipients(trx, creatorId)) await mailLater(trx, deps, letterTo(person));
}

/** Counts how many ask, so that what is sent often is looked at often; and holds back what slipped through meanwhile. */
export async function paceLinks(deps: GuardDeps): Promise<void> {
  const { db, clock, config } = deps;
  if (!config.linkGuard) return;
  const now = clock.now();
  await queries.measureBusy(db, new Date(now.getTime() - HOUR_MS));
  for (const busy of [1, BUSY]) await queries.quicken(db, busy, lookEveryMs(busy));
  for (const creatorId of await queries.findHolding(db)) {
    await db.engine.transaction().execute((trx) => settleHolds(trx, creatorId, now));
  }
  await queries.forgetHosts(db, new Date(now.getTime() - HOUR_MS));
}
