/** The life of a subscription: bought, renewed, changed, late, mended, ended; to the cent and to the second. */
import type Stripe from 'stripe';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DAY_S, START_S, type StripeWorld, startStripeWorld } from './testing.ts';

let world: StripeWorld;
let stripe: Stripe;
beforeEach(async () => {
  world = await startStripeWorld();
  ({ stripe } = world);
});
afterEach(() => world?.close());

const session = async (more: object = {}) => {
  const price = await world.price(2900);
  return stripe.checkout.sessions.create({
    ...{ mode: 'subscription', line_items: [{ price: price.id, quantity: 1 }], ui_mode: 'hosted_page' },
    ...{
      success_url: 'https://hq.example/back?session_id={CHECKOUT_SESSION_ID}',
      cancel_url: 'https://hq.example/plans',
    },
    ...more,
  });
};
const payer = (number = '4242424242424242') => ({ act: 'pay', email: 'anna@example.com', name: 'Anna', number });
const subscribe = async (more: object = {}, card?: string) => {
  const [price, customer] = [await world.price(2900), await world.customer(card)];
  return stripe.subscriptions.create({ customer: customer.id, items: [{ price: price.id }], ...more });
};
const now = (id: string) => stripe.subscriptions.retrieve(id);
const invoicesOf = async (subscription: string) => (await stripe.invoices.list({ subscription, limit: 100 })).data;
const days = (count: number) => world.control.advance(count * DAY_S);
const methodOf = async (customer: string) => (await stripe.paymentMethods.list({ customer })).data[0]!.id;

