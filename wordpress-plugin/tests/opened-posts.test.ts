/// <reference lib="dom" />
/** Locked posts that open in a browser though nothing is paid for them: so many a month of readers who entered for free, and those that a member passed to a friend. */
import { createHmac } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import type { Browser, BrowserContext, Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { launchBrowser } from '#e2e/browser.ts';
import { type Blog, showInline, startBlog } from './blog.ts';
import { BASIC, GOLD, memberToken, SECRET, SIGNING_KEYS } from './fake-hub.ts';

const P = (text: string) => `<!-- wp:paragraph --><p>${text}</p><!-- /wp:paragraph -->`;
const GATE = (who: string) => `<!-- wp:creator-hq/gate {"for":"${who}"} /-->`;
const OPENS_FREE = 'POST /api/v1/plugin/free-opens';

let blog: Blog;
let browser: Browser;
let cookie: string;
let cake: number;
const url = () => blog.wordpress.url;
beforeAll(async () => {
  [blog, browser] = await Promise.all([startBlog(), launchBrowser()]);
  blog.hub.membersAt = `${blog.hub.url}/join/anna/enter`;
  blog.hub.joinAt = `${blog.hub.url}/join/anna`;
  blog.hub.readersAt = `${blog.hub.url}/join/anna/enter?for=readers`;
  blog.hub.freeOpens = 3;
  await blog.wordpress.php('CreatorHq\\Connection::register();');
  cookie = await blog.wordpress.php(`echo CreatorHq\\Gate\\MemberPass::name();`);
  const card = await blog.recipe('Secret cake');
  cake = await blog.post('Cake', `${P('Hello')}${GATE('members')}${P('zqcake')}[wprm-recipe id="${card}"]`);
  await blog.post('Pie', `${P('Hello')}${GATE('members')}${P('zqpie')}`);
  await blog.post('Torte', `${P('Hello')}${GATE(`tier:${GOLD}`)}${P('zqtorte')}`);
});
beforeEach(async () => {
  blog.hub.status = null;
  blog.hub.calls.length = 0;
  blog.hub.openForFree = () => null;
  blog.hub.passRecipe = () => ({ token: null, link: null });
  blog.hub.friends.clear();
  await blog.wordpress.php(`CreatorHq\\State::set(array('ask_after' => 0));`);
});
afterAll(async () => {
  await browser.close();
  expect(await blog.wordpress.complaints()).toEqual([]);
  await blog.close();
});

/** As the hub says it of a reader who does not pay. */
const reader = (left: number, posts: Record<number, number> = {}) =>
  memberToken({ until: -Date.now() / 1000, isReader: true, free: [left, 3], posts });
async function come(token: string, hint: string, options: Parameters<Browser['newContext']>[0] = {}) {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 }, ...options });
  await context.addCookies([
    { name: cookie, value: `${token}|${SECRET}`, url: url(), httpOnly: true },
    { name: 'chq_member', value: hint, url: url() },
  ]);
  const page = await context.newPage();
  return { context, page };
}
async function look(page: Page, name: string) {
  const folder = process.env.SCREENSHOTS;
  if (!folder) return;
  await mkdir(folder, { recursive: true });
  for (const [size, width] of [
    ['phone', 360],
    ['desktop', 1280],
  ] as const) {
    await page.setViewportSize({ width, height: 740 });
    await page.screenshot({ path: `${folder}/${size}-${name}.png`, fullPage: true });
  }
}
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const asked = () => blog.hub.calls.filter(({ path }) => path === OPENS_FREE).map(({ body }) => body);
const kept = async (context: BrowserContext) =>
  (await context.cookies()).find(({ name }) => name === cookie)!.value.split('|')[0]!;

