import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ShopsSimulatorControl } from './control-client.ts';
import { type ShopsSimulator, startShopsSimulator } from './main.ts';

let folder: string;
let stateFile: string;
let shops: ShopsSimulator;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'creator-hq-shops-'));
  stateFile = join(folder, 'shops.json');
  shops = await startShopsSimulator({ stateFile });
});
afterAll(async () => {
  await shops?.close();
  await rm(folder, { recursive: true, force: true });
});

const ask = async (body: unknown, path = 'recipe') => {
  const answer = await fetch(`${shops.url}/idp/v1/products/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${shops.apiKey}` },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: answer.status, body: await answer.json() };
};
const flour = { name: 'flour', measurements: [{ quantity: 2, unit: 'cup' }] };

test('is driven from another process', async () => {
  const control = new ShopsSimulatorControl(shops.url);
  await control.failNext({ status: 503, shape: 'errors' });
  expect(await ask({ title: 'Cake', ingredients: [flour] })).toMatchObject({ status: 503, body: { errors: [{}] } });
  await control.setKeyGood(false);
  expect(await ask({ title: 'Cake', ingredients: [flour] })).toMatchObject({ status: 401, body: { error: {} } });
  await control.setKeyGood(true);
  expect((await control.ledger()).calls.map(({ status }) => status)).toEqual([503, 401]);
});

test.each([
  ['no JSON', '{'],
  ['no title', { ingredients: [flour] }],
  ['no ingredients', { title: 'Cake', ingredients: [] }],
  ['an item without a name', { title: 'Cake', ingredients: [{ display_text: '2 cups' }] }],
  ['both kinds of codes', { title: 'Cake', ingredients: [{ ...flour, upcs: ['1'], product_ids: [2] }] }],
  ['seconds in the place of days', { title: 'Cake', ingredients: [flour], expires_in: 86_400 }],
])('refuses %s', async (_, body) => {
  expect(await ask(body)).toMatchObject({ status: 400, body: { error: { code: 1001 } } });
});

test('takes what its documentation takes back or does not list, and tells of it', async () => {
  const items = [{ name: 'oil', quantity: 1, unit: 'tbsp', line_item_measurements: [{ quantity: 1, unit: 'tbsp' }] }];
  const made = await ask({ title: 'Cake', line_items: items, retailer: 'x' }, 'products_link');
  expect(await (await fetch(made.body.products_link_url)).text()).toContain('1 each');
  expect(shops.ledger).toMatchObject({
    unlistedUnits: ['tbsp'],
    deprecatedFields: ['quantity', 'unit'],
    unknownFields: ['retailer'],
  });
});

test('keeps its pages over a restart', async () => {
  const { body } = await ask({ title: 'Cake', ingredients: [flour] });
  await shops.close();
  shops = await startShopsSimulator({ stateFile });
  const page = await fetch(shops.url + new URL(body.products_link_url).pathname);
  expect(await page.text()).toContain('2 cup');
});
