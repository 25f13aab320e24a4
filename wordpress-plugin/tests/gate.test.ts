/// <reference lib="dom" />
/** How what only subscribers read opens: in place, on the next page, by a link of a mail, without script, with the hub away. */
import { createHmac } from 'node:crypto';
import type { Browser, BrowserContextOptions, Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { launchBrowser } from '#e2e/browser.ts';
import { type Blog, fieldsOf, sendJson, startBlog, WITHOUT_SCRIPT } from './blog.ts';
import { GATE_FORM, printed, SAVE_FORM, SIGNING_KEYS } from './fake-hub.ts';

const GATE = '<!-- wp:creator-hq/gate /-->';
const P = (text: string) => `<!-- wp:paragraph --><p>${text}</p><!-- /wp:paragraph -->`;
const WEEK = 7 * 24 * 3600;

let blog: Blog;
let browser: Browser;
let post: number;

beforeAll(async () => {
  [blog, browser] = await Promise.all([startBlog(), launchBrowser()]);
  blog.hub.forms.push(printed(GATE_FORM, 'gate', 'Subscribers only'));
  await blog.wordpress.php(`CreatorHq\\Connection::renew_forms();
    file_put_contents(WP_CONTENT_DIR . '/mu-plugins/slider.php', '<?php add_shortcode("slider", function () {
      wp_enqueue_script("slider", plugins_url("creator-hq/blocks/form/editor.js"), array(), "1");
      wp_add_inline_script("slider", "window.sliderBefore = true", "before");
      return "<div id=slider>Slider</div><script>window.slides = (window.slides || 0) + 1</script>"; });');`);
  const recipe = await blog.recipe('Secret cake');
  post = await blog.post(
    'Cake',
    `${P('Hello')}${GATE}${P('zqbody')}<!-- wp:shortcode -->[slider]<!-- /wp:shortcode -->[wprm-recipe id="${recipe}"]`,
  );
  await blog.post(
    'Pie',
    `${P('Hi')}<!-- wp:creator-hq/gate {"locks":"inside"} -->${P('zqone')}<!-- /wp:creator-hq/gate -->${P('Open')}<!-- wp:creator-hq/gate {"locks":"inside"} -->${P('zqtwo')}<!-- /wp:creator-hq/gate -->`,
  );
});
beforeEach(async () => {
  blog.hub.submissions.length = 0;
  blog.hub.calls.length = 0;
  blog.hub.status = null;
  blog.hub.subscribers.clear();
  await blog.wordpress.php(
    `CreatorHq\\State::set(array('ask_after' => 0)); if (CreatorHq\\Tables::are_there()) { global $wpdb; $wpdb->query('DELETE FROM ' . CreatorHq\\Tables::recent()); }`,
  );
});
afterAll(async () => {
  await browser.close();
  expect(await blog.wordpress.complaints()).toEqual([]);
  await blog.close();
});

const url = () => blog.wordpress.url;
async function open(path: string, options: BrowserContextOptions = {}, prepare?: (page: Page) => Promise<unknown>) {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 }, ...options });
  const page = await context.newPage();
  await prepare?.(page);
  await page.goto(`${url()}${path}`);
  return { page, context, [Symbol.asyncDispose]: () => context.close() };
}
const signUp = async (page: Page, email = 'reader@example.com') => {
  await page.getByRole('textbox', { name: 'Email', exact: true }).fill(email);
  await page.getByLabel('Send me new recipes too').check();
  await page.getByRole('button', { name: 'Send it to me' }).click();
};
const passOf = (attempt: string, until: number, key = SIGNING_KEYS[0]!) => {
  const mac = createHmac('sha256', Buffer.from(key, 'base64url')).update(`gate pass\n${attempt}\n${until}`);
  return `${attempt}.${until}.${mac.digest('base64url')}`;
};
const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;
const ask = async (pass: string, headers: Record<string, string> = {}) => {
  const response = await fetch(`${url()}/wp-json/creator-hq/v1/open`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ post, pass }),
  });
  return { status: response.status, text: await response.text(), headers: response.headers };
};

