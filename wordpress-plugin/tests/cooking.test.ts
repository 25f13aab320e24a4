/// <reference lib="dom" />
/** The recipe being cooked: what was opened as a member stays open in that browser for 12 hours. */
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { launchBrowser } from '#e2e/browser.ts';
import { type Blog, startBlog } from './blog.ts';
import { memberToken, SECRET, SIGNING_KEYS } from './fake-hub.ts';

const HALF_DAY = 43_200;
const now = () => Math.floor(Date.now() / 1000);

let blog: Blog;
let posts: number[];
let names: { member: string; cooking: string };
const url = () => blog.wordpress.url;

beforeAll(async () => {
  blog = await startBlog();
  blog.hub.membersAt = `${blog.hub.url}/join/anna/enter`;
  await blog.wordpress.php('CreatorHq\\Connection::register();');
  posts = [];
  for (const at of [0, 1, 2, 3, 4, 5]) {
    const recipe = await blog.recipe(`Cake ${at}`);
    const text = `<!-- wp:creator-hq/gate {"for":"members"} /--><!-- wp:paragraph --><p>zqmembers</p><!-- /wp:paragraph -->`;
    posts.push(await blog.post(`Cake ${at}`, `${text}[wprm-recipe id="${recipe}"]`));
  }
  const site = await blog.wordpress.php(`echo substr(md5(home_url()), 0, 8);`);
  names = { member: `wp-postpass_chq_${site}`, cooking: `chq_cooking_${site}` };
});
beforeEach(async () => {
  blog.hub.status = null;
  blog.hub.words.clear();
  await blog.wordpress.php(`CreatorHq\\State::set(array('ask_after' => 0));`);
});
afterAll(async () => {
  expect(await blog.wordpress.complaints()).toEqual([]);
  await blog.close();
});

type Kept = { member?: string; cooking?: string };
const cookie = ({ member, cooking }: Kept) =>
  `${member === undefined ? '' : `${names.member}=${member}|${SECRET}; `}${names.cooking}=${cooking ?? ''}`;
async function ask(kept: Kept, post = posts[0]!) {
  const response = await fetch(`${url()}/wp-json/creator-hq/v1/open`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: cookie(kept) },
    body: JSON.stringify({ post }),
  });
  const set = response.headers.getSetCookie().find((one) => one.startsWith(`${names.cooking}=`));
  return { status: response.status, text: await response.text(), set, cooking: set?.split(/[=;]/)[1] };
}
const page = async (kept: Kept, path = '/cake-0/') => {
  const body = new URLSearchParams({ 'creator-hq-open': '1' });
  const response = await fetch(`${url()}${path}`, { method: 'POST', body, headers: { cookie: cookie(kept) } });
  return { text: await response.text(), headers: response.headers };
};
const made = (said: string, key = SIGNING_KEYS[0]!) =>
  `${said}.${createHmac('sha256', Buffer.from(key, 'base64url')).update(`cooking\n${said}`).digest('base64url')}`;

test('what was opened as a member stays open, and nothing else', async () => {
  const { cooking, set } = await ask({ member: memberToken() });
  expect(set).toMatch(/HttpOnly/i);
  expect(Number(/-(\d+)\./.exec(cooking!)![1]) - now()).toBeGreaterThan(HALF_DAY - 60);
  blog.hub.words.set('device1', null);
  const tokens = {
    expired: memberToken({ until: -1 }),
    dead: memberToken({ askAfter: -2, deadAfter: -1 }),
    refused: memberToken({ askAfter: -1 }),
    none: undefined,
  };
  for (const [why, member] of Object.entries(tokens)) {
    const kept = { cooking: cooking!, ...(member !== undefined && { member }) };
    const answer = await ask(kept);
    expect(answer, why).toMatchObject({ status: 200, text: expect.stringMatching(/zqmembers[\s\S]*wprm-recipe/) });
    // The half day begins by reading as a member alone.
    expect(answer.set, why).toBeUndefined();
    expect(await ask(kept, posts[1]), why).toMatchObject({ status: 403, text: expect.not.stringContaining('zq') });
    const open = await page(kept);
    expect(open.text, why).toMatch(/zqmembers[\s\S]*wprm-recipe-ingredient/);
    expect(open.headers.get('cache-control'), why).toBe('private, no-store');
    expect((await page(kept, '/cake-1/')).text, why).not.toContain('zqmembers');
  }
  blog.hub.status = 503;
  expect((await ask({ cooking: cooking!, member: memberToken({ askAfter: -1, until: -1 }) })).status).toBe(200);
});

