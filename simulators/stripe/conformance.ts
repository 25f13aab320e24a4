/** What holds at Stripe and here alike, asked by Stripe's own library: no clock is moved, no page filled in. Each case makes what it needs. */
import assert from 'node:assert/strict';
import Stripe from 'stripe';

export type Case = { name: string; run: (stripe: Stripe) => Promise<void> };

const unique = () => `${Date.now().toString(36)}${Math.random().toString(36).slice(2, 8)}`;

type Expected = Partial<Record<'type' | 'code' | 'param' | 'decline_code', string> & { statusCode: number }>;

async function refused(call: Promise<unknown>, expected: Expected): Promise<void> {
  const error = await call.then(
    () => assert.fail('It was not refused.'),
    (failure: unknown) => failure,
  );
  assert.ok(error instanceof Stripe.errors.StripeError, String(error));
  const { type, code, param, decline_code, statusCode } = error;
  const said = { type, code, param, decline_code, statusCode };
  assert.deepEqual(
    Object.fromEntries(Object.keys(expected).map((name) => [name, said[name as keyof typeof said]])),
    expected,
  );
}

function priceOf(
  stripe: Stripe,
  cents: number,
  interval: 'month' | 'year' = 'month',
  more: object = {},
): Promise<Stripe.Price> {
  return stripe.prices.create({
    ...{
      unit_amount: cents,
      currency: 'usd',
      recurring: { interval },
      product_data: { name: `Plan of ${cents}` },
      ...more,
    },
  });
}

async function payer(stripe: Stripe, card = 'pm_card_visa'): Promise<string> {
  const { id: customer } = await stripe.customers.create({ email: 'anna@example.com', name: 'Anna' });
  const { id } = await stripe.paymentMethods.attach(card, { customer });
  await stripe.customers.update(customer, { invoice_settings: { default_payment_method: id } });
  return customer;
}

async function subscribed(stripe: Stripe, cents = 2900, more: object = {}): Promise<Stripe.Subscription> {
  const [price, customer] = [await priceOf(stripe, cents), await payer(stripe)];
  return stripe.subscriptions.create({ customer, items: [{ price: price.id }], ...more });
}

const refusals: [string, (stripe: Stripe) => Promise<unknown>, Expected][] = [
  ...([
    [
      'what is not there',
      (stripe) => stripe.customers.retrieve('cus_no'),
      { statusCode: 404, code: 'resource_missing', param: 'id' },
    ],
    [
      'an unknown parameter',
      (stripe) => stripe.customers.create({ emial: 'a@b.co' } as never),
      { code: 'parameter_unknown', param: 'emial' },
    ],
    [
      'an unknown parameter in a part',
      (stripe) => priceOf(stripe, 1, 'month', { recurring: { interval: 'month', often: '1' } }),
      { code: 'parameter_unknown', param: 'recurring[often]' },
    ],
    ['what is missing', (stripe) => stripe.products.create({} as never), { code: 'parameter_missing', param: 'name' }],
    [
      'an amount that is none',
      (stripe) => priceOf(stripe, 500.5),
      { code: 'parameter_invalid_integer', param: 'unit_amount' },
    ],
    ['an amount below nothing', (stripe) => priceOf(stripe, -1), { param: 'unit_amount' }],
    [
      'an address that is none',
      (stripe) => stripe.customers.create({ email: 'anna' }),
      { code: 'email_invalid', param: 'email' },
    ],
    [
      'metadata that is too long',
      (stripe) => stripe.customers.create({ metadata: { a: 'x'.repeat(501) } }),
      { statusCode: 400 },
    ],
    [
      'a page that leads nowhere',
      (stripe) => stripe.prices.list({ starting_after: 'price_no' }),
      { code: 'resource_missing', param: 'starting_after' },
    ],
    ['a page without end', (stripe) => stripe.customers.list({ limit: 101 }), { param: 'limit' }],
  ] satisfies [string, (stripe: Stripe) => Promise<unknown>, Expected][]),
];

const cards: [string, Expected][] = [
  [
    'pm_card_visa_chargeDeclined',
    { type: 'StripeCardError', statusCode: 402, code: 'card_declined', decline_code: 'generic_decline' },
  ],
  ['pm_card_visa_chargeDeclinedInsufficientFunds', { code: 'card_declined', decline_code: 'insufficient_funds' }],
  ['pm_card_chargeDeclinedExpiredCard', { code: 'expired_card' }],
];

