/** A week of what people asked for, with one list: made, changed for this plan alone, published, opened, and changed by two at once. */
import type { Locator, Page } from 'playwright';
import { extractText, getDocumentProxy } from 'unpdf';
import { afterAll, beforeAll, test } from 'vitest';
import { DEVICES, type Device, enterDemo, expect, type RunningApp, startApp, type Visit } from './journey.ts';

const RECIPES = {
  Pomodoro: ['2 lbs tomatoes', '1 cup cream', '3 cloves garlic', '1 tsp salt'],
  'Berry cake': ['2 cups flour', '3 eggs', '1 cup cream'],
};

let app: RunningApp;
let api: string;
beforeAll(async () => {
  app = await startApp();
  const creator = await app.visit('desktop');
  const asked = creator.page.waitForRequest(/\/api\/v1\/creators\/[0-9a-f-]{36}\//);
  await enterDemo(creator);
  api = /^.*\/creators\/[0-9a-f-]{36}/.exec((await asked).url())![0];
  await letFollowersAskFor(creator.page);
  await creator.end();
});
afterAll(() => app?.close());

/** A recipe that the demo's followers asked for already, and another one. */
async function letFollowersAskFor(page: Page): Promise<void> {
  const { items } = await call(page, 'get', 'automations');
  for (const [place, [name, texts]] of Object.entries(RECIPES).entries()) {
    const url = `https://example.com/${place}`;
    const recipe = await call(page, 'post', 'recipes', {
      name,
      url,
      pictureUrl: null,
      keywordIdeas: [],
      messageText: '',
    });
    const lines = texts.map((text) => ({
      ...{ id: crypto.randomUUID(), group: '', text, fixes: {}, checked: true, sourceText: null, sourceUid: null },
    }));
    const content = { servings: 4, minutes: null, measures: 'us', language: 'en', lines, steps: [], version: 0 };
    await call(page, 'put', `recipes/${recipe.id}/ingredients`, content);
    if (name !== 'Pomodoro') continue;
    const automation = items.find(({ words }: { words: string[] }) => words.includes('PASTA'));
    const buttons = [{ title: 'Get it', url, recipeId: recipe.id }];
    await call(page, 'put', `automations/${automation.id}`, { ...automation, buttons });
  }
}

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
async function call(page: Page, method: 'get' | 'post' | 'put', path: string, data?: object): Promise<any> {
  const headers = { origin: app.url, ...(method === 'post' && { 'idempotency-key': crypto.randomUUID() }) };
  const answer = await page.request[method](`${api}/${path}`, { headers, ...(data !== undefined && { data }) });
  if (!answer.ok()) throw new Error(`${method} ${path}: ${answer.status()} ${await answer.text()}`);
  return answer.json();
}

const A_LONG_JOURNEY = { timeout: 240_000 };

test.each(DEVICES)('a meal plan out of what people asked for, on a %s', A_LONG_JOURNEY, async (device) => {
  const creator = await app.visit(device);
  const { page } = creator;
  const name = `Pasta and more (${device})`;
  const mealPlanId = await makePlan(creator, name);
  const rows = page.getByRole('button', { name: /^More for / });
  await page.getByRole('region', { name: 'Day 2' }).getByRole('button', { name: 'Add a recipe' }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Berry cake/ })
    .click();
  const meals = 2;
  await expect(rows).toHaveCount(meals);

  // Servings, another day, and a meal without a recipe.
  const servings = page.getByRole('spinbutton', { name: /^Servings of / }).first();
  await servings.fill('8');
  await rows.first().click();
  await page.getByRole('menuitem', { name: 'Day 7', exact: true }).click();
  await page.getByRole('region', { name: 'Day 6' }).getByRole('button', { name: 'Write a meal' }).click();
  await page.getByRole('textbox', { name: 'A meal without a recipe on Day 6' }).fill('Leftovers');
  await page.keyboard.press('Enter');
  await expect(rows).toHaveCount(meals + 1);
  await page.keyboard.press('Control+z');
  await expect(rows).toHaveCount(meals);
  await page.getByRole('button', { name: 'Redo' }).click();
  await expect(page.getByText('Only your team sees this plan')).toBeVisible();
  await creator.checkBothThemes('meal plan');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Meal plan saved')).toBeVisible();

  // The list, changed for this plan alone.
  await page.getByRole('link', { name: 'Edit ingredients' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Ingredients of a meal plan' })).toBeVisible();
  const recipes = await linesOf(page, mealPlanId);
  await openItem(page, 'tomatoes');
  const sheet = page.getByRole('dialog');
  await creator.checkBothThemes('item of a meal plan');
  await sheet.getByRole('textbox', { name: 'Amount' }).first().fill('7');
  await sheet.getByRole('textbox', { name: 'Note to your followers (optional)' }).fill('the ripe ones');
  await sheet.getByRole('button', { name: 'Done' }).click();
  await openItem(page, 'cream');
  await sheet.getByRole('textbox', { name: 'Food', exact: true }).first().fill('oat drink');
  await sheet.getByRole('button', { name: 'Done' }).click();
  await openItem(page, 'garlic');
  await sheet.getByRole('checkbox', { name: 'Leave it out' }).check();
  await sheet.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('textbox', { name: 'What to buy' }).fill('2 birthday candles');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: /^birthday candles 2/ })).toBeVisible();
  await openItem(page, 'birthday candles');
  await sheet.getByLabel('Put together with').selectOption({ label: 'oat drink' });
  await sheet.getByRole('button', { name: 'For this plan' }).click();
  await expect(page.getByRole('button', { name: /^birthday candles 2/ })).toBeHidden();
  await openItem(page, 'oat drink');
  await sheet.getByRole('button', { name: /^Take apart/ }).click();
  await expect(page.getByRole('button', { name: /^birthday candles 2/ })).toBeVisible();
  await page.getByLabel('Show', { exact: true }).selectOption('Changed');
  await expect(page.getByRole('button', { name: /the ripe ones/ })).toBeVisible();
  await creator.checkBothThemes('ingredients of a meal plan');
  await page.getByRole('button', { name: 'Save ingredients' }).click();
  await expect(page.getByText('Ingredients saved')).toBeVisible();

  // The recipe changes meanwhile: the change is kept and marked, and the recipe was never written.
  expect(await linesOf(page, mealPlanId)).toEqual(recipes);
  await addTomatoes(page, mealPlanId);
  await page.reload();
  await page.getByLabel('Show', { exact: true }).selectOption('Changed');
  await expect(page.getByText(/^The recipe says .* now$/)).toBeVisible();
  await expect(page.getByRole('button', { name: /the ripe ones/ })).toContainText('7');

  await seeAsFollower(creator, device);
  await changeInTwoTabs(creator, mealPlanId);
  await creator.end();
});

