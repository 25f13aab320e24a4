/** The simulator's phone, played by hand: every door of a follower, and what the creator does in their own app. */
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { demoPicture } from '#simulators/meta/demo/pictures.ts';
import { type DemoWorld, seedDemo } from '#simulators/meta/demo/world.ts';
import { type MetaSimulator, startMetaSimulator } from '#simulators/meta/simulator.ts';
import { launchBrowser } from './browser.ts';
import { expect as expectPage } from './journey.ts';

let meta: MetaSimulator;
let demo: DemoWorld;
let browser: Browser;
let page: Page;
const problems: string[] = [];
beforeAll(async () => {
  meta = await startMetaSimulator({ pictures: demoPicture });
  demo = await seedDemo(meta.control);
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await meta?.close();
});
beforeEach(async () => {
  const context = await browser.newContext({ locale: 'en-US', viewport: { width: 390, height: 844 } });
  page = await context.newPage();
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  return async () => {
    expect(problems.splice(0)).toEqual([]);
    await context.close();
  };
});

const open = (place: Record<string, string>) =>
  page.goto(`${meta.url}/phone/?${new URLSearchParams({ account: demo.instagramAccountId, ...place })}`);
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
const shows = (text: string) => expectPage(page.getByText(text).first()).toBeVisible();

test('a stranger accepts a request, and follows', async () => {
  await open({ as: 'kwame', messages: 'requests' });
  await page.getByRole('list', { name: 'Message requests' }).getByRole('link').first().click();
  await button('Accept').click();
  await expectPage(page.getByLabel('Write a message')).toBeVisible();
  await open({ as: 'kwame' });
  await button('Follow').click();
  await expectPage(button('Following')).toBeVisible();
});

test('a story is answered with an emoji, and the answer taken back', async () => {
  await open({ as: 'kwame' });
  await page.getByRole('link', { name: 'Story, 3 h' }).click();
  await button('Reply with 🔥').click();
  await page.getByRole('link', { name: 'Open the conversation' }).click();
  await shows('About a story');
  await button('Unsend').last().click();
  await shows('Message unsent');
});

test('a message is liked, and its writer blocked and let in again', async () => {
  await open({ as: 'mei', messages: 'inbox', thread: demo.instagramAccountId });
  await button('Like').first().click();
  await expectPage(button('Unlike').first()).toBeVisible();
  await button('Block').click();
  await shows('You blocked this account');
  await button('Unblock').click();
  await expectPage(page.getByLabel('Write a message')).toBeVisible();
});

test('the creator goes live, a follower comments, the live ends', async () => {
  await open({ as: 'owner' });
  await button('Go live').click();
  await expectPage(page.getByRole('link', { name: 'Live now' })).toBeVisible();
  await open({ as: 'mei' });
  await page.getByRole('link', { name: 'Live now' }).click();
  await page.getByLabel('Add a comment').fill('LIVE');
  await button('Post').click();
  await expectPage(page.getByRole('list', { name: 'Comments' }).getByText('LIVE')).toBeVisible();
  await open({ as: 'owner' });
  await page.getByRole('link', { name: 'Live now' }).click();
  await button('End live').click();
  await shows('The live has ended.');
});

test('the creator posts a story and deletes it', async () => {
  await open({ as: 'owner' });
  await button('Post a story').click();
  await page.getByRole('link', { name: 'Story, now' }).click();
  await button('Delete story').click();
  await expectPage(button('Post a story')).toBeVisible();
  await expectPage(page.getByRole('link', { name: 'Story, now' })).toHaveCount(0);
});

test('a follower mentions the account in their story', async () => {
  await open({ as: 'mei' });
  await button('Mention in my story').click();
  await expectPage(page.getByRole('img', { name: 'Attached' })).toBeVisible();
});

test('a Page’s post is commented on and a message goes to Messenger', async () => {
  await open({ as: 'mei' });
  await page.getByLabel('You’re viewing').selectOption({ label: 'The Golden Spoon (Page)' });
  await page
    .getByRole('link', { name: /^Open the post/ })
    .first()
    .click();
  await page.getByLabel('Add a comment').fill('PASTA');
  await button('Post').click();
  await expectPage(page.getByRole('list', { name: 'Comments' }).getByText('PASTA')).toBeVisible();
  await open({ as: 'mei', account: demo.pageId, thread: demo.pageId });
  await page.getByLabel('Write a message').fill('Hello, Page');
  await button('Send').click();
  await shows('Hello, Page');
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
});
