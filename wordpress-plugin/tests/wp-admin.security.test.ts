import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Blog, connectTo, logIn, quoted, startBlog } from './blog.ts';
import { KEY } from './fake-hub.ts';

const ROLES = ['administrator', 'editor', 'subscriber'] as const;
let blog: Blog;
const cookies: Record<string, string> = { stranger: '' };

beforeAll(async () => {
  blog = await startBlog();
  for (const role of ROLES) cookies[role] = await logIn(blog, role);
});
beforeEach(async () => {
  await blog.wordpress.php(connectTo(blog.hub.url));
});
afterAll(async () => {
  expect(await blog.wordpress.complaints()).toEqual([]);
  await blog.close();
});

const url = () => blog.wordpress.url;
const get = async (role: string, path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(`${url()}${path}`, {
    headers: { cookie: cookies[role]!, ...headers },
    redirect: 'manual',
  });
  return { status: response.status, text: await response.text() };
};
const post = async (role: string, path: string, body: Record<string, string>) => {
  const response = await fetch(`${url()}${path}`, {
    method: 'POST',
    headers: { cookie: cookies[role]! },
    body: new URLSearchParams(body),
    redirect: 'manual',
  });
  return { status: response.status, text: await response.text() };
};
const settings = async () =>
  JSON.parse(await blog.wordpress.php(`echo json_encode(get_option('creator_hq_connection'));`));
const page = () => get('administrator', '/wp-admin/options-general.php?page=creator-hq').then(({ text }) => text);
/** The nonce of the form whose hidden field has this value. */
const nonceOf = (html: string, value: string) =>
  new RegExp(`value=["']${value}["'][\\s\\S]*?name="_wpnonce" value="(\\w+)"`).exec(html)![1]!;
const restNonce = async (role: string) =>
  /wpApiSettings = \{[^}]*"nonce":"(\w+)"/.exec((await get(role, '/wp-admin/profile.php')).text)?.[1] ??
  (await get(role, '/wp-admin/admin-ajax.php?action=rest-nonce')).text;

describe('who may read what the plugin answers', () => {
  test.each([
    ['stranger', '/forms', 401],
    ['subscriber', '/forms', 403],
    ['editor', '/forms', 200],
    ['administrator', '/forms', 200],
    ['stranger', '/health', 401],
    ['subscriber', '/health', 403],
    ['editor', '/health', 403],
    ['administrator', '/health', 200],
  ])('%s asks %s: %s', async (role, path, status) => {
    const nonce: Record<string, string> = role === 'stranger' ? {} : { 'x-wp-nonce': await restNonce(role) };
    const answer = await get(role, `/wp-json/creator-hq/v1${path}`, nonce);
    expect(answer.status).toBe(status);
    expect(answer.text).not.toContain(KEY);
  });

  test('an editor without the nonce of WordPress is a stranger', async () => {
    expect((await get('editor', '/wp-json/creator-hq/v1/forms')).status).toBe(401);
    expect((await get('editor', '/wp-json/creator-hq/v1/forms', { 'x-wp-nonce': 'wrong' })).status).toBe(403);
  });

  test('the list of forms has no texts and no keys for stamps in it', async () => {
    const { text } = await get('editor', '/wp-json/creator-hq/v1/forms', { 'x-wp-nonce': await restNonce('editor') });
    expect(JSON.parse(text)).toEqual([
      { key: 'SaveFormSaveFormSaveF1', kind: 'save', name: 'Save a recipe' },
      { key: 'SignUpFormSignUpFormS1', kind: 'signup', name: 'Sign up' },
    ]);
  });

  test.each(['stranger', 'subscriber', 'editor', 'administrator'])('%s submits only with a stamp', async (role) => {
    const response = await fetch(`${url()}/wp-json/creator-hq/v1/submit`, {
      method: 'POST',
      headers: { cookie: cookies[role]!, 'content-type': 'application/json' },
      body: '{"email":"a@b.example"}',
    });
    await response.text();
    expect(response.status).toBe(400);
    expect(blog.hub.submissions).toEqual([]);
  });

  test.each(['GET', 'PUT', 'DELETE'])('%s of the address for submissions changes nothing', async (method) => {
    const response = await fetch(`${url()}/wp-json/creator-hq/v1/submit`, { method });
    await response.text();
    expect(response.status).toBe(404);
  });

  test('a GET of the native address shows the blog', async () => {
    expect((await get('stranger', '/?creator-hq=submit')).status).toBe(200);
  });
});

