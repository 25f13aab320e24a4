/// <reference lib="dom" />
/** A card that was put into the page works and looks as one that was there: servings, units, print, style. */
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '#e2e/browser.ts';
import { type Blog, showInline, startBlog } from './blog.ts';
import { memberToken, SECRET } from './fake-hub.ts';

const P = (text: string) => `<!-- wp:paragraph --><p>${text}</p><!-- /wp:paragraph -->`;
const GATE = '<!-- wp:creator-hq/gate {"for":"members"} /-->';

let blog: Blog;
let browser: Browser;
let cookie: string;
const cards: Record<string, number> = {};
beforeAll(async () => {
  [blog, browser] = await Promise.all([startBlog(), launchBrowser()]);
  blog.hub.membersAt = `${blog.hub.url}/join/anna/enter`;
  await blog.wordpress.php('CreatorHq\\Connection::register();');
  const icing = await blog.recipe('Icing');
  // A card that is locked in one post is locked in all.
  for (const [path, before] of [
    ['/open/', ''],
    ['/locked/', GATE],
    ['/beside-an-open-one/', `[wprm-recipe id="${icing}"]${GATE}`],
  ] as const) {
    cards[path] = await blog.recipe('Cake');
    const title = path.replaceAll('/', '').replaceAll('-', ' ');
    await blog.post(title, `${P('Hello')}${before}[wprm-recipe id="${cards[path]}"]`);
  }
  cookie = await blog.wordpress.php('echo CreatorHq\\Gate\\MemberPass::name();');
});
afterAll(async () => {
  await browser.close();
  expect(await blog.wordpress.complaints()).toEqual([]);
  await blog.close();
});

async function openAsMember(path: string, see: (page: Page) => Promise<void>) {
  await using context = await browser.newContext({ viewport: { width: 800, height: 900 } });
  const { url } = blog.wordpress;
  await context.addCookies([
    { name: cookie, value: `${memberToken()}|${SECRET}`, url },
    { name: 'chq_member', value: '9999999999', url },
  ]);
  const page = await context.newPage();
  const broken: string[] = [];
  page.on('pageerror', ({ message }) => broken.push(message));
  await page.goto(url + path);
  await see(page);
  expect(broken).toEqual([]);
}

test.each(['/open/', '/locked/', '/beside-an-open-one/'])(
  'servings, units and print of the card work at %s',
  async (path) => {
    await openAsMember(path, async (page) => {
      const shown = page.locator(`[data-recipe-id="${cards[path]}"]`);
      const flour = shown.locator('.wprm-recipe-ingredient').first();
      await expect.poll(() => flour.textContent()).toContain('1 1/2 cups');
      const servings = shown.getByLabel('Servings');
      expect(await servings.inputValue()).toBe('4');
      await servings.fill('8');
      await expect.poll(() => flour.textContent()).toBe('3 cups flour');
      await shown.getByRole('button', { name: 'Metric' }).click();
      await expect.poll(() => flour.textContent()).toBe('360 g flour');
      expect(await shown.getByRole('link', { name: 'Print' }).getAttribute('href')).toContain(
        `wprm_print=${cards[path]}&servings=8`,
      );
    });
  },
);

test('it looks as one that the page was written with', async () => {
  const pictures: Buffer[] = [];
  for (const isInline of [false, true]) {
    await showInline(blog, isInline);
    await openAsMember('/locked/', async (page) => {
      const shown = page.locator(`[data-recipe-id="${cards['/locked/']}"]`);
      await shown.getByLabel('Servings').waitFor();
      await expect.poll(() => shown.evaluate((element) => getComputedStyle(element).borderTopWidth)).toBe('4px');
      pictures.push(await shown.screenshot());
    });
  }
  await showInline(blog, false);
  expect(pictures[1]!.equals(pictures[0]!)).toBe(true);
});
