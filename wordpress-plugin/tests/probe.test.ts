/** The hub looks at a locked post of a real WordPress, through the caches of hosts, and says how locked parts are shown. */
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkLocks, getLocks, replaceSiteKey } from '#contract/locks.ts';
import { endGivenPass, givePass } from '#contract/members.ts';
import { makeApiKey } from '#contract/settings.ts';
import { createTier } from '#contract/tiers.ts';
import type { JobDeps } from '#server/features/app-deps.ts';
import { grantKnown } from '#server/features/fans/entering.ts';
import { probeSite } from '#server/features/fans/probe.ts';
import { tellSite } from '#server/features/fans/word-ends.ts';
import { beginYearlyChanges } from '#server/features/sites/signing-keys.ts';
import { runDue } from '#server/jobs/run-jobs.ts';
import { createGuardedFetch } from '#server/platforms/guarded-fetch.ts';
import { FRIENDS } from '#server/testing/inputs.ts';
import { type CacheKind, ensureNginx, startCache } from '#server/testing/nginx.ts';
import { freePort } from '#server/testing/processes.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';
import { type Blog, connectTo, startBlog } from './blog.ts';

const P = (text: string) => `<!-- wp:paragraph --><p>${text}</p><!-- /wp:paragraph -->`;
const SECRET_TEXT = 'Whisk the zqyolks with the sugar until they are pale and thick.';
const hasNginx = ensureNginx();
const guarded = createGuardedFetch({ isAllowed: () => true });

let app: TestApp;
let blog: Blog;
let anna: Person;
let params: { creatorId: string };
let post: number;
let tierId: string;
beforeAll(async () => {
  const port = await freePort();
  const settings = { FAN_MEMBERSHIPS: 'on', BASE_URL: `http://127.0.0.1:${port}` };
  [app, blog] = await Promise.all([createTestApp({ settings }), startBlog({ isConnected: false })]);
  anna = await app.signUpAndIn();
  params = { creatorId: (await anna.createCreator()).id };
  tierId = (await anna.call(createTier, { params, body: FRIENDS })).body.id;
  expect((await anna.call(getLocks, { params })).body).toEqual({ site: null });
  expect((await anna.call(checkLocks, { params })).status).toBe(404);
  const { key } = (await anna.call(makeApiKey, { params })).body;
  const hub = await app.app.listen({ port, host: '127.0.0.1' });
  await onTime();
  post = await blog.post('Cake', `${P('Hello')}<!-- wp:creator-hq/gate {"for":"members"} /-->${P(SECRET_TEXT)}`);
  await blog.wordpress.php(connectTo(hub, key));
});
afterAll(async () => {
  expect(await blog.wordpress.complaints()).toEqual([]);
  await blog.close();
  await app.close();
  await guarded.close();
});

/** The blog's clock is the real one. */
const onTime = () => app.clock.advance(Math.max(0, Date.now() - app.clock.now().getTime()));
const locks = async () => (await anna.call(getLocks, { params })).body.site;
/** @param at where readers reach the blog */
async function look(at = blog.wordpress.url) {
  await onTime();
  expect((await anna.call(checkLocks, { params })).body.site.isChecking).toBe(true);
  const request: typeof guarded.request = (one) =>
    guarded.request({ ...one, url: one.url.replace(blog.wordpress.url, at) });
  const deps = { ...app.deps, fetching: { ...guarded, request } } as unknown as JobDeps;
  while ((await runDue([probeSite, tellSite], deps)) > 0);
  const site = await locks();
  expect(site.isChecking).toBe(false);
  return site.probe;
}
const isInline = () => blog.wordpress.php(`echo CreatorHq\\Gate\\Told::is_inline() ? 'yes' : 'no';`);

test('without a cache locked parts are written into members’ pages, and no word reaches a stranger', async () => {
  expect(await locks()).toMatchObject({ posts: { locked: 1, all: 2 }, isAway: false, probe: null });
  expect(await look()).toMatchObject({
    ...{ finding: 'all_right', shows: 'inline', words: 12, seen: 0, ways: 10, leaks: [], membersSee: true },
    pageUrl: `${blog.wordpress.url}/cake/`,
  });
  expect(await isInline()).toBe('yes');
});

