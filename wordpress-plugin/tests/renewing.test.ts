/** Where locked parts are written into pages, no page waits for the hub: a word past its hour is renewed after it. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Blog, showInline, startBlog } from './blog.ts';
import { memberToken, SECRET } from './fake-hub.ts';

const P = (text: string) => `<!-- wp:paragraph --><p>${text}</p><!-- /wp:paragraph -->`;
const RENEWS = 'POST /api/v1/plugin/member-passes/renew';
const OLD = memberToken({ askAfter: -1 });

let blog: Blog;
let cookie: string;
beforeAll(async () => {
  blog = await startBlog();
  blog.hub.membersAt = `${blog.hub.url}/join/anna/enter`;
  await showInline(blog, true);
  await blog.post('Cake', `${P('Hello')}<!-- wp:creator-hq/gate {"for":"members"} /-->${P('zqmembers')}`);
  cookie = await blog.wordpress.php(`echo CreatorHq\\Gate\\MemberPass::name();`);
});
beforeEach(async () => {
  blog.hub.status = null;
  blog.hub.words.clear();
  await blog.wordpress.php(
    `CreatorHq\\State::set(array('ask_after' => 0)); delete_transient('creator_hq_renew_' . md5('device1')); update_option('creator_hq_told', array_merge(get_option('creator_hq_told'), array('asks' => array())), true);`,
  );
  blog.hub.calls.length = 0;
});
afterAll(async () => {
  expect(await blog.wordpress.complaints()).toEqual([]);
  await blog.close();
});

const page = async (token = OLD) => {
  const response = await fetch(`${blog.wordpress.url}/cake/`, { headers: { cookie: `${cookie}=${token}|${SECRET}` } });
  const isOpen = (await response.text()).includes('zqmembers');
  const set = response.headers.getSetCookie().find((one) => one.startsWith(cookie));
  return { isOpen, set: set && decodeURIComponent(set).split(/[=;|]/)[1] };
};
const asked = () => blog.hub.calls.filter(({ path }) => path === RENEWS).length;

/** PHP's own server cannot go on after a page: a stand-in says that it can. */
describe.each([
  ['after the page', true],
  ['before the next page', false],
])('%s', (_, mayGoOn) => {
  beforeAll(async () => {
    const stands = `<?php if (get_option('goes_on')) { function fastcgi_finish_request() { return true; } }`;
    await blog.wordpress.php(
      `update_option('goes_on', ${mayGoOn}); wp_mkdir_p(WPMU_PLUGIN_DIR); file_put_contents(WPMU_PLUGIN_DIR . '/goes-on.php', base64_decode('${Buffer.from(stands).toString('base64')}'));`,
    );
  });

  test('the page is there by the old word, and the next one brings the new', async () => {
    const renewed = memberToken({ until: 2 * 86_400 });
    blog.hub.words.set('device1', renewed);
    expect(await page()).toEqual({ isOpen: true, set: undefined });
    expect(asked()).toBe(mayGoOn ? 1 : 0);
    expect(await page()).toEqual({ isOpen: true, set: renewed });
    expect(asked()).toBe(1);
    expect(await page(renewed)).toEqual({ isOpen: true, set: undefined });
    expect(asked()).toBe(1);
  });

  test('a no closes the next page', async () => {
    blog.hub.words.set('device1', null);
    expect((await page()).isOpen).toBe(true);
    const closed = await page();
    expect([closed.isOpen, closed.set]).toEqual([false, 'deleted']);
  });

  test.each([
    ['a new word', () => memberToken({ until: 2 * 86_400 })],
    ['a no', () => null],
  ])('killed while the hub says %s, the blog asks again after ten minutes', async (_, wordNow) => {
    const word = wordNow();
    blog.hub.words.set('device1', word);
    let restarted: Promise<void> | undefined;
    blog.hub.beforeAnswer = async (path) => {
      if (RENEWS.endsWith(path)) restarted ??= blog.wordpress.killAndRestart();
      await restarted;
    };
    while (restarted === undefined) await page().catch(() => {});
    await restarted;
    blog.hub.beforeAnswer = async () => {};
    expect(await page()).toEqual({ isOpen: true, set: undefined });
    expect(asked()).toBe(1);
    await blog.wordpress.php(`delete_transient('creator_hq_renew_' . md5('device1'));`);
    expect((await page()).isOpen).toBe(true);
    expect(await page()).toEqual({ isOpen: word !== null, set: word ?? 'deleted' });
    expect(asked()).toBe(2);
  });

  test('while the hub is away it is asked once in ten minutes, and the word holds', async () => {
    blog.hub.status = 503;
    for (const _ of [1, 2, 3, 4]) {
      expect((await page()).isOpen).toBe(true);
      await blog.wordpress.php(`CreatorHq\\State::set(array('ask_after' => 0));`);
    }
    expect(asked()).toBe(1);
  });
});

test('what was ended, or is over by its day, is asked about before the page', async () => {
  blog.hub.words.set('device1', null);
  const over = memberToken({ askAfter: -1, until: -1 });
  expect((await page(over)).isOpen).toBe(false);
  expect(asked()).toBe(1);
  blog.hub.words.set('device1', memberToken());
  expect((await page(over)).isOpen).toBe(true);
  expect((await page(memberToken({ askAfter: -1, deadAfter: -1 }))).isOpen).toBe(true);
  blog.hub.words.set('device1', null);
  const told = `update_option('creator_hq_told', array_merge(get_option('creator_hq_told'), array('asks' => array('device1' => time() + 60))), true);`;
  await blog.wordpress.php(told);
  expect((await page()).isOpen).toBe(false);
});
