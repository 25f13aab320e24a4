/// <reference lib="dom" />
import { createHash } from 'node:crypto';
import type { Browser, BrowserContextOptions, Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { launchBrowser } from '#e2e/browser.ts';
import { type Blog, startBlog, WITHOUT_SCRIPT } from './blog.ts';

let blog: Blog;
let browser: Browser;

beforeAll(async () => {
  [blog, browser] = await Promise.all([startBlog(), launchBrowser()]);
  const recipe = await blog.recipe('Lemon cake');
  await blog.wordpress.php(`update_option('creator_hq_places', array('place' => 'in_card'));`);
  await blog.post('Lemon cake', `<p>Hello</p>[wprm-recipe id="${recipe}"]`);
});
beforeEach(() => {
  blog.hub.submissions.length = 0;
});
afterAll(async () => {
  await browser.close();
  expect(await blog.wordpress.complaints()).toEqual([]);
  await blog.close();
});

async function open(options: BrowserContextOptions = {}, prepare?: (page: Page) => Promise<unknown>) {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 }, ...options });
  const page = await context.newPage();
  await prepare?.(page);
  await page.goto(`${blog.wordpress.url}/lemon-cake/`);
  return { page, [Symbol.asyncDispose]: () => context.close() };
}
const fill = async (page: Page, email: string) => {
  await page.getByRole('textbox', { name: 'Email', exact: true }).fill(email);
  await page.getByRole('button', { name: 'Send it to me' }).click();
};
const emails = () => blog.hub.submissions.map(({ email }) => email);

test('a save is answered in place; before it nothing is asked, stored or set', async () => {
  const asked: string[] = [];
  await using opened = await open({}, async (page) => page.on('request', (request) => asked.push(request.url())));
  const { page } = opened;
  const isOurs = (url: string) => url.startsWith(blog.wordpress.url) || /^(data|blob):/.test(url);
  expect(asked.filter((url) => !isOurs(url) && !url.includes('gravatar.com'))).toEqual([]);
  expect(asked.filter((url) => url.includes('creator-hq'))).toEqual([expect.stringContaining('/assets/form.js')]);
  expect(await page.evaluate(() => [document.cookie, localStorage.length])).toEqual(['', 0]);

  await fill(page, 'in-place@example.com');
  const status = page.getByRole('status');
  await expect.poll(() => status.textContent()).toBe('Sent. Look in your inbox.');
  expect(
    await page.evaluate(() =>
      document.querySelector('creator-hq-form')!.shadowRoot!.activeElement!.getAttribute('role'),
    ),
  ).toBe('status');
  expect(page.url()).toBe(`${blog.wordpress.url}/lemon-cake/`);
  expect(emails()).toEqual(['in-place@example.com']);
  const [sent] = blog.hub.submissions;
  expect(sent!.page.recipe).toMatchObject({ name: 'Lemon cake' });
  // As the hub asks for it: docs/decisions/0044-work-for-strangers.md.
  const worked = [sent!.formKey, sent!.attempt, sent!.email, sent!.work].join('\n');
  expect(createHash('sha256').update(worked).digest('hex')).toMatch(/^000/);
  expect(await page.context().cookies()).toEqual([]);
});

test('two presses are one request, and a wrong address leads back to its field', async () => {
  await using opened = await open();
  const { page } = opened;
  await page.getByRole('textbox', { name: 'Email', exact: true }).fill('twice@example.com');
  await page.getByRole('button', { name: 'Send it to me' }).dblclick();
  await expect.poll(() => page.getByRole('status').textContent()).toBe('Sent. Look in your inbox.');
  expect(emails()).toEqual(['twice@example.com']);
  await fill(page, 'wrong@localhost');
  await expect.poll(() => page.getByRole('status').textContent()).toContain('does not look right');
  const field = page.getByRole('textbox', { name: 'Email', exact: true });
  expect(await field.getAttribute('aria-invalid')).toBe('true');
  expect(await field.inputValue()).toBe('wrong@localhost');
});

test.each(WITHOUT_SCRIPT)('the browser sends the form itself when %s', async (name, options, prepare) => {
  await using opened = await open(options, prepare);
  const { page } = opened;
  const email = `${name.replace(/\W+/g, '-')}@example.com`;
  await fill(page, email);
  await expect.poll(() => page.locator('body').textContent()).toContain('Sent. Look in your inbox.');
  expect(page.url()).toBe(`${blog.wordpress.url}/?creator-hq=submit`);
  expect(emails()).toEqual([email]);
  await page.getByRole('link', { name: 'Back to the page' }).click();
  expect(page.url()).toBe(`${blog.wordpress.url}/lemon-cake/`);
});
