/** J9: from a recipe's page to a shop; and the list as whoever taps a message has it: without script, on paper, by keyboard and screen reader. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import lighthouse from 'lighthouse';
import type { Page } from 'playwright';
import { afterAll, beforeAll, test } from 'vitest';
import { freePort } from '#server/testing/processes.ts';
import { launchBrowser } from './browser.ts';
import { DEVICES, enterDemo, expect, type RunningApp, startApp } from './journey.ts';

const LINES = [
  ...['2 cups flour', '1 tsp salt', '1 cup water', '3 tbsp zorblat paste, chopped', '1 onion, diced'],
  ...['For the sauce:', '½ cup flour', '4 tbsp butter', '1 tbsp peanut butter'],
];

let app: RunningApp;
let blog: Server;
let listUrl: string;
beforeAll(async () => {
  blog = createServer((request, response) => {
    if (request.url === '/stew.svg') {
      response.setHeader('content-type', 'image/svg+xml');
      response.end(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path fill="#b64" d="M0 0h1v1H0z"/></svg>',
      );
      return;
    }
    const name = `Stew of ${request.url!.slice(1)}`;
    const recipe = { name, image: '/stew.svg', recipeIngredient: LINES, recipeYield: '4 servings' };
    const data = JSON.stringify({ '@context': 'https://schema.org', '@type': 'Recipe', ...recipe });
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(`<!doctype html><title>Stew</title><script type="application/ld+json">${data}</script>`);
  });
  await new Promise<void>((listening) => blog.listen(0, '127.0.0.1', listening));
  // Its pages are on this machine.
  app = await startApp({ PRIVATE_WEBHOOKS: 'on' });
});
afterAll(async () => {
  await app?.close();
  blog?.close();
});

test.each(DEVICES)('J9: from a pasted address to a cart, on a %s', async (device) => {
  const visit = await app.visit(device);
  const { page } = visit;
  await enterDemo(visit);
  await page.goto('/creator-hq/shop-the-recipe/recipes');
  await page.getByRole('button', { name: 'Bring in a recipe' }).click();
  const { port } = blog.address() as AddressInfo;
  await page.getByLabel('Address of a recipe').fill(`http://127.0.0.1:${port}/${device}`);
  await page.getByRole('button', { name: 'Read the recipe' }).click();

  // Groups and amounts came over; what is doubtful says so, beside its author's text.
  await expect(page.getByText('1 line to check')).toBeVisible();
  await expect(page.getByLabel('Name of the group')).toHaveValue('For the sauce');
  await page.getByRole('button', { name: 'Next line to check' }).click();
  await expect(page.getByText(/Is “zorblat” something to buy/)).toBeVisible();
  await page.getByRole('button', { name: 'Looks right' }).click();
  await page.getByRole('button', { name: 'Save recipe' }).click();
  await page.getByRole('link', { name: new RegExp(`Stew of ${device}`) }).click();
  await page.getByRole('tab', { name: 'Ingredients' }).click();
  const opened = page.waitForEvent('popup');
  await page.getByRole('link', { name: 'Open the list' }).click();
  const shopper = await opened;
  listUrl = shopper.url();

  // What adds up is one item; butter is no peanut butter; salt and water wait to be wanted.
  await expect(shopper.getByText(/^2 ½ cups flour$/)).toBeVisible();
  await expect(itemOf(shopper, 'peanut butter')).toBeChecked();
  for (const food of ['salt', 'water']) await expect(itemOf(shopper, food)).not.toBeChecked();
  await itemOf(shopper, 'zorblat').uncheck();
  for (let more = 0; more < 4; more++) await shopper.getByRole('button', { name: 'One serving more' }).click();
  await expect(shopper.getByText(/^5 cups flour$/)).toBeVisible();
  await shopper.getByRole('button', { name: /^Shop at Instacart/ }).click();
  await expect(shopper.getByText('Simulated Instacart')).toBeVisible();
  await expect(shopper.getByRole('listitem').filter({ hasText: 'flour' })).toContainText('5 cup');
  await expect(shopper.getByText(/salt|water|zorblat/)).toHaveCount(0);
  await shopper.close();
  await visit.end();
});

/** Whoever says that they are headless gets the list's usual page at the shop. */
const PHONE = {
  ...{ viewport: { width: 360, height: 740 }, locale: 'en-US' },
  userAgent: 'Mozilla/5.0 (Linux; Android 16; Pixel 9) AppleWebKit/537.36 Chrome/148.0.0.0 Mobile Safari/537.36',
};
const itemOf = (page: Page, food: string | RegExp) => page.getByRole('checkbox', { name: food });

test('without script: untick, servings, another country, a shop, and back', async () => {
  const context = await app.browser.newContext({ ...PHONE, javaScriptEnabled: false });
  const page = await context.newPage();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(listUrl);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  // Nothing but the page itself and the picture of the recipe.
  const picture = await page.locator('img.picture').getAttribute('src');
  expect(asked.filter((url) => url !== listUrl && url !== picture)).toEqual([]);
  expect(await context.cookies()).toEqual([]);

  await itemOf(page, /tbsp butter/).uncheck();
  await page.getByRole('button', { name: 'One serving more' }).click();
  await expect(page.getByRole('status').filter({ hasText: /^5$/ })).toBeVisible();
  await expect(itemOf(page, /tbsp butter/)).not.toBeChecked();
  await expect(itemOf(page, 'onion')).toBeChecked();

  await page.getByRole('button', { name: /^Shop at Instacart/ }).click();
  await expect(page.getByText('Simulated Instacart')).toBeVisible();
  await expect(page.getByText(/^onion/)).toBeVisible();
  await expect(page.getByText(/^butter/)).toHaveCount(0);
  await page.goBack();

  await page.getByLabel('Shopping in').selectOption({ label: 'Canada' });
  await page.getByRole('button', { name: 'Change' }).click();
  await expect(page.getByLabel('Shopping in')).toHaveValue('CA');
  await expect(itemOf(page, /tbsp butter/)).not.toBeChecked();
  await context.close();
});

test('as it is looked at: nothing scrolls sideways, axe finds nothing, on paper only what was ticked', async () => {
  for (const device of ['phone', 'desktop'] as const) {
    const visit = await app.visit(device);
    const { page } = visit;
    await page.goto(listUrl);
    await visit.checkBothThemes('a shopper’s list');
    // By keyboard alone.
    await itemOf(page, 'onion').focus();
    await page.keyboard.press('Space');
    await expect(itemOf(page, 'onion')).not.toBeChecked();
    await page.emulateMedia({ media: 'print' });
    await expect(page.getByText('onion', { exact: true })).toBeHidden();
    await expect(page.getByText('butter', { exact: true })).toBeVisible();
    await expect(page.getByRole('button', { name: /^Shop at/ })).toBeHidden();
    await expect(page.getByText(listUrl)).toBeVisible();
    await visit.end();
  }
});

test('Lighthouse finds nothing wrong for who cannot see or hold it well', async () => {
  const port = await freePort();
  const browser = await launchBrowser({ debuggingPort: port, windowless: true });
  try {
    const result = await lighthouse(listUrl, { port, logLevel: 'error', onlyCategories: ['accessibility'] });
    const { audits, categories } = result!.lhr;
    const missed = Object.values(audits).filter(({ score }) => score !== null && score < 1);
    expect(missed.map(({ id }) => id)).toEqual([]);
    expect(categories.accessibility!.score).toBe(1);
  } finally {
    await browser.close();
  }
});
