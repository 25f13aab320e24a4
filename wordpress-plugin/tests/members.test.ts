/// <reference lib="dom" />
/** What only members read: opened by the hub's word, kept by the browser; and the way in, by the hub and back. */
import { createHash } from 'node:crypto';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { launchBrowser } from '#e2e/browser.ts';
import { type Blog, logIn, startBlog } from './blog.ts';
import { BASIC, GOLD, memberToken, SECRET, SIGNING_KEYS } from './fake-hub.ts';

const P = (text: string) => `<!-- wp:paragraph --><p>${text}</p><!-- /wp:paragraph -->`;
const DAY = 86_400;
const GRANT = 'g'.repeat(43);

let blog: Blog;
let browser: Browser;
let post: number;
let cookie: string;
const url = () => blog.wordpress.url;

beforeAll(async () => {
  [blog, browser] = await Promise.all([startBlog(), launchBrowser()]);
  blog.hub.membersAt = `${blog.hub.url}/join/anna/enter`;
  await blog.wordpress.php('CreatorHq\\Connection::register();');
  const recipe = await blog.recipe('Secret cake');
  post = await blog.post(
    'Cake',
    `${P('Hello')}<!-- wp:creator-hq/gate {"locks":"inside"} -->${P('zqsubscribers')}<!-- /wp:creator-hq/gate -->${P('Open')}<!-- wp:creator-hq/gate {"for":"members"} /-->${P('zqmembers')}[wprm-recipe id="${recipe}"]`,
  );
  cookie = await blog.wordpress.php(`echo CreatorHq\\Gate\\MemberPass::name();`);
});
beforeEach(async () => {
  blog.hub.status = null;
  blog.hub.calls.length = 0;
  blog.hub.words.clear();
  blog.hub.grants.clear();
  await blog.wordpress.php(`CreatorHq\\State::set(array('ask_after' => 0));`);
});
afterAll(async () => {
  await browser.close();
  expect(await blog.wordpress.complaints()).toEqual([]);
  await blog.close();
});

const ask = async (value: string) => {
  const response = await fetch(`${url()}/wp-json/creator-hq/v1/open`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: `${cookie}=${value}` },
    body: JSON.stringify({ post }),
  });
  return { status: response.status, text: await response.text(), set: response.headers.getSetCookie() };
};

test('a fresh word opens everything, and nobody is asked', async () => {
  const { status, text } = await ask(`${memberToken()}|${SECRET}`);
  expect(status).toBe(200);
  for (const word of ['zqsubscribers', 'zqmembers', 'wprm-recipe-ingredient']) expect(text).toContain(word);
  expect(blog.hub.calls).toEqual([]);
});

test('a late payer reads on, and is told until when and where to pay', async () => {
  blog.hub.joinAt = `${blog.hub.url}/join/anna`;
  await blog.register();
  blog.hub.calls.length = 0;
  const { status, text } = await ask(`${memberToken({ isLate: true, until: 3 * DAY })}|${SECRET}`);
  expect(status).toBe(200);
  const { note } = JSON.parse(text);
  const day = await blog.wordpress.php(`echo wp_date(get_option('date_format'), time() + ${3 * DAY});`);
  expect(note).toContain(`You read on until ${day}.`);
  expect(note).toMatch(/creator-hq=change[\s\S]*Pay now/);
  expect(JSON.parse((await ask(`${memberToken()}|${SECRET}`)).text).note).not.toContain('Pay now');
  // A word past its day says nothing, and opens nothing.
  blog.hub.words.set('device1', null);
  expect((await ask(`${memberToken({ isLate: true, until: -1 })}|${SECRET}`)).text).not.toContain('Pay now');
  blog.hub.joinAt = null;
  await blog.register();
});

test('a subscriber reads what is for subscribers, and of the rest that it is for members', async () => {
  const pass = await blog.wordpress.php(
    `echo CreatorHq\\Gate\\Pass::make('018f0000-0000-7000-8000-000000000009', time() + 3600);`,
  );
  const response = await fetch(`${url()}/wp-json/creator-hq/v1/open`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ post, pass }),
  });
  expect(await response.json()).toMatchObject({
    result: 'open',
    parts: [expect.stringContaining('zqsubscribers'), null],
  });
});

