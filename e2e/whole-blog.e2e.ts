/** A creator brings in all recipes of their blog: watched, paused, gone on with, undone. */
import { afterAll, beforeAll, test } from 'vitest';
import { WHOLE_BLOG_PATH } from '#web/paths.ts';
import { enterDemo, expect, type RunningApp, startApp } from './journey.ts';

/** A dozen pages, one every few seconds. */
const TO_ITS_END = { timeout: 150_000 };

let app: RunningApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app?.close());

test('a whole blog is brought in, paused, gone on with and undone', { timeout: 400_000 }, async () => {
  const visit = await app.visit('phone', 'desktop');
  const { page } = visit;
  await enterDemo(visit);
  await page.goto('/creator-hq/shop-the-recipe/recipes');
  await page.getByRole('button', { name: 'Bring in a recipe' }).click();
  await page.getByRole('tab', { name: 'A whole blog' }).click();
  await visit.checkBothThemes('a whole blog, from the dialog');
  await page.getByRole('link', { name: 'Bring in a whole blog' }).click();
  await expect(page).toHaveURL(new RegExp(WHOLE_BLOG_PATH.replace('?', '\\?')));

  // A blog that is none says so, and the next one can be tried at once.
  const address = page.getByLabel('Address of your blog');
  await expect(address).not.toHaveValue('');
  const own = await address.inputValue();
  await address.fill('http://10.0.0.7/');
  await page.getByRole('button', { name: 'Bring in its recipes' }).click();
  await expect(page.getByText('We found no recipes there')).toBeVisible();
  await visit.checkBothThemes('a whole blog, nothing found');

  await address.fill(own);
  await page.getByRole('button', { name: 'Bring in its recipes' }).click();
  await expect(page.getByText(/of \d+ pages read/)).toBeVisible(TO_ITS_END);
  await visit.checkBothThemes('a whole blog, running');
  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(page.getByText('Paused', { exact: true })).toBeVisible();
  await visit.checkBothThemes('a whole blog, paused');
  await page.getByRole('button', { name: 'Go on' }).click();
  await expect(page.getByText('Done', { exact: true })).toBeVisible(TO_ITS_END);
  await visit.checkBothThemes('a whole blog, done');
  await page.getByRole('button', { name: 'Undo all of it' }).click();
  await expect(page.getByText(/as before\./)).toBeVisible();
  await visit.checkBothThemes('a whole blog, undone');
  await visit.end();
});