test('opens in place once somebody signed up, and on the next page by itself; before that nothing is asked or set', async () => {
  blog.hub.answer = () => ({ result: 'please_confirm' });
  const asked: string[] = [];
  await using opened = await open('/cake/', {}, async (page) =>
    page.on('request', (request) => asked.push(request.url())),
  );
  const { page, context } = opened;
  expect(await page.content()).not.toContain('zqbody');
  expect(asked.filter((one) => one.includes('/open'))).toEqual([]);
  expect(await context.cookies()).toEqual([]);

  await signUp(page);
  await page.getByText('zqbody').waitFor();
  expect(page.url()).toBe(`${url()}/cake/`);
  expect(await page.getByRole('status').textContent()).toContain('confirm with one tap');
  expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('status');
  expect(blog.hub.submissions).toMatchObject([{ formKey: GATE_FORM, newsletter: true }]);
  // The card and what it brings along, its scripts run once.
  await page.getByText('1 1/2 cups').waitFor();
  expect(await page.evaluate(() => [Reflect.get(window, 'slides'), Reflect.get(window, 'sliderBefore')])).toEqual([
    1,
    true,
  ]);
  expect(await page.locator('script#slider-js').count()).toBe(1);
  const cookies = await context.cookies();
  expect(cookies.map(({ httpOnly, sameSite }) => [httpOnly, sameSite]).sort()).toEqual([
    [false, 'Lax'],
    [true, 'Lax'],
  ]);
  expect(cookies.every(({ name }) => !/^(wp-|wordpress_|comment_)/.test(name))).toBe(true);

  await page.goto(`${url()}/pie/`);
  await page.getByText('zqtwo').waitFor();
  expect(await page.locator('.entry-content, .wp-block-post-content').first().textContent()).toMatch(
    /Hi\s*zqone\s*Open\s*zqtwo/,
  );
  // The page itself is everybody's.
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  expect(await (await fetch(`${url()}/pie/`, { headers: { cookie } })).text()).not.toContain('zqone');
});

test('the box is never checked for them, and without it nothing opens', async () => {
  await using opened = await open('/cake/');
  const { page } = opened;
  expect(await page.getByLabel('Send me new recipes too').isChecked()).toBe(false);
  await page.getByRole('textbox', { name: 'Email', exact: true }).fill('reader@example.com');
  await page.getByRole('button', { name: 'Send it to me' }).click();
  await page.getByText('Please check the box to read on.').waitFor();
  expect(blog.hub.submissions).toEqual([]);
  expect(await opened.context.cookies()).toEqual([]);
});

test.each(WITHOUT_SCRIPT.slice(0, 2))(
  'without script the form leads back to the open page: %s',
  async (_name, options, prepare) => {
    await using opened = await open('/cake/', options, prepare);
    const { page } = opened;
    await signUp(page);
    await page.getByRole('button', { name: 'Read on' }).click();
    await page.getByText('zqbody').waitFor();
    expect(page.url()).toBe(`${url()}/cake/`);
    if (options.javaScriptEnabled === false) {
      await page.goto(`${url()}/pie/`);
      expect(await page.content()).not.toContain('zqone');
      await page.getByRole('button', { name: 'Signed up already? Read on' }).click();
      await page.getByText('zqtwo').waitFor();
    }
  },
);

test('opens where something keeps /wp-json shut for what comes after', async () => {
  await using opened = await open('/cake/', {}, (page) =>
    page.route('**/wp-json/**/open', (route) => route.fulfill({ contentType: 'text/html', body: '<h1>Blocked</h1>' })),
  );
  await signUp(opened.page);
  await opened.page.getByText('zqbody').waitFor();
  expect(opened.page.url()).toBe(`${url()}/cake/`);
});

