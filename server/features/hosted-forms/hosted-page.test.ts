/** A form's own page in a real browser: every state of it, as narrow as it gets, and before anybody acts. */
import { mkdir } from 'node:fs/promises';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContextOptions, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createForm, type FormDesign } from '#contract/forms.ts';
import { MADE_FORMS } from '#contract/made-forms.ts';
// biome-ignore lint/style/noRestrictedImports: what a page looks like only a browser shows
import { launchBrowser } from '#e2e/browser.ts';
import { createTestApp, type TestApp } from '#server/testing/test-app.ts';

const { design } = MADE_FORMS.find(({ kind }) => kind === 'signup')!;
/** 1280 px at 400 % are 320. */
const NARROW: BrowserContextOptions = { viewport: { width: 320, height: 640 } };
const ARABIC = {
  ...design.texts[0]!,
  language: 'ar',
  heading: 'وصفات جديدة في بريدك',
  description: 'رسالة واحدة في الأسبوع.',
  emailLabel: 'بريدك الإلكتروني',
  firstNameLabel: 'الاسم',
  button: 'سجّلني',
};

const WAYS: [string, BrowserContextOptions, Partial<FormDesign>][] = [
  ['at 320 px', NARROW, {}],
  ['from right to left', NARROW, { texts: [ARABIC] }],
  ['in forced colors', { ...NARROW, forcedColors: 'active' }, {}],
  ['at desktop width, in one line', { viewport: { width: 1280, height: 800 } }, { layout: 'inline' }],
];

let app: TestApp;
let browser: Browser;
let creatorId: string;
let make: (changed: Partial<FormDesign>) => Promise<string>;
let url: string;
beforeAll(async () => {
  app = await createTestApp();
  const anna = await app.signUpAndIn();
  ({ id: creatorId } = await anna.createCreator('anna'));
  make = async (changed) => {
    const body = { kind: 'signup' as const, name: 'A', design: { ...design, ...changed } };
    return (await anna.call(createForm, { params: { creatorId }, body })).body.key;
  };
  url = await app.app.listen({ host: '127.0.0.1', port: 0 });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await app?.close();
});

async function open(key: string, options: BrowserContextOptions) {
  const context = await browser.newContext({ locale: 'en-US', ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => void complaints.push(message.text()));
  await page.goto(`${url}/f/${key}`);
  return { page, context, complaints };
}

async function check(page: Page, state: string): Promise<void> {
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), state).toBeLessThanOrEqual(0);
  const axe = new AxeBuilder({ page: page as never }).setLegacyMode().options({ resultTypes: ['violations'] });
  const { violations } = await axe.analyze();
  expect(
    violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]),
    state,
  ).toEqual([]);
  const folder = process.env.SCREENSHOTS;
  if (!folder) return;
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: `${folder}/${state.replaceAll(/[^a-z0-9]+/gi, '-')}.png`, fullPage: true });
}

/** Many looks by axe, on a machine that may have other things to do. */
const PATIENCE_MS = 180_000;

test.each(WAYS)(
  'every state is readable, operable and nowhere too wide, %s',
  { timeout: PATIENCE_MS },
  async (way, options, changed) => {
    const key = await make(changed);
    const { page, context, complaints } = await open(key, options);
    const email = page.locator('#email');
    const button = page.locator('.row button');
    const press = async (address: string) => {
      await email.fill(address);
      await button.click();
    };
    await check(page, `${way}: ready`);
    await press('rosa@localhost');
    await page.getByText('That isn’t an email address').waitFor();
    expect(await email.evaluate((input) => input === document.activeElement)).toBe(true);
    await check(page, `${way}: wrong`);
    await press('rosa@gmal.com');
    await page.getByRole('button', { name: 'rosa@gmail.com' }).waitFor();
    await check(page, `${way}: misspelt`);
    await page.getByRole('button', { name: 'rosa@gmail.com' }).click();
    await page.getByRole('heading', { name: 'Confirm with one tap' }).waitFor();
    await check(page, `${way}: please confirm`);
    expect(await context.cookies()).toEqual([]);
    // The browser reports answers that are no success by itself.
    expect(complaints.filter((text) => !/status of (422|404)/.test(text))).toEqual([]);
    await context.close();
  },
);

test('every result is readable at 320 px', { timeout: PATIENCE_MS }, async () => {
  const key = await make({});
  const { page, context } = await open(key, NARROW);
  for (const state of ['on-its-way', 'already-sent', 'later', 'gone']) {
    await page.goto(`${url}/f/${key}/${state}`);
    await check(page, `result: ${state}`);
  }
  await context.close();
});

test('nothing moves, is kept or is asked of others before the reader acts; all of it works by keyboard', async () => {
  const key = await make({});
  const { page, context } = await open(key, { ...NARROW, javaScriptEnabled: true });
  const asked: string[] = [];
  page.on('request', (request) => void asked.push(new URL(request.url()).pathname));
  await page.reload();
  const shift = await page.evaluate(`new Promise((resolve) => {
    let sum = 0;
    new PerformanceObserver((list) => { for (const entry of list.getEntries()) sum += entry.value; }).observe({ type: 'layout-shift', buffered: true });
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)));
  })`);
  expect(shift).toBe(0);
  expect(asked).toEqual([`/f/${key}`]);
  expect(await context.cookies()).toEqual([]);
  expect(await page.evaluate('localStorage.length + sessionStorage.length')).toBe(0);
  for (const typed of ['Rosa', 'rosa@example.test']) {
    await page.keyboard.press('Tab');
    await page.keyboard.type(typed);
  }
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Confirm with one tap' }).waitFor();
  await context.close();
});

test('it works without script', async () => {
  const { page, context } = await open(await make({}), { javaScriptEnabled: false });
  await page.locator('#email').fill('lena@example.test');
  await page.getByRole('button', { name: 'Sign me up' }).click();
  await page.getByRole('heading', { name: 'Confirm with one tap' }).waitFor();
  await context.close();
});
