/**
 * Proof that the lock of a blog holds: a locked post is fetched as a stranger, as a member and as a stranger again, by the blog's public address and so
 * through its caches. A member's page has a made-up marker in the place of what is locked. Only where that reaches every member and no stranger may the
 * plugin write locked parts into pages (`inline`). The one writer of `site_probes`.
 */
import { createHash, randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import type { Finding } from '#contract/locks.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import { later, type QueuedJob } from '#server/db/jobs.ts';
import type { JobDeps } from '#server/features/app-deps.ts';
import { keysOf } from '#server/features/sites/signing-keys.ts';
import { callSite } from '#server/features/sites/site-calls.ts';
import { isOfSite } from '#server/features/sites/site-place.ts';
import { findSite, type SiteRow } from '#server/features/sites/sites.ts';
import { probeToken } from './tokens.ts';
import { tellSite } from './word-ends.ts';

type ProbingDeps = Pick<JobDeps, 'db' | 'clock' | 'keys' | 'fetching' | 'live' | 'ids'>;

const DAY_MS = 86_400_000;
const TIMEOUT_MS = 20_000;
const MOST_BYTES = 4 * 1024 * 1024;
/** What the plugin says of a locked post: see `Probe.php`. */
const Sample = z.object({
  post: z.nullable(
    z.object({
      id: z.int(),
      url: z.url(),
      title: z.string(),
      words: z.int(),
      /** So many words in a row make a run. */
      runWords: z.int().check(z.minimum(1), z.maximum(20)),
      /** Of what is locked, hashed. */
      runs: z.array(z.string()),
      /** The creator lets search engines read the recipe. */
      isForSearch: z.boolean(),
    }),
  ),
  cookie: z.string(),
  openAt: z.url(),
  /** Where it is opened while something keeps REST shut. */
  ajaxAt: z.optional(z.url()),
});
type Sampled = NonNullable<z.infer<typeof Sample>['post']>;

type Result = {
  finding: Finding;
  shows: 'inline' | 'fragment';
  pageUrl: string | null;
  words: number;
  seen: number;
  ways: number;
  leaks: string[];
  membersSee: boolean;
  cache: string | null;
};
const NOTHING = {
  ...{ shows: 'fragment' as const, pageUrl: null, words: 0, seen: 0, ways: 0 },
  ...{ leaks: [], membersSee: false, cache: null },
};

export const probeSite: QueuedJob<ProbingDeps, { creatorId: string; siteId: string }> = {
  name: 'probe-site',
  payload: z.object({ creatorId: z.string(), siteId: z.string() }),
  atOnce: 4,
  run: async (deps, { creatorId, siteId }) => {
    const site = await findSite(deps, { creatorId, siteId });
    if (site === null) return;
    await keep(deps, site, await look(deps, site));
    deps.live.publish(creatorId, { what: 'account' });
  },
};

/** Live blogs with something locked that were not looked at for a day. */
export async function sitesToProbe({ db, clock }: Pick<ProbingDeps, 'db' | 'clock'>) {
  const rows = await db.engine
    .selectFrom('sites as s')
    .leftJoin('site_probes as p', (join) =>
      join.onRef('p.creator_id', '=', 's.creator_id').onRef('p.site_id', '=', 's.id'),
    )
    .select(['s.creator_id', 's.id'])
    .where('s.kind', '=', 'wordpress')
    .where('s.is_live', '=', true)
    .where('s.posts_locked', '>', 0)
    .where((eb) =>
      eb.or([eb('p.probed_at', 'is', null), eb('p.probed_at', '<', new Date(clock.now().getTime() - DAY_MS))]),
    )
    .execute();
  return rows.map(({ creator_id, id }) => ({ creatorId: creator_id, siteId: id }));
}

async function look(deps: ProbingDeps, site: SiteRow): Promise<Result> {
  const told = await callSite(deps, site, { what: 'sample' });
  if (told.trouble !== null) return { ...NOTHING, finding: told.trouble };
  const sample = Sample.safeParse(told.body);
  const [key] = keysOf(deps, site);
  if (!sample.success || key === undefined) return { ...NOTHING, finding: 'no_plugin' };
  const { post, cookie, openAt, ajaxAt } = sample.data;
  if (post === null) return { ...NOTHING, finding: 'nothing_locked', membersSee: true };
  if (!isOfSite(site, post.url) || !isOfSite(site, openAt)) return { ...NOTHING, finding: 'no_plugin' };

  const marker = `chqprobe${randomBytes(10).toString('hex')}`;
  const now = deps.clock.now();
  const token = probeToken(Buffer.from(key, 'base64url'), { device: deps.ids.uuid(now), marker, now });
  const member = { cookie: `${cookie}=${token}|${randomBytes(32).toString('base64url')}` };
  const page = (url: string, headers: Record<string, string> = {}) => fetchPage(deps, { url, method: 'GET', headers });
  const openBy = (url: string, body: string, headers: Record<string, string>) =>
    fetchPage(deps, { url, method: 'POST', body, headers });
  // As the script of a page does it.
  const open = async (headers: Record<string, string> = {}) => {
    const byRest = await openBy(openAt, JSON.stringify({ post: post.id }), {
      ...{ 'content-type': 'application/json', ...headers },
    });
    if (ajaxAt === undefined || !isOfSite(site, ajaxAt) || /"result":"(open|locked)"/.test(byRest.text)) return byRest;
    const fields = new URLSearchParams({ action: 'creator_hq_open', post: String(post.id) });
    return openBy(ajaxAt, fields.toString(), { 'content-type': 'application/x-www-form-urlencoded', ...headers });
  };

  // What caches keep of the page itself is the stranger's; of another address of it, what a member sees.
  const fresh = withQuery(post.url, { chq: randomBytes(6).toString('hex') });
  const first = await page(post.url);
  const forMember = [await page(post.url, member), await page(fresh, member)];
  const opened = await open(member);
  const strangers = [
    { way: 'the page', answer: first },
    { way: 'the page after a member', answer: await page(post.url) },
    { way: 'the page with a query after a member', answer: await page(fresh) },
    { way: 'a POST to the page', answer: await fetchPage(deps, { url: post.url, method: 'POST', headers: {} }) },
    { way: 'what a member’s page loads', answer: await open() },
    { way: 'the feed', answer: await page(withQuery(site.url, { feed: 'rss2' })) },
    { way: 'the REST API', answer: await page(withQuery(site.url, { rest_route: `/wp/v2/posts/${post.id}` })) },
    { way: 'the search', answer: await page(withQuery(site.url, { s: post.title })) },
    { way: 'the print view', answer: await page(withQuery(post.url, { print: '1' })) },
    { way: 'AMP', answer: await page(withQuery(post.url, { amp: '1' })) },
  ];
  const leaks = strangers
    .map(({ way, answer }) => ({ way, runs: runsSeen(answer.text, post) }))
    .filter(({ runs }) => runs > 0);
  const most = Math.max(0, ...leaks.map(({ runs }) => runs));
  const about = {
    ...{ pageUrl: post.url, words: post.words, ways: strangers.length, leaks: leaks.map(({ way }) => way) },
    seen: most === 0 ? 0 : Math.min(post.words, most + post.runWords - 1),
    membersSee: opened.text.includes(marker),
    cache: cacheOf([first, ...strangers.map(({ answer }) => answer)]),
    shows: 'fragment' as const,
  };
  if (leaks.length > 0) return { ...about, finding: 'strangers_see' };
  if (!about.membersSee) return { ...about, finding: first.status === null ? 'unreachable' : 'members_walled' };
  if (strangers.some(({ answer }) => answer.text.includes(marker))) return { ...about, finding: 'cache_keeps_members' };
  // A page that did not come has no part of a member's in it, and proves nothing.
  if (strangers.slice(0, 3).some(({ answer }) => answer.status !== 200)) return { ...about, finding: 'unreachable' };
  const isInEach = forMember.every(({ text }) => text.includes(marker));
  return isInEach
    ? { ...about, finding: 'all_right', shows: 'inline' }
    : { ...about, finding: 'cache_ignores_cookies' };
}

async function keep(deps: ProbingDeps, site: SiteRow, { pageUrl, membersSee, ...result }: Result): Promise<void> {
  const { db, clock } = deps;
  const row = { ...result, probed_at: clock.now(), page_url: pageUrl, members_see: membersSee };
  await db.engine
    .insertInto('site_probes')
    .values({ creator_id: site.creator_id, site_id: site.id, ...row })
    .onConflict((conflict) => conflict.columns(['creator_id', 'site_id']).doUpdateSet(row))
    .execute();
  await later(db.engine, deps, tellSite, { creatorId: site.creator_id, siteId: site.id });
}

type Page = { status: number | null; text: string; headers: Record<string, string> };

async function fetchPage(
  { fetching }: ProbingDeps,
  request: { url: string; method: 'GET' | 'POST'; headers: Record<string, string>; body?: string },
): Promise<Page> {
  const headers = { 'user-agent': 'Mozilla/5.0 (compatible; Creator-HQ/1)', ...request.headers };
  const answer = await fetching.request({ ...request, headers, timeoutMs: TIMEOUT_MS, maxBytes: MOST_BYTES });
  return answer.kind === 'answer' ? answer : { status: null, text: '', headers: {} };
}

function withQuery(url: string, query: Record<string, string>): string {
  const to = new URL(url);
  for (const [name, value] of Object.entries(query)) to.searchParams.set(name, value);
  return to.href;
}

/** How many runs of what is locked stand in a text, however it is marked up. */
function runsSeen(text: string, { runs, runWords, isForSearch }: Sampled): number {
  const locked = new Set(runs);
  const read = isForSearch ? text.replaceAll(/<script\b[^>]*ld\+json[^>]*>.*?<\/script>/gis, ' ') : text;
  const words = wordsOf(read);
  const seen = new Set<string>();
  for (let at = 0; at + runWords <= words.length; at++) {
    const hash = createHash('sha256')
      .update(words.slice(at, at + runWords).join(' '))
      .digest('hex')
      .slice(0, 16);
    if (locked.has(hash)) seen.add(hash);
  }
  return seen.size;
}

const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** As `Probe.php` does it; texts of JSON have their escapes. */
function wordsOf(text: string): string[] {
  return text
    .replaceAll(/\\u([0-9a-f]{4})/gi, (_, hex) => String.fromCodePoint(Number.parseInt(hex, 16)))
    .replaceAll(/\\[nrt/]/g, (found) => (found === '\\/' ? '/' : ' '))
    .replaceAll(/<[^<>]*>/g, ' ')
    .replaceAll(/&(?:#(\d{1,6})|#x([0-9a-f]{1,5})|([a-z]{2,6}));/gi, (all, decimal, hex, name) => {
      if (name !== undefined) return NAMED[name] ?? all;
      return String.fromCodePoint(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal));
    })
    .replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

const CACHE_HEADERS = [
  'cf-cache-status',
  'x-litespeed-cache',
  'x-kinsta-cache',
  'x-proxy-cache',
  'x-varnish',
  'x-cache',
];

/** As an answer names it: `x-cache: HIT`. */
function cacheOf(pages: Page[]): string | null {
  for (const name of CACHE_HEADERS) {
    const said = pages.map(({ headers }) => headers[name]).find((value) => value !== undefined);
    if (said !== undefined) return `${name}: ${said.slice(0, 60)}`;
  }
  const comment = pages.map(
    ({ text }) => /<!--[^>]*(WP Super Cache|WP Rocket|W3 Total Cache|WP Fastest Cache)/i.exec(text)?.[1],
  );
  return comment.find((name) => name !== undefined) ?? null;
}

/** Somebody waits for a look. */
export async function noteChecking(
  { clock }: Pick<ProbingDeps, 'clock'>,
  trx: CreatorTransaction,
  { creatorId, siteId }: { creatorId: string; siteId: string },
): Promise<void> {
  await trx
    .updateTable('sites')
    .set({ checks_from: clock.now() })
    .where('creator_id', '=', creatorId)
    .where('id', '=', siteId)
    .execute();
}