test('with REST switched off by another plugin, members read on the other way, and the hub takes it, too', async () => {
  const plugin = path.join(blog.wordpress.folder, 'wp-content/mu-plugins/no-rest.php');
  const off = `add_filter('rest_authentication_errors', fn($error) => is_user_logged_in() ? $error : new WP_Error('rest_disabled', 'Off.', array('status' => 401)));`;
  await writeFile(plugin, `<?php ${off}`);
  expect(await look()).toMatchObject({ finding: 'all_right', membersSee: true, seen: 0, leaks: [] });
  const [{ rest_is_off }] = (await app.db.enginePool.query('select rest_is_off from sites where is_live')).rows;
  expect(rest_is_off).toBe(true);
  await rm(plugin);
  expect(await look()).toMatchObject({ finding: 'all_right' });
  expect((await app.db.enginePool.query('select rest_is_off from sites where is_live')).rows).toEqual([
    { rest_is_off: false },
  ]);
});

test('a sentence that stands under an open post, too, is no secret', async () => {
  const usual = P('If you make this please leave a comment and a rating below, and tell me how it went.');
  const gate = '<!-- wp:creator-hq/gate {"for":"members"} /-->';
  const tart = await blog.post(
    'Tart',
    `${P('Hello')}${gate}${P('Bake the zqtart until the edges are golden and the middle is set.')}${usual}`,
  );
  const toast = await blog.post('Toast', `${P('Hello')}${usual}`);
  expect(await look()).toMatchObject({ finding: 'all_right', seen: 0, pageUrl: `${blog.wordpress.url}/tart/` });
  await blog.wordpress.php(`wp_delete_post(${tart}, true); wp_delete_post(${toast}, true);`);
});

const BEHIND: [CacheKind, string][] = [
  ['heeds_cookies', 'inline'],
  ['ignores_cookies', 'fragment'],
  ['ignores_queries', 'fragment'],
  ['heeds_cookies', 'inline'],
];
test.runIf(hasNginx)('the way follows the cache, and goes back at the next look when that is turned bad', async () => {
  for (const [kind, shows] of BEHIND) {
    await using stopping = new AsyncDisposableStack();
    const cache = await startCache(kind, blog.wordpress.url);
    stopping.defer(() => cache.close());
    const found = await look(cache.url);
    expect(found, kind).toMatchObject({ shows, seen: 0, membersSee: true, cache: expect.stringMatching(/^x-cache: /) });
    expect(await isInline(), kind).toBe(shows === 'inline' ? 'yes' : 'no');
    // No cache keeps anything of the look where readers come.
    expect(await (await fetch(`${cache.url}/cake/`)).text()).not.toMatch(/chqprobe|zqyolks/);
  }
});

test('a plugin that shows the text past the lock is found, with the ways in', async () => {
  await blog.wordpress.php(
    `wp_mkdir_p(WPMU_PLUGIN_DIR); file_put_contents(WPMU_PLUGIN_DIR . '/leak.php', '<?php add_action("wp_footer", function () { if (is_single()) { global $wpdb; echo "<div>", $wpdb->get_var("select post_content from {$wpdb->posts} where ID = ${post}"), "</div>"; } });');`,
  );
  const found = await look();
  expect(found).toMatchObject({ finding: 'strangers_see', shows: 'fragment', seen: 12, words: 12 });
  expect(found.leaks).toContain('the page');
  expect(found.leaks).not.toContain('the feed');
  await blog.wordpress.php(`unlink(WPMU_PLUGIN_DIR . '/leak.php');`);
});

test('where POST is stopped both ways, members are said to get nothing', async () => {
  const request: typeof guarded.request = async (one) =>
    /\/open|admin-ajax/.test(one.url)
      ? guarded.request({ ...one, url: `${blog.wordpress.url}/none/` })
      : guarded.request(one);
  await onTime();
  await anna.call(checkLocks, { params });
  await runDue([probeSite], { ...app.deps, fetching: { ...guarded, request } } as unknown as JobDeps);
  expect((await locks()).probe).toMatchObject({ finding: 'members_walled', shows: 'fragment', membersSee: false });
});

test('other plugins or another theme make the hub look again', async () => {
  expect(await look()).toMatchObject({ shows: 'inline' });
  const waiting = async () =>
    (await app.db.enginePool.query(`select from jobs where name = 'probe-site' and lease_id is null`)).rows.length;
  expect(await waiting()).toBe(0);
  await blog.wordpress.wp('plugin', 'deactivate', 'fake-create');
  await blog.wordpress.php(`do_action('creator_hq_stack');`);
  expect(await waiting()).toBe(1);
});

