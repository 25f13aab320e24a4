/** An install on which nothing can be paid is complete, and does not speak of money. */
import { expect as expectValue, test } from 'vitest';
import { SETTINGS_SECTIONS } from '#web/features/settings/settings-sections.ts';
import { paths, settingsPath } from '#web/paths.ts';
import { enterDemo, expect, startApp } from './journey.ts';

/** Recipes have meal plans, shops have prices, and tests are planned: none of that is money for us. */
const OF_MONEY = /\b(?:(?<!meal )plans?|upgrade|invoices?|subscri(?:be|ption) for|pay(?:s|ing|ment)?|prices?)\b/gi;

/** The way to the one part of the settings that says so. */
const SECTION = /Plan and billing/g;

/** Says that everything is included. */
const SAYS_SO: string[] = [paths.planUpgrade, paths.checkout];

test('no screen but two and the plan in the settings has a word of it', async () => {
  await using stopping = new AsyncDisposableStack();
  const app = await startApp({ BILLING: 'off' });
  stopping.defer(() => app.close());
  const visit = await app.visit('phone');
  const { page } = visit;
  // The Pages of a login that never was.
  visit.expectComplaint(/409 \(Conflict\)/);
  await enterDemo(visit);
  const addresses = Object.values(paths)
    .filter((address) => typeof address === 'string')
    .filter((address) => address !== paths.root && !SAYS_SO.includes(address) && !address.startsWith(paths.admin));
  const settings = SETTINGS_SECTIONS.map(({ parts }) => settingsPath(parts[0])).filter(
    (address) => address !== settingsPath('plan'),
  );
  const found: string[] = [];
  for (const address of [...addresses, ...settings]) {
    await page.goto(address);
    await expect(page.getByRole('heading', { level: 1 }).first(), address).toBeVisible();
    await expect(page.locator('[aria-busy=true]'), address).toHaveCount(0);
    const text = (await page.locator('main').allTextContents()).join(' ').replace(SECTION, '');
    const words = text.match(OF_MONEY) ?? [];
    if (words.length > 0) found.push(`${address}: ${words.join(', ')}`);
  }
  expectValue(found).toEqual([]);
  for (const address of [...SAYS_SO, settingsPath('plan')]) {
    await page.goto(address);
    await expect(page.getByText('Everything is included on this install.')).toBeVisible();
    await visit.checkBothThemes(`included ${address}`);
  }
  await visit.end();
});