test('a stranger reads that some are free a month, and of a higher tier nothing of it', async () => {
  await using context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${url()}/cake/`);
  await look(page, 'wall-of-a-stranger');
  const left = page.waitForRequest((request) => request.url().includes('/join/anna/enter'));
  await button(page, 'Read 3 a month for free').click();
  expect(new URL((await left).url()).searchParams.get('for')).toBe('readers');
  await page.goto(`${url()}/torte/`);
  expect(await button(page, /for free/).count()).toBe(0);
});

describe.each(['fetched', 'inline'])('with locked parts %s', (way) => {
  beforeAll(() => showInline(blog, way === 'inline'));
  afterAll(() => showInline(blog, false));

  test('a reader who does not pay opens a post with one button, and it stays open', async () => {
    blog.hub.openForFree = (_, post) => reader(1, { [post]: 86_400 });
    const { context, page } = await come(reader(2), '0.0');
    await page.goto(`${url()}/cake/`);
    expect(await page.content()).not.toContain('zqcake');
    await button(page, 'Open this one: 2 of 3 left this month').waitFor();
    await look(page, `free-wall-${way}`);
    await button(page, 'Open this one: 2 of 3 left this month').click();
    await page.getByText('zqcake').waitFor();
    await page.getByText('1 1/2 cups').waitFor();
    await page.getByText('1 of 3 left this month').waitFor();
    await look(page, `free-open-${way}`);
    expect(asked()).toEqual([{ device: 'device1', secret: SECRET, post: cake }]);
    expect((await context.cookies()).find(({ name }) => name === 'chq_member')!.value).toBe(`0.${cake}.0`);
    await page.reload();
    await page.getByText('zqcake').waitFor();
    await page.goto(`${url()}/pie/`);
    await button(page, 'Open this one: 1 of 3 left this month').waitFor();
    expect(await page.content()).not.toContain('zqpie');
    expect(asked()).toHaveLength(1);
    // Caches may keep the page: nothing of it is this reader's but what was fetched, or what none keeps.
    const headers = { cookie: `${cookie}=${await kept(context)}|${SECRET}` };
    expect(await (await fetch(`${url()}/cake/`, { headers })).text()).not.toContain('zqcake');
    await context.close();
  });

  test('with the hub away the button says to try again, and then does it', async () => {
    blog.hub.status = 503;
    const { context, page } = await come(reader(1), '0.0');
    await page.goto(`${url()}/cake/`);
    await button(page, /^Open this one/).click();
    await button(page, 'That did not work. Try again').waitFor();
    await look(page, `free-away-${way}`);
    expect(await page.content()).not.toContain('zqcake');
    blog.hub.status = null;
    blog.hub.openForFree = (_, post) => reader(0, { [post]: 86_400 });
    await button(page, 'That did not work. Try again').click();
    await page.getByText('zqcake').waitFor();
    await context.close();
  });

  test('without script it is one button more, and the page itself', async () => {
    blog.hub.openForFree = (_, post) => reader(1, { [post]: 86_400 });
    const { context, page } = await come(reader(2), '0.0', { javaScriptEnabled: false });
    await page.goto(`${url()}/cake/`);
    const open = button(page, 'Open this one: 2 of 3 left this month');
    if (way === 'fetched') await button(page, 'Entered already? Read on').click();
    await open.click();
    await page.getByText('zqcake').waitFor();
    expect(asked()).toHaveLength(1);
    await context.close();
  });
});

test('two taps at once ask for the same post, and the hub counts it once', async () => {
  blog.hub.openForFree = (_, post) => reader(1, { [post]: 86_400 });
  const { context, page } = await come(reader(2), '0.0');
  await page.goto(`${url()}/cake/`);
  await button(page, /^Open this one/).dblclick();
  await page.getByText('zqcake').waitFor();
  expect(asked()).toHaveLength(1);
  await context.close();
});

const ask = async (token: string, post: number, act = 'free') => {
  const response = await fetch(`${url()}/wp-json/creator-hq/v1/open`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: `${cookie}=${token}|${SECRET}` },
    body: JSON.stringify({ post, act }),
  });
  return { status: response.status, text: await response.text() };
};

test('who has none left is told so; of others nothing is counted', async () => {
  const { context, page } = await come(reader(0), '0.0');
  await page.goto(`${url()}/cake/`);
  await page.getByText('You have opened 3 for free this month.').waitFor();
  await button(page, 'Become a member').waitFor();
  await look(page, 'free-none-left');
  await context.close();
  blog.hub.openForFree = () => memberToken();
  const torte = Number(await blog.wordpress.php(`echo get_page_by_path('torte', OBJECT, 'post')->ID;`));
  for (const [who, token, post] of [
    ['none left', reader(0), cake],
    ['a higher tier', reader(2), torte],
    ['a reader without', memberToken({ until: -1, isReader: true }), cake],
    ['a member who has ended', memberToken({ until: -1, free: [2, 3] }), cake],
    ['a word of long ago', memberToken({ isReader: true, until: -1, free: [2, 3], askAfter: 99, deadAfter: -1 }), cake],
  ] as const) {
    const { status, text } = await ask(token, post);
    expect([who, status, /zq(cake|torte)/.test(text)]).toEqual([who, 403, false]);
  }
  expect((await ask(reader(2, { [cake]: 60 }), cake)).text).toContain('zqcake');
  expect(asked()).toEqual([]);
});

test.each([
  ['a moment ago', -1, 403],
  ['in a moment', 60, 200],
])('what is open until %s', async (_, seconds, status) => {
  expect((await ask(reader(1, { [cake]: seconds }), cake, '')).status).toBe(status);
});

const RANDOM = 'r'.repeat(43);
const PASSES = 'POST /api/v1/plugin/passed-recipes';
const OPENS = `${PASSES}/open`;
const callsTo = (path: string) => blog.hub.calls.filter((call) => call.path === path).map(({ body }) => body);
const linkTo = (post: number, key = SIGNING_KEYS[0]!) => {
  const said = `${post}.${RANDOM}`;
  const mac = createHmac('sha256', Buffer.from(key, 'base64url')).update(`passed recipe\n${said}`).digest('base64url');
  return `${said}.${mac}`;
};
const gold = (toPass: number) => memberToken({ tiers: { [GOLD]: 86_400 }, toPass });
const friend = (seconds = 86_400) =>
  memberToken({ device: 'friend1', until: -Date.now() / 1000, posts: { [cake]: seconds } });

describe.each(['fetched', 'inline'])('passed to a friend, with locked parts %s', (way) => {
  beforeAll(() => showInline(blog, way === 'inline'));
  afterAll(() => showInline(blog, false));

  test('a member makes a link below what they read; where the phone can share, it does', async () => {
    blog.hub.passRecipe = (_, post) => ({ token: gold(2), link: linkTo(post) });
    const { context, page } = await come(gold(3), '9999999999');
    await page.addInitScript(() => {
      Object.assign(window, { shared: [] });
      navigator.share = async (data) => void (window as unknown as { shared: unknown[] }).shared.push(data);
    });
    await page.goto(`${url()}/cake/`);
    await page.getByText('zqcake').waitFor();
    const pass = button(page, 'Pass this recipe to a friend (3 left this month)');
    await pass.waitFor();
    await look(page, `pass-${way}`);
    await pass.click();
    const link = page.getByLabel('Send this link to your friend.');
    const at = `${url()}/creator-hq-passed/${linkTo(cake)}/`;
    expect(await link.inputValue()).toBe(at);
    await look(page, `passed-${way}`);
    const shared = () => page.evaluate(() => (window as unknown as { shared: { url: string }[] }).shared);
    await expect.poll(shared).toMatchObject([{ url: at }]);
    expect(callsTo(PASSES)).toEqual([{ device: 'device1', secret: SECRET, post: cake }]);
    await page.reload();
    await button(page, 'Pass this recipe to a friend (2 left this month)').waitFor();
    await context.close();
  });

  test('without script too; with the hub away the button says to try again', async () => {
    blog.hub.status = 503;
    const { context, page } = await come(gold(1), '9999999999', { javaScriptEnabled: false });
    await page.goto(`${url()}/cake/`);
    if (way === 'fetched') await button(page, 'Entered already? Read on').click();
    await button(page, /^Pass this recipe/).click();
    blog.hub.status = null;
    blog.hub.passRecipe = (_, post) => ({ token: memberToken({ tiers: { [GOLD]: 86_400 } }), link: linkTo(post) });
    await button(page, 'That did not work. Try again').click();
    expect(await page.getByLabel('Send this link to your friend.').inputValue()).toContain(linkTo(cake));
    await context.close();
  });

  test('a friend presses a button, and reads that post alone; from there they join', async () => {
    blog.hub.friends.set(RANDOM, friend());
    await using context = await browser.newContext({ viewport: { width: 360, height: 740 } });
    const page = await context.newPage();
    await page.goto(`${url()}/creator-hq-passed/${linkTo(cake)}/`);
    await page.getByRole('heading', { name: 'Cake' }).waitFor();
    await look(page, `friend-${way}`);
    expect(callsTo(OPENS)).toEqual([]);
    await button(page, 'Open the recipe').click();
    await page.getByText('zqcake').waitFor();
    expect(page.url()).toBe(`${url()}/cake/`);
    await page.getByText('A friend passed you this recipe. It is open here until').waitFor();
    await look(page, `friend-open-${way}`);
    expect(callsTo(OPENS)).toEqual([{ link: RANDOM, device: null, secret: null }]);
    const left = page.waitForRequest((request) => request.url().includes('/join/anna?'));
    await button(page, 'Become a member').click();
    expect(new URL((await left).url()).searchParams.get('friend')).toBe('friend1');
    await page.goto(`${url()}/pie/`);
    await page.getByText('This part is only for members.').waitFor();
    expect(await page.content()).not.toContain('zqpie');
    // Again by the link: it is open already, and nobody is asked.
    await page.goto(`${url()}/creator-hq-passed/${linkTo(cake)}/`);
    await button(page, 'Open the recipe').click();
    await page.getByText('zqcake').waitFor();
    expect(callsTo(OPENS)).toHaveLength(1);
  });
});

test.each<[string, () => string, string, number]>([
  ['that is over', () => linkTo(cake), 'This link is over', 1],
  ['that is not ours', () => linkTo(cake, Buffer.alloc(32, 9).toString('base64url')), 'does not lead to a recipe', 0],
  ['to another post', () => linkTo(cake).replace(/^\d+/, '1'), 'does not lead to a recipe', 0],
])('a link %s opens nothing, and who asks the hub knows its own links alone', async (_, link, says, calls) => {
  const response = await fetch(`${url()}/creator-hq-passed/${link()}/`, { method: 'POST', redirect: 'manual' });
  const text = await response.text();
  expect([response.status, text.includes('zqcake'), response.headers.getSetCookie()]).toEqual([404, false, []]);
  expect(text).toContain(says);
  expect(callsTo(OPENS)).toHaveLength(calls);
});

test('with the hub away a friend is asked to try again, with the same button', async () => {
  blog.hub.status = 503;
  await using context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${url()}/creator-hq-passed/${linkTo(cake)}/`);
  await button(page, 'Open the recipe').click();
  await page.getByText('Please try again later.').waitFor();
  blog.hub.status = null;
  blog.hub.friends.set(RANDOM, friend());
  await button(page, 'Open the recipe').click();
  await page.getByText('zqcake').waitFor();
});

