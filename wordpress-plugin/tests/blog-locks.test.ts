/** Locks of a real WordPress, shown and changed on the hub's screen. */
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeBlogLock, type Lockable, listBlogLocks } from '#contract/locks.ts';
import { SIGNATURE_HEADER } from '#contract/outgoing-webhooks.ts';
import { makeApiKey } from '#contract/settings.ts';
import { createTier } from '#contract/tiers.ts';
import { keysOf } from '#server/features/sites/signing-keys.ts';
import { createGuardedFetch } from '#server/platforms/guarded-fetch.ts';
import { FRIENDS } from '#server/testing/inputs.ts';
import { freePort } from '#server/testing/processes.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';
import { type Blog, connectTo, startBlog } from './blog.ts';

const SECRET = 'Whisk the zqyolks with the sugar.';
const P = (text: string) => `<!-- wp:paragraph --><p>${text}</p><!-- /wp:paragraph -->`;
const fetching = createGuardedFetch({ isAllowed: () => true });

let app: TestApp;
let blog: Blog;
let anna: Person;
let params: { creatorId: string };
let term: number;
let post: number;
beforeAll(async () => {
  const port = await freePort();
  const settings = { FAN_MEMBERSHIPS: 'on', BASE_URL: `http://127.0.0.1:${port}` };
  [app, blog] = await Promise.all([createTestApp({ settings, deps: { fetching } }), startBlog({ isConnected: false })]);
  anna = await app.signUpAndIn();
  params = { creatorId: (await anna.createCreator()).id };
  expect((await anna.call(listBlogLocks, { params, query: {} })).status).toBe(404);
  await anna.call(createTier, { params, body: FRIENDS });
  const { key } = (await anna.call(makeApiKey, { params })).body;
  const hub = await app.app.listen({ port, host: '127.0.0.1' });
  await onTime();
  await blog.wordpress.php(
    `foreach (get_posts(array('numberposts' => -1)) as $post) { wp_delete_post($post->ID, true); }`,
  );
  await blog.wordpress.php(connectTo(hub, key));
  for (let at = 0; at < 8; at++) await blog.post(`Soup ${at}`, P('Soup'));
  post = await blog.post('Cake & cream', `${P('One')}${P('Two')}${P(SECRET)}`);
  term = Number(
    await blog.wordpress.php(
      `$term = wp_insert_term('Sweet & sour', 'category')['term_id']; wp_set_post_categories(${post}, array($term)); echo $term;`,
    ),
  );
});
afterAll(async () => {
  expect(await blog.wordpress.complaints()).toEqual([]);
  await blog.close();
  await app.close();
  await fetching.close();
});

/** The blog's clock is the real one. */
const onTime = () => app.clock.advance(Math.max(0, Date.now() - app.clock.now().getTime()));
async function listed(search?: string): Promise<{ whom: { rule: string; name: string }[]; items: Lockable[] }> {
  await onTime();
  const { status, body } = await anna.call(listBlogLocks, { params, query: search === undefined ? {} : { search } });
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}
async function lock(kind: Lockable['kind'], id: number, rule: string, isSure = false, days?: number) {
  await onTime();
  // Each is later than the one before.
  await app.clock.advance(1);
  return anna.call(changeBlogLock, {
    params,
    body: { kind, id, lock: rule, isSure, ...(days !== undefined && { days }) },
  });
}
const isShut = async () => !(await (await fetch(`${blog.wordpress.url}/?p=${post}`)).text()).includes('zqyolks');

test('a category, then a post of it, is locked and opened from the hub', async () => {
  const { whom, items } = await listed();
  expect(whom.map(({ name }) => name)).toEqual(['Subscribers', 'Readers who enter their email', 'Members']);
  expect(items).toContainEqual({ kind: 'category', id: term, name: 'Sweet & sour', posts: 1, lock: '', days: 0 });
  expect(items.filter(({ kind }) => kind === 'post')).toEqual([]);

  expect((await lock('category', term, 'rest:members')).body).toEqual({ question: null });
  expect(await isShut()).toBe(true);
  expect((await listed()).items.filter(({ kind }) => kind === 'post')).toEqual([
    { kind: 'post', id: post, name: 'Cake & cream', lock: '', holds: 'rest:members', isInText: false },
  ]);

  expect((await lock('category', term, 'rest:members', true, 30)).body).toEqual({ question: null });
  await lock('category', term, 'card:members');
  expect((await listed('Sweet')).items).toMatchObject([{ lock: 'card:members', days: 30 }]);
  await lock('category', term, 'rest:members', true, 0);
  expect((await listed('Sweet')).items).toMatchObject([{ lock: 'rest:members', days: 0 }]);

  await lock('post', post, 'open');
  expect(await isShut()).toBe(false);
  expect((await listed('cake')).items).toMatchObject([{ id: post, lock: 'open', holds: '' }]);
  await lock('post', post, '');
  expect(await isShut()).toBe(true);
  await lock('category', term, '');
  expect(await isShut()).toBe(false);
});

test('locking a third of the blog is asked about first', async () => {
  const uncategorized = (await listed('Uncategorized')).items[0]!;
  const { body } = await lock('category', uncategorized.id, 'rest:members');
  expect(body.question).toMatch(/^This locks 8 of 9 posts/);
  expect((await listed('Uncategorized')).items[0]!.lock).toBe('');
  expect((await lock('category', uncategorized.id, 'rest:members', true)).body).toEqual({ question: null });
  expect((await listed('Uncategorized')).items[0]!.lock).toBe('rest:members');
  await lock('category', uncategorized.id, '');
});

test('what is no lock, nothing of the blog, or comes a second time changes nothing', async () => {
  expect((await lock('post', post, 'rest:nobody')).status).toBe(422);
  expect((await lock('category', 987_654, 'rest:members')).body).toEqual({ question: null });
  expect((await lock('post', 987_654, 'rest:members')).body).toEqual({ question: null });
  await lock('post', post, 'rest:members');
  const { rows } = await app.db.enginePool.query('select * from sites where is_live');
  const at = Math.floor(Date.now() / 1000);
  const replayed = JSON.stringify({ what: 'lock', kind: 'post', id: post, lock: 'open', at: (at - 60) * 1000 });
  const key = Buffer.from(keysOf(app.deps, rows[0])[0]!, 'base64url');
  const mac = createHmac('sha256', key).update(`${at}.${replayed}`).digest('hex');
  const answer = await fetch(`${blog.wordpress.url}/?rest_route=/creator-hq/v1/hub`, {
    ...{ method: 'POST', body: replayed },
    headers: { 'content-type': 'application/json', [SIGNATURE_HEADER]: `t=${at},v1=${mac}` },
  });
  expect(answer.status).toBe(200);
  expect(await isShut()).toBe(true);
  await lock('post', post, '');
});

test('while the blog does not answer, the screen says what to do', async () => {
  await blog.wordpress.wp('plugin', 'deactivate', 'creator-hq');
  const { status, body } = await anna.call(listBlogLocks, { params, query: {} });
  expect(status).toBe(409);
  expect(body.detail).toContain('In WordPress, turn on and update the Creator HQ plugin.');
  await blog.wordpress.wp('plugin', 'activate', 'creator-hq');
});