test('with the hub away it opens, and the sign-up waits', async () => {
  blog.hub.status = 503;
  await using opened = await open('/cake/');
  await signUp(opened.page);
  await opened.page.getByText('zqbody').waitFor();
  expect(await blog.wordpress.php('echo CreatorHq\\Outbox::count();')).toBe('1');
  // Also once the pass is past its time.
  expect((await ask(passOf(crypto.randomUUID(), inSeconds(-60)))).text).toContain('zqbody');
  await blog.wordpress.php(`global $wpdb; $wpdb->query('DELETE FROM ' . CreatorHq\\Tables::outbox());`);
});

test('a press that the hub refuses opens nothing', async () => {
  blog.hub.answer = () => ({
    result: 'refused',
    code: 'invalid_email',
    message: 'That address works only for a few minutes.',
  });
  await using opened = await open('/cake/');
  await signUp(opened.page);
  await opened.page.getByText('only for a few minutes').waitFor();
  expect(await opened.context.cookies()).toEqual([]);
  expect(await opened.page.content()).not.toContain('zqbody');
  blog.hub.answer = () => ({ result: 'on_its_way' });
});

test('a link of a mail opens with and without script, and leaves nothing in the address', async () => {
  const path = `/cake/?utm_source=mail&chq-pass=${passOf(crypto.randomUUID(), inSeconds(WEEK))}#card`;
  await using opened = await open(path);
  await opened.page.getByText('zqbody').waitFor();
  expect(opened.page.url()).toBe(`${url()}/cake/?utm_source=mail#card`);

  await using plain = await open(path, { javaScriptEnabled: false });
  expect(plain.page.url()).toBe(`${url()}/cake/?utm_source=mail#card`);
  await plain.page.getByRole('button', { name: 'Signed up already? Read on' }).click();
  await plain.page.getByText('zqbody').waitFor();
});

test('a link of a mail opens also where a cache answers and PHP never sees it', async () => {
  const html = await (await fetch(`${url()}/cake/`)).text();
  await using opened = await open(`/cake/?chq-pass=${passOf(crypto.randomUUID(), inSeconds(WEEK))}`, {}, (page) =>
    page.route(/\/cake\/\?/, (route) => route.fulfill({ contentType: 'text/html', body: html })),
  );
  await opened.page.getByText('zqbody').waitFor();
  expect(opened.page.url()).toBe(`${url()}/cake/`);
});

test('unconfirmed for 7 days it closes again; confirmed it stays open for a month more', async () => {
  const attempt = crypto.randomUUID();
  const past = passOf(attempt, inSeconds(-60));
  const closed = await ask(past);
  expect(closed).toMatchObject({ status: 403, text: expect.not.stringContaining('zqbody') });
  expect(closed.headers.getSetCookie().join()).toContain('chq_open=deleted');

  blog.hub.subscribers.add(attempt);
  const renewed = await ask(past);
  expect(renewed.text).toContain('zqbody');
  expect(blog.hub.calls.at(-1)).toMatchObject({
    path: 'POST /api/v1/plugin/gate-passes',
    body: { attempts: [attempt] },
  });
  const until = Number(/chq_pass_\w+=[0-9a-f-]{36}\.(\d+)\./.exec(renewed.headers.getSetCookie().join())![1]);
  expect(until - Math.floor(Date.now() / 1000)).toBeGreaterThan(29 * 24 * 3600);
  // A pass that is good asks nobody.
  blog.hub.calls.length = 0;
  expect((await ask(passOf(attempt, until))).status).toBe(200);
  expect(blog.hub.calls).toEqual([]);
});

test('a fresh pass is good for 7 days', async () => {
  const html = await (await fetch(`${url()}/cake/`)).text();
  const response = await fetch(`${url()}/wp-json/creator-hq/v1/submit`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...fieldsOf(html), email: 'week@example.com', newsletter: '1', elapsed: 5000 }),
  });
  expect(await response.json()).toMatchObject({ opens: true });
  const until = Number(/chq_pass_\w+=[0-9a-f-]{36}\.(\d+)\./.exec(response.headers.getSetCookie().join())![1]);
  expect(Math.abs(until - inSeconds(WEEK))).toBeLessThan(60);
});