const [claims, mac] = memberToken().split('.').slice(1) as [string, string];
test.each([
  ['of another site', () => memberToken({}, Buffer.alloc(32, 9).toString('base64url'))],
  ['whose end has come', () => memberToken({ until: -1 })],
  ['that nobody renewed for a month', () => memberToken({ askAfter: DAY, deadAfter: -1 })],
  [
    'with another date',
    () =>
      `chq1.${Buffer.from(
        Buffer.from(claims, 'base64url')
          .toString()
          .replace(/"until":\d/, '"until":9'),
      ).toString('base64url')}.${mac}`,
  ],
  ['with another signature', () => `chq1.${claims}.${'a'.repeat(43)}`],
  ['of another kind', () => `chq2.${claims}.${mac}`],
  ['cut short', () => `chq1.${claims}.${mac.slice(0, -1)}`],
  ['of 8 KB', () => `chq1.${'a'.repeat(7000)}.${mac}`],
  ['that is a gate pass of subscribers', () => `018f0000-0000-7000-8000-000000000009.9999999999.${mac}`],
  ['that is empty', () => ''],
])('a word %s opens nothing', async (_, token) => {
  const { status, text } = await ask(`${token()}|${SECRET}`);
  expect(status).toBe(403);
  expect(text).not.toContain('zq');
});

test('an older key is good while the site knows it', async () => {
  expect((await ask(`${memberToken({}, SIGNING_KEYS[1])}|${SECRET}`)).status).toBe(200);
});

test('past its hour it is renewed with the secret of this browser; a no closes, and is remembered', async () => {
  const old = `${memberToken({ askAfter: -1 })}|${SECRET}`;
  const renewed = memberToken({ until: 2 * DAY });
  blog.hub.words.set('device1', renewed);
  const good = await ask(old);
  expect(good.status).toBe(200);
  expect(blog.hub.calls).toMatchObject([
    { path: 'POST /api/v1/plugin/member-passes/renew', body: { device: 'device1', secret: SECRET } },
  ]);
  expect(good.set.find((one) => one.startsWith(cookie))).toContain(renewed);
  expect(good.set.find((one) => one.startsWith(cookie))).toContain('HttpOnly');

  blog.hub.words.set('device1', null);
  const closed = await ask(old);
  expect(closed.status).toBe(403);
  expect(closed.set.find((one) => one.startsWith(cookie))).toMatch(/=deleted|=;/);
});

test('while the hub is away a word holds, until its end or for a month', async () => {
  blog.hub.status = 503;
  expect((await ask(`${memberToken({ askAfter: -1 })}|${SECRET}`)).status).toBe(200);
  // And nobody waits for it again at once.
  expect((await ask(`${memberToken({ askAfter: -1 })}|${SECRET}`)).status).toBe(200);
  expect(blog.hub.calls).toHaveLength(1);
  expect((await ask(`${memberToken({ askAfter: -1, until: -1 })}|${SECRET}`)).status).toBe(403);
  expect((await ask(`${memberToken({ askAfter: -1, deadAfter: -1 })}|${SECRET}`)).status).toBe(403);
});

const leave = async (to: string) => {
  const response = await fetch(`${url()}/?creator-hq=enter`, {
    method: 'POST',
    body: new URLSearchParams({ to }),
    redirect: 'manual',
  });
  const [start] = response.headers.getSetCookie().filter((one) => one.startsWith('chq_start='));
  return { location: new URL(response.headers.get('location')!), start: start!.split(';')[0]!, set: start! };
};
const comeBack = (grant: string, start: string) =>
  fetch(`${url()}/creator-hq-entered/${grant}/`, { headers: { cookie: start }, redirect: 'manual' });

