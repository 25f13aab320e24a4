/** A recipe's text becomes a list that can be bought: pasted, checked, saved, opened by a shopper. */
import { afterAll, beforeAll, test } from 'vitest';
import { DEVICES, enterDemo, expect, type RunningApp, startApp } from './journey.ts';

let app: RunningApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app?.close());

const TEXT =
  '2 cups flour\n1 (14.5 oz) can tomatoes\n3 tbsp zorblat paste, chopped\nFor the sauce:\n1 cup milk\n½ cup flour';

test.each(DEVICES)('pasted ingredients become a shopping list, on a %s', async (device) => {
  const visit = await app.visit(device);
  const { page } = visit;
  await enterDemo(visit);

  // Nothing is saved before Save, and nothing typed is lost.
  await page.goto('/creator-hq/shop-the-recipe/recipes/new');
  await page.getByLabel('Name', { exact: true }).fill(`Zorblat stew ${device}`);
  await page.getByRole('tab', { name: 'Ingredients' }).click();
  await page.getByLabel('Paste your ingredients').fill(TEXT);
  await page.getByRole('button', { name: 'Add 5 lines' }).click();
  await expect(page.getByText('1 line to check')).toBeVisible();
  await page.reload();
  await expect(page.getByText('1 line to check')).toBeVisible();
  await visit.checkBothThemes('ingredients of a new recipe');

  // The doubtful line says why; it is corrected and confirmed.
  await page.getByRole('button', { name: 'Next line to check' }).click();
  await expect(page.getByText(/Is “zorblat” something to buy/)).toBeVisible();
  await page.getByLabel('Amount', { exact: true }).fill('1 1/2');
  await visit.checkBothThemes('a line to check');
  await expect(page.getByText('Every line is ready')).toBeVisible();
  await page.keyboard.press('Control+z');
  await expect(page.getByText('1 line to check')).toBeVisible();
  await page.getByRole('button', { name: 'Looks right' }).click();
  await expect(page.getByText('Every line is ready')).toBeVisible();

  // By keyboard: out of the line, up and down, moved.
  await page.keyboard.press('Escape');
  const line = (words: RegExp) => page.getByRole('list', { name: 'Ingredients' }).getByRole('button', { name: words });
  await line(/zorblat/).focus();
  await page.keyboard.press('ArrowUp');
  await expect(line(/tomatoes/)).toBeFocused();
  await page.keyboard.press('Alt+ArrowUp');
  await expect(line(/tomatoes/)).toBeFocused();
  await expect(page.locator('[data-line]').first()).toContainText('tomatoes');

  await page.getByLabel('Servings', { exact: true }).fill('4');
  await page.getByLabel('For servings').fill('8');
  const list = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Shopping list' }) });
  await expect(list.getByRole('listitem').filter({ hasText: 'flour' })).toContainText('5 cups');
  await page.getByRole('button', { name: 'Save recipe' }).click();

  await page.getByRole('link', { name: new RegExp(`Zorblat stew ${device}`) }).click();
  await page.getByRole('tab', { name: 'Ingredients' }).click();
  await expect(page.getByText('Every line is ready')).toBeVisible();
  await visit.checkBothThemes('ingredients of a saved recipe');
  await visit.end();
});