test('with the plugin off, and with another key, it is said so', async () => {
  await app.db.enginePool.query('update sites set signing_key = null, old_signing_key = null');
  expect((await look()).finding).toBe('key');
  await blog.wordpress.php('CreatorHq\\Connection::register();');
  expect((await look()).finding).toBe('all_right');
  await blog.wordpress.wp('plugin', 'deactivate', 'creator-hq');
  expect((await look()).finding).toBe('no_plugin');
  await blog.wordpress.wp('plugin', 'activate', 'creator-hq');
});

const tellBlog = async () => {
  while ((await runDue([tellSite], { ...app.deps, fetching: guarded } as unknown as JobDeps)) > 0);
};
/** As the script of a page does it. */
const read = async (cookie: string) => {
  const headers = { 'content-type': 'application/json', cookie };
  const body = JSON.stringify({ post });
  return (await fetch(`${blog.wordpress.url}/wp-json/creator-hq/v1/open`, { method: 'POST', headers, body })).text();
};

/** @returns the member, and what their browser sends to the blog */
async function enter(email: string): Promise<{ memberId: string; cookie: string }> {
  const body = { email, tierId, days: null, note: '' };
  const { contactId: memberId } = (await anna.call(givePass, { params, body })).body;
  const left = await fetch(`${blog.wordpress.url}/?creator-hq=enter`, {
    ...{ method: 'POST', redirect: 'manual', body: new URLSearchParams({ to: '/cake/' }) },
  });
  const asked = new URL(left.headers.get('location')!).searchParams;
  const begun = { siteId: asked.get('site')!, start: asked.get('start')!, to: '/cake/', goesByPath: true };
  const back = await app.db.withCreator(params.creatorId, (trx) =>
    grantKnown(app.deps, trx, { ...params, contactId: memberId, begun }),
  );
  const entered = await fetch(back!, {
    redirect: 'manual',
    headers: { cookie: left.headers.getSetCookie()[0]!.split(';')[0]! },
  });
  const pass = entered.headers.getSetCookie().find((one) => one.startsWith('wp-postpass_chq_'))!;
  return { memberId, cookie: pass.split(';')[0]! };
}

test('keys are changed while a hundred browsers read: none is asked to enter again; after “My site was hacked” all are', {
  timeout: 240_000,
}, async () => {
  const keys = () => blog.wordpress.php(`echo implode(',', CreatorHq\\Forms\\Store::fingerprints());`);
  // What the plugin did not hear while it was off comes again.
  await onTime();
  await app.clock.advance(60_000);
  await tellBlog();
  const browsers: string[] = [];
  for (let at = 0; at < 100; at++) browsers.push((await enter(`reader${at % 20}@example.test`)).cookie);
  const reading = async () => {
    let readers = 0;
    for (const cookie of browsers) readers += Number((await read(cookie)).includes('zqyolks'));
    return readers;
  };
  expect(await reading()).toBe(100);

  const atFirst = await keys();
  await app.db.enginePool.query(`update sites set key_made_at = key_made_at - interval '366 days'`);
  await beginYearlyChanges(app.deps);
  await blog.register();
  const both = await keys();
  expect(both.split(',')).toHaveLength(2);
  expect(both).toContain(atFirst);
  expect(await reading()).toBe(100);

  expect((await anna.call(replaceSiteKey, { params })).status).toBe(200);
  await tellBlog();
  const after = await keys();
  expect(after).toMatch(/^[\w-]{16}$/);
  expect(both).not.toContain(after);
  expect((await app.db.enginePool.query('select dead_signing_key from sites')).rows).toEqual([
    { dead_signing_key: null },
  ]);
  expect(await reading()).toBe(0);
  expect(await read((await enter('reader0@example.test')).cookie)).toContain('zqyolks');
  expect((await look()).finding).toBe('all_right');
});

test('a membership that is taken back meets the wall with the next page', async () => {
  const { memberId, cookie } = await enter('rosa@example.test');
  expect(await read(cookie)).toContain('zqyolks');
  expect((await anna.call(endGivenPass, { params: { ...params, memberId } })).status).toBe(200);
  await tellBlog();
  expect(await read(cookie)).not.toContain('zqyolks');
});
