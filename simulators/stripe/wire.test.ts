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

describe('refusals', () => {
  test.each<[string, (stripe: Stripe) => Promise<unknown>, object]>([
    [
      'what is not there',
      (asked) => asked.customers.retrieve('cus_no'),
      { statusCode: 404, code: 'resource_missing', param: 'id' },
    ],
    [
      'a parameter that nobody knows',
      (asked) => asked.customers.create({ emial: 'a@b.co' } as never),
      { code: 'parameter_unknown', param: 'emial' },
    ],
    [
      'one in a part',
      (asked) =>
        asked.prices.create({
          currency: 'usd',
          unit_amount: 1,
          product_data: { name: 'x' },
          recurring: { interval: 'month', often: '1' } as never,
        }),
      { code: 'parameter_unknown', param: 'recurring[often]' },
    ],
    ['what is missing', (asked) => asked.products.create({} as never), { code: 'parameter_missing', param: 'name' }],
    [
      'an amount that is none',
      (asked) => asked.prices.create({ currency: 'usd', unit_amount: 500.5, product_data: { name: 'x' } }),
      { code: 'parameter_invalid_integer', param: 'unit_amount' },
    ],
    [
      'an amount below nothing',
      (asked) => asked.prices.create({ currency: 'usd', unit_amount: -1, product_data: { name: 'x' } }),
      { param: 'unit_amount' },
    ],
    [
      'an address that is none',
      (asked) => asked.customers.create({ email: 'anna' }),
      { code: 'email_invalid', param: 'email' },
    ],
    [
      'metadata that is too long',
      (asked) => asked.customers.create({ metadata: { a: 'x'.repeat(501) } }),
      { param: 'metadata[a]' },
    ],
    ['a page that leads nowhere', (asked) => asked.customers.list({ starting_after: 'cus_no' }), { statusCode: 404 }],
    ['a page without end', (asked) => asked.customers.list({ limit: 101 }), { param: 'limit' }],
    ['a call that is not played', (asked) => asked.topups.list(), { statusCode: 404 }],
  ])('%s', async (_, call, expected) => {
    expect(await refusalOf(call(stripe))).toMatchObject({ type: 'StripeInvalidRequestError', ...expected });
  });

  test('a stranger’s key', async () => {
    const { hostname, port } = new URL(world.url);
    const stranger = new Stripe('sk_test_wrong', { host: hostname, port, protocol: 'http', maxNetworkRetries: 0 });
    expect(await refusalOf(stranger.customers.list())).toMatchObject({
      type: 'StripeAuthenticationError',
      statusCode: 401,
    });
  });

  test.each([
    ['pm_card_visa_chargeDeclined', 'card_declined', 'generic_decline'],
    ['pm_card_visa_chargeDeclinedInsufficientFunds', 'card_declined', 'insufficient_funds'],
    ['pm_card_chargeDeclinedExpiredCard', 'expired_card', 'expired_card'],
  ])('a card that is declined: %s', async (card, code, declineCode) => {
    const { id: customer } = await stripe.customers.create({});
    expect(await refusalOf(stripe.paymentMethods.attach(card, { customer }))).toMatchObject({
      ...{ type: 'StripeCardError', statusCode: 402, code, decline_code: declineCode },
    });
  });

  test('what is not played is told', async () => {
    expect(await world.control.unimplemented()).toContain('GET /v1/topups');
  });
});

describe('the same key', () => {
  test('makes a thing once, and answers the same', async () => {
    const make = () => stripe.customers.create({ name: 'Once' }, { idempotencyKey: 'once' });
    const [first, second] = [await make(), await make()];
    expect(second.id).toBe(first.id);
    expect(second.lastResponse.headers['idempotent-replayed']).toBe('true');
  });

  test('with other parameters is refused', async () => {
    await stripe.customers.create({ name: 'A' }, { idempotencyKey: 'other' });
    expect(await refusalOf(stripe.customers.create({ name: 'B' }, { idempotencyKey: 'other' }))).toMatchObject({
      ...{ type: 'StripeIdempotencyError', statusCode: 400 },
    });
  });

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

  test.each(['error_after', 'web_page'] as const)('after %s answers the same, and it was done once', async (kind) => {
    const make = () => stripe.customers.create({ name: kind }, { idempotencyKey: kind });
    await world.control.failNext({ kind, method: 'POST' });
    await expect(make()).rejects.toThrow();
    await expect(make()).rejects.toThrow();
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

test('lists come in pages, the newest first, and are read to their end', async () => {
  const product = await stripe.products.create({ name: 'Many' });
  const made: string[] = [];
  for (let at = 0; at < 25; at++) {
    made.unshift((await stripe.prices.create({ product: product.id, currency: 'usd', unit_amount: at })).id);
  }
  const first = await stripe.prices.list({ product: product.id });
  expect(first).toMatchObject({ has_more: true, url: '/v1/prices' });
  expect(first.data.map(({ id }) => id)).toEqual(made.slice(0, 10));
  const before = await stripe.prices.list({ product: product.id, ending_before: made[10]!, limit: 3 });
  expect(before.data.map(({ id }) => id)).toEqual(made.slice(7, 10));
  const all: string[] = [];
  for await (const { id } of stripe.prices.list({ product: product.id, limit: 7 })) all.push(id);
  expect(all).toEqual(made);
});

test('prices keep their amounts; a lookup key is of one', async () => {
  const product = await stripe.products.create({ name: 'Key' });
  const make = (more: object = {}) =>
    stripe.prices.create({ product: product.id, currency: 'usd', unit_amount: 900, lookup_key: 'chq_a', ...more });
  const old = await make();
  expect(await refusalOf(make())).toMatchObject({ param: 'lookup_key' });
  const next = await make({ transfer_lookup_key: true });
  expect((await stripe.prices.list({ lookup_keys: ['chq_a'] })).data.map(({ id }) => id)).toEqual([next.id]);
  expect((await stripe.prices.retrieve(old.id)).lookup_key).toBeNull();
  expect(await refusalOf(stripe.prices.update(old.id, { unit_amount: 1 } as never))).toMatchObject({
    code: 'parameter_unknown',
  });
  expect((await stripe.prices.update(old.id, { active: false })).active).toBe(false);
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