describe('the page to pay on', () => {
  test('leads back, and the subscription is there', async () => {
    const made = await session({ metadata: { chq: '1' }, subscription_data: { metadata: { creator: 'anna' } } });
    expect(made).toMatchObject({ status: 'open', payment_status: 'unpaid', subscription: null, amount_total: 2900 });
    expect(await (await fetch(made.url!)).text()).toContain('$29.00');
    const { status, location } = await world.submit(made.url!, payer());
    expect({ status, location }).toEqual({ status: 303, location: `https://hq.example/back?session_id=${made.id}` });
    const after = await stripe.checkout.sessions.retrieve(made.id, { expand: ['subscription', 'invoice'] });
    expect(after).toMatchObject({
      ...{ status: 'complete', payment_status: 'paid', url: null, metadata: { chq: '1' } },
      subscription: { status: 'active', metadata: { creator: 'anna' } },
      invoice: { status: 'paid', amount_paid: 2900, billing_reason: 'subscription_create' },
    });
    expect((await world.control.money()).map(({ kind, cents }) => [kind, cents])).toEqual([['charged', 2900]]);
    // Once more buys nothing.
    expect((await world.submit(made.url!, payer())).status).toBe(303);
    expect(await world.control.money()).toHaveLength(1);
  });

  test('a declined card makes nothing, and can be followed by a good one', async () => {
    const made = await session();
    const refused = await world.submit(made.url!, payer('4000000000009995'));
    expect(refused.status).toBe(402);
    expect(refused.text).toContain('insufficient funds');
    expect((await stripe.subscriptions.list({ status: 'all' })).data).toEqual([]);
    expect((await world.submit(made.url!, payer())).status).toBe(303);
    expect((await world.control.money()).map(({ kind }) => kind)).toEqual(['declined', 'charged']);
  });

  test('a bank that asks is answered first', async () => {
    const made = await session();
    const asked = await world.submit(made.url!, payer('4000002760003184'));
    expect(asked.text).toContain('Is this payment yours?');
    expect((await world.submit(made.url!, { ...payer('4000002760003184'), answer: 'no' })).status).toBe(402);
    expect((await world.submit(made.url!, { ...payer('4000002760003184'), answer: 'yes' })).status).toBe(303);
    expect((await stripe.checkout.sessions.retrieve(made.id)).payment_status).toBe('paid');
  });

  test('a bank account is debited after days, or not at all', async () => {
    const [good, bad] = [await session(), await session()];
    await world.submit(good.url!, payer('DE89370400440532013000'));
    await world.submit(bad.url!, payer('DE62370400440532013001'));
    const read = async (id: string) => stripe.checkout.sessions.retrieve(id, { expand: ['subscription'] });
    expect(await read(good.id)).toMatchObject({ payment_status: 'unpaid', subscription: { status: 'active' } });
    await days(5);
    expect(await read(good.id)).toMatchObject({ payment_status: 'paid', subscription: { status: 'active' } });
    expect(await read(bad.id)).toMatchObject({ payment_status: 'unpaid', subscription: { status: 'past_due' } });
    expect((await world.control.money()).map(({ kind }) => kind)).toEqual(['charged', 'bounced']);
  });

  test('expires by the clock, or when that is wanted, and sells nothing any more', async () => {
    const [late, ended] = [await session(), await session({ expires_at: START_S + 3600 })];
    await world.control.advance(3600);
    expect((await stripe.checkout.sessions.retrieve(ended.id)).status).toBe('expired');
    await stripe.checkout.sessions.expire(late.id);
    for (const { url } of [late, ended]) expect((await world.submit(url!, payer())).status).toBe(410);
    await expect(stripe.checkout.sessions.expire(late.id)).rejects.toThrow('status in ["open"]');
    expect(await world.control.money()).toEqual([]);
  });

  test('a code takes its part off; of two at the same moment one is served', async () => {
    const coupon = await stripe.coupons.create({ percent_off: 50, duration: 'once' });
    await stripe.promotionCodes.create({
      promotion: { type: 'coupon', coupon: coupon.id },
      code: 'HALF',
      max_redemptions: 1,
    });
    const made = [await session({ allow_promotion_codes: true }), await session({ allow_promotion_codes: true })];
    expect((await world.submit(made[0]!.url!, { ...payer(), act: 'code', code: 'half' })).text).toContain('$14.50');
    const answers = await Promise.all(made.map(({ url }) => world.submit(url!, { ...payer(), code: 'HALF' })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 400]);
    expect((await world.control.money()).map(({ cents }) => cents)).toEqual([1450]);
    await days(32);
    expect((await world.control.money()).map(({ cents }) => cents)).toEqual([1450, 2900]);
    await expect(session({ allow_promotion_codes: false, discounts: [{ promotion_code: 'x' }] })).rejects.toThrow(
      'one of these',
    );
  });

  test('a trial costs nothing until it ends, and says so three days before', async () => {
    const made = await session({ subscription_data: { trial_period_days: 14 } });
    await world.submit(made.url!, payer());
    const { subscription } = await stripe.checkout.sessions.retrieve(made.id);
    expect(await now(subscription as string)).toMatchObject({ status: 'trialing', trial_end: START_S + 14 * DAY_S });
    await days(12);
    const told = await stripe.events.list({ type: 'customer.subscription.trial_will_end' });
    expect(told.data.map(({ created }) => created)).toEqual([START_S + 11 * DAY_S]);
    expect(await world.control.money()).toEqual([]);
    await days(3);
    expect((await now(subscription as string)).status).toBe('active');
    expect((await world.control.money()).map(({ cents, at }) => [cents, at])).toEqual([
      [2900, START_S + 14 * DAY_S + 3600],
    ]);
  });
});