test('the way in leads to the hub and back to the recipe; a grant counts once, and in the browser that began', async () => {
  const { location, start, set } = await leave('/cake/');
  expect(set).toContain('HttpOnly');
  expect(location.origin + location.pathname).toBe(blog.hub.membersAt);
  expect(Object.fromEntries(location.searchParams)).toEqual({
    ...{ site: '018f0000-0000-7000-8000-000000000001', to: '/cake/', back: 'path' },
    start: createHash('sha256').update(start.split(/[=.]/)[1]!).digest('base64url'),
  });
  const grant = () =>
    blog.hub.grants.set(GRANT, {
      ...{ token: memberToken(), secret: SECRET, to: '/cake/' },
      start: location.searchParams.get('start')!,
    });
  grant();
  blog.hub.calls.length = 0;
  const elsewhere = await comeBack(GRANT, `chq_start=${'s'.repeat(43)}.${'m'.repeat(43)}`);
  expect(blog.hub.calls).toEqual([]);
  const { start: another } = await leave('/cake/');
  expect((await comeBack(GRANT, another)).status).toBe(403);
  expect(elsewhere.status).toBe(403);
  expect(elsewhere.headers.getSetCookie().join()).not.toContain('chq1.');
  grant();
  const here = await comeBack(GRANT, start);
  expect([here.status, here.headers.get('location')]).toEqual([303, `${url()}/cake/`]);
  expect(here.headers.getSetCookie().find((one) => one.startsWith(cookie))).toContain('HttpOnly');
  expect(here.headers.get('cache-control')).toContain('no-store');
  const again = await comeBack(GRANT, start);
  expect(again.status).toBe(403);
  expect(await again.text()).toContain('go back to the recipe and enter again');
});

test.each(['//evil.example', 'https://evil.example/x', '\\\\evil.example', 'javascript:alert(1)', '/../../x'])(
  'who enters at %s stays on this site',
  async (to) => {
    const { location, start } = await leave(to);
    expect(location.searchParams.get('to')).toMatch(/^\/(?![/\\])/);
    blog.hub.grants.set(GRANT, {
      ...{ token: memberToken(), secret: SECRET, to },
      start: location.searchParams.get('start')!,
    });
    const back = await comeBack(GRANT, start);
    expect(new URL(back.headers.get('location')!).origin).toBe(url());
  },
);

test.each([
  ['/recipes/cake/', '/cake/'],
  ['/recipes', '/'],
  ['/recipes-for-spring/', '/recipes-for-spring/'],
])('where WordPress stands at /recipes/, who enters at %s comes back to %s', async (from, to) => {
  const address = await blog.wordpress.php(`
    add_filter('home_url', function ($url, $path) { return 'https://blog.test/recipes' . $path; }, 10, 2);
    add_filter('wp_redirect', function ($address) { throw new Exception($address); });
    $_SERVER['REQUEST_METHOD'] = 'POST';
    $_GET['creator-hq'] = 'enter';
    $_POST['to'] = '${from}';
    try { CreatorHq\\Gate\\Enter::answer(); } catch (Exception $left) { echo $left->getMessage(); }`);
  expect(new URL(address).searchParams.get('to')).toBe(to);
});

test('a stranger sees one wall with a way in; a member’s page opens by itself, with the card', async () => {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 } });
  const page = await context.newPage();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(`${url()}/cake/`);
  await page.getByText('This part is only for members.').waitFor();
  expect(await page.getByRole('button', { name: 'Enter as a member' }).count()).toBe(1);
  expect(await page.content()).not.toMatch(/zqsubscribers|zqmembers/);
  expect(asked.filter((one) => one.includes('/open'))).toEqual([]);
  await context.addCookies([
    { name: cookie, value: `${memberToken()}|${SECRET}`, url: url() },
    { name: 'chq_member', value: '1', url: url() },
  ]);
  await page.reload();
  await page.getByText('zqmembers').waitFor();
  await page.getByText('1 1/2 cups').waitFor();
  expect(await page.locator('.chq-locked').count()).toBe(0);
  // The page itself is everybody's.
  const header = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
  const html = await (await fetch(`${url()}/cake/`, { headers: { cookie: header } })).text();
  expect(html).not.toMatch(/zqsubscribers|zqmembers/);
  await context.close();
});

test('without script a button opens the page itself', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  await context.addCookies([{ name: cookie, value: `${memberToken()}|${SECRET}`, url: url() }]);
  const page = await context.newPage();
  await page.goto(`${url()}/cake/`);
  await page.getByRole('button', { name: 'Entered already? Read on' }).click();
  await page.getByText('zqmembers').waitFor();
  await page.getByText('zqsubscribers').waitFor();
  await context.close();
});

