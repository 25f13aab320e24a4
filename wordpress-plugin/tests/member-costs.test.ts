/// <reference lib="dom" />
/**
 * What memberships cost a page: no call, hardly a query, hardly a byte. The time is printed, not asserted.
 *
 *     LOADS=50 npx vitest run --config vitest.wordpress.config.ts member-costs
 */
import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '#e2e/browser.ts';
import { type Blog, startBlog } from './blog.ts';
import { memberToken, SECRET } from './fake-hub.ts';

/** Of each of two pages, in turns. */
const LOADS = Number(process.env.LOADS ?? 9);
const P = (text: string) => `<!-- wp:paragraph --><p>${text}</p><!-- /wp:paragraph -->`;
const GATE = '<!-- wp:creator-hq/gate {"for":"members"} /-->';
/** Asked for so, a page is drawn by a WordPress that does not know the plugin. */
const WITHOUT = '?without-creator-hq=1';

let blog: Blog;
let browser: Browser;
let member: string;
beforeAll(async () => {
  [blog, browser] = await Promise.all([startBlog(), launchBrowser()]);
  blog.hub.membersAt = `${blog.hub.url}/join/anna/enter`;
  blog.hub.joinAt = `${blog.hub.url}/join/anna`;
  await blog.wordpress.php('CreatorHq\\Connection::register();');
  const filter = `<?php add_filter('option_active_plugins', fn($all) => isset($_GET['without-creator-hq']) ? array_filter($all, fn($one) => false === strpos($one, 'creator-hq/')) : $all);`;
  await blog.wordpress.php(
    `wp_mkdir_p(WPMU_PLUGIN_DIR); file_put_contents(WPMU_PLUGIN_DIR . '/without.php', base64_decode('${Buffer.from(filter).toString('base64')}'));`,
  );
  await blog.post('Open cake', P('Hello') + P('zqopen'));
  await blog.post('Locked cake', `${P('Hello')}${GATE}${P('zqlocked')}`);
  const cookie = await blog.wordpress.php(`echo CreatorHq\\Gate\\MemberPass::name();`);
  member = `${cookie}=${memberToken()}|${SECRET}; chq_member=9999999999`;
});
afterAll(async () => {
  await browser.close();
  expect(await blog.wordpress.complaints()).toEqual([]);
  await blog.close();
});

/** Draws both pages in turns. @returns of each the median of queries, files and milliseconds, all calls, and the bytes of its HTML */
async function compare(one: [path: string, cookie: string], other: [path: string, cookie: string]) {
  const bytes = [0, 0];
  for (const [path, cookie] of [one, other])
    await (await fetch(blog.wordpress.url + path, { headers: { cookie } })).text();
  await blog.wordpress.requests();
  for (let load = 0; load < LOADS * 2; load++) {
    const [path, cookie] = load % 2 === 0 ? one : other;
    const html = await (await fetch(blog.wordpress.url + path, { headers: { cookie } })).text();
    bytes[load % 2] = Buffer.byteLength(html.replaceAll(WITHOUT, ''));
  }
  const seen = await blog.wordpress.requests();
  expect(seen).toHaveLength(LOADS * 2);
  return [0, 1].map((turn) => {
    const requests = seen.filter((_, load) => load % 2 === turn);
    const median = (of: 'queries' | 'files' | 'ms') =>
      requests.map((request) => request[of]).toSorted((a, b) => a - b)[Math.floor(LOADS / 2)]!;
    const calls = requests.flatMap((request) => request.calls);
    return { queries: median('queries'), ms: median('ms'), calls, bytes: bytes[turn]! };
  }) as [Drawn, Drawn];
}
type Drawn = { queries: number; ms: number; calls: string[]; bytes: number };

test('a page of a stranger is as quick as without the plugin, and hardly longer', async () => {
  const [withIt, without] = await compare(['/open-cake/', ''], [`/open-cake/${WITHOUT}`, '']);
  expect(withIt.calls).toEqual([]);
  expect(withIt.queries).toBe(without.queries);
  expect(withIt.bytes - without.bytes).toBeLessThanOrEqual(1536);
  console.log(
    `An open post with the plugin against without: PHP ${(withIt.ms / without.ms).toFixed(3)} times, ${withIt.bytes - without.bytes} bytes more.`,
  );
});

test.each([
  ['an open', '/open-cake/', 0],
  ['a locked', '/locked-cake/', 1],
] as const)('a fresh word calls no one on %s post', async (_, path, most) => {
  const [reads, without] = await compare([path, member], [path + WITHOUT, member]);
  expect(reads.calls).toEqual([]);
  expect(reads.queries - without.queries).toBeLessThanOrEqual(most);
  console.log(
    `A member at ${path}: ${reads.queries} queries against ${without.queries}, PHP ${(reads.ms / without.ms).toFixed(3)} times.`,
  );
});

test('a page asks for nothing more of a stranger, and once of a member, when it is there', async () => {
  for (const [cookies, most] of [
    [[], 0],
    [member.split('; '), 1],
  ] as const) {
    await using context = await browser.newContext();
    await context.addCookies(
      cookies.map((one) => ({
        name: one.split('=')[0]!,
        value: one.slice(one.indexOf('=') + 1),
        url: blog.wordpress.url,
      })),
    );
    const asked: string[] = [];
    const page = await context.newPage();
    page.on('request', (request) => {
      if (/creator-hq|admin-ajax/.test(request.url()) && request.resourceType() !== 'script') asked.push(request.url());
    });
    await page.goto(`${blog.wordpress.url}/locked-cake/`, { waitUntil: 'networkidle' });
    expect(asked.length, asked.join()).toBe(most);
    expect((await page.content()).includes('zqlocked')).toBe(most === 1);
  }
});