describe('renewals', () => {
  test('come on the anchor’s day, also where a month is shorter', async () => {
    await world.control.goTo(Date.UTC(2027, 0, 31, 9) / 1000);
    const { id } = await subscribe();
    await world.control.goTo(Date.UTC(2027, 4, 1, 12) / 1000);
    const paid = (await world.control.money()).map(({ period }) =>
      new Date(period!.start * 1000).toISOString().slice(0, 13),
    );
    expect(paid).toEqual(['2027-01-31T09', '2027-02-28T09', '2027-03-31T09', '2027-04-30T09']);
    expect((await invoicesOf(id)).map(({ billing_reason }) => billing_reason)).toEqual([
      ...['subscription_cycle', 'subscription_cycle', 'subscription_cycle', 'subscription_create'],
    ]);
  });

  test('of 1,000 subscriptions in 12 months are 12,000, each paid once', { timeout: 120_000 }, async () => {
    const price = await world.price(2900);
    for (let at = 0; at < 1000; at++) {
      const customer = await world.customer();
      await stripe.subscriptions.create({ customer: customer.id, items: [{ price: price.id }] });
      await world.control.advance(60);
    }
    await world.control.goTo(START_S + 366 * DAY_S);
    const money = await world.control.money();
    const cycles = new Set(money.map(({ customer, period }) => `${customer} ${period!.start}`));
    expect(money.filter(({ kind }) => kind === 'charged')).toHaveLength(13_000);
    expect(cycles.size).toBe(13_000);
  });

  test('are drafts for an hour', async () => {
    const { id } = await subscribe();
    await world.control.goTo(Date.UTC(2027, 1, 15, 12, 30) / 1000);
    const [invoice] = await invoicesOf(id);
    expect(invoice).toMatchObject({ status: 'draft', billing_reason: 'subscription_cycle', number: null });
    expect((await now(id)).status).toBe('active');
    await world.control.advance(1800);
    expect((await stripe.invoices.retrieve(invoice!.id!)).status).toBe('paid');
  });
});

describe('a payment that fails', () => {
  const failing = async () => {
    const subscription = await subscribe();
    const method = await methodOf(subscription.customer as string);
    await world.control.setBehavior(method, { kind: 'fails', code: 'insufficient_funds' });
    await days(32);
    return subscription;
  };

  test('is tried again by its plan, and ends the subscription', async () => {
    const { id } = await failing();
    expect((await now(id)).status).toBe('past_due');
    const [invoice] = await invoicesOf(id);
    expect(invoice).toMatchObject({ status: 'open', attempt_count: 1 });
    await days(20);
    expect(await now(id)).toMatchObject({ status: 'canceled', cancellation_details: { reason: 'payment_failed' } });
    const declines = (await world.control.money()).filter(({ kind }) => kind === 'declined').map(({ at }) => at);
    const first = Date.UTC(2027, 1, 15, 13) / 1000;
    expect(declines).toEqual([0, 3, 8, 15].map((after) => first + after * DAY_S));
  });

  test.each(['unpaid', 'past_due'] as const)('ends as %s where that is wanted', async (atEnd) => {
    await world.control.setRetries({ afterDays: [1], atEnd });
    const { id } = await failing();
    await days(2);
    expect((await now(id)).status).toBe(atEnd);
  });

  test('is mended on the invoice’s page', async () => {
    const { id } = await failing();
    const [invoice] = await invoicesOf(id);
    expect(await (await fetch(invoice!.hosted_invoice_url!)).text()).toContain('$29.00');
    expect((await world.submit(invoice!.hosted_invoice_url!, { number: '4000000000000002' })).status).toBe(402);
    expect((await world.submit(invoice!.hosted_invoice_url!, { number: '4242424242424242' })).status).toBe(303);
    expect((await now(id)).status).toBe('active');
    await days(40);
    expect((await now(id)).status).toBe('active');
    const { customer, current } = {
      customer: invoice!.customer as string,
      current: invoice!.lines.data[0]!.period.start,
    };
    expect(await world.control.kept(customer, current)).toEqual({ charges: 1, cents: 2900 });
  });

  test('the first one: it is incomplete, and over after 23 hours', async () => {
    const { id } = await subscribe({}, 'pm_card_chargeCustomerFail');
    expect((await now(id)).status).toBe('incomplete');
    await world.control.advance(23 * 3600);
    expect((await now(id)).status).toBe('incomplete_expired');
    expect((await invoicesOf(id))[0]!.status).toBe('void');
    expect((await stripe.subscriptions.list({ status: 'all' })).data).toHaveLength(1);
  });

  test('is an error where that is wanted, and makes nothing', async () => {
    const failed = subscribe({ payment_behavior: 'error_if_incomplete' }, 'pm_card_chargeCustomerFail');
    await expect(failed).rejects.toMatchObject({ code: 'card_declined', statusCode: 402 });
    expect((await stripe.subscriptions.list({ status: 'all' })).data).toEqual([]);
  });
});