export const CASES: Case[] = [
  ...refusals.map(([what, call, expected]) => ({
    name: `refuses ${what}`,
    run: (stripe: Stripe) => refused(call(stripe), expected),
  })),
  ...cards.map(([card, expected]) => ({
    name: `declines ${card}`,
    async run(stripe: Stripe) {
      const { id: customer } = await stripe.customers.create({});
      await refused(stripe.paymentMethods.attach(card, { customer }), expected);
    },
  })),
  {
    name: 'makes a thing once for a key, and refuses the key with other parameters',
    async run(stripe) {
      const idempotencyKey = unique();
      const [first, second] = [
        await stripe.customers.create({ name: 'Once' }, { idempotencyKey }),
        await stripe.customers.create({ name: 'Once' }, { idempotencyKey }),
      ];
      assert.equal(second.id, first.id);
      assert.equal(second.lastResponse.headers['idempotent-replayed'], 'true');
      await refused(stripe.customers.create({ name: 'Other' }, { idempotencyKey }), {
        type: 'StripeIdempotencyError',
        statusCode: 400,
      });
    },
  },
  {
    name: 'lists in pages, the newest first',
    async run(stripe) {
      const { id: product } = await stripe.products.create({ name: 'Many' });
      const made: string[] = [];
      for (let at = 0; at < 12; at++) {
        made.unshift((await stripe.prices.create({ product, currency: 'usd', unit_amount: at })).id);
      }
      const first = await stripe.prices.list({ product });
      assert.deepEqual([first.has_more, first.data.map(({ id }) => id)], [true, made.slice(0, 10)]);
      const before = await stripe.prices.list({ product, ending_before: made[10]!, limit: 3 });
      assert.deepEqual(
        before.data.map(({ id }) => id),
        made.slice(7, 10),
      );
    },
  },
  {
    name: 'keeps amounts of prices, and a lookup key with one',
    async run(stripe) {
      const lookup_key = unique();
      const old = await priceOf(stripe, 900, 'month', { lookup_key });
      await refused(priceOf(stripe, 900, 'month', { lookup_key }), { statusCode: 400 });
      const next = await priceOf(stripe, 1000, 'month', { lookup_key, transfer_lookup_key: true });
      const found = await stripe.prices.list({ lookup_keys: [lookup_key] });
      assert.deepEqual(
        found.data.map(({ id }) => id),
        [next.id],
      );
      assert.equal((await stripe.prices.retrieve(old.id)).lookup_key, null);
      await refused(stripe.prices.update(old.id, { unit_amount: 1 } as never), { code: 'parameter_unknown' });
    },
  },
  {
    name: 'begins, pays and shows a subscription',
    async run(stripe) {
      const made = await subscribed(stripe, 2900, { expand: ['latest_invoice.payments'] });
      const invoice = made.latest_invoice as Stripe.Invoice;
      const [item] = made.items.data;
      assert.deepEqual(
        [made.status, invoice.status, invoice.billing_reason, invoice.amount_paid, invoice.payments!.data.length],
        ['active', 'paid', 'subscription_create', 2900, 1],
      );
      assert.equal(invoice.parent?.subscription_details?.subscription, made.id);
      assert.ok(item!.current_period_end > item!.current_period_start);
    },
  },
  {
    name: 'charges nothing while it is tried',
    async run(stripe) {
      const made = await subscribed(stripe, 2900, { trial_period_days: 14, expand: ['latest_invoice'] });
      assert.deepEqual([made.status, (made.latest_invoice as Stripe.Invoice).amount_paid], ['trialing', 0]);
      assert.equal(made.trial_end, made.items.data[0]!.current_period_end);
    },
  },
  {
    name: 'is incomplete where the first payment is declined, or an error where that is wanted',
    async run(stripe) {
      const [price, customer] = [await priceOf(stripe, 2900), await payer(stripe, 'pm_card_chargeCustomerFail')];
      const wanted = { customer, items: [{ price: price.id }] };
      assert.equal((await stripe.subscriptions.create(wanted)).status, 'incomplete');
      await refused(stripe.subscriptions.create({ ...wanted, payment_behavior: 'error_if_incomplete' }), {
        statusCode: 402,
      });
    },
  },
  {
    name: 'charges for a change what it showed before',
    async run(stripe) {
      const { id, items } = await subscribed(stripe);
      const price = await priceOf(stripe, 29_000, 'year');
      const proration_date = items.data[0]!.current_period_start + 1;
      const change = { items: [{ id: items.data[0]!.id, price: price.id }], proration_date };
      const shown = await stripe.invoices.createPreview({
        ...{ subscription: id, subscription_details: { ...change, proration_behavior: 'always_invoice' } },
      });
      const changed = await stripe.subscriptions.update(id, {
        ...{ ...change, proration_behavior: 'always_invoice', expand: ['latest_invoice'] },
      });
      assert.equal((changed.latest_invoice as Stripe.Invoice).amount_paid, shown.amount_due);
      assert.equal(changed.items.data[0]!.price.id, price.id);
    },
  },
  {
    name: 'ends with the period, goes on, and ends now; gives money back once',
    async run(stripe) {
      const { id, items, latest_invoice } = await subscribed(stripe);
      const later = await stripe.subscriptions.update(id, { cancel_at_period_end: true });
      assert.deepEqual([later.status, later.cancel_at], ['active', items.data[0]!.current_period_end]);
      assert.equal((await stripe.subscriptions.update(id, { cancel_at_period_end: false })).cancel_at, null);
      assert.equal((await stripe.subscriptions.cancel(id)).status, 'canceled');
      await refused(stripe.subscriptions.cancel(id), { statusCode: 404 });
      const invoice = await stripe.invoices.retrieve(latest_invoice as string, { expand: ['payments'] });
      const payment_intent = invoice.payments!.data[0]!.payment.payment_intent as string;
      await refused(stripe.refunds.create({ payment_intent, amount: 2901 }), { statusCode: 400 });
      assert.equal((await stripe.refunds.create({ payment_intent })).amount, 2900);
      await refused(stripe.refunds.create({ payment_intent }), { code: 'charge_already_refunded' });
    },
  },
  {
    name: 'plans a change for the period’s end, and takes it back',
    async run(stripe) {
      const { id } = await subscribed(stripe);
      const cheap = await priceOf(stripe, 900);
      const schedule = await stripe.subscriptionSchedules.create({ from_subscription: id });
      await refused(stripe.subscriptionSchedules.create({ from_subscription: id }), { statusCode: 400 });
      const [{ start_date, end_date, items }] = schedule.phases as [Stripe.SubscriptionSchedule.Phase];
      const planned = await stripe.subscriptionSchedules.update(schedule.id, {
        phases: [
          { start_date, end_date, items: [{ price: items[0]!.price as string, quantity: 1 }] },
          { items: [{ price: cheap.id, quantity: 1 }], duration: { interval: 'month', interval_count: 1 } },
        ],
      });
      assert.deepEqual([planned.status, planned.phases.length, planned.phases[1]!.start_date], ['active', 2, end_date]);
      assert.equal((await stripe.subscriptions.retrieve(id)).schedule, schedule.id);
      assert.equal((await stripe.subscriptionSchedules.release(schedule.id)).status, 'released');
      assert.equal((await stripe.subscriptions.retrieve(id)).schedule, null);
    },
  },
  {
    name: 'opens a page to pay on, once, and closes it',
    async run(stripe) {
      const price = await priceOf(stripe, 2900);
      const wanted: Stripe.Checkout.SessionCreateParams = {
        ...{ mode: 'subscription', line_items: [{ price: price.id, quantity: 1 }] },
        success_url: 'https://example.com/back?session_id={CHECKOUT_SESSION_ID}',
      };
      const session = await stripe.checkout.sessions.create(wanted);
      const { status, payment_status, subscription, amount_total } = session;
      assert.deepEqual([status, payment_status, subscription, amount_total], ['open', 'unpaid', null, 2900]);
      assert.match(session.url ?? '', /^https?:/);
      assert.equal((await stripe.checkout.sessions.listLineItems(session.id)).data[0]!.price!.id, price.id);
      assert.equal((await stripe.checkout.sessions.expire(session.id)).status, 'expired');
      await refused(stripe.checkout.sessions.expire(session.id), { statusCode: 400 });
      await refused(
        stripe.checkout.sessions.create({
          ...wanted,
          allow_promotion_codes: false,
          discounts: [{ promotion_code: 'x' }],
        }),
        { statusCode: 400 },
      );
    },
  },
  {
    name: 'ends what a deleted customer had',
    async run(stripe) {
      const { id, customer } = await subscribed(stripe);
      await stripe.customers.del(customer as string);
      const after = await stripe.customers.retrieve(customer as string);
      assert.equal((after as Stripe.DeletedCustomer).deleted, true);
      assert.equal((await stripe.subscriptions.retrieve(id)).status, 'canceled');
    },
  },
  {
    name: 'tells of what happened',
    async run(stripe) {
      const { id } = await stripe.customers.create({ name: 'Anna' });
      await stripe.customers.update(id, { name: 'Ann' });
      const { data } = await stripe.events.list({ type: 'customer.updated', limit: 20 });
      const event = data.find((one) => (one.data.object as { id?: string }).id === id);
      assert.deepEqual(event?.data.previous_attributes, { name: 'Anna' });
    },
  },
];