test.each<[string, (attempt: string) => string]>([
  ['another key', (attempt) => passOf(attempt, inSeconds(WEEK), Buffer.alloc(32, 9).toString('base64url'))],
  ['a later time', (attempt) => passOf(attempt, inSeconds(60)).replace(/\.\d+\./, `.${inSeconds(WEEK)}.`)],
  ['another attempt', (attempt) => passOf(attempt, inSeconds(60)).replace(attempt, crypto.randomUUID())],
  ['a stamp of a form', () => `1790000000.${'a'.repeat(43)}`],
  ['8 KB', (attempt) => `${passOf(attempt, inSeconds(60))}${'a'.repeat(8192)}`],
  ['nothing', () => ''],
])('a pass with %s opens nothing', async (_name, made) => {
  const pass = made(crypto.randomUUID());
  const answer = await ask(pass);
  expect(answer).toMatchObject({ status: 403, text: expect.not.stringContaining('zqbody') });
  expect(answer.headers.getSetCookie()).toEqual([]);
  const cookie = `chq_pass_${'0'.repeat(8)}=${pass.slice(0, 4000)}`;
  expect((await ask('', { cookie })).status).toBe(403);
});

test('what is open is kept by no cache, and another site cannot have it fetched for somebody', async () => {
  const { headers } = await ask(passOf(crypto.randomUUID(), inSeconds(WEEK)));
  expect(headers.get('cache-control')).toBe('private, no-store');
  expect(headers.getSetCookie().every((line) => line.includes('SameSite=Lax'))).toBe(true);
});

test('a save of a locked recipe says so, has no ingredients in it, and opens nothing unless they sign up', async () => {
  await blog.post('Bread', `[creator_hq_form id="${SAVE_FORM}"]${GATE}${P('zqbread')}`);
  const fields = fieldsOf(await (await fetch(`${url()}/bread/`)).text());
  const save = (more: object) =>
    sendJson(url(), { ...fields, email: 'save@example.com', attempt: crypto.randomUUID(), ...more });
  expect((await save({})).body).not.toHaveProperty('opens');
  expect((await save({ newsletter: '1' })).body).toMatchObject({ opens: true });
  expect(blog.hub.submissions[0]!.page).toMatchObject({ isLocked: true, title: 'Bread' });
  expect(JSON.stringify(blog.hub.submissions)).not.toContain('zqbread');
});

test('a card is closed once its post is locked, and open again once that post is deleted', async () => {
  const card = await blog.recipe('Tart');
  const id = await blog.post('Tart', `[wprm-recipe id="${card}"]`);
  const ingredients = () =>
    blog.wordpress.php(`echo wp_json_encode(get_post_meta(${card}, 'wprm_ingredients', true));`);
  expect(await ingredients()).toContain('cups');
  await blog.wordpress.php(
    `wp_update_post(array('ID' => ${id}, 'post_content' => '${GATE}[wprm-recipe id=${card}]'));`,
  );
  expect(await ingredients()).not.toContain('cups');
  await blog.wordpress.php(`wp_delete_post(${id}, true);`);
  expect(await ingredients()).toContain('cups');
});

const read = async (path: string) => (await fetch(`${url()}${path}`)).text();

test('the newest posts as full posts show no locked part', async () => {
  await blog.post(
    'Newest',
    '<!-- wp:latest-posts {"postsToShow":50,"displayPostContent":true,"displayPostContentRadio":"full_post"} /-->',
  );
  const html = await read('/newest/');
  expect(html).toContain('Hello');
  expect(html).not.toMatch(/zq(body|one|two)/);
});