describe('a change', () => {
  test.each([
    ['dearer', 4900, 'month', 10],
    ['cheaper', 900, 'month', 17],
    ['to a year', 29_000, 'year', 3],
  ] as const)('%s: what was shown is what is charged, to the cent', async (_, cents, interval, after) => {
    const { id, items, customer } = await subscribe();
    await world.control.advance(after * DAY_S + 12_345);
    const price = await world.price(cents, interval);
    const at = await world.control.now();
    const change = {
      ...{ items: [{ id: items.data[0]!.id, price: price.id }], proration_date: at },
      proration_behavior: 'always_invoice' as const,
    };
    const shown = await stripe.invoices.createPreview({ subscription: id, subscription_details: change });
    await world.control.advance(60);
    const paidBefore = (await world.control.money()).length;
    await stripe.subscriptions.update(id, change);
    const charged = (await world.control.money()).slice(paidBefore);
    expect(charged.map((line) => line.cents)).toEqual(shown.amount_due === 0 ? [] : [shown.amount_due]);
    const [invoice] = await invoicesOf(id);
    expect(invoice!.lines.data.map(({ amount }) => amount)).toEqual(shown.lines.data.map(({ amount }) => amount));
    const { balance } = (await stripe.customers.retrieve(customer as string)) as Stripe.Customer;
    expect(balance).toBe(Math.min(0, shown.total));
    const span = 31 * DAY_S;
    expect(shown.lines.data[0]!.amount).toBe(-Math.round((2900 * (span - after * DAY_S - 12_345)) / span));
  });

  test('without an invoice waits for the next one, whatever makes it', async () => {
    const { id, items } = await subscribe();
    await days(10);
    const [dear, dearer] = [await world.price(4900), await world.price(9900)];
    const to = (price: string, more: object = {}) =>
      stripe.subscriptions.update(id, { items: [{ id: items.data[0]!.id, price }], ...more });
    await to(dear.id);
    expect(await world.control.money()).toHaveLength(1);
    await to(dearer.id, { proration_behavior: 'always_invoice' });
    const [invoice] = await invoicesOf(id);
    const rest = (cents: number) => Math.round((cents * 21) / 31);
    expect(invoice!.lines.data.map(({ amount }) => amount)).toEqual([-rest(2900), rest(4900), -rest(4900), rest(9900)]);
    await days(22);
    expect((await world.control.money()).map(({ cents }) => cents)).toEqual([2900, invoice!.amount_due, 9900]);
  });

  test('that must be paid first waits for it, and is gone after 23 hours', async () => {
    const { id, items, customer } = await subscribe();
    await world.control.setBehavior(await methodOf(customer as string), { kind: 'confirm' });
    const dear = await world.price(9900);
    const ask = () =>
      stripe.subscriptions.update(id, {
        ...{ items: [{ id: items.data[0]!.id, price: dear.id }], proration_behavior: 'always_invoice' },
        payment_behavior: 'pending_if_incomplete',
      });
    const waiting = await ask();
    expect(waiting).toMatchObject({ status: 'active', pending_update: { expires_at: START_S + 23 * 3600 } });
    expect(waiting.items.data[0]!.price.unit_amount).toBe(2900);
    await world.control.advance(23 * 3600);
    expect((await now(id)).pending_update).toBeNull();
    await ask();
    const [invoice] = (
      await stripe.invoices.list({ subscription: id, expand: ['data.payments.data.payment.payment_intent'] })
    ).data;
    const intent = invoice!.payments!.data[0]!.payment.payment_intent as Stripe.PaymentIntent;
    expect(intent.next_action?.redirect_to_url?.url).toBe(`${world.url}/confirm/${intent.id}`);
    await world.submit(intent.next_action!.redirect_to_url!.url!, { answer: 'yes' });
    const after = await now(id);
    expect(after).toMatchObject({ pending_update: null, status: 'active' });
    expect(after.items.data[0]!.price.unit_amount).toBe(9900);
  });
});

