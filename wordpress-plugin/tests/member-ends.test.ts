/** Ends before their day, and keys: what the hub tells the blog counts with the next page. */
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { SIGNATURE_HEADER } from '#contract/outgoing-webhooks.ts';
import { type Blog, startBlog } from './blog.ts';
import { memberToken, SECRET, SIGNING_KEYS } from './fake-hub.ts';

const P = (text: string) => `<!-- wp:paragraph --><p>${text}</p><!-- /wp:paragraph -->`;
let blog: Blog;
let post: number;
let cookie: string;
beforeAll(async () => {
  blog = await startBlog();
  blog.hub.membersAt = `${blog.hub.url}/join/anna/enter`;
  await blog.wordpress.php('CreatorHq\\Connection::register();');
  post = await blog.post('Cake', `${P('Hello')}<!-- wp:creator-hq/gate {"for":"members"} /-->${P('zqmembers')}`);
  cookie = await blog.wordpress.php(`echo CreatorHq\\Gate\\MemberPass::name();`);
});
beforeEach(async () => {
  blog.hub.status = null;
  blog.hub.calls.length = 0;
  blog.hub.words.clear();
  await blog.wordpress.php(
    `CreatorHq\\State::set(array('ask_after' => 0)); update_option('creator_hq_told', array(), true);`,
  );
});
afterAll(async () => {
  expect(await blog.wordpress.complaints()).toEqual([]);
  await blog.close();
});

const now = () => Math.floor(Date.now() / 1000);
const members = (more: object = {}) => ({ at: now(), asksFrom: 0, asks: [], inlineUntil: 0, ...more });
const tell = async (call: object, { key = SIGNING_KEYS[0]!, at = now() } = {}) => {
  const body = JSON.stringify(call);
  const mac = createHmac('sha256', Buffer.from(key, 'base64url')).update(`${at}.${body}`).digest('hex');
  const response = await fetch(`${blog.wordpress.url}/?rest_route=/creator-hq/v1/hub`, {
    ...{ method: 'POST', body },
    headers: { 'content-type': 'application/json', [SIGNATURE_HEADER]: `t=${at},v1=${mac}` },
  });
  return { status: response.status, body: await response.json() };
};
const open = async (token = memberToken()) => {
  const response = await fetch(`${blog.wordpress.url}/wp-json/creator-hq/v1/open`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: `${cookie}=${token}|${SECRET}` },
    body: JSON.stringify({ post }),
  });
  await response.text();
  return response.status;
};

test('who was ended before their day meets the wall with the next page, though their word is fresh', async () => {
  const token = memberToken();
  expect(await open(token)).toBe(200);
  expect(
    await tell({ what: 'members', members: members({ asks: [{ device: 'device1', from: now() + 60 }] }) }),
  ).toEqual({
    status: 200,
    body: { plugin: 'creator-hq', time: expect.any(Number) },
  });
  blog.hub.words.set('device1', null);
  expect(await open(token)).toBe(403);
  expect(blog.hub.calls.map(({ path }) => path)).toEqual(['POST /api/v1/plugin/member-passes/renew']);
  expect(await open(memberToken({ device: 'device2' }))).toBe(200);
});

test('who reads on by something else only gets a new word', async () => {
  await tell({ what: 'members', members: members({ asks: [{ device: 'device1', from: now() + 60 }] }) });
  blog.hub.words.set('device1', memberToken({ askAfter: 3700 }));
  expect(await open()).toBe(200);
  expect(await open(memberToken({ askAfter: 3700 }))).toBe(200);
  expect(blog.hub.calls).toHaveLength(1);
});

test('with the hub away, they stay out', async () => {
  await tell({ what: 'members', members: members({ asksFrom: now() + 60 }) });
  blog.hub.status = 503;
  expect(await open()).toBe(403);
  expect(await open(memberToken({ askAfter: 3700 }))).toBe(200);
});

test('what is older than what is kept changes nothing', async () => {
  await tell({ what: 'members', members: members({ asks: [{ device: 'device1', from: now() + 60 }] }) });
  await tell({ what: 'members', members: members({ at: now() - 60 }) });
  blog.hub.words.set('device1', null);
  expect(await open()).toBe(403);
});

test.each<[string, string, () => Promise<{ status: number; body: unknown }>]>([
  ['without a signature', 'key', async () => tell({ what: 'members' }, { key: '' })],
  ['with another key', 'key', () => tell({ what: 'members' }, { key: Buffer.alloc(32, 9).toString('base64url') })],
  ['six minutes old', 'clock', () => tell({ what: 'members' }, { at: now() - 360 })],
  ['from six minutes ahead', 'clock', () => tell({ what: 'members' }, { at: now() + 360 })],
])('a call %s is refused, and why is said', async (_, refused, call) => {
  expect(await call()).toMatchObject({ status: 403, body: { refused } });
  expect(await open()).toBe(200);
});

test('a new key is fetched, and said to be here; with a key that is dead nothing opens', async () => {
  const [key, old] = SIGNING_KEYS as [string, string];
  const dead = memberToken();
  const fresh = Buffer.alloc(32, 5).toString('base64url');
  SIGNING_KEYS.splice(0, 2, fresh);
  try {
    await tell({ what: 'members', isKeyNew: true, members: members() }, { key });
    const reports = blog.hub.calls.filter(({ path }) => path.endsWith('/register'));
    expect(reports).toHaveLength(2);
    expect(reports[1]!.body.keys).toHaveLength(1);
    expect(await open(dead)).toBe(403);
    expect(await open(memberToken({}, fresh))).toBe(200);
  } finally {
    SIGNING_KEYS.splice(0, 1, key, old);
    await blog.wordpress.php('CreatorHq\\Connection::register();');
  }
});

test('what is kept is loaded with WordPress’s own options', async () => {
  await tell({ what: 'members', members: members() });
  expect(
    await blog.wordpress.php(`echo array_key_exists('creator_hq_told', wp_load_alloptions(true)) ? 'yes' : 'no';`),
  ).toBe('yes');
});
