import { afterAll, beforeAll, expect, test } from 'vitest';
import { setUpConnect, setUpStripe } from './setting-up.ts';
import { forgetStripe } from './sync.ts';
import { type BillingWorld, startBillingWorld } from './testing/billing-world.ts';

let world: BillingWorld;
beforeAll(async () => {
  world = await startBillingWorld();
});
afterAll(() => world?.close());

test('makes what is missing once; the second run changes nothing', async () => {
  const first = await setUpStripe(world.deps);
  expect(first.at(-1)).toMatch(/Set STRIPE_WEBHOOK_SECRETS=whsec_\w+ and start again\.$/);
  const made = async () => ({
    products: (await world.stripe.products.list()).data.map(({ name }) => name).toSorted(),
    prices: (await world.stripe.prices.list({ limit: 100 })).data.length,
    endpoints: (await world.stripe.webhookEndpoints.list()).data.map(({ url }) => url),
  });
  const before = await made();
  expect(before).toMatchObject({ products: ['Creator', 'Studio'], prices: 4 });
  const again = await setUpStripe(world.deps);
  expect(again.slice(0, -1)).toEqual(first.slice(0, -1));
  expect(again.at(-1)).toMatch(/^Messages already go to /);
  expect(await made()).toEqual(before);
});

test('for memberships, what is told of creators’ accounts has endpoints of its own', async () => {
  const [first] = await setUpConnect(world.deps);
  expect(first).toMatch(/Add to STRIPE_CONNECT_WEBHOOK_SECRETS, with commas: whsec_\w+,whsec_\w+$/);
  expect(await setUpConnect(world.deps)).toEqual([expect.stringMatching(/^Messages about members already go to /)]);
});

test('with another key all begins anew: what was paid with the old one is forgotten, and buying works', async () => {
  const anna = await world.owner();
  const { url } = (await world.begin(anna)).body;
  await world.pay(url);
  await world.pass(2);
  await world.look(anna, url);
  await forgetStripe(world.deps);
  expect((await world.read(anna.creatorId)).billing!.standing).toBe('free');
  expect((await world.begin(anna)).status).toBe(200);
});
