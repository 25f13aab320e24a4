/** Recipe settings: shops in their order, tried by their buttons, kept over a reload; sponsors with their products and reports. */
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

  const rules = page.getByRole('form', { name: 'Links to Amazon' });
  await expect(rules.getByText('You haven’t decided yet')).toBeVisible();
  await rules.getByLabel('Send shoppers to the Amazon of their country').check();
  await rules.getByRole('button', { name: 'Save rules' }).click();
  await expect(rules.getByText('Choose one.').first()).toBeVisible();
  await visit.checkBothThemes('recipe settings, rules for Amazon unfinished');
  for (const select of await rules.getByRole('combobox').all()) await select.selectOption('With your tag');
  await rules.getByLabel('Email').selectOption('Without a tag');
  await rules.getByRole('button', { name: 'Save rules' }).click();
  await expect(rules.getByRole('button', { name: 'Save rules' })).toBeHidden();
  await page.reload();
  await expect(rules.getByLabel('Email')).toHaveValue('without_tag');

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

test('a creator pins a sponsor’s product, a shopper sees it marked, and the sponsor reads its report until it ends', async () => {
  const visit = await app.visit('phone', 'desktop');
  const { page } = visit;
  visit.expectComplaint(/409 \(Conflict\) \(.*\/sponsor-pins\)$/);
  const asked: string[] = [];
  page.on('request', (request) => request.url().includes('/creators/') && asked.push(request.url()));
  await enterDemo(visit);
  await page.goto(paths.shopTheRecipeSettings);
  await expect(page.getByText('No sponsors yet.', { exact: false })).toBeVisible();
  await page.getByRole('button', { name: 'Add a sponsor' }).click();
  const sheet = page.getByRole('dialog', { name: 'New sponsor' });
  await sheet.getByRole('button', { name: 'Save sponsor' }).click();
  await expect(sheet.getByText('Enter the product.')).toBeVisible();
  await expect(sheet.getByText('Enter a food.')).toBeVisible();
  await visit.checkBothThemes('new sponsor, mistakes');

  const today = await page.evaluate('new Date().toISOString().slice(0, 10)');
  await sheet.getByLabel('Product').fill('Golden Flour');
  await sheet.getByLabel('Foods').fill('flour,');
  await sheet.getByLabel('First day').fill(String(today));
  await sheet.getByLabel('Last day').fill('2020-01-01');
  await sheet.getByLabel('Time zone').selectOption('UTC');
  await sheet.getByRole('button', { name: 'Add an ASIN' }).click();
  await sheet.getByLabel('ASIN', { exact: true }).fill('B000EXAMPL');
  await sheet.getByRole('button', { name: 'Save sponsor' }).click();
  await expect(sheet.getByText('The last day can’t be before the first.')).toBeVisible();
  await sheet.getByLabel('Last day').fill(String(today));
  await visit.checkScreen();
  await sheet.getByRole('button', { name: 'Save sponsor' }).click();
  await expect(page.getByText('On now')).toBeVisible();
  await visit.checkBothThemes('sponsors');

  await page.getByRole('button', { name: 'Add a sponsor' }).click();
  await sheet.getByLabel('Product').fill('Silver Flour');
  await sheet.getByLabel('Foods').fill('flours,');
  await sheet.getByLabel('First day').fill(String(today));
  await sheet.getByLabel('Last day').fill(String(today));
  await sheet.getByLabel('Time zone').selectOption('UTC');
  await sheet.getByRole('button', { name: 'Save sponsor' }).click();
  await expect(sheet.getByText(/“Golden Flour” is already pinned to flours/).first()).toBeVisible();
  await sheet.getByRole('button', { name: 'Close' }).click();

  const creatorId = /creators\/([0-9a-f-]{36})/.exec(asked.at(-1) ?? '')![1];
  const api = `/api/v1/creators/${creatorId}`;
  const listed = await page.evaluate<{ listUrl: string }>(`(async () => {
    const send = async (method, path, body) => (await fetch('${api}/recipes' + path, {
      method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body),
    })).json();
    const recipe = { name: 'Flatbread', url: null, pictureUrl: null, keywordIdeas: [], messageText: '' };
    const { id } = await send('POST', '', recipe);
    const line = { id: crypto.randomUUID(), group: '', text: '2 cups flour', fixes: {}, checked: false, sourceText: null, sourceUid: null };
    const of = { servings: 4, minutes: null, measures: 'us', language: 'en', lines: [line], steps: [], version: 1 };
    return { listUrl: (await send('PUT', '/' + id + '/ingredients', of)).listUrl };
  })()`);
  const shopper = await visit.newPage();
  await shopper.goto(listed.listUrl);
  await expect(shopper.getByText('Golden Flour').first()).toBeVisible();
  await visit.checkBothThemes('a list with a sponsor', shopper);
  const [pin] = (await (await page.request.get(`${api}/sponsor-pins`)).json()).items;
  await shopper.goto(pin.proofUrl);
  await expect(shopper.getByRole('heading', { name: 'Golden Flour' })).toBeVisible();
  await visit.checkBothThemes('a sponsor’s report', shopper);

  await page.getByRole('button', { name: 'End report' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'End report' }).click();
  await expect(page.getByText('The report has ended.')).toBeVisible();
  expect((await page.request.get(pin.proofUrl)).status()).toBe(410);
  await visit.end();
});

test('figures of lists lead from all of them to the one of a recipe', async () => {
  const visit = await app.visit('phone', 'desktop');
  const { page } = visit;
  await enterDemo(visit);
  await page.goto(paths.shopTheRecipe);
  await expect(page.getByRole('heading', { name: 'Most opened lists' })).toBeVisible();
  await visit.checkBothThemes('shop the recipe, figures');
  await page.getByRole('link', { name: 'Flatbread' }).first().click();
  await expect(page.getByText('Opened a list')).toBeVisible();
  await expect(page.getByRole('tab', { name: 'Figures' })).toHaveAttribute('aria-selected', 'true');
  await visit.checkBothThemes('figures of a recipe');
  await visit.end();
});
