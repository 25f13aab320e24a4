/** A creator corrects one line, and every recipe knows the word; recipes in another language are read and listed in it. */
import { afterAll, beforeAll, test } from 'vitest';
import { paths } from '#web/paths.ts';
import { enterDemo, expect, type RunningApp, startApp, type Visit } from './journey.ts';

let app: RunningApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app?.close());

async function bringIn({ page }: Visit, text: string): Promise<void> {
  await page.goto('/creator-hq/shop-the-recipe/recipes');
  await page.getByRole('button', { name: 'Bring in a recipe' }).click();
  const dialog = page.getByRole('dialog', { name: 'Bring in a recipe' });
  await dialog.getByRole('tab', { name: 'Paste text' }).click();
  await dialog.getByLabel('Recipe or caption').fill(text);
  await dialog.getByRole('button', { name: 'Read the recipe' }).click();
  await expect(page.getByRole('heading', { name: 'Shopping list' })).toBeVisible();
}

test('doubt and memory: what one line taught is known in every recipe', async () => {
  const visit = await app.visit('phone', 'desktop');
  const { page } = visit;
  await enterDemo(visit);
  await bringIn(visit, 'Zorblat toast\n\nIngredients\n1 schmear of butter\n2 slices bread');
  await page.getByRole('button', { name: 'Save recipe' }).click();
  await expect(page.getByRole('link', { name: /Zorblat toast/ })).toContainText('1 line to check');

  // The doubtful field says why, beside the author's words; a correction offers to be one for all lines.
  await bringIn(visit, 'Zorblat buns\n\nIngredients\n2 schmears of butter, melted\n2 cups flour');
  await page.getByRole('button', { name: 'Next line to check' }).click();
  await expect(page.getByText('Is “schmears” a measure?')).toBeVisible();
  await expect(page.getByLabel('Line as written')).toHaveValue('2 schmears of butter, melted');
  await page.getByLabel('Unit', { exact: true }).selectOption('tablespoon');
  await expect(page.getByText('Always read “schmear” like this?')).toBeVisible();
  await page.getByRole('button', { name: 'See what changes' }).click();
  await expect(page.getByText('Changes 1 line in 1 recipe')).toBeVisible();
  await page.getByText('See them').click();
  await expect(page.getByText('about 1 tbsp butter')).toBeVisible();
  await visit.checkBothThemes('a word that can be learned');
  await page.getByRole('button', { name: 'Always read it like this' }).click();
  await expect(page.getByText('It’s one of your words now, in every recipe.')).toBeVisible();
  await visit.checkBothThemes('a word that was learned');
  await page.getByRole('button', { name: 'Undo', exact: true }).last().click();
  await page.getByRole('button', { name: 'See what changes' }).click();
  await page.getByRole('button', { name: 'Always read it like this' }).click();
  await expect(page.getByText('It’s one of your words now, in every recipe.')).toBeVisible();
  await page.getByLabel('Preparation').fill('melted, cooled');
  await page.getByLabel('Notes').fill('unsalted is best');
  await page.getByRole('button', { name: 'Save recipe' }).click();

  await page.getByRole('combobox', { name: 'Ingredients' }).selectOption('List ready');
  await expect(page.getByRole('link', { name: /Zorblat buns/ })).toBeVisible();
  await page.getByRole('link', { name: /Zorblat toast/ }).click();
  await page.getByRole('tab', { name: 'Ingredients' }).click();
  await expect(page.getByText('Every line is ready')).toBeVisible();
  await expect(page.getByRole('button', { name: /schmear of butter/ })).toContainText('about 1 tbsp');
  await visit.checkBothThemes('a line read with a word');
  await visit.end();
});

test('words are listed, changed and deleted in Recipe settings', async () => {
  const visit = await app.visit('phone', 'desktop');
  const { page } = visit;
  await enterDemo(visit);
  await page.goto(paths.shopTheRecipeSettings);
  const card = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Your words' }) });
  await expect(card.getByText('“schmear” is about 1 tablespoon.')).toBeVisible();
  await card.getByRole('button', { name: 'Add a word' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Word', { exact: true }).fill('mug');
  await dialog.getByLabel('How much one is').fill('plenty');
  await dialog.getByRole('button', { name: 'Add word' }).click();
  visit.expectComplaint(/422 \(.*ingredient-words/);
  await expect(dialog.getByText('Enter a size, like 1 tbsp or 15 ml.')).toBeVisible();
  await visit.checkBothThemes('a new word, a mistake');
  await dialog.getByLabel('What it is').selectOption('Another name for a food');
  await dialog.getByLabel('Word', { exact: true }).fill('EVOO');
  await dialog.getByLabel('Food', { exact: true }).fill('extra virgin olive oil');
  await dialog.getByRole('button', { name: 'See what changes' }).click();
  await expect(dialog.getByText('No saved line changes.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Add word' }).click();
  await expect(card.getByText('“EVOO” is extra virgin olive oil.')).toBeVisible();
  await visit.checkBothThemes('words of the creator');
  await card.getByLabel('Search your words').fill('olive');
  await expect(card.getByText('“schmear”')).toBeHidden();
  await card.getByRole('button', { name: 'Delete EVOO' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete word' }).click();
  await expect(card.getByText('No words match this search.')).toBeVisible();
  await card.getByLabel('Search your words').fill('');
  await card.getByRole('button', { name: 'Delete schmear' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'See what changes' }).click();
  await expect(page.getByText('Changes 1 line in 1 recipe')).toBeVisible();
  await visit.checkBothThemes('deleting a word');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete word' }).click();
  await expect(card.getByText('No words of your own yet')).toBeVisible();
  await visit.checkBothThemes('no words of the creator');
  await visit.end();
});

test('a German recipe is read in German, and its list speaks German', async () => {
  const visit = await app.visit('phone', 'desktop');
  const { page } = visit;
  await enterDemo(visit);
  const fetched: string[] = [];
  page.on('request', (request) => fetched.push(request.url()));
  await bringIn(visit, 'Zorblatkuchen\n\nFür 4 Personen\nZutaten\n1,5 Tassen Mehl\n3 Eier\n2 EL Zucker\nSalz');
  await expect(page.getByLabel('Language', { exact: true })).toHaveValue('de');
  await expect(page.getByText('Every line is ready')).toBeVisible();
  expect(fetched.filter((url) => /lexicon\.\w\w-/.test(url))).toHaveLength(1);
  await page.getByRole('button', { name: 'Save recipe' }).click();
  await page.getByRole('combobox', { name: 'Ingredients' }).selectOption('List ready');
  await page.getByRole('link', { name: /Zorblatkuchen/ }).click();
  await page.getByRole('tab', { name: 'Ingredients' }).click();
  await visit.checkBothThemes('ingredients of a German recipe');
  const opened = page.waitForEvent('popup');
  await page.getByRole('link', { name: 'Open the list' }).click();
  const shopper = await opened;
  await expect(shopper.getByRole('heading', { name: 'Backzutaten' })).toBeVisible();
  await expect(shopper.getByText('1 ½ Tassen')).toBeVisible();
  await visit.checkBothThemes('list of a German recipe', shopper);
  await shopper.close();
  await visit.end();
});
