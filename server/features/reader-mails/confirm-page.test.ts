/** The page behind the one tap, in a real browser. */
import type { Browser, BrowserContextOptions } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
// biome-ignore lint/style/noRestrictedImports: what the page's script does only a browser shows
import { launchBrowser } from '#e2e/browser.ts';
import { createTestApp, type TestApp } from '#server/testing/test-app.ts';
import { settleConfirmations } from './confirmations.ts';
import { type AskedReader, askReader } from './testing/asked-reader.ts';

const AS_PEOPLE_HAVE_IT: BrowserContextOptions = {
  locale: 'en-US',
  userAgent:
    'Mozilla/5.0 (Linux; Android 16; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/148.0.0.0 Mobile Safari/537.36',
  viewport: { width: 360, height: 740 },
};

let app: TestApp;
let browser: Browser;
let creatorId: string;
let url: string;
beforeAll(async () => {
  app = await createTestApp();
  ({ id: creatorId } = await (await app.signUpAndIn()).createCreator('anna'));
  url = await app.app.listen({ host: '127.0.0.1', port: 0 });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await app?.close();
});

/** @param options.isSteered the browser says that a program steers it, as it does by itself */
async function open(
  path: string,
  { isSteered = false, ...options }: BrowserContextOptions & { isSteered?: boolean } = {},
) {
  const context = await browser.newContext({ ...AS_PEOPLE_HAVE_IT, ...options });
  if (!isSteered)
    await context.addInitScript(`Object.defineProperty(Navigator.prototype, 'webdriver', { get: () => false })`);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => void complaints.push(message.text()));
  page.on('pageerror', (error) => void complaints.push(error.message));
  await page.goto(url + path);
  return { page, complaints, heading: (name: string) => page.getByRole('heading', { name, exact: true }).waitFor() };
}

async function statusAfterQuietMinute({ contactId }: AskedReader): Promise<string> {
  await app.clock.advance(60_000);
  await settleConfirmations.run(app.deps);
  const row = await app.db.engine
    .selectFrom('contacts')
    .select('newsletter')
    .where('id', '=', contactId)
    .executeTakeFirstOrThrow();
  return row.newsletter;
}

test('who opens the link once is signed up without another tap', async () => {
  const asked = await askReader(app, creatorId);
  const { page, complaints, heading } = await open(asked.confirm);
  await heading('You’re signed up');
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  expect(complaints).toEqual([]);
  expect(await page.context().cookies()).toEqual([]);
  expect(await statusAfterQuietMinute(asked)).toBe('confirmed');
});

test('the same browser opening every link of 50 mails, in either order, signs nobody up', {
  timeout: 120_000,
}, async () => {
  const { page } = await open((await askReader(app, creatorId)).notMe);
  const scan = async ({ confirm, tripwire, notMe }: AskedReader, at: number) => {
    const tab = await page.context().newPage();
    const heading = (name: string) => tab.getByRole('heading', { name, exact: true }).waitFor();
    for (const link of at % 2 === 0 ? [confirm, tripwire, notMe] : [tripwire, confirm, notMe]) {
      await tab.goto(url + link);
      if (link === confirm) await heading(at % 2 === 0 ? 'You’re signed up' : 'One more tap');
    }
    await tab.close();
  };
  const mails: AskedReader[] = [];
  while (mails.length < 50) mails.push(await askReader(app, creatorId));
  for (let at = 0; at < mails.length; at += 10) await Promise.all(mails.slice(at, at + 10).map(scan));
  for (const asked of mails) expect(await statusAfterQuietMinute(asked)).toBe('unconfirmed');
});

test('a browser that is steered says nothing by itself; its press counts', async () => {
  const asked = await askReader(app, creatorId);
  const { page, heading } = await open(asked.confirm, { isSteered: true });
  // Longer than a look takes, by the page's own clock.
  await page.evaluate('new Promise((resolve) => setTimeout(resolve, 1000))');
  await heading('Get new recipes by email?');
  await page.getByRole('button').click();
  await heading('You’re signed up');
  expect(await statusAfterQuietMinute(asked)).toBe('confirmed');
});

test('every page works without script', async () => {
  const asked = await askReader(app, creatorId);
  const withoutScript = { javaScriptEnabled: false };
  for (const [link, button, done] of [
    [asked.confirm, 'Yes, send me new recipes', 'You’re signed up'],
    [asked.unsubscribe, 'Unsubscribe', 'You’re unsubscribed'],
    [asked.notMe, 'Stop all emails', 'All emails stopped'],
  ] as const) {
    const { page, heading } = await open(link, withoutScript);
    await page.getByRole('button', { name: button, exact: true }).click();
    await heading(done);
    await page.context().close();
  }
});
