import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Blog, fieldsOf, sendJson, sendNatively, startBlog } from './blog.ts';
import { printed, SAVE_FORM } from './fake-hub.ts';

/** As WP Super Cache does it: what strangers read is a file, and is there before WordPress is. */
const PAGE_CACHE = `<?php
function wp_cache_clear_cache() {
  array_map('unlink', glob(WP_CONTENT_DIR . '/cache/*.html'));
}
if ('GET' === $_SERVER['REQUEST_METHOD'] && array() === $_GET && !preg_match('/wordpress_logged_in|wp-postpass|comment_author/', implode(' ', array_keys($_COOKIE)))) {
  $page_cache_file = WP_CONTENT_DIR . '/cache/' . md5($_SERVER['REQUEST_URI']) . '.html';
  if (is_file($page_cache_file)) {
    header('Content-Type: text/html; charset=UTF-8');
    header('X-Cache: hit');
    readfile($page_cache_file);
    exit;
  }
  ob_start(function ($html) use ($page_cache_file) {
    if (200 === http_response_code() && false !== strpos($html, '</html>')) {
      wp_mkdir_p(dirname($page_cache_file));
      file_put_contents($page_cache_file, $html);
    }
    return $html;
  });
}`;

let blog: Blog;
let recipe: number;
let post: number;
let page: string;

beforeAll(async () => {
  blog = await startBlog();
  recipe = await blog.recipe('Lemon & poppy "cake"');
  const card = `<!-- wp:wp-recipe-maker/recipe {"id":${recipe}} -->[wprm-recipe id="${recipe}"]<!-- /wp:wp-recipe-maker/recipe -->`;
  post = await blog.post('Lemon cake', `<p>Hello</p>${card}<p>[creator_hq_save]</p>`);
  page = await (await fetch(`${blog.wordpress.url}/lemon-cake/`)).text();
});
afterEach(() => {
  blog.hub.submissions.length = 0;
  blog.hub.answer = () => ({ result: 'on_its_way' });
});
afterAll(async () => {
  expect(await blog.wordpress.complaints()).toEqual([]);
  await blog.close();
});

const url = () => blog.wordpress.url;
const fields = (email: string) => ({ ...fieldsOf(page), email });

test('a form is in the page itself, with its post, recipe and stamp, and one script that waits', async () => {
  expect(fieldsOf(page)).toMatchObject({ form: SAVE_FORM, post: String(post), recipe: `wprm-${recipe}`, attempt: '' });
  expect(page).toContain(`action="${url()}/?creator-hq=submit"`);
  expect(page).not.toContain('%%chq');
  const scripts = page.match(/<script[^>]+creator-hq[^>]*>/g);
  expect(scripts).toHaveLength(1);
  expect(scripts![0]).toContain(' defer');
  const script = await fetch(/src=["']([^"']*form\.js[^"']*)/.exec(page)![1]!);
  await script.text();
  expect(script.headers.get('content-type')).toContain('javascript');
});

test('a save by script arrives with the facts of page and card as the blog has them', async () => {
  const attempt = crypto.randomUUID();
  const sent = await sendJson(url(), {
    ...fields('reader@example.com'),
    attempt,
    newsletter: '1',
    first_name: ' Ana \r\nBcc: x ',
  });
  expect(sent).toEqual({ status: 200, body: { result: 'on_its_way', code: '', message: 'Sent. Look in your inbox.' } });
  expect(blog.hub.submissions).toEqual([
    {
      attempt,
      formKey: SAVE_FORM,
      formVersion: 3,
      email: 'reader@example.com',
      firstName: 'Ana Bcc: x',
      newsletter: true,
      language: 'en-US',
      work: '',
      submittedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      network: expect.stringMatching(/^[\w-]{43}$/),
      page: {
        url: `${url()}/lemon-cake/`,
        title: 'Lemon cake',
        pictureUrl: null,
        recipe: {
          name: 'Lemon & poppy "cake"',
          anchor: `wprm-recipe-container-${recipe}`,
          ingredients: ['1 1/2 cups flour', '1 tsp salt & pepper, to taste'],
          totalMinutes: 45,
          yield: '4 people',
        },
      },
    },
  ]);
});

test('address, title and recipe that a browser makes up are not believed', async () => {
  await sendJson(url(), {
    ...fields('made-up@example.com'),
    page: { url: 'https://evil.example', title: 'Buy now' },
    url: 'https://evil.example',
    title: 'Buy now',
    return: 'https://evil.example',
  });
  expect(blog.hub.submissions[0]!.page).toMatchObject({ url: `${url()}/lemon-cake/`, title: 'Lemon cake' });
});