test('only who reads all of a post as a member passes it', async () => {
  const torte = Number(await blog.wordpress.php(`echo get_page_by_path('torte', OBJECT, 'post')->ID;`));
  blog.hub.passRecipe = (_, post) => ({ token: gold(2), link: linkTo(post) });
  for (const [who, token, post] of [
    ['a reader', reader(2, { [cake]: 60 }), cake],
    ['a friend', friend(), cake],
    ['of a lower tier', memberToken({ tiers: { [BASIC]: 86_400 }, toPass: 3 }), torte],
    ['whose are used up', gold(0), cake],
    ['a member who has ended', memberToken({ until: -1, tiers: { [GOLD]: -1 }, toPass: 3 }), cake],
  ] as const) {
    expect([who, (await ask(token, post, 'pass')).text.includes(RANDOM)]).toEqual([who, false]);
  }
  expect(callsTo(PASSES)).toEqual([]);
});

test('what a friend reads is asked about after an hour, and closed when the hub says so', async () => {
  const old = memberToken({ device: 'friend1', until: -1, posts: { [cake]: 86_400 }, askAfter: -1 });
  blog.hub.words.set('friend1', friend());
  expect((await ask(old, cake, '')).status).toBe(200);
  blog.hub.words.set('friend1', null);
  expect((await ask(old, cake, '')).status).toBe(403);
  blog.hub.status = 503;
  expect((await ask(old, cake, '')).status).toBe(200);
});

