/** How others see a post, for people who may edit it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Blog, logIn, startBlog } from './blog.ts';
import { memberToken, SECRET } from './fake-hub.ts';

const P = (text: string) => `<!-- wp:paragraph --><p>${text}</p><!-- /wp:paragraph -->`;
const gate = (who: string) => `<!-- wp:creator-hq/gate {"for":"${who}"} /-->`;
const WORDS = ['zqfree', 'zqsubscribers', 'zqmembers', 'wprm-recipe-ingredient'];

let blog: Blog;
const cookies: Record<string, string> = {};
beforeAll(async () => {
  blog = await startBlog();
  blog.hub.membersAt = `${blog.hub.url}/join/anna/enter`;
  await blog.wordpress.php('CreatorHq\\Connection::register();');
  const recipe = await blog.recipe('Secret cake');
  const text = `${P('zqfree')}${gate('subscribers')}${P('zqsubscribers')}${gate('members')}${P('zqmembers')}[wprm-recipe id="${recipe}"]`;
  await blog.post('Cake', text);
  await blog.post('Open', P('zqfree'));
  for (const role of ['editor', 'author', 'subscriber']) cookies[role] = await logIn(blog, role);
});
afterAll(async () => {
  expect(await blog.wordpress.complaints()).toEqual([]);
  await blog.close();
});

const read = async (path: string, who: string) => {
  const response = await fetch(`${blog.wordpress.url}${path}`, { headers: { cookie: cookies[who] ?? '' } });
  return { html: await response.text(), headers: response.headers };
};
const linkTo = async (whom: string) => {
  const { html } = await read('/cake/', 'editor');
  const [, link] =
    new RegExp(
      `href='[^']*?(/cake/\\?creator-hq-view=${whom}[^']*)'|href="[^"]*?(/cake/\\?creator-hq-view=${whom}[^"]*)"`,
    ).exec(html) ?? [];
  expect(link, html).toBeDefined();
  return link!.replaceAll('&#038;', '&').replaceAll('&amp;', '&');
};
const wordsIn = (html: string) => WORDS.filter((word) => html.includes(word));

describe.each([
  ['stranger', 'Stranger', 1],
  ['subscribers', 'Subscriber', 2],
  ['members', 'Member', 4],
])('as %s', (whom, label, seen) => {
  test('shows what they see, says so, leads back, and is in no cache', async () => {
    const { html, headers } = await read(await linkTo(whom), 'editor');
    expect(wordsIn(html)).toEqual(WORDS.slice(0, seen));
    expect(html).toContain(`You see this page as: ${label}.`);
    expect(/href="([^"]+)"[^>]*>Back to your own view/.exec(html)![1]).toMatch(/\/cake\/$/);
    expect(headers.get('cache-control')).toContain('no-store');
    // The browser of who looks may be a member's: nothing is fetched for it here.
    expect(html).not.toContain('data-chq-gate');
  });

  test('shows no one else more than they see', async () => {
    const link = await linkTo(whom);
    for (const who of ['author', 'subscriber', 'nobody']) {
      const { html } = await read(link, who);
      expect([who, wordsIn(html)]).toEqual([who, ['zqfree']]);
      expect(html).not.toContain('You see this page as');
    }
  });
});

test('without its nonce, and for who they may not be, it is one’s own view', async () => {
  const link = await linkTo('stranger');
  for (const other of ['/cake/?creator-hq-view=stranger', link.replace('=stranger', '=owner'), `${link}0`]) {
    const { html } = await read(other, 'editor');
    expect(wordsIn(html), other).toEqual(WORDS);
    expect(html).not.toContain('You see this page as');
  }
});

test('stands in the bar of who may edit a post with something locked alone', async () => {
  expect((await read('/cake/', 'editor')).html).toContain('creator-hq-view=members');
  for (const [path, who] of [
    ['/cake/', 'author'],
    ['/cake/', 'subscriber'],
    ['/cake/', 'nobody'],
    ['/open/', 'editor'],
  ]) {
    expect((await read(path!, who!)).html, `${path} ${who}`).not.toContain('creator-hq-view');
  }
});

test('a member’s own browser shows them as a stranger all the same', async () => {
  const name = await blog.wordpress.php(`echo 'wp-postpass_chq_' . substr(md5(home_url()), 0, 8);`);
  const link = await linkTo('stranger');
  const own = cookies.editor;
  cookies.editor = `${own}; ${name}=${memberToken()}|${SECRET}`;
  const { html } = await read(link, 'editor');
  cookies.editor = own!;
  expect(wordsIn(html)).toEqual(['zqfree']);
});