test('what is for a tier says so; a member of a lower one reads that theirs does not include it, with a way to change', async () => {
  blog.hub.joinAt = `${blog.hub.url}/join/anna`;
  await blog.wordpress.php('CreatorHq\\Connection::register();');
  await blog.post('Torte', `${P('Hello')}<!-- wp:creator-hq/gate {"for":"tier:${GOLD}"} /-->${P('zqgold')}`);
  const context = await browser.newContext({ viewport: { width: 360, height: 740 } });
  const page = await context.newPage();
  await page.goto(`${url()}/torte/`);
  await page.getByText('This part is only for members of Gold and above.').waitFor();
  expect(await page.getByRole('button', { name: 'Become a member' }).count()).toBe(1);
  const hold = (tier: string) =>
    context.addCookies([
      { name: cookie, value: `${memberToken({ tiers: { [tier]: DAY } })}|${SECRET}`, url: url() },
      { name: 'chq_member', value: '1', url: url() },
    ]);
  await hold(BASIC);
  await page.reload();
  await page.getByText('Your membership does not include it.').waitFor();
  expect(await page.content()).not.toContain('zqgold');
  expect(await page.getByRole('button', { name: 'Become a member' }).count()).toBe(0);
  const left = page.waitForRequest((request) => request.url().includes('/join/anna/account?'));
  await page.getByRole('button', { name: 'Change my membership' }).click();
  expect(new URL((await left).url()).searchParams.get('to')).toBe('/torte/');
  await page.goto(`${url()}/torte/`);
  // Another order at the hub, which this blog hears of with the next word.
  blog.hub.tiers.reverse();
  blog.hub.words.set('device1', memberToken({ tiers: { [BASIC]: DAY } }));
  const old = memberToken({ tiers: { [BASIC]: DAY }, askAfter: -1 });
  await context.addCookies([{ name: cookie, value: `${old}|${SECRET}`, url: url() }]);
  await page.reload();
  await page.getByText('zqgold').waitFor();
  blog.hub.tiers.reverse();
  await blog.wordpress.php('CreatorHq\\Connection::register();');
  await context.close();
});

test('what is for readers is free with one button, for members open, and for members only where readers cannot enter', async () => {
  const id = await blog.post('Bun', `${P('Hello')}<!-- wp:creator-hq/gate {"for":"readers"} /-->${P('zqreaders')}`);
  const html = async () => (await fetch(`${url()}/bun/`)).text();
  expect(await html()).toContain('This part is only for members.');
  blog.hub.readersAt = `${blog.hub.url}/join/anna/enter?for=readers`;
  await blog.wordpress.php('CreatorHq\\Connection::register();');
  expect(await html()).toContain('This part is free: enter your email to read on.');
  const response = await fetch(`${url()}/?creator-hq=read`, {
    ...{ method: 'POST', body: new URLSearchParams({ to: '/bun/' }), redirect: 'manual' },
  });
  const location = new URL(response.headers.get('location')!);
  expect([location.pathname, location.searchParams.get('for')]).toEqual(['/join/anna/enter', 'readers']);
  // They come back with a word that opens nothing of members, and says so to what shows ads.
  const [start] = response.headers.getSetCookie();
  blog.hub.grants.set(GRANT, {
    ...{ token: memberToken({ until: -1, isReader: true }), secret: SECRET, to: '/bun/' },
    start: location.searchParams.get('start')!,
  });
  const back = await comeBack(GRANT, start!.split(';')[0]!);
  const set = back.headers.getSetCookie();
  expect(Number(set.map((one) => /^chq_member=(\d+)/.exec(one)?.[1]).find(Boolean))).toBeLessThan(Date.now() / 1000);
  const word = set.find((one) => one.startsWith(cookie))!.split(';')[0]!;
  const opened = await fetch(`${url()}/wp-json/creator-hq/v1/open`, {
    ...{ method: 'POST', body: JSON.stringify({ post: id }) },
    headers: { 'content-type': 'application/json', cookie: word },
  });
  expect(await opened.text()).toContain('zqreaders');
});