async function makePlan(creator: Visit, name: string): Promise<string> {
  const { page } = creator;
  await enterDemo(creator);
  await page.goto('/creator-hq/shop-the-recipe/meal-plans');
  await page.getByRole('button', { name: 'New meal plan' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
  await expect(dialog.getByText('Start with what people asked for')).toBeVisible();
  await creator.checkBothThemes('new meal plan');
  await dialog.getByRole('button', { name: 'Make the plan' }).click();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  return page.url().split('/').at(-1)!;
}

async function openItem(page: Page, food: string): Promise<void> {
  const row: Locator = page.getByRole('button', { name: new RegExp(`^${food}`) }).first();
  await row.click();
  await expect(page.getByRole('dialog')).toBeVisible();
}

type Lines = { lines: { id: string; text: string }[] };

async function linesOf(page: Page, mealPlanId: string): Promise<Lines[]> {
  return (await call(page, 'get', `meal-plans/${mealPlanId}/ingredients`)).recipes;
}

/** Each time two pounds more. */
async function addTomatoes(page: Page, mealPlanId: string): Promise<void> {
  for (const { id } of (await call(page, 'get', `meal-plans/${mealPlanId}/ingredients`)).recipes) {
    const {
      listUrl: _,
      lookalike: __,
      sync: ___,
      updatedAt: ____,
      ...before
    } = await call(page, 'get', `recipes/${id}/ingredients`);
    const lines = (before as Lines).lines.map((line) => ({
      ...line,
      text: line.text.replace(/^\d+(?= lbs)/, (pounds) => `${Number(pounds) + 2}`),
    }));
    await call(page, 'put', `recipes/${id}/ingredients`, { ...before, lines });
  }
}

async function seeAsFollower(creator: Visit, device: Device): Promise<void> {
  const { page } = creator;
  await page.getByRole('link', { name: /^Pasta and more/ }).click();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await expect(page.getByText('People see this plan as it is')).toBeVisible();
  const url = (await page.getByRole('link', { name: 'Open', exact: true }).getAttribute('href'))!;
  const follower = await app.visit(device);
  await follower.page.goto(url);
  await expect(follower.page.getByRole('heading', { level: 1 })).toHaveText(/^Pasta and more/);
  await expect(follower.page.getByText('the ripe ones')).toBeVisible();
  await expect(follower.page.getByText('Leftovers')).toBeVisible();
  await follower.checkBothThemes('meal plan of a follower');
  const onPaper = await sheetsOf(await follower.page.pdf());
  expect(onPaper).toHaveLength(2);
  expect(onPaper[0]).toContain('Leftovers');
  expect(onPaper[1]).toContain('tomatoes');
  const file = await follower.page.request.get(`${url}/list.pdf?n=2`);
  const [days, list] = await sheetsOf(await file.body());
  expect(days).toContain('Leftovers');
  for (const text of await follower.page.locator('.need label:has(input:checked) bdi').allTextContents()) {
    expect(list).toContain(text.split(' (')[0]);
  }
  await follower.page.getByRole('button', { name: '2×' }).click();
  await expect(follower.page.getByText('4', { exact: true }).first()).toBeVisible();
  await follower.end();
}

/** The text of each. */
async function sheetsOf(file: Buffer): Promise<string[]> {
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(file)));
  return text.map((sheet) => sheet.replaceAll(/\s+/g, ' '));
}

/** Two tabs: the second is told what differs, and chooses. */
async function changeInTwoTabs(creator: Visit, mealPlanId: string): Promise<void> {
  const { page } = creator;
  const other = await page.context().newPage();
  await other.goto(`/creator-hq/shop-the-recipe/meal-plans/${mealPlanId}`);
  const note = (tab: Page) => tab.getByRole('textbox', { name: 'Note to your followers (optional)' });
  await note(other).fill('Theirs');
  await note(page).fill('Mine');
  await other.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(other.getByText('Meal plan saved')).toBeVisible();
  await expect(page.getByText('Someone else saved this plan while you were editing')).toBeVisible();
  await page.getByRole('button', { name: 'Keep mine' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(note(other)).toHaveValue('Mine');
  await expect(page.getByText('People see the plan without these changes')).toBeVisible();
}
