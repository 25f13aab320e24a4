/** Stripe's wire, asked by Stripe's own library. */
import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type StripeWorld, startStripeWorld } from './testing.ts';

let world: StripeWorld;
let stripe: Stripe;
beforeAll(async () => {
  world = await startStripeWorld();
  ({ stripe } = world);
});
afterAll(() => world?.close());

const refusalOf = async (call: Promise<unknown>) => {
  const error = await call.then(
    () => null,
    (failure: Stripe.errors.StripeError) => failure,
  );
  expect(error).toBeInstanceOf(Stripe.errors.StripeError);
  const { type, statusCode, code, param, decline_code } = error!;
  return { type, statusCode, code, param, decline_code };
};

test('a stranger’s key is refused', async () => {
  const { hostname, port } = new URL(world.url);
  const stranger = new Stripe('sk_test_wrong', { host: hostname, port, protocol: 'http', maxNetworkRetries: 0 });
  expect(await refusalOf(stranger.customers.list())).toMatchObject({
    type: 'StripeAuthenticationError',
    statusCode: 401,
  });
});

test('what is not played is refused, and told', async () => {
  expect(await refusalOf(stripe.topups.list())).toMatchObject({ statusCode: 404 });
  expect(await world.control.unimplemented()).toEqual(['GET /v1/topups']);
});

describe('the same key', () => {
  test('while the first call is under way is told to wait', async () => {
    await world.control.failNext({ kind: 'slow', path: '/v1/customers' });
    const slow = stripe.customers.create({ name: 'Slow' }, { idempotencyKey: 'slow' });
    await expect.poll(async () => (await world.control.calls()).at(-1)?.idempotencyKey).toBe('slow');
    expect(await refusalOf(stripe.customers.create({ name: 'Slow' }, { idempotencyKey: 'slow' }))).toMatchObject({
      ...{ statusCode: 409, code: 'idempotency_key_in_use' },
    });
    await world.control.letCallsGo();
    expect((await stripe.customers.create({ name: 'Slow' }, { idempotencyKey: 'slow' })).id).toBe((await slow).id);
  });

  test.each([
    // Stripe keeps what it said; what something between said it never heard of.
    ['error_after', 'rejects'],
    ['web_page', 'resolves'],
  ] as const)('after %s it was done once, and the next answer %s', async (kind, next) => {
    const make = () => stripe.customers.create({ name: kind }, { idempotencyKey: kind });
    await world.control.failNext({ kind, method: 'POST' });
    await expect(make()).rejects.toThrow();
    await expect(make())[next].toBeDefined();
    const named = (await stripe.customers.list({ limit: 100 })).data.filter(({ name }) => name === kind);
    expect(named).toHaveLength(1);
  });

  test.each(['cut_after', 'cut_before'] as const)(
    'is asked with again by the library where it was %s',
    async (kind) => {
      await world.control.failNext({ kind, method: 'POST' });
      expect((await stripe.customers.create({ name: kind }, { idempotencyKey: kind })).name).toBe(kind);
      const calls = (await world.control.calls()).filter(({ idempotencyKey }) => idempotencyKey === kind);
      expect(calls.map(({ status, isReplay }) => [status, isReplay])).toEqual([
        ...[
          [null, false],
          [200, kind === 'cut_after'],
        ],
      ]);
      const named = (await stripe.customers.list({ limit: 100 })).data.filter(({ name }) => name === kind);
      expect(named).toHaveLength(1);
    },
  );

  test('after a call that was refused before it began does it', async () => {
    const make = () => stripe.customers.create({ name: 'Late' }, { idempotencyKey: 'late' });
    await world.control.failNext({ kind: 'rate_limited' });
    expect(await refusalOf(make())).toMatchObject({ type: 'StripeRateLimitError', statusCode: 429 });
    expect((await make()).name).toBe('Late');
  });
});

test('lists are read to their end', async () => {
  const product = await stripe.products.create({ name: 'Many' });
  const made: string[] = [];
  for (let at = 0; at < 25; at++) {
    made.unshift((await stripe.prices.create({ product: product.id, currency: 'usd', unit_amount: at })).id);
  }
  const all: string[] = [];
  for await (const { id } of stripe.prices.list({ product: product.id, limit: 7 })) all.push(id);
  expect(all).toEqual(made);
});

test('what is named can be shown in its place, four steps deep', async () => {
  const [price, customer] = [await world.price(2900), await world.customer()];
  const made = await stripe.subscriptions.create({
    ...{ customer: customer.id, items: [{ price: price.id }], expand: ['latest_invoice.payments', 'customer'] },
  });
  expect((made.latest_invoice as Stripe.Invoice).payments?.data[0]?.status).toBe('paid');
  expect((made.customer as Stripe.Customer).email).toBe('anna@example.com');
  const [listed] = (await stripe.subscriptions.list({ expand: ['data.items.data.price.product'] })).data;
  expect((listed!.items.data[0]!.price.product as Stripe.Product).name).toBe('Plan of 2900');
  expect(await refusalOf(stripe.subscriptions.retrieve(made.id, { expand: ['nothing'] }))).toMatchObject({
    param: 'expand',
  });
});