describe('the end', () => {
  test('comes with the period, until it is taken back', async () => {
    const { id, items } = await subscribe();
    const end = items.data[0]!.current_period_end;
    const later = await stripe.subscriptions.update(id, {
      ...{ cancel_at_period_end: true, cancellation_details: { feedback: 'too_expensive' } },
    });
    expect(later).toMatchObject({
      ...{ status: 'active', cancel_at: end, cancel_at_period_end: true },
      cancellation_details: { reason: 'cancellation_requested', feedback: 'too_expensive' },
    });
    await stripe.subscriptions.update(id, { cancel_at_period_end: false });
    await world.control.goTo(end + DAY_S);
    expect((await now(id)).status).toBe('active');
    await stripe.subscriptions.update(id, { cancel_at_period_end: true });
    await days(32);
    expect(await now(id)).toMatchObject({ status: 'canceled', ended_at: (await now(id)).cancel_at });
    expect(await world.control.money()).toHaveLength(2);
  });

  test('at once gives back what is asked for, and no more', async () => {
    const { id, customer, latest_invoice } = await subscribe();
    expect((await stripe.subscriptions.cancel(id)).status).toBe('canceled');
    await expect(stripe.subscriptions.cancel(id)).rejects.toMatchObject({ statusCode: 404 });
    const invoice = await stripe.invoices.retrieve(latest_invoice as string);
    const intent = invoice.payments!.data[0]!.payment.payment_intent as string;
    await stripe.refunds.create({ payment_intent: intent, amount: 900 });
    await expect(stripe.refunds.create({ payment_intent: intent, amount: 2001 })).rejects.toThrow('greater');
    await stripe.refunds.create({ payment_intent: intent });
    await expect(stripe.refunds.create({ payment_intent: intent })).rejects.toMatchObject({
      code: 'charge_already_refunded',
    });
    expect(await world.control.kept(customer as string, START_S)).toEqual({ charges: 0, cents: 0 });
    await days(60);
    expect((await world.control.money()).filter(({ kind }) => kind === 'charged')).toHaveLength(1);
  });

  test('of a late one ends its payments, too', async () => {
    const { id, customer } = await subscribe();
    await world.control.setBehavior(await methodOf(customer as string), { kind: 'fails', code: 'generic_decline' });
    await days(32);
    await stripe.subscriptions.cancel(id);
    await days(20);
    expect((await world.control.money()).filter(({ kind }) => kind === 'declined')).toHaveLength(1);
  });

  test('comes to all of a customer who is deleted', async () => {
    const { id, customer } = await subscribe();
    await stripe.customers.del(customer as string);
    expect(await stripe.customers.retrieve(customer as string)).toMatchObject({ deleted: true });
    expect((await now(id)).status).toBe('canceled');
  });

  test('a trial without a card ends as it was wanted', async () => {
    const price = await world.price(2900);
    const { id: customer } = await stripe.customers.create({});
    const trying = (missing: 'cancel' | 'pause') =>
      stripe.subscriptions.create({
        ...{ customer, items: [{ price: price.id }], trial_period_days: 7 },
        trial_settings: { end_behavior: { missing_payment_method: missing } },
      });
    const [cancelled, paused] = [await trying('cancel'), await trying('pause')];
    await days(8);
    expect((await now(cancelled.id)).status).toBe('canceled');
    expect((await now(paused.id)).status).toBe('paused');
  });
});