test('a post that is open by itself opens no other one that its part shows, and its card in another one', async () => {
  const card = await blog.recipe('Shared cake');
  const loop = `<!-- wp:query {"queryId":1,"query":{"perPage":50,"postType":"post","inherit":false}} --><div class="wp-block-query"><!-- wp:post-template --><!-- wp:post-content /--><!-- /wp:post-template --></div><!-- /wp:query -->`;
  const id = await blog.post('List', `${P('Hello')}${GATE('members')}${P('zqlist')}[wprm-recipe id="${card}"]${loop}`);
  await blog.post('Cover', `${P('Cover is here')}${GATE(`tier:${GOLD}`)}${P('zqcover')}[wprm-recipe id="${card}"]`);
  const { text } = await ask(reader(1, { [id]: 60 }), id, '');
  expect(text).toContain('zqlist');
  expect(text).toContain('1 1\\/2 cups');
  expect(text).toContain('Cover is here');
  expect(text).not.toMatch(/zq(cake|pie|torte|cover)/);
  await blog.wordpress.php(`wp_delete_post(${id}, true);`);
});

test('a part that stays closed leaves nothing in what comes with the others', async () => {
  await blog.wordpress.php(
    `file_put_contents(WP_CONTENT_DIR . '/mu-plugins/chart.php', '<?php add_shortcode("chart", function () { wp_enqueue_script("chart", "/chart.js", array(), "1"); wp_add_inline_script("chart", "zqchart", "before"); return "Chart"; });');`,
  );
  const id = await blog.post(
    'Chart',
    `${P('Hello')}${GATE('members')}${P('zqlow')}${GATE(`tier:${GOLD}`)}<!-- wp:shortcode -->[chart]<!-- /wp:shortcode -->`,
  );
  const { text } = await ask(memberToken({ tiers: { [BASIC]: 86_400 } }), id, '');
  expect(text).toContain('zqlow');
  expect(text).not.toContain('zqchart');
  expect((await ask(gold(0), id, '')).text).toContain('zqchart');
});