test.each([
  ['a non-breaking space', '[creator_hq_gate\u00a0for="members"]', 'members'],
  ['its entity', '[creator_hq_gate&nbsp;for="members"]', 'members'],
  ['a slash', '[creator_hq_gate/]', 'subscribers'],
  ['both', '[creator_hq_gate for="members"/]', 'members'],
  ['no end', '[creator_hq_gate for="members"', 'tier:highest'],
])('a gate that is typed with %s locks', async (name, gate, who) => {
  const id = await blog.post(`Typed ${name}`, `Hello\n\n${gate}\n\nzqtyped`);
  expect(await read(`/?p=${id}`)).not.toContain('zqtyped');
  expect(
    await blog.wordpress.php(`echo CreatorHq\\Gate\\Lock::locked(CreatorHq\\Gate\\Lock::text(get_post(${id})))[0][0];`),
  ).toBe(who);
});

test.each([
  ['card', (card: string) => `Hello\n\n${card}\n\nEnd [creator_hq_gate locks="card"]`],
  ['rest', (card: string) => `Hello\n\n[creator_hq_gate]\n\n${card}\n\nEnd`],
])('a card that is kept as HTML is locked and opens: %s', async (kind, content) => {
  const card = await blog.recipe(`Kept ${kind}`);
  const id = await blog.post(
    `Kept ${kind}`,
    content(`<!--WPRM Recipe ${card}--><div>zqkept\n<ul><li>zqstep</li></ul></div><!--End WPRM Recipe-->`),
  );
  expect(await read(`/?p=${id}`)).not.toMatch(/zqkept|zqstep/);
  expect(await blog.wordpress.php(`echo wp_json_encode(get_post_meta(${card}, 'wprm_ingredients', true));`)).toBe('""');
  const opened = await fetch(`${url()}/wp-json/creator-hq/v1/open`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ post: id, pass: passOf(crypto.randomUUID(), inSeconds(WEEK)) }),
  });
  const text = await opened.text();
  expect(text).toContain('1 1\\/2 cups');
  expect(text).not.toContain('zqkept');
});

test('a picture behind a wall leaves its words nowhere in the page', async () => {
  const id = await blog.post(
    'Picture',
    `${P('Hello')}${GATE}<!-- wp:image {"lightbox":{"enabled":true}} --><figure class="wp-block-image"><img src="/zq.jpg" alt="zqalt"/></figure><!-- /wp:image -->`,
  );
  expect(await read(`/?p=${id}`)).not.toContain('zqalt');
});

test('a page builder that has the text elsewhere shows the wall alone', async () => {
  await blog.wordpress.php(
    `file_put_contents(WP_CONTENT_DIR . '/mu-plugins/builder.php', '<?php add_filter("the_content", function ($content) { return get_post()->post_title === "Built" ? "<p>zqbuilt</p>" : $content; }, 9);');`,
  );
  const built = await blog.post('Built', `${P('Open')}<!-- wp:creator-hq/gate {"for":"members"} /-->${P('zqbuilt')}`);
  const html = await (await fetch(`${blog.wordpress.url}/?p=${built}`)).text();
  expect(html).not.toContain('zqbuilt');
  expect(html).toContain('chq-wall');
  await blog.wordpress.php(`unlink(WP_CONTENT_DIR . '/mu-plugins/builder.php');`);
});

test('a gate in a synced pattern locks what follows the pattern', async () => {
  const pattern = (title: string, content: string) => blog.post(title, content, `'post_type' => 'wp_block'`);
  const inner = await pattern('Inner', `${P('Join us')}${GATE}`);
  const outer = await pattern('Outer', `<!-- wp:block {"ref":${inner}} /-->`);
  for (const ref of [inner, outer]) {
    const id = await blog.post(`Pattern ${ref}`, `${P('Hello')}<!-- wp:block {"ref":${ref}} /-->${P('zqpattern')}`);
    const html = await read(`/?p=${id}`);
    expect(html).toContain('Join us');
    expect(html).toContain('chq-locked');
    expect(html).not.toContain('zqpattern');
    expect(await read('/wp-json/wp/v2/posts?search=zqpattern')).toBe('[]');
  }
});