describe('a schedule', () => {
  const downgrade = async (cents: number, interval: 'month' | 'year' = 'month') => {
    const subscription = await subscribe();
    const price = await world.price(cents, interval);
    const schedule = await stripe.subscriptionSchedules.create({ from_subscription: subscription.id });
    const [phase] = schedule.phases;
    const current = subscription.items.data[0]!.price.id;
    const planned = await stripe.subscriptionSchedules.update(schedule.id, {
      phases: [
        { items: [{ price: current, quantity: 1 }], start_date: phase!.start_date, end_date: phase!.end_date },
        { items: [{ price: price.id, quantity: 1 }] },
      ],
      end_behavior: 'release',
    });
    return { id: subscription.id, planned, price };
  };

  test.each([
    [900, 'month'],
    [20_000, 'year'],
  ] as const)('changes the price to %i a %s with the period, and lets go', async (cents, interval) => {
    const { id, planned, price } = await downgrade(cents, interval);
    expect(planned).toMatchObject({ status: 'active', end_behavior: 'release' });
    expect((await now(id)).items.data[0]!.price.unit_amount).toBe(2900);
    await days(32);
    const after = await now(id);
    expect(after.items.data[0]).toMatchObject({
      price: { id: price.id },
      current_period_start: planned.phases[0]!.end_date,
    });
    expect((await world.control.money()).map((line) => line.cents)).toEqual([2900, cents]);
    await days(interval === 'month' ? 31 : 366);
    expect((await stripe.subscriptionSchedules.retrieve(planned.id)).status).toBe('released');
    expect(await now(id)).toMatchObject({ status: 'active', schedule: null });
    expect((await world.control.money()).map((line) => line.cents)).toEqual([2900, cents, cents]);
  });

  test('that is taken back changes nothing', async () => {
    const { id, planned } = await downgrade(900);
    await expect(stripe.subscriptionSchedules.create({ from_subscription: id })).rejects.toThrow('a schedule already');
    expect(await stripe.subscriptionSchedules.release(planned.id)).toMatchObject({
      status: 'released',
      released_subscription: id,
    });
    await days(32);
    expect((await now(id)).items.data[0]!.price.unit_amount).toBe(2900);
    await expect(stripe.subscriptionSchedules.release(planned.id)).rejects.toThrow('released');
  });
});

test('the portal changes card and address, and no more than it may', async () => {
  const { customer } = await subscribe();
  const open = (features: Stripe.BillingPortal.ConfigurationCreateParams.Features) =>
    stripe.billingPortal.configurations
      .create({ features })
      .then(({ id }) => stripe.billingPortal.sessions.create({ customer: customer as string, configuration: id }));
  await expect(stripe.billingPortal.sessions.create({ customer: customer as string })).rejects.toThrow(
    'No configuration',
  );
  const both = await open({
    ...{ payment_method_update: { enabled: true }, customer_update: { enabled: true, allowed_updates: ['email'] } },
  });
  expect((await world.submit(both.url, { number: '4000000000000002', email: 'b@example.com' })).status).toBe(402);
  expect((await world.submit(both.url, { number: '5555555555554444', email: 'b@example.com' })).text).toContain(
    'Saved.',
  );
  const read = async () =>
    (await stripe.customers.retrieve(customer as string, {
      expand: ['invoice_settings.default_payment_method'],
    })) as Stripe.Customer;
  const after = await read();
  expect(after.email).toBe('b@example.com');
  expect((after.invoice_settings.default_payment_method as Stripe.PaymentMethod).card?.last4).toBe('4444');
  const none = await open({ invoice_history: { enabled: true } });
  const shown = await world.submit(none.url, { number: '4242424242424242', email: 'c@example.com' });
  expect(shown.text).toMatch(/<h2>Invoices<\/h2>.*\$29\.00 paid/);
  expect((await read()).email).toBe('b@example.com');
});

test('a dispute takes the money until the bank decides', async () => {
  const { customer } = await subscribe();
  const [charge] = (await stripe.charges.list({ customer: customer as string })).data;
  const lost = await world.control.dispute(charge!.id);
  expect(await world.control.kept(customer as string, START_S)).toEqual({ charges: 0, cents: 0 });
  expect((await stripe.disputes.list()).data).toMatchObject([{ id: lost, status: 'needs_response', amount: 2900 }]);
  await world.control.closeDispute(lost, true);
  expect((await stripe.disputes.retrieve(lost)).status).toBe('won');
  expect(await world.control.kept(customer as string, START_S)).toEqual({ charges: 1, cents: 2900 });
});

