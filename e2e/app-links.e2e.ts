/** J10: from a pasted Amazon address to the page that opens the app, and what becomes of the link when it is changed. */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, test } from 'vitest';
import { DEVICES, enterDemo, expect, type RunningApp, startApp } from './journey.ts';

const INSTAGRAM =
  'Mozilla/5.0 (Linux; Android 15; Pixel 9 Build/AP4A; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/138.0.0.0 Mobile Safari/537.36 Instagram 384.0.0.46.83 Android (35/15; 420dpi)';
const PRODUCT = 'https://www.amazon.com/Lodge-Cast-Iron-Skillet/dp/B00006JSUA?tag=somebody-20&th=1';

let app: RunningApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app?.close());

test.each(DEVICES)('J10: an Amazon address becomes a link that opens the app, on a %s', async (device) => {
  const name = `Skillet (${device})`;
  const creator = await app.visit(device);
  const { page } = creator;
  await enterDemo(creator);
  await page.goto('/creator-hq/app-links');
  await expect(page.getByRole('heading', { level: 1, name: 'App Links' })).toBeVisible();
  await creator.checkBothThemes('app links');
  await page.getByRole('button', { name: 'New link', exact: true }).first().click();
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('textbox', { name: 'Address', exact: true }).fill(PRODUCT);
  await expect(sheet.getByText('Its tag is somebody-20.')).toBeVisible();
  await expect(sheet.getByText('This tag isn’t one of yours.')).toBeVisible();
  await creator.checkBothThemes('new app link');
  await sheet.getByRole('button', { name: 'Name it “Lodge Cast Iron Skillet”', exact: true }).click();
  await sheet.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
  await sheet.getByRole('button', { name: 'Make link', exact: true }).click();

  await expect(sheet.getByRole('heading', { name, exact: true })).toBeVisible();
  await sheet.getByLabel('Where you share it').selectOption('QR codes');
  await expect(sheet.getByRole('img', { name: 'QR code' })).toBeVisible();
  await creator.checkBothThemes('app link');
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    sheet.getByRole('button', { name: 'Download PNG', exact: true }).click(),
  ]);
  expect(saved.suggestedFilename()).toMatch(/^Skillet-\w+-\.png$/);
  const png = await readFile(await saved.path());
  // Of a PNG, the width stands behind its name and that of its first part.
  expect(png.readUInt32BE(16)).toBe(1024);
  const shared = (await sheet.getByText(/\/l\/\w{8}\/qr$/).textContent())!;

  const inInstagram = await page.request.get(shared, { headers: { 'user-agent': INSTAGRAM }, maxRedirects: 0 });
  expect(inInstagram.status()).toBe(200);
  const opening = await inInstagram.text();
  expect(opening).toContain('Open the Amazon app');
  expect(opening).toContain(name);
  expect(opening).toContain('tag=somebody-20');
  const told = /data-tell="([^"]+)"/.exec(opening)![1]!;
  const tell = await page.request.post(`${told}opened`, { headers: { 'user-agent': INSTAGRAM } });
  expect(tell.status()).toBe(204);
  const onDesk = async () => {
    const answer = await page.request.get(shared, { maxRedirects: 0 });
    return [answer.status(), answer.headers().location];
  };
  const product = 'https://www.amazon.com/dp/B00006JSUA?tag=somebody-20&th=1';
  expect((await onDesk())[0]).toBe(302);

  await sheet.getByRole('textbox', { name: 'Address', exact: true }).fill('https://www.lodgecastiron.com/skillet');
  await sheet.getByRole('textbox', { name: 'Campaign (UTM)' }).fill('utm_source=hq&utm_medium={channel}');
  await sheet.getByRole('button', { name: 'Save changes', exact: true }).click();
  await expect(sheet).toBeHidden();
  const marked = 'https://www.lodgecastiron.com/skillet?utm_source=hq&utm_medium=qr';
  await expect.poll(onDesk, { timeout: 20_000 }).toEqual([302, marked]);
  await page.getByRole('button', { name: `Edit ${name}` }).click();
  await expect(sheet.getByText('Where it led before')).toBeVisible();
  // Clicks are written within a second.
  await expect(sheet.getByRole('table', { name: 'By app' }).getByRole('row', { name: 'Instagram 1' })).toBeVisible();
  await expect(sheet.getByRole('table', { name: 'By place' }).getByRole('row', { name: /^QR codes/ })).toBeVisible();
  await creator.checkBothThemes('changed app link');
  await sheet.getByRole('button', { name: 'Lead there again', exact: true }).click();
  await sheet.getByRole('button', { name: 'Save changes', exact: true }).click();
  await expect(sheet).toBeHidden();
  await expect.poll(async () => String((await onDesk())[1]), { timeout: 20_000 }).toContain(product.slice(0, 20));

  await page.getByRole('searchbox', { name: 'Search in your links' }).fill('nothing like it');
  await expect(page.getByText('No links match this search')).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search in your links' }).fill('');
  await page.getByRole('combobox', { name: 'Show' }).selectOption('Ended');
  await expect(page.getByText('No such links')).toBeVisible();
  await page.getByRole('combobox', { name: 'Show' }).selectOption('Amazon');
  await expect(page.getByRole('button', { name: `Edit ${name}` })).toBeVisible();
  await creator.end();
});

test.each(DEVICES)('one of several own tags takes the place of a stranger’s, on a %s', async (device) => {
  const [own, reels] = [`spoon${device}-20`, `reels${device}-20`];
  const creator = await app.visit(device);
  const { page } = creator;
  await enterDemo(creator);
  await page.goto('/creator-hq/shop-the-recipe/settings');
  const add = page.getByRole('button', { name: 'Add a tag', exact: true });
  await expect(add).toBeVisible();
  const tags = page.getByRole('textbox', { name: 'Tag', exact: true });
  while ((await tags.count()) > 0)
    await page
      .getByRole('button', { name: /^Remove the tag of/ })
      .first()
      .click();
  for (const [at, tag] of [own, reels].entries()) {
    await add.click();
    await page.getByRole('combobox', { name: 'Amazon', exact: true }).nth(at).selectOption('amazon.com');
    await tags.nth(at).fill(tag);
  }
  await page.getByRole('button', { name: 'Make this the main one', exact: true }).click();
  await expect(tags.first()).toHaveValue(reels);
  await creator.checkBothThemes('two tags');
  await page.getByRole('button', { name: 'Save changes', exact: true }).first().click();
  await expect(page.getByText('Saved', { exact: true }).first()).toBeVisible();

  await page.goto('/creator-hq/app-links');
  await page.getByRole('button', { name: 'New link', exact: true }).first().click();
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('textbox', { name: 'Address', exact: true }).fill(PRODUCT);
  await sheet.getByRole('button', { name: `Replace it with ${own}`, exact: true }).click();
  await expect(sheet.getByText(`Its tag is ${own}.`)).toBeVisible();
  await expect(sheet.getByText('This tag isn’t one of yours.')).toHaveCount(0);
  await expect(sheet.getByText('As an Amazon Associate I earn from qualifying purchases.')).toBeVisible();
  await creator.checkBothThemes('own tag');
  await creator.end();
});
