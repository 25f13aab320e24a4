/** A creator connects Kit; who confirms on the demo blog is there a moment later. */
import { afterAll, beforeAll, expect as expectValue, test } from 'vitest';
import { type Kit, startKit } from '#simulators/kit/kit.ts';
import { DEVICES, enterDemo, expect, type RunningApp, startApp } from './journey.ts';

let kit: Kit;
let app: RunningApp;
let blogUrl: string;
beforeAll(async () => {
  kit = await startKit();
  app = await startApp({ KIT_URL: kit.url });
  ({ blogUrl } = (await (await fetch(`${app.url}/api/v1/env`)).json()) as { blogUrl: string });
});
afterAll(async () => {
  await app?.close();
  await kit?.close();
});

test.each(DEVICES)('connects Kit, sees a reader go there, and disconnects, on a %s', async (device) => {
  const address = `reader-${device}@example.test`;
  const creator = await app.visit(device);
  const { page } = creator;
  await enterDemo(creator);
  await page.goto('/creator-hq/settings?tab=other-tools');
  await page.getByRole('button', { name: 'Connect Kit' }).click();
  creator.expectComplaint(/502/);
  await page.getByLabel('Kit API key').fill('not the right key');
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(page.getByText('Kit doesn’t accept this API key.')).toBeVisible();
  await creator.checkBothThemes('kit key refused');
  await page.getByLabel('Kit API key').fill(kit.apiKey);
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(page.getByText('Anna’s Kitchen')).toBeVisible();
  await page.getByLabel('Tag in Kit').selectOption('Recipes');

  const reader = await creator.newPage();
  await reader.goto(`${blogUrl}/shakshuka/`);
  await reader.getByLabel('Your email').fill(address);
  await reader.getByLabel('Yes, send me new recipes too').check();
  await reader.getByRole('button', { name: 'Email me the recipe' }).click();
  await expect(reader.getByRole('heading', { name: /on its way/ })).toBeVisible();
  await expect(async () => {
    await reader.goto(`${app.url}/mailbox`);
    await expect(reader.getByRole('link', { name: new RegExp(address) })).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await reader.getByRole('link', { name: new RegExp(address) }).click();
  await reader
    .frameLocator('iframe')
    .getByRole('link', { name: /new recipes/ })
    .click();
  await reader.getByRole('button', { name: 'Yes, send me new recipes' }).click();
  await expect(reader.getByRole('heading', { name: 'You’re signed up' })).toBeVisible();

  await expect(page.getByText(/^\d+ contacts? sent\./)).toBeVisible();
  expectValue(kit.subscribers.get(address)).toMatchObject({ state: 'active', tags: [11] });
  await creator.checkBothThemes('kit connected');
  await page.getByRole('button', { name: 'Disconnect Kit' }).click();
  await expect(page.getByRole('button', { name: 'Connect Kit', exact: true })).toBeVisible();
  expectValue(kit.hooks).toEqual([]);
  await creator.end();
});
