import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Blog, connectTo, type Fields, logIn, quoted, startBlog } from './blog.ts';
import { KEY, SAVE_FORM, SIGNING_KEYS } from './fake-hub.ts';

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
  test('the list of forms has no texts and no keys for stamps in it', async () => {
    const { text } = await get('editor', '/wp-json/creator-hq/v1/forms', { 'x-wp-nonce': await restNonce('editor') });
    expect(JSON.parse(text)).toEqual([
      { key: 'SaveFormSaveFormSaveF1', kind: 'save', name: 'Save a recipe' },
      { key: 'SignUpFormSignUpFormS1', kind: 'signup', name: 'Sign up' },
    ]);
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

/** What a stranger, a subscriber, an editor and an administrator are answered. */
type Answers = [number, number, number, number];
/** Each with a stamp, a pass and a code that are wrong. `right nonce`: WordPress's own, for this person and this way. */
type Tried = 'nothing' | 'wrong nonce' | 'right nonce';
type Ways = Record<string, Record<Tried, Answers>>;
const everyone = (status: number): Answers => [status, status, status, status];
/** They may; other tests say what happens then. */
const MAY = 0;
const ADMIN_ALONE = {
  nothing: [400, 403, 403, 403],
  'wrong nonce': [400, 403, 403, 403],
  'right nonce': [400, 403, 403, MAY],
} satisfies Ways[string];
/** Strangers are led to where they sign in. */
const SETTINGS = {
  nothing: [302, 403, 403, 403],
  'wrong nonce': [302, 403, 403, 403],
  'right nonce': [302, 403, 403, MAY],
} satisfies Ways[string];
const READER = { nothing: everyone(404), 'wrong nonce': everyone(403), 'right nonce': everyone(403) };

/** One that WordPress knows and that is not here fails. */
const WAYS: Ways = {
  'GET /creator-hq/v1': { nothing: everyone(200), 'wrong nonce': everyone(403), 'right nonce': everyone(200) },
  'GET /creator-hq/v1/forms': {
    nothing: everyone(401),
    'wrong nonce': everyone(403),
    'right nonce': [401, 403, 200, 200],
  },
  'GET /creator-hq/v1/health': {
    nothing: everyone(401),
    'wrong nonce': everyone(403),
    'right nonce': [401, 403, 403, 200],
  },
  'POST /creator-hq/v1/submit': { nothing: everyone(400), 'wrong nonce': everyone(403), 'right nonce': everyone(400) },
  'POST /creator-hq/v1/open': READER,
  // Signed by the hub, or nothing.
  'POST /creator-hq/v1/hub': { nothing: everyone(403), 'wrong nonce': everyone(403), 'right nonce': everyone(403) },
  admin_post_creator_hq_check: ADMIN_ALONE,
  admin_post_creator_hq_connect: ADMIN_ALONE,
  admin_post_creator_hq_connected: ADMIN_ALONE,
  admin_post_creator_hq_membership_page: ADMIN_ALONE,
  'options.php creator_hq_connection': SETTINGS,
  'options.php creator_hq_gate': SETTINGS,
  'options.php creator_hq_places': SETTINGS,
  wp_ajax_creator_hq_open: READER,
  wp_ajax_nopriv_creator_hq_open: READER,
  'wp_loaded CreatorHq\\Forms\\NativeSubmit::answer': {
    nothing: everyone(400),
    'wrong nonce': everyone(400),
    'right nonce': everyone(400),
  },
  'wp_loaded CreatorHq\\HubCalls::without_rest': {
    nothing: everyone(403),
    'wrong nonce': everyone(403),
    'right nonce': everyone(403),
  },
  'wp_loaded CreatorHq\\Gate\\Enter::answer': {
    nothing: everyone(403),
    'wrong nonce': everyone(403),
    'right nonce': everyone(403),
  },
  // The page as everyone has it.
  'wp_loaded CreatorHq\\Gate\\Open::pages': {
    nothing: everyone(200),
    'wrong nonce': everyone(200),
    'right nonce': everyone(200),
  },
  'wp_loaded CreatorHq\\Gate\\Passing::answer': {
    nothing: everyone(404),
    'wrong nonce': everyone(404),
    'right nonce': everyone(404),
  },
  'wp_loaded CreatorHq\\Gate\\ViewAs::begin': {
    nothing: everyone(200),
    'wrong nonce': everyone(200),
    'right nonce': everyone(200),
  },
};

describe('every way into the plugin', () => {
  let locked: number;
  /** All that the plugin keeps. */
  const kept = () =>
    blog.wordpress.php(`global $wpdb;
      echo json_encode(array($wpdb->get_results("SELECT option_name, option_value FROM $wpdb->options WHERE option_name LIKE 'creator_hq%'"), CreatorHq\\Outbox::count()));`);
  const asked = async (role: string, query: string) =>
    (await get(role, `/wp-admin/admin-ajax.php?action=creator-hq-test&${query}`)).text;

  beforeAll(async () => {
    locked = await blog.post('Locked', '<p>Hello</p><!-- wp:creator-hq/gate /--><p>zqwalked</p>');
    // WordPress tells it, in one of its own requests: what leads to code in our folder, and nonces for who asks.
    await writeFile(
      path.join(blog.wordpress.folder, 'wp-content/mu-plugins/ways.php'),
      `<?php
      add_action('admin_init', function () {
        if (isset($_GET['nonce-of'])) exit(wp_create_nonce($_GET['nonce-of']));
        if (!isset($_GET['ways'])) return;
        $ours = function ($callback) {
          if (!is_callable($callback)) return null;
          $function = is_array($callback) ? new ReflectionMethod($callback[0], $callback[1]) : new ReflectionFunction(Closure::fromCallable($callback));
          if (0 !== strpos((string) $function->getFileName(), WP_PLUGIN_DIR . '/creator-hq/')) return null;
          $guarded = $function->isClosure() ? $function->getStaticVariables()['callback'] ?? $callback : $callback;
          return is_array($guarded) ? implode('::', $guarded) : 'a function';
        };
        $ways = array();
        foreach (rest_get_server()->get_routes() as $route => $handlers) {
          foreach ($handlers as $handler) {
            if (0 !== strpos($route, '/creator-hq/') && !$ours($handler['callback'])) continue;
            foreach (array_keys($handler['methods']) as $method) $ways[] = "$method $route";
          }
        }
        foreach ($GLOBALS['wp_filter'] as $name => $hook) {
          foreach (array_merge(...array_values($hook->callbacks)) as $one) {
            $callback = $ours($one['function']);
            if (!$callback) continue;
            if (preg_match('/^(admin_post|admin_action|wp_ajax|heartbeat|login_|load-)/', $name)) $ways[] = $name;
            if (in_array($name, array('wp_loaded', 'parse_request'), true)) $ways[] = "$name $callback";
          }
        }
        foreach (get_registered_settings() as $name => $setting) {
          if ($ours($setting['sanitize_callback'])) $ways[] = "options.php $name";
        }
        wp_send_json(array_values(array_unique($ways)));
      }, PHP_INT_MAX);`,
    );
  });

  test('is in this table', async () => {
    expect(JSON.parse(await asked('stranger', 'ways')).sort()).toEqual(Object.keys(WAYS).sort());
  });

  async function attempt(way: string, role: string, tried: Tried): Promise<{ status: number; text: string }> {
    const [kind, name] = way.split(/ |^(admin_post|wp_ajax)_(?:nopriv_)?/).filter(Boolean) as [string, string];
    const isRest = name.startsWith('/');
    const actions: Record<string, string> = { admin_post: name, 'options.php': `${name}-options` };
    const nonce = tried === 'right nonce' ? await asked(role, `nonce-of=${actions[kind] ?? 'wp_rest'}`) : 'wrong';
    const mac = 'a'.repeat(43);
    const pass = `${crypto.randomUUID()}.9999999999.${mac}`;
    const fields =
      tried === 'nothing'
        ? {}
        : {
            ...{ form: SAVE_FORM, post: String(locked), recipe: '', stamp: `${Math.floor(Date.now() / 1000)}.${mac}` },
            ...{
              email: 'walked@example.com',
              newsletter: '1',
              elapsed: '5000',
              pass,
              code: 'x',
              hub: 'https://evil.example',
            },
            ...{
              _wpnonce: nonce,
              state: nonce,
              [`${name}[hub]`]: 'https://evil.example',
              [`${name}[place]`]: 'in_card',
            },
          };
    const own: Record<string, [address: string, fields: Fields]> = {
      admin_post: ['/wp-admin/admin-post.php', { action: name }],
      wp_ajax: ['/wp-admin/admin-ajax.php', { action: name }],
      'options.php': ['/wp-admin/options.php', { option_page: name, action: 'update' }],
      'CreatorHq\\Forms\\NativeSubmit::answer': ['/?creator-hq=submit', {}],
      'CreatorHq\\HubCalls::without_rest': ['/?creator-hq-hub=1', {}],
      'CreatorHq\\Gate\\Enter::answer': [`/creator-hq-entered/${'g'.repeat(43)}/`, {}],
      'CreatorHq\\Gate\\Passing::answer': [`/creator-hq-passed/${locked}.${'g'.repeat(43)}.${mac}/`, {}],
      'CreatorHq\\Gate\\Open::pages': ['/locked/', { 'creator-hq-open': '1' }],
      'CreatorHq\\Gate\\ViewAs::begin': ['/locked/?creator-hq-view=members', {}],
    };
    const [address, always] = own[kind === 'wp_loaded' ? name : kind] ?? [`/wp-json${name}`, {}];
    const passName = `chq_pass_${createHash('md5').update(url()).digest('hex').slice(0, 8)}`;
    const body: Fields = { ...fields, ...always };
    const response = await fetch(`${url()}${address}`, {
      method: isRest ? kind : 'POST',
      headers: {
        cookie: [cookies[role], tried !== 'nothing' && `${passName}=${pass}`].filter(Boolean).join('; '),
        ...(isRest && { 'content-type': 'application/json', ...(tried !== 'nothing' && { 'x-wp-nonce': nonce }) }),
      },
      ...(kind !== 'GET' && { body: isRest ? JSON.stringify(body) : new URLSearchParams(body) }),
      redirect: 'manual',
    });
    return { status: response.status, text: await response.text() };
  }

  test.each(Object.entries(WAYS))('%s', async (way, answers) => {
    const before = await kept();
    blog.hub.calls.length = 0;
    const seen: Partial<Record<Tried, number[]>> = {};
    for (const [tried, expected] of Object.entries(answers) as [Tried, Answers][]) {
      seen[tried] = await Promise.all(
        ['stranger', 'subscriber', 'editor', 'administrator'].map(async (role, at) => {
          if (expected[at] === MAY) return MAY;
          const { status, text } = await attempt(way, role, tried);
          expect([KEY, ...SIGNING_KEYS].filter((secret) => text.includes(secret))).toEqual([]);
          // Who may edit it reads it all.
          if (at < 2) expect(text).not.toContain('zqwalked');
          return status;
        }),
      );
    }
    expect(seen).toEqual(answers);
    expect(await kept()).toBe(before);
    expect(blog.hub.calls).toEqual([]);
  });
});

describe('settings', () => {
  test.each(['stranger', 'subscriber', 'editor'])('%s does not see them', async (role) => {
    expect((await get(role, '/wp-admin/options-general.php?page=creator-hq')).text).not.toContain('creator-hq-key');
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
  for (const line of complaints) expect(line).toContain('Printer.php');
  await blog.wordpress.forgetComplaints();
});