test('the page without script begins it, too', async () => {
  const { headers } = await page({ member: memberToken() });
  const [set] = headers.getSetCookie().filter((one) => one.startsWith(`${names.cooking}=`));
  expect((await ask({ cooking: set!.split(/[=;]/)[1]! })).status).toBe(200);
  const get = await fetch(`${url()}/cake-0/`, { headers: { cookie: cookie({ cooking: set!.split(/[=;]/)[1]! }) } });
  expect(await get.text()).not.toContain('zqmembers');
});

test.each<[string, () => string]>([
  ['whose 12 hours are over', () => made(`${posts[0]}-${now() - 1}`)],
  ['of another site', () => made(`${posts[0]}-${now() + 60}`, Buffer.alloc(32, 9).toString('base64url'))],
  ['with a later time', () => made(`${posts[0]}-${now() - 1}`).replace(/-\d+/, `-${now() + 60}`)],
  ['of another post', () => made(`${posts[1]}-${now() + 60}`)],
  [
    'with more posts than are kept',
    () =>
      made(
        Array(6)
          .fill(`${posts[0]}-${now() + 60}`)
          .join('.'),
      ),
  ],
  ['that is empty', () => ''],
])('one %s opens nothing', async (_, cooking) => {
  expect(await ask({ cooking: cooking() })).toMatchObject({ status: 403, text: expect.not.stringContaining('zq') });
  expect((await page({ cooking: cooking() })).text).not.toContain('zqmembers');
});

test('an older key is good while the site knows it', async () => {
  expect((await ask({ cooking: made(`${posts[0]}-${now() + 60}`, SIGNING_KEYS[1]) })).status).toBe(200);
});

test('of many the newest are kept', async () => {
  let cooking: string | undefined;
  for (const post of posts) {
    ({ cooking } = await ask({ member: memberToken(), ...(cooking !== undefined && { cooking }) }, post));
  }
  expect(cooking!.length).toBeLessThan(250);
  expect((await ask({ cooking: cooking! }, posts[0])).status).toBe(403);
  for (const post of posts.slice(1)) expect((await ask({ cooking: cooking! }, post)).status).toBe(200);
});

test('the script asks for it in a browser whose membership is over', async () => {
  const { cooking } = await ask({ member: memberToken() });
  const browser = await launchBrowser();
  try {
    const context = await browser.newContext();
    await context.addCookies([
      { name: names.cooking, value: cooking!, url: url(), httpOnly: true },
      { name: 'chq_cooking', value: String(posts[0]), url: url() },
    ]);
    const tab = await context.newPage();
    await tab.goto(`${url()}/cake-0/`);
    await tab.getByText('zqmembers').waitFor();
  } finally {
    await browser.close();
  }
});

test('search engines read of a locked post the same titles, addresses, sitemap and feed entries as without locks', async () => {
  const read = async (path: string) => (await fetch(`${url()}${path}`)).text();
  const seen = async () => {
    const html = await read('/cake-0/');
    return {
      title: /<title>(.*?)<\/title>/.exec(html)?.[1],
      canonical: /<link rel="canonical" href="([^"]+)"/.exec(html)?.[1],
      heading: /<h1[^>]*>(.*?)<\/h1>/.exec(html)?.[1],
      sitemap: JSON.parse(
        await blog.wordpress.php(
          `echo wp_json_encode(wp_list_pluck((new WP_Sitemaps_Posts())->get_url_list(1, 'post'), 'loc'), JSON_UNESCAPED_SLASHES);`,
        ),
      ),
      feed: [...(await read('/feed/')).matchAll(/<item>\s*<title>(.*?)<\/title>\s*<link>(.*?)<\/link>/g)].map(
        ([, title, link]) => `${title} ${link}`,
      ),
    };
  };
  const locked = await seen();
  expect(locked).toMatchObject({ title: expect.stringContaining('Cake 0'), canonical: `${url()}/cake-0/` });
  expect(locked.sitemap).toContain(`${url()}/cake-0/`);
  expect(locked.feed).toHaveLength(7);
  await blog.wordpress.php(
    `foreach (array(${posts.join(',')}) as $id) { wp_update_post(array('ID' => $id, 'post_content' => str_replace('<!-- wp:creator-hq/gate {"for":"members"} /-->', '', get_post($id)->post_content))); }`,
  );
  expect(await read('/cake-0/')).toContain('zqmembers');
  expect(await seen()).toEqual(locked);
});
