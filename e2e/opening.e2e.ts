/** The page that opens an app out of another app's own browser: as each of these browsers says it is, in Chromium. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readAgent } from '#contract/agents.ts';
import { OPENING_RULES, openingOf } from '#contract/opening-rules.ts';
import { openingPage } from '#server/features/links/opening-page.ts';
import { launchBrowser } from './browser.ts';

const PRODUCT = 'https://www.amazon.com/dp/B08N5WRWNW?tag=anna-20&th=1';
const MOST_BYTES = 8000;
const AFTER_MS = 2500;
const IOS =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/22F76';
const ANDROID =
  'Mozilla/5.0 (Linux; Android 15; Pixel 9 Build/AP4A; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/138.0.0.0 Mobile Safari/537.36';

/** Their strings, and how the attempts begin: by itself, then by each tap. */
const BROWSERS: [string, string, string[]][] = [
  [
    'Instagram on iOS',
    `${IOS} Instagram 424.0.0.31.64 (iPhone17,1; iOS 18_5) Safari/604.1`,
    ['instagram://extbrowser', 'com.amazon.mobile.shopping.web://', 'instagram://extbrowser'],
  ],
  [
    'Instagram on Android',
    `${ANDROID} Instagram 384.0.0.46.83 Android (35/15; 420dpi)`,
    ['intent://', 'intent://', 'intent://'],
  ],
  [
    'Threads on iOS',
    `${IOS} Barcelona 384.0.0.25.109 (iPhone16,2; iOS 18_5)`,
    ['barcelona://extbrowser', 'window x-safari-https://', 'barcelona://extbrowser'],
  ],
  ['Threads on Android', `${ANDROID} Barcelona 384.0.0.42.80 Android (35/15)`, ['intent://', 'intent://', 'intent://']],
  [
    'Facebook on iOS',
    `${IOS} [FBAN/FBIOS;FBAV/515.0.0.43.89;FBDV/iPhone15,2]`,
    ['window x-safari-https://', 'window x-safari-https://'],
  ],
  [
    'Facebook on Android',
    `${ANDROID} [FB_IAB/FB4A;FBAV/515.0.0.46.83;IABMV/1;]`,
    ['intent://', 'intent://', 'intent://'],
  ],
  [
    'Messenger on iOS',
    `${IOS} [FBAN/MessengerForiOS;FBAV/514.0.0.30.107]`,
    ['window x-safari-https://', 'window x-safari-https://'],
  ],
  ['TikTok on iOS', `${IOS} musical_ly_40.3.0 BytedanceWebview/d8a21c6`, []],
  [
    'TikTok on Android',
    `${ANDROID} trill_2023903030 BytedanceWebview/d8a21c6`,
    ['intent://', 'intent://', 'intent://'],
  ],
  ['X on iOS', `${IOS} Twitter for iPhone/11.6`, []],
  ['X on Android', `${ANDROID} TwitterAndroid`, ['intent://', 'intent://', 'intent://']],
  ['Snapchat on iOS', `${IOS} Snapchat/13.45.0.51 (like Safari/8621.2.5.10.10, panda)`, []],
  ['LinkedIn on iOS', `${IOS} [LinkedInApp]/9.30.4510`, ['x-safari-https://', 'x-safari-https://']],
  ['Pinterest on iOS', `${IOS} [Pinterest/iOS]`, ['x-safari-https://', 'x-safari-https://']],
  ['LINE on iOS', `${IOS} Safari Line/15.9.0`, ['https://www.amazon.com/', 'https://www.amazon.com/']],
  ['an app nobody knows on iOS', IOS, []],
  ['an app nobody knows on Android', ANDROID, ['intent://', 'intent://', 'intent://']],
];

let browser: Browser;
let server: Server;
let url: string;
let sentBytes = 0;
const told: string[] = [];

