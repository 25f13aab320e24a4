/** A person connects their blog without pasting a key: real WordPress, real Creator HQ, a real browser. */
import path from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright';
import { expect as expectPage } from 'playwright/test';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { getApiKey, makeApiKey } from '#contract/settings.ts';
import { freePort } from '#server/testing/processes.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';
import { launchBrowser } from '../../e2e/browser.ts';
import { buildWebApps } from '../../scripts/build.ts';
import { type Blog, connectTo, logIn, startBlog } from './blog.ts';

const SCREENSHOTS = process.env.SCREENSHOTS;
const seen = expectPage.configure({ timeout: 20_000 });
let app: TestApp;
let anna: Person;
let creator: { id: string; handle: string };
let blog: Blog;
let hub: string;
let browser: Browser;
let cookies: string;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  await buildWebApps(() => {});
  const port = await freePort();
  hub = `http://localhost:${port}`;
  const webDir = path.resolve(import.meta.dirname, '../../dist/web');
  [app, blog, browser] = await Promise.all([
    createTestApp({ settings: { BASE_URL: hub }, deps: { webDir } }),
    startBlog({ isConnected: false, cameFrom: hub }),
    launchBrowser(),
  ]);
  await app.app.listen({ port, host: '127.0.0.1' });
  cookies = await logIn(blog, 'administrator');
});
beforeEach(async () => {
  await context?.close();
  anna = await app.signUpAndIn();
  creator = await anna.createCreator();
  await blog.wordpress.php(`delete_option('creator_hq_connection'); delete_option('creator_hq_state');`);
  context = await browser.newContext({
    ...{ locale: 'en-US', reducedMotion: 'reduce' },
    ...{ viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true },
  });
  const atHub = [...anna.cookies].map(([name, value]) => ({ name, value, url: hub }));
  const atBlog = cookies.split('; ').map((pair) => {
    const at = pair.indexOf('=');
    return { name: pair.slice(0, at), value: pair.slice(at + 1), url: blog.wordpress.url };
  });
  await context.addCookies([...atHub, ...atBlog]);
  page = await context.newPage();
});
afterAll(async () => {
  await context?.close();
  await browser?.close();
  expect(await blog.wordpress.complaints()).toEqual([]);
  await blog.close();
  await app.close();
});

const settings = () => `${blog.wordpress.url}/wp-admin/options-general.php?page=creator-hq`;
const connection = async () =>
  JSON.parse(await blog.wordpress.php(`echo json_encode(get_option('creator_hq_connection', null));`));
const apiKey = async () => (await anna.call(getApiKey, { params: { creatorId: creator.id } })).body;
const shoot = (name: string) => SCREENSHOTS && page.screenshot({ path: `${SCREENSHOTS}/${name}.png`, fullPage: true });
const ask = async () => {
  await page.goto(settings());
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
};

test('a person says yes, the blog is connected, and open screens show it without being loaded again', async () => {
  const { key: before } = (await anna.call(makeApiKey, { params: { creatorId: creator.id } })).body;
  const desk = await context.newPage();
  await desk.goto(`${hub}/creator-hq/settings?tab=api-key`);
  const banner = desk.getByText('has not been registered to the Creator HQ WordPress Plugin', { exact: false });
  await seen(desk.getByText('Not registered', { exact: true })).toBeVisible();
  await seen(banner).toBeVisible();

  await page.goto(settings());
  await seen(page.getByLabel('Address of your Creator HQ').first()).toHaveValue(hub);
  await shoot('connect-wordpress');
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Connect this blog?' });
  await seen(dialog).toContainText(blog.wordpress.url);
  await seen(dialog).toContainText(`@${creator.handle}`);
  await seen(dialog).toContainText('Your current API key stops working.');
  await shoot('connect-hub');
  await page.getByRole('button', { name: 'Connect blog' }).click();
  await seen(page.getByText('Connected.', { exact: true })).toBeVisible();
  await seen(page.getByText(`Connected as @${creator.handle}.`, { exact: false })).toBeVisible();
  await shoot('connect-done');
  const { prefix, pluginVersion, expectedPluginVersion } = await apiKey();
  expect((await connection()).key.slice(0, 8)).toBe(prefix);
  expect(before.startsWith(prefix)).toBe(false);
  expect(pluginVersion).toBe(expectedPluginVersion);

  // What open screens are told is gathered for a moment, and this clock stands still.
  const upToDate = desk.getByText('Up to date', { exact: true });
  const aSecondLater = async () => {
    await app.clock.advance(1000);
    return upToDate.isVisible();
  };
  await expect.poll(aSecondLater).toBe(true);
  await seen(banner).toBeHidden();
});

test('no leads nowhere, and the key stays', async () => {
  await ask();
  await page.getByRole('button', { name: 'Not now' }).click();
  await seen(page.getByRole('dialog')).toBeHidden();
  expect(new URL(page.url()).search).toBe('?tab=api-key');
  expect(await connection()).toBeNull();
  expect(await apiKey()).toMatchObject({ prefix: null });
});

test('an answer that is not to this browser’s question, or comes again, connects nothing', async () => {
  await ask();
  await page.getByRole('dialog').waitFor();
  const { searchParams } = new URL(page.url());
  const returned = new Promise<string>((resolve) =>
    page.on('request', (request) => request.url().includes('creator_hq_connected') && resolve(request.url())),
  );
  const forged = new URL(
    `${blog.wordpress.url}/wp-admin/admin-post.php?action=creator_hq_connected&code=x&state=wrong`,
  );
  expect((await (await context.newPage()).goto(forged.href))!.status()).toBe(403);
  await page.getByRole('button', { name: 'Connect blog' }).click();
  await seen(page.getByText('Connected.', { exact: true })).toBeVisible();
  const { key } = await connection();
  await page.goto(await returned);
  await seen(page.getByText('Not connected: this answer came twice, or too late.', { exact: false })).toBeVisible();
  forged.searchParams.set('state', searchParams.get('state')!);
  await page.goto(forged.href);
  await seen(page.getByText('Not connected', { exact: false })).toBeVisible();
  expect((await connection()).key).toBe(key);
});

test('a code that the hub refuses is said in its words', async () => {
  await ask();
  await page.getByRole('dialog').waitFor();
  const state = new URL(page.url()).searchParams.get('state')!;
  const query = new URLSearchParams({ action: 'creator_hq_connected', code: 'made up', state });
  await page.goto(`${blog.wordpress.url}/wp-admin/admin-post.php?${query}`);
  await seen(page.getByText('Not connected. This code is not from this Creator HQ.', { exact: false })).toBeVisible();
  expect(await connection()).toBeNull();
});

test('a hub without TLS is refused before anybody goes there', async () => {
  await page.goto(settings());
  await page.getByLabel('Address of your Creator HQ').first().fill('http://hub.example.test');
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await seen(page.getByText('must begin with https://', { exact: false })).toBeVisible();
  expect(page.url()).toContain(blog.wordpress.url);
});

test.each(['editor', 'subscriber'])('%s starts and ends no connecting', async (role) => {
  await blog.wordpress.php(connectTo(hub));
  const headers = { cookie: await logIn(blog, role) };
  for (const action of ['creator_hq_connect', 'creator_hq_connected']) {
    const address = `${blog.wordpress.url}/wp-admin/admin-post.php?action=${action}`;
    const response = await fetch(address, { method: 'POST', headers, redirect: 'manual' });
    await response.text();
    expect(response.status).toBe(403);
  }
});