describe('settings', () => {
  const changed = { 'creator_hq_connection[hub]': 'https://evil.example', 'creator_hq_connection[key]': '' };

  test.each(['stranger', 'subscriber', 'editor'])('%s neither sees nor changes them', async (role) => {
    const nonce = nonceOf(await page(), 'creator_hq_connection');
    expect((await get(role, '/wp-admin/options-general.php?page=creator-hq')).text).not.toContain('creator-hq-key');
    const body = { option_page: 'creator_hq_connection', action: 'update', _wpnonce: nonce, ...changed };
    await post(role, '/wp-admin/options.php', body);
    await post(role, '/wp-admin/admin-post.php', { action: 'creator_hq_check', _wpnonce: nonce });
    expect(await settings()).toEqual({ hub: blog.hub.url, key: KEY });
  });

  test('a wrong nonce changes nothing, and checks nothing', async () => {
    blog.hub.calls.length = 0;
    const body = { option_page: 'creator_hq_connection', action: 'update', _wpnonce: 'wrong', ...changed };
    expect((await post('administrator', '/wp-admin/options.php', body)).status).toBe(403);
    const check = { action: 'creator_hq_check', _wpnonce: 'wrong' };
    expect((await post('administrator', '/wp-admin/admin-post.php', check)).status).toBe(403);
    expect(await settings()).toEqual({ hub: blog.hub.url, key: KEY });
    expect(blog.hub.calls).toEqual([]);
  });

  test('a saved key is never shown again but its last four, and is not loaded with pages', async () => {
    const html = await page();
    expect(html).not.toContain(KEY);
    expect(html).toContain(`A key that ends in ${KEY.slice(-4)} is saved.`);
    const autoload = await blog.wordpress.php(
      `echo json_encode(array_intersect_key(wp_load_alloptions(true), array_flip(array('creator_hq_connection', 'creator_hq_printed', 'creator_hq_state'))));`,
    );
    expect(autoload).toBe('[]');
  });

  test('a key that is pasted registers at once and shows who it is; left empty it stays', async () => {
    await blog.wordpress.php(`update_option('creator_hq_connection', array(), false);`);
    blog.hub.calls.length = 0;
    const save = async (hub: string, key: string) =>
      post('administrator', '/wp-admin/options.php', {
        ...{ option_page: 'creator_hq_connection', action: 'update' },
        _wpnonce: nonceOf(await page(), 'creator_hq_connection'),
        ...{ 'creator_hq_connection[hub]': hub, 'creator_hq_connection[key]': key },
      });
    await save(`${blog.hub.url}/`, ` ${KEY} `);
    expect(blog.hub.calls[0]).toMatchObject({
      path: 'POST /api/v1/plugin/register',
      authorization: `Bearer ${KEY}`,
      body: {
        pluginVersion: '0.1.0',
        siteUrl: `${url()}/`,
        cards: ['WP Recipe Maker', 'Tasty Recipes', 'Create'],
        caches: [],
        outboxDepth: 0,
      },
    });
    expect(await page()).toContain('Connected as @anna.');
    await save(blog.hub.url, '');
    expect(await settings()).toMatchObject({ hub: blog.hub.url, key: KEY });
    await save('http://hub.example', 'not a key');
    const answer = await get('administrator', '/wp-admin/options-general.php?page=creator-hq&settings-updated=true');
    const notices = answer.text.match(/<p><strong>[^<]*/g)!.join(' ');
    expect(notices).toContain('must begin with https://');
    expect(notices).toContain('That is not an API key');
    expect(await settings()).toMatchObject({ hub: blog.hub.url, key: KEY });
  });

  test.each([
    ['https://hub.example', true],
    ['https://hub.example/creator', true],
    ['http://localhost:3000', true],
    ['http://127.0.0.1:3000', true],
    ['http://hub.example', false],
    ['http://127.0.0.1.evil.example', false],
    ['https://user:word@hub.example', false],
    ['https://hub.example?x=1', false],
    ['javascript:alert(1)', false],
    ['file:///etc/passwd', false],
    ['//hub.example', false],
  ])('the address %s is taken: %s', async (hub, isTaken) => {
    const answer = await blog.wordpress.php(
      `echo json_encode(CreatorHq\\Settings::is_acceptable_hub(${quoted(hub)}));`,
    );
    expect(answer).toBe(String(isTaken));
  });
});

test('the hub’s texts are text in wp-admin', async () => {
  blog.hub.forms[0]!.name = '<script>alert(1)</script>';
  await blog.wordpress.php(`CreatorHq\\Connection::register();`);
  const html = await page();
  expect(html).not.toContain('<script>alert(1)');
  expect(html).toContain('&lt;script&gt;alert(1)');
  blog.hub.forms[0]!.name = 'Save a recipe';
  await blog.wordpress.php(`CreatorHq\\Connection::register();`);
});

test('with the hub away wp-admin opens, with one note on our page alone', async () => {
  await blog.hub.goAway();
  await blog.wordpress.php(`CreatorHq\\Connection::register();`);
  await blog.wordpress.requests();
  expect((await get('administrator', '/wp-admin/plugins.php')).text).not.toContain('has not answered');
  expect((await page()).match(/has not answered/g)).toHaveLength(1);
  const calls = (await blog.wordpress.requests()).flatMap((request) => request.calls);
  expect(calls.filter((call) => call.startsWith(blog.hub.url))).toEqual([]);
  await blog.hub.comeBack();
});

test('an error of ours never whitens a page', async () => {
  await blog.post('Broken', '<p>Before</p>[creator_hq_save]<p>After</p>');
  await blog.wordpress.php(
    `update_option('creator_hq_printed', array('forms' => array(array('key' => 'x', 'kind' => 'save'))), false);`,
  );
  const response = await fetch(`${url()}/broken/`);
  const html = await response.text();
  expect(response.status).toBe(200);
  expect(html).toContain('<p>Before</p>');
  expect(html).toContain('<p>After</p>');
  const complaints = await blog.wordpress.complaints();
  // PHP names what was missing; then the guard took over.
  for (const line of complaints) expect(line).toContain('Forms/Printer.php');
  await blog.wordpress.forgetComplaints();
});