beforeAll(async () => {
  browser = await launchBrowser();
  server = createServer((request, response) => {
    if (request.method === 'POST') {
      told.push(request.url!);
      return response.writeHead(204).end();
    }
    const { app, system } = readAgent(request.headers['user-agent']!);
    const address = new URL(PRODUCT);
    const opening = openingOf(OPENING_RULES, { app: app!, system: system!, address })!;
    const facts = { app: app!, opening, address, title: 'Anna’s <pan>', disclosure: 'Paid link.' };
    const { html, policy } = openingPage({ ...facts, tellAt: '/told/', key: 'abcdefgh' });
    sentBytes = Buffer.byteLength(html);
    response
      .writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy })
      .end(html);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(async () => {
  await browser?.close();
  server?.closeAllConnections();
  await new Promise((resolve) => server?.close(resolve));
});

/** Opens the page; what it tries is written down instead of done. */
async function open(userAgent: string, options: { javaScriptEnabled?: boolean } = {}) {
  told.length = 0;
  const context = await browser.newContext({
    userAgent,
    locale: 'en-US',
    viewport: { width: 360, height: 740 },
    ...options,
  });
  const tried: string[] = [];
  await context.exposeBinding('wroteDown', (_source, address: string) => void tried.push(address));
  await context.addInitScript(() => {
    const it = window as unknown as { wroteDown(address: string): void; navigation: EventTarget };
    window.open = (address) => {
      it.wroteDown(`window ${address}`);
      return null;
    };
    it.navigation.addEventListener('navigate', (event) => {
      const { destination, navigationType } = event as Event & { destination: { url: string }; navigationType: string };
      if (destination.url === location.href || navigationType === 'reload') return;
      it.wroteDown(destination.url);
      event.preventDefault();
    });
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.clock.install();
  await page.goto(url);
  return { context, page, tried, complaints };
}

async function expectPlainLink(page: Page): Promise<void> {
  expect(await page.getByRole('link', { name: 'Continue here' }).getAttribute('href')).toBe(PRODUCT);
  expect(await page.getByRole('link', { name: 'Continue here' }).isVisible()).toBe(true);
}

describe.each(BROWSERS)('in %s', (name, agent, expected) => {
  let context: BrowserContext;

  test('attempts come in order, the plain link is always there, and there is no loop', async () => {
    const opened = await open(agent);
    context = opened.context;
    const { page, tried, complaints } = opened;
    await expectPlainLink(page);
    const [itself, ...taps] = expected;
    await expect.poll(() => tried.length).toBe(itself === undefined ? 0 : 1);
    if (itself !== undefined) {
      expect(await page.locator('body').getAttribute('class')).toBeNull();
      await page.clock.runFor(AFTER_MS);
      await expect.poll(() => told).toEqual(['/told/stayed']);
      await expectPlainLink(page);
    }
    expect(await page.locator('body').getAttribute('class')).toBe('stayed');
    for (const _tap of taps) await page.locator('#open').click();
    await expect.poll(() => tried.length).toBe(expected.length);
    for (const [at, begin] of expected.entries())
      expect(tried[at]?.startsWith(begin), `${name}: ${tried[at]}`).toBe(true);
    for (const address of tried) expect(decodeURIComponent(address)).toContain('tag=anna-20');

    // Back here, or loaded again: nothing by itself.
    await page.goto(url);
    await page.reload();
    expect(await page.locator('body').getAttribute('class')).toBe('stayed');
    expect(tried.length).toBe(expected.length);
    await expectPlainLink(page);
    expect(await page.getByText(/tap the .* at the (top|bottom) right/).isVisible()).toBe(true);
    expect(await page.getByText('Paid link.').isVisible()).toBe(true);
    expect(complaints).toEqual([]);
    expect(sentBytes).toBeLessThanOrEqual(MOST_BYTES);
    await context.close();
  });

  test('without a script it is two links', async () => {
    const { page, context: plain, tried } = await open(agent, { javaScriptEnabled: false });
    await expectPlainLink(page);
    expect(await page.locator('a').count()).toBe(expected.length === 0 ? 1 : 2);
    expect(tried).toEqual([]);
    await plain.close();
  });
});

test('a page that was left says so, once', async () => {
  const { page, context } = await open(BROWSERS[0]![1]);
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden' });
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await page.clock.runFor(2 * AFTER_MS);
  await expect.poll(() => told).toEqual(['/told/opened']);
  expect(await page.locator('body').getAttribute('class')).toBeNull();
  await context.close();
});

test('a tab that cannot remember tries nothing by itself', async () => {
  const { page, context, tried } = await open(BROWSERS[1]![1]);
  await context.addInitScript(() => {
    Object.defineProperty(window, 'sessionStorage', {
      get() {
        throw new DOMException('no', 'SecurityError');
      },
    });
  });
  const before = tried.length;
  await page.goto(url);
  expect(await page.locator('body').getAttribute('class')).toBe('stayed');
  expect(tried.length).toBe(before);
  await context.close();
});