test('taxes are collected nowhere until that is set', async () => {
  expect((await stripe.tax.settings.retrieve()).status).toBe('pending');
  await world.control.setTax({ isActive: true, countries: ['DE'] });
  expect((await stripe.tax.settings.retrieve()).status).toBe('active');
  expect((await stripe.tax.registrations.list()).data.map(({ country }) => country)).toEqual(['DE']);
});

describe('a test clock', () => {
  test('goes forward, and is ready when all that is due has happened', async () => {
    const clock = await stripe.testHelpers.testClocks.create({ frozen_time: START_S });
    const price = await world.price(2900);
    const { id: customer } = await stripe.customers.create({ test_clock: clock.id });
    const { id: method } = await stripe.paymentMethods.attach('pm_card_visa', { customer });
    const { id } = await stripe.subscriptions.create({
      ...{ customer, items: [{ price: price.id }], default_payment_method: method },
    });
    const advanced = await stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: START_S + 65 * DAY_S });
    expect(advanced).toMatchObject({ status: 'advancing', frozen_time: START_S });
    const statusOf = async () => (await stripe.testHelpers.testClocks.retrieve(clock.id)).status;
    await expect.poll(statusOf).toBe('ready');
    expect(await invoicesOf(id)).toHaveLength(3);
    expect(await world.control.now()).toBe(START_S + 65 * DAY_S);
    await stripe.testHelpers.testClocks.del(clock.id);
    expect((await stripe.customers.retrieve(customer)).deleted).toBe(true);
  });

  test('does not go back, and is known', async () => {
    const { testClocks } = stripe.testHelpers;
    await expect(testClocks.create({ frozen_time: START_S - 1 })).rejects.toMatchObject({ param: 'frozen_time' });
    await expect(stripe.customers.create({ test_clock: 'clock_no' })).rejects.toMatchObject({ statusCode: 404 });
  });
});

describe('the desk', () => {
  const desk = async () => (await fetch(`${world.url}/desk/`)).text();
  const press = (act: string, fields: Record<string, string> = {}) =>
    world.submit(`${world.url}/desk/`, { act, ...fields });

  test('says what payers have, and does what happens to them', async () => {
    const { id, default_payment_method } = await subscribe();
    const [invoice] = await invoicesOf(id);
    expect(invoice?.status).toBe('paid');
    expect(await desk()).toContain('Anna, anna@example.com');
    const { charge } = (await world.control.money()).at(-1)!;
    await press('dispute', { id: charge });
    expect(await desk()).toContain('We win');
    const [dispute] = (await stripe.disputes.list({ charge })).data;
    await press('won', { id: dispute!.id });
    expect(default_payment_method).toBeNull();
    const [card] = (await stripe.paymentMethods.list()).data;
    await press('behave', { id: card!.id, as: 'no money' });
    await press('pass', { by: '31 days' });
    await press('pass', { by: 'a day' });
    expect((await now(id)).status).toBe('past_due');
    expect(await desk()).toContain('past_due');
    await press('end', { id });
    expect((await now(id)).status).toBe('canceled');
    await press('refund', { id: charge });
    expect((await world.control.money()).at(-1)).toMatchObject({ kind: 'refunded', charge });
  });

  test('makes calls fail, holds messages back, and says why it could not', async () => {
    await press('fail', { kind: 'refused', path: '/v1/customers', times: '2' });
    for (const _ of [1, 2]) await expect(stripe.customers.create({})).rejects.toMatchObject({ statusCode: 400 });
    await press('deliver', { how: 'held' });
    await stripe.webhookEndpoints.create({ url: 'http://127.0.0.1:9/none', enabled_events: ['*'] });
    await stripe.customers.create({ name: '<b>Anna' });
    expect(await world.control.heldCount()).toBe(1);
    expect(await desk()).toContain('&#60;b&#62;Anna');
    const answer = await press('refund', { id: 'ch_no' });
    expect(answer).toMatchObject({ status: 404, text: expect.stringContaining('No such charge') });
  });
});
