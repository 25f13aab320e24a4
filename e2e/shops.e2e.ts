/** Recipe settings: shops in their order, tried by their buttons, kept over a reload. */
import { afterAll, beforeAll, test } from 'vitest';
import { paths } from '#web/paths.ts';
import { enterDemo, expect, type RunningApp, startApp } from './journey.ts';

let app: RunningApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app?.close());

test('a creator orders shops, tries them and adds one of their own', async () => {
  const visit = await app.visit('phone', 'desktop');
  const { page } = visit;
  await enterDemo(visit);
  await page.goto(paths.shopTheRecipeSettings);
  await expect(page.getByRole('heading', { name: 'Recipe settings' })).toBeVisible();
  await expect(page.getByText(/<script async src="\S+\/widgets\/shop-button\.js" data-creator="/)).toBeVisible();
  await page.getByRole('button', { name: 'Test Instacart' }).click();
  await expect(page.getByText('Instacart answered; page made.')).toBeVisible();
  await page.getByRole('button', { name: 'Test Amazon' }).click();
  await expect(page.getByText('Amazon needs a tag first.')).toBeVisible();
  await visit.checkBothThemes('recipe settings');

  const shop = 'Tesco';
  await page.getByRole('button', { name: 'Add a shop by its search' }).click();
  await page.getByLabel('Search address').last().fill('http://tesco.example/');
  await page.getByLabel('Shop', { exact: true }).last().fill(shop);
  await expect(page.getByText('Enter an address that starts with https://')).toBeVisible();
  await expect(page.getByText('Enter the shop’s name.')).toBeHidden();
  await visit.checkBothThemes('recipe settings, a mistake');
  await page.getByLabel('Search address').last().fill('https://tesco.example/search?query={words}');
  await page.getByLabel('Delivers to').last().selectOption('GB');
  await page.getByRole('button', { name: `Move ${shop} up` }).click();
  await page.getByRole('button', { name: 'Add a tag' }).click();
  await page.getByLabel('Tag', { exact: true }).last().fill('goldenspoon-20');
  await page.getByLabel('Shoppers have these at home').fill('olive oil,');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: `Test ${shop}` }).click();
  await expect(page.getByRole('link', { name: `Open the page of ${shop}` })).toHaveAttribute(
    'href',
    'https://tesco.example/search?query=flour',
  );
  await page.reload();
  await expect(page.getByRole('switch', { name: shop })).toBeChecked();
  await expect(page.getByText('We brought back what you typed before.')).toBeHidden();
  await visit.checkBothThemes('recipe settings, saved');

  await page.getByRole('button', { name: /Use your own key|Replace the key/ }).click();
  await page.getByRole('textbox', { name: 'API key' }).fill('a-dead-key-of-theirs-4f2a');
  await page.getByRole('button', { name: 'Save key' }).click();
  await expect(page.getByText('Your key is set; it ends with 4f2a.')).toBeVisible();
  await page.getByRole('button', { name: 'Test Instacart' }).click();
  await expect(page.getByText('Instacart doesn’t accept the API key (401).').first()).toBeVisible();
  await visit.checkBothThemes('recipe settings, a dead key');
  await page.getByRole('button', { name: 'Remove the key' }).click();
  await visit.checkBothThemes('recipe settings, remove the key');
  await page.getByRole('dialog').getByRole('button', { name: 'Remove the key' }).click();
  await expect(page.getByText('Lists use the key of this installation.')).toBeVisible();
  await visit.end();
});
