/// <reference lib="dom" />
/** Members see no ads, on pages that are the same for everybody; strangers as many as without the plugin. */
import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '#e2e/browser.ts';
import { type Blog, startBlog } from './blog.ts';

let blog: Blog;
let browser: Browser;
const url = () => blog.wordpress.url;
const PAGES = { page: '/cake/', archive: '/category/uncategorized/', print: '/?fake_print=1' };
let without: Record<string, number>;
beforeAll(async () => {
  [blog, browser] = await Promise.all([startBlog({ plugins: ['fake-ads'] }), launchBrowser()]);
  await blog.post('Cake', '<!-- wp:paragraph --><p>Hello</p><!-- /wp:paragraph -->');
  without = {};
  for (const [name, path] of Object.entries(PAGES)) without[name] = (await look(path, null)).ads.length;
  blog.hub.membersAt = `${blog.hub.url}/join/anna/enter`;
  await blog.wordpress.php('CreatorHq\\Connection::register();');
});
afterAll(async () => {
  await browser.close();
  expect(await blog.wordpress.complaints()).toEqual([]);
  await blog.close();
});

/** @param until in seconds from now; null: a stranger */
async function look(path: string, until: number | null) {
  const context = await browser.newContext();
  if (until !== null) {
    const value = String(Math.floor(Date.now() / 1000) + until);
    await context.addCookies([{ name: 'chq_member', value, url: url() }]);
  }
  const page = await context.newPage();
  const response = await page.goto(url() + path);
  const ads = await page.locator('.ad-slot').allTextContents();
  const videos = await page.locator('.mediavine-video').count();
  const bytes = (await response!.body()).length;
  await context.close();
  return { ads, videos, bytes };
}

test.each(Object.entries(PAGES))('on a %s', async (name, path) => {
  expect(without[name]).toBeGreaterThan(5);
  const member = await look(path, 3600);
  expect(member.ads).toEqual([]);
  // The player is the creator's own video.
  expect(member.videos).toBe(1);
  const stranger = await look(path, null);
  expect(stranger.ads).toHaveLength(without[name]!);
  const wasMember = await look(path, -1);
  expect(wasMember.ads).toHaveLength(without[name]!);
  // One page for all, whatever a cache keeps.
  expect(member.bytes).toBe(stranger.bytes);
});

test('the page of a stranger grows by less than 1.5 KB', async () => {
  const has = (await look(PAGES.page, null)).bytes;
  blog.hub.membersAt = null;
  await blog.wordpress.php('CreatorHq\\Connection::register();');
  expect(has - (await look(PAGES.page, null)).bytes).toBeLessThan(1500);
});