test('a save without script is answered with a page; pressed twice it is one attempt', async () => {
  const first = await sendNatively(url(), fields('native@example.com'));
  const second = await sendNatively(url(), fields('native@example.com'));
  expect(first.status).toBe(200);
  expect(first.html).toContain('Sent. Look in your inbox.');
  expect(first.html).toContain(`href="${url()}/lemon-cake/"`);
  expect(first.headers.get('cache-control')).toContain('no-cache');
  expect(first.headers.get('set-cookie')).toBe(null);
  expect(second.status).toBe(200);
  const attempts = blog.hub.submissions.map(({ attempt }) => attempt);
  expect(attempts).toHaveLength(2);
  expect(new Set(attempts).size).toBe(1);
  expect(attempts[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('a page that a cache kept for 59 days still saves; one of 61 days says that it is too old', async () => {
  const old = async (days: number) => {
    const stamp = await blog.wordpress.php(
      `$at = time() - ${days} * DAY_IN_SECONDS; $method = new ReflectionMethod('CreatorHq\\Forms\\Stamp', 'mac'); $method->setAccessible(true);
       echo $at . '.' . $method->invoke(null, CreatorHq\\Forms\\Store::signing_keys()[1], '${SAVE_FORM}', ${post}, 'wprm-${recipe}', $at);`,
    );
    return await sendJson(url(), { ...fields('old@example.com'), stamp });
  };
  expect((await old(59)).body.result).toBe('on_its_way');
  expect(await old(61)).toMatchObject({ status: 400, body: { code: 'stamp' } });
  expect(await old(-1)).toMatchObject({ status: 400, body: { code: 'stamp' } });
});

describe('is refused, and the hub is not asked:', () => {
  const other = '7'.repeat(43);
  test.each<[string, Record<string, unknown>, number, string]>([
    ['no stamp', { stamp: '' }, 400, 'stamp'],
    ['a made up stamp', { stamp: `1790000000.${other}` }, 400, 'stamp'],
    ['a stamp as a list', { stamp: ['x'] }, 400, 'stamp'],
    ['the stamp of another post', { post: '1' }, 400, 'stamp'],
    ['the stamp of another recipe', { recipe: 'wprm-1' }, 400, 'stamp'],
    ['the stamp of another form', { form: 'SignUpFormSignUpFormS1' }, 400, 'stamp'],
    ['a filled field for programs', { website: 'https://spam.example' }, 400, 'spam'],
    ['a form that was sent at once', { elapsed: 300 }, 400, 'spam'],
    ['no address', { email: '' }, 422, 'invalid_email'],
    ['an address with a header in it', { email: 'a@b.example\r\nBcc: c@d.example' }, 422, 'invalid_email'],
    ['an address without a dot', { email: 'a@localhost' }, 422, 'invalid_email'],
    ['an address with two @', { email: 'a@b@c.example' }, 422, 'invalid_email'],
    ['an address of 300 letters', { email: `${'a'.repeat(300)}@b.example` }, 422, 'invalid_email'],
    ['an address as a list', { email: ['a@b.example'] }, 422, 'invalid_email'],
  ])('%s', async (_name, changes, status, code) => {
    const sent = await sendJson(url(), { ...fields('reader@example.com'), ...changes });
    expect(sent).toMatchObject({ status, body: { result: 'refused', code, message: expect.any(String) } });
    expect(blog.hub.submissions).toEqual([]);
  });
});

test('a stamp of the same creator on another site is worth nothing here', async () => {
  const stamp = await blog.wordpress.php(
    `add_filter('home_url', function () { return 'https://other.example'; }); echo CreatorHq\\Forms\\Stamp::make('${SAVE_FORM}', ${post}, 'wprm-${recipe}');`,
  );
  expect(await sendJson(url(), { ...fields('reader@example.com'), stamp })).toMatchObject({ body: { code: 'stamp' } });
});

test('a post that is no longer public and a form that is gone save nothing', async () => {
  const hidden = await blog.post('Hidden', '[creator_hq_save]');
  const html = await (await fetch(`${url()}/hidden/`)).text();
  await blog.wordpress.php(`wp_update_post(array('ID' => ${hidden}, 'post_status' => 'private'));`);
  const sent = await sendJson(url(), { ...fieldsOf(html), email: 'reader@example.com' });
  expect(sent).toMatchObject({ status: 404, body: { code: 'not_public' } });

  const forms = blog.hub.forms;
  blog.hub.forms = forms.slice(1);
  await blog.wordpress.php(`do_action('creator_hq_forms');`);
  expect(await sendJson(url(), fields('reader@example.com'))).toMatchObject({
    status: 404,
    body: { code: 'form_gone' },
  });
  expect(await (await fetch(`${url()}/lemon-cake/`)).text()).not.toContain('creator-hq');
  blog.hub.forms = forms;
  await blog.wordpress.php(`do_action('creator_hq_forms');`);
  expect(blog.hub.submissions).toEqual([]);
});

test.each([
  ['please_confirm', 200, 'Almost there: look in your inbox and confirm with one tap.'],
  ['already_sent', 200, 'Already sent. Look in your inbox, and in spam.'],
  ['later', 200, 'Many today: the rest comes in one email later.'],
  ['refused', 422, 'That did not work. Please check what you typed.'],
])('the reader is told what the hub says: %s', async (result, status, message) => {
  blog.hub.answer = () => ({ result });
  const sent = await sendJson(url(), { ...fields('told@example.com'), attempt: crypto.randomUUID() });
  expect(sent).toMatchObject({ status, body: { result, message } });
});

test('the hub’s own words come before ours, and are text in the page of a form without script', async () => {
  blog.hub.answer = () => ({ result: 'later', message: 'The rest <b>comes</b> at 15:00' });
  const sent = await sendNatively(url(), fields('words@example.com'));
  expect(sent.html).toContain('The rest &lt;b&gt;comes&lt;/b&gt; at 15:00');
});

test('a page that a cache of files keeps since yesterday saves for each reader once, until a changed form empties the cache', async () => {
  const content = path.join(blog.wordpress.folder, 'wp-content');
  const dropIn = path.join(content, 'advanced-cache.php');
  await writeFile(dropIn, PAGE_CACHE);
  await writeFile(
    path.join(content, 'mu-plugins/yesterday.php'),
    `<?php namespace CreatorHq\\Forms; function time() { return \\time() - (isset($_SERVER['HTTP_X_YESTERDAY']) ? DAY_IN_SECONDS : 0); }`,
  );
  const load = async (headers: Record<string, string> = {}) => {
    const response = await fetch(`${url()}/lemon-cake/`, { headers });
    return { isCached: response.headers.get('x-cache') === 'hit', html: await response.text() };
  };
  await load({ 'x-yesterday': 'yes' });
  await blog.wordpress.requests();
  const { isCached, html } = await load();
  expect(isCached).toBe(true);
  expect(await blog.wordpress.requests()).toEqual([]);
  const kept = fieldsOf(html);
  expect(Date.now() / 1000 - Number.parseInt(kept.stamp!, 10)).toBeGreaterThanOrEqual(24 * 3600);

  const attempt = crypto.randomUUID();
  for (const _press of ['once', 'twice']) {
    expect(await sendJson(url(), { ...kept, email: 'script@example.com', attempt })).toMatchObject({ status: 200 });
    for (const name of ['one', 'two']) {
      expect(await sendNatively(url(), { ...kept, email: `${name}@example.com` })).toMatchObject({ status: 200 });
    }
  }
  const attemptsOf = Map.groupBy(blog.hub.submissions, ({ email }) => email);
  expect([...attemptsOf.keys()]).toEqual(['script@example.com', 'one@example.com', 'two@example.com']);
  expect(new Set(blog.hub.submissions.map((submission) => submission.attempt)).size).toBe(3);

  blog.hub.forms = [{ ...printed(SAVE_FORM, 'save', 'Save a recipe'), version: 4 }, ...blog.hub.forms.slice(1)];
  await blog.wordpress.php(`CreatorHq\\State::set(array('purged_at' => 0)); do_action('creator_hq_forms');`);
  expect((await load()).isCached).toBe(false);
  expect((await load()).isCached).toBe(true);
  await rm(dropIn);
});

test('the same few people from one network have to wait after 20 saves; many people behind a proxy do not', async () => {
  const forget = () => blog.wordpress.php(`global $wpdb; $wpdb->query('DELETE FROM ' . CreatorHq\\Tables::recent());`);
  const send = (email: string) => sendJson(url(), { ...fields(email), attempt: crypto.randomUUID() });
  await forget();
  for (let i = 0; i < 20; i++) expect((await send(`reader${i % 3}@example.com`)).status).toBe(200);
  expect(await send('reader1@example.com')).toMatchObject({ status: 429, body: { code: 'too_many' } });
  await forget();
  for (let i = 0; i < 22; i++) expect((await send(`reader${i}@example.com`)).status).toBe(200);
  expect(await blog.wordpress.wp('creator-hq', 'status')).toContain(
    'Many readers seem to come from one network address',
  );
});