describe('a lock of a category and of a post', () => {
  let editor: string;
  let term: number;
  let pie: number;
  const lockOf = () => blog.wordpress.php(`echo CreatorHq\\Gate\\Rules::of(${pie});`);
  const fieldsOf = (html: string) =>
    Object.fromEntries(
      [...html.matchAll(/<input type="hidden"[^>]*?name="([^"]+)"[^>]*?value="([^"]*)"/g)].map(([, name, value]) => [
        name!,
        value!,
      ]),
    );
  const read = async (path: string) => (await fetch(`${url()}${path}`, { headers: { cookie: editor } })).text();
  const save = (path: string, fields: Record<string, string>) =>
    fetch(`${url()}${path}`, {
      ...{ method: 'POST', redirect: 'manual', headers: { cookie: editor }, body: new URLSearchParams(fields) },
    });
  beforeAll(async () => {
    editor = await logIn(blog, 'editor');
    term = Number(await blog.wordpress.php(`echo wp_insert_term('Friends', 'category')['term_id'];`));
    pie = await blog.post('Pie', `${P('One')}${P('Two')}${P('zqthree')}`, `'post_category' => array(${term})`);
  });

  test('is chosen where the category is edited, and only there', async () => {
    const html = await read(`/wp-admin/term.php?taxonomy=category&tag_ID=${term}`);
    expect(html).toContain('Who reads its posts');
    const fields = { ...fieldsOf(html), action: 'editedtag', name: 'Friends', slug: 'friends' };
    await save('/wp-admin/edit-tags.php', { ...fields, creator_hq_lock_nonce: '0', creator_hq_lock: 'rest:members' });
    expect(await lockOf()).toBe('');
    await save('/wp-admin/edit-tags.php', { ...fields, creator_hq_lock: 'rest:members' });
    expect(await lockOf()).toBe('rest:members');
    const page = await (await fetch(`${url()}/pie/`)).text();
    expect(page).toContain('Two');
    expect(page).not.toContain('zqthree');
    // Where all of it would be a teaser, none of it is.
    await blog.post('Tart', P('zqall of it'), `'post_category' => array(${term})`);
    expect(await (await fetch(`${url()}/tart/`)).text()).not.toContain('zqall');
    const opened = await fetch(`${url()}/wp-json/creator-hq/v1/open`, {
      ...{ method: 'POST', body: JSON.stringify({ post: pie }) },
      headers: { 'content-type': 'application/json', cookie: `${cookie}=${memberToken()}|${SECRET}` },
    });
    expect(await opened.text()).toContain('zqthree');
  });

  test('may be for a tier, and stays chosen once nobody offers it any more', async () => {
    const fields = async () => {
      const html = await read(`/wp-admin/term.php?taxonomy=category&tag_ID=${term}`);
      return { html, fields: { ...fieldsOf(html), action: 'editedtag', name: 'Friends', slug: 'friends' } };
    };
    const { html, fields: sent } = await fields();
    expect(html).toContain('Members of Gold and above');
    await save('/wp-admin/edit-tags.php', { ...sent, creator_hq_lock: `rest:tier:${GOLD}` });
    expect(await lockOf()).toBe(`rest:tier:${GOLD}`);
    await blog.wordpress.php(`CreatorHq\\Gate\\Memberships::keep(array('tiers' => array()));`);
    expect((await fields()).html).toMatch(/selected='selected'>Members of the highest tier/);
    await blog.wordpress.php('CreatorHq\\Connection::register();');
    await save('/wp-admin/edit-tags.php', { ...sent, creator_hq_lock: 'rest:members' });
    expect(await lockOf()).toBe('rest:members');
  });

  test('of several the strictest counts, and the post’s own overrides them', async () => {
    await blog.wordpress.php(
      `$other = wp_insert_term('Cards', 'category')['term_id']; CreatorHq\\Gate\\Rules::lock_term($other, 'card:subscribers'); wp_set_post_categories(${pie}, array(${term}, $other));`,
    );
    expect(await lockOf()).toBe('rest:members');
    const html = await read(`/wp-admin/post.php?post=${pie}&action=edit`);
    expect(html).toContain('As its categories and tags say');
    const saved = (nonce: string) =>
      blog.wordpress.php(
        `wp_set_current_user(get_users(array('role' => 'editor', 'number' => 1))[0]->ID); $_POST['creator_hq_lock_nonce'] = ${nonce}; $_POST['creator_hq_lock'] = 'open'; wp_update_post(array('ID' => ${pie}, 'post_title' => 'Pie'));`,
      );
    await saved(`'made up'`);
    expect(await lockOf()).toBe('rest:members');
    await saved(`wp_create_nonce('creator_hq_lock')`);
    expect(await lockOf()).toBe('');
    await blog.wordpress.php(`delete_post_meta(${pie}, '_creator_hq_lock'); wp_delete_term(${term}, 'category');`);
    expect(await lockOf()).toBe('card:subscribers');
  });
});
