/** Buying and ending a plan, over the simulator, a database and the real routes. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as contract from '#contract/billing.ts';
import { getMe } from '#contract/session.ts';
import { cancelDeletion, changeBillingEmail, getBillingEmail, requestDeletion } from '#contract/settings.ts';
import type { Person } from '#server/testing/test-app.ts';
import { type BillingWorld, sessionOf, startBillingWorld } from './testing/billing-world.ts';

let world: BillingWorld;
let anna: Person & { creatorId: string };
beforeAll(async () => {
  world = await startBillingWorld();
});
afterAll(() => world?.close());
beforeEach(async () => {
  anna = await world.owner();
});
afterEach(async () => {
  expect(await world.control.unimplemented()).toEqual([]);
});

const me = async () => (await anna.call(getMe)).body;

describe('buying', () => {
  test('leads to Stripe’s page and back to a plan that is there without any message of Stripe’s', async () => {
    const { status, body } = await world.begin(anna);
    expect(status, JSON.stringify(body)).toBe(200);
    expect((await world.look(anna, body.url)).body).toMatchObject({ state: 'open', plan: 'Creator', url: body.url });
    expect((await me()).billing).toMatchObject({ mode: 'play', standing: 'free', nextPayment: null });
    const { location } = await world.pay(body.url);
    expect(location).toContain(`/creator-hq/checkout?session_id=${sessionOf(body.url)}`);
    expect((await world.look(anna, body.url)).body.state).toBe('checking');
    await world.pass(2);
    expect((await world.look(anna, body.url)).body).toEqual({ state: 'paid', plan: 'Creator', url: null });
    expect(await me()).toMatchObject({
      subscription: { plan: { productId: 'creator-plan' }, status: 'active', isActive: true, isFree: false },
      billing: { standing: 'paid', nextPayment: { cents: 2900 } },
    });
  });

  test('gives the same page to the second tab, and ends it where another plan is chosen', async () => {
    const [first, second] = await Promise.all([world.begin(anna), world.begin(anna)]);
    const urls = [first, second].map(({ status, body }) => (status === 200 ? body.url : body.code));
    const { url } = (await world.begin(anna)).body;
    for (const one of urls) expect([url, 'stripe_unreachable']).toContain(one);
    const other = (await world.begin(anna, { planId: 'studio-plan', interval: 'year' })).body.url;
    expect(other).not.toBe(url);
    await world.pass(2);
    expect((await world.look(anna, url)).body.state).toBe('expired');
    await world.pay(other);
    await world.pass(2);
    expect((await world.look(anna, other)).body).toMatchObject({ state: 'paid', plan: 'Studio' });
    expect((await world.begin(anna)).body).toMatchObject({ code: 'already_exists' });
  });

  test('sells nothing twice where the first page was paid just before another plan is chosen', async () => {
    const { url } = (await world.begin(anna)).body;
    await world.pay(url);
    expect((await world.begin(anna, { planId: 'studio-plan' })).body).toMatchObject({ code: 'already_exists' });
    expect((await me()).subscription.plan.productId).toBe('creator-plan');
  });

  test.each([
    { planId: 'free-plan' },
    { planId: 'no-plan' },
    { planId: 'creator-plan', interval: 'week' as never },
    { planId: 'creator-plan', cents: 1 } as never,
  ])('refuses %j, or goes by its own price', async (body) => {
    const { status, body: answer } = await world.begin(anna, body);
    if (status !== 200) return expect(status).toBe(422);
    const session = await world.stripe.checkout.sessions.retrieve(sessionOf(answer.url));
    return expect(session.amount_total).toBe(2900);
  });

  test('a stranger, and who is no owner, learns and buys nothing', async () => {
    const { url } = (await world.begin(anna)).body;
    const bert = await world.app.signUpAndIn();
    const his = await bert.createCreator();
    const asked = { params: { creatorId: his.id, stripeSessionId: sessionOf(url) } };
    expect((await bert.call(contract.getCheckout, asked)).status).toBe(404);
    expect((await world.begin({ ...bert, creatorId: anna.creatorId })).status).toBe(404);
  });

  test('goes on by itself where Stripe’s answer was lost, and makes one page', async () => {
    await world.begin(await world.owner());
    await world.control.failNext({ kind: 'cut_after', path: '/v1/customers' });
    expect((await world.begin(anna)).body.code).toBe('stripe_unreachable');
    const { status, body } = await world.begin(anna);
    expect(status, JSON.stringify(body)).toBe(200);
    const customers = await world.stripe.customers.list({ limit: 100 });
    expect(customers.data.filter(({ metadata }) => metadata.chq_creator === anna.creatorId)).toHaveLength(1);
  });

  test('says so while Stripe is away, and recovers', async () => {
    const { url } = (await world.begin(anna)).body;
    await world.pay(url);
    await world.pass(2);
    await world.control.failNext({ kind: 'cut_before', path: `/v1/checkout/sessions/${sessionOf(url)}` });
    expect((await world.look(anna, url)).body.state).toBe('unreachable');
    expect((await world.look(anna, url)).body.state).toBe('paid');
  });
});

test('the billing email is Stripe’s, too; a customer deleted there is made anew', async () => {
  await world.begin(anna);
  const params = { creatorId: anna.creatorId };
  const change = (email: string) => anna.call(changeBillingEmail, { params, body: { email } });
  const customerOf = async () => {
    const customers = await world.stripe.customers.list({ limit: 100 });
    return customers.data.find(({ metadata }) => metadata.chq_creator === anna.creatorId)!;
  };
  expect((await change('books@example.com')).status).toBe(200);
  const first = await customerOf();
  expect(first.email).toBe('books@example.com');
  await world.control.failNext({ kind: 'cut_before', path: `/v1/customers/${first.id}` });
  expect((await change('lost@example.com')).body.code).toBe('stripe_unreachable');
  expect((await anna.call(getBillingEmail, { params })).body.email).toBe('books@example.com');
  await world.stripe.customers.del(first.id);
  expect((await change('new@example.com')).status).toBe(200);
  const { body } = await world.begin(anna, { planId: 'studio-plan' });
  await world.pay(body.url);
  await world.pass(2);
  expect((await world.look(anna, body.url)).body.state).toBe('paid');
  expect(await customerOf()).toMatchObject({ email: 'new@example.com' });
});

describe('messages', () => {
  const event = { id: 'evt_x', object: 'event', type: 'customer.updated', livemode: false, data: { object: {} } };
  const count = async () => (await world.app.db.engine.selectFrom('stripe_events').select('id').execute()).length;

  test.each([
    ['unsigned', () => ({ ...world.message(event), headers: {} }), 403],
    ['signed with another secret', () => world.message(event, { secret: 'whsec_other' }), 403],
    ['signed six minutes ago', () => world.message(event, { ageS: 360 }), 403],
    [
      'changed after it was signed',
      () => ({ ...world.message(event), body: JSON.stringify({ ...event, id: 'evt_y' }) }),
      403,
    ],
    ['of real money', () => world.message({ ...event, livemode: true }), 200],
    ['of another account', () => world.message({ ...event, account: 'acct_1' }), 200],
    ['too long', () => world.message({ ...event, filler: 'x'.repeat(300_000) }), 413],
  ])('one that is %s marks nothing', async (_, request, status) => {
    const before = await count();
    expect((await world.app.visitor().send(request())).status).toBe(status);
    expect(await count()).toBe(before);
  });
});

describe('ending', () => {
  test('ends at the end of what is paid, and goes on with one call until then', async () => {
    expect((await cancel()).body.code).toBe('not_possible_now');
    const { url } = (await world.begin(anna)).body;
    await world.pay(url);
    await world.pass(2);
    await world.look(anna, url);
    expect((await cancel()).status).toBe(200);
    const { billing, subscription } = await me();
    expect(billing).toMatchObject({ standing: 'ending', until: subscription.cancelAt, nextPayment: null });
    const { cancellation_details: said } = await world.stripe.subscriptions.retrieve(subscription.stripeSubscriptionId);
    expect(said?.feedback).toBe('unused');
    expect((await anna.call(contract.keepPlan, { params: { creatorId: anna.creatorId } })).status).toBe(200);
    expect((await me()).billing.standing).toBe('paid');
    // One that never reached Stripe is not made after the wish to keep.
    const path = `/v1/subscriptions/${subscription.stripeSubscriptionId}`;
    await world.control.failNext({ kind: 'cut_before', path });
    expect((await cancel()).body.code).toBe('stripe_unreachable');
    expect((await anna.call(contract.keepPlan, { params: { creatorId: anna.creatorId } })).status).toBe(200);
    await world.pass(60);
    await world.work();
    expect((await me()).billing.standing).toBe('paid');
  });
  const cancel = () =>
    anna.call(contract.cancelPlan, { params: { creatorId: anna.creatorId }, body: { reason: 'unused' } });
});

describe('changing', () => {
  const params = () => ({ creatorId: anna.creatorId });
  const preview = (planId: string, interval: 'month' | 'year' = 'month') =>
    anna.call(contract.previewPlanChange, { params: params(), body: { planId, interval } });
  const change = (token: string) => anna.call(contract.changePlan, { params: params(), body: { token } });
  const buy = async (planId = 'creator-plan') => {
    const { url } = (await world.begin(anna, { planId })).body;
    await world.pay(url);
    await world.pass(2);
    await world.look(anna, url);
    const { subscription } = await me();
    return world.stripe.subscriptions.retrieve(subscription.stripeSubscriptionId);
  };
  const charged = async (customer: unknown) =>
    (await world.control.money())
      .filter((one) => one.customer === customer && one.kind === 'charged')
      .reduce((sum, { cents }) => sum + cents, 0);

  test('to a dearer plan charges at once what was shown, to the cent, and once', async () => {
    const { customer } = await buy();
    await world.pass(10 * 86_400);
    const shown = (await preview('studio-plan')).body;
    expect(shown).toMatchObject({ when: 'now', nextPayment: { cents: 7900 } });
    expect(shown.lines.reduce((sum: number, { cents }: { cents: number }) => sum + cents, 0)).toBe(shown.dueCents);
    const before = await charged(customer);
    await world.pass(600);
    const both = await Promise.all([change(shown.token), change(shown.token)]);
    expect(both.some(({ status }) => status === 200)).toBe(true);
    expect((await charged(customer)) - before).toBe(shown.dueCents);
    expect((await me()).subscription.plan.productId).toBe('studio-plan');
    expect((await change(shown.token)).body.code).toBe('already_exists');
  });

  test.each([1, 2, 3, 4])(
    'of two owners and four tabs at once charges for one, whoever is first (%i)',
    async (first) => {
      const { customer } = await buy();
      const shown = [
        (await preview('studio-plan')).body,
        (await preview('creator-plan', 'year')).body,
        (await preview('studio-plan', 'year')).body,
        (await preview('studio-plan')).body,
      ];
      const before = await charged(customer);
      const order = [...shown.slice(first - 1), ...shown.slice(0, first - 1)];
      const answers = await Promise.all(order.map(({ token }) => change(token)));
      const made = answers.flatMap(({ status }, at) => (status === 200 ? [order[at].dueCents] : []));
      expect(made).toHaveLength(1);
      expect((await charged(customer)) - before).toBe(made[0]);
      for (const { status, body } of answers) if (status !== 200) expect(status, body.code).toBe(409);
      // Those who come late are told that it costs something else now, or that they have it.
      for (const { token } of order) expect((await change(token)).status).toBe(409);
      expect((await charged(customer)) - before).toBe(made[0]);
    },
  );

  test('from month to year begins now; a cheaper plan begins with the next period, and can be taken back', async () => {
    const { id } = await buy();
    const year = (await preview('creator-plan', 'year')).body;
    expect(year).toMatchObject({ when: 'now', nextPayment: { cents: 29_000 } });
    expect((await change(year.token)).body.message).toBe('You’re on Creator.');
    expect((await me()).subscription.interval).toBe('year');
    const month = (await preview('creator-plan', 'month')).body;
    expect(month).toMatchObject({ when: 'later', dueCents: 0, nextPayment: { cents: 2900 } });
    const planned = await change(month.token);
    expect(planned.status, JSON.stringify(planned.body)).toBe(200);
    const { billing, subscription } = await me();
    expect(billing.nextPlan).toEqual({ name: 'Creator', interval: 'month', at: month.nextPayment.at });
    expect(subscription.isActive).toBe(true);
    expect((await preview('studio-plan')).body.code).toBe('not_possible_now');
    expect((await anna.call(contract.keepPlan, { params: params() })).status).toBe(200);
    expect((await me()).billing).toMatchObject({ nextPlan: null, standing: 'paid' });
    // Planned again, and canceled: what was planned ends with it.
    await change((await preview('creator-plan', 'month')).body.token);
    expect((await anna.call(contract.cancelPlan, { params: params(), body: { reason: null } })).status).toBe(200);
    expect((await me()).billing).toMatchObject({ nextPlan: null, standing: 'ending' });
    expect((await world.stripe.subscriptions.retrieve(id)).schedule).toBeNull();
    expect((await preview('studio-plan')).body.code).toBe('not_possible_now');
  });

  test('that the bank wants confirmed leaves the plan as it is, and leads to Stripe’s page', async () => {
    const { default_payment_method: method } = await buy();
    await world.control.setBehavior(method as string, { kind: 'fails', code: 'insufficient_funds' });
    const { body } = await change((await preview('studio-plan')).body.token);
    expect(body.url).toMatch(/^http/);
    expect(await me()).toMatchObject({
      subscription: { plan: { productId: 'creator-plan' }, isActive: true },
      billing: { standing: 'paid', payNeeded: 'card' },
    });
    expect((await preview('studio-plan')).body.code).toBe('not_possible_now');
    expect((await anna.call(contract.payDue, { params: params() })).body.url).toBe(body.url);
    await world.control.setBehavior(method as string, { kind: 'good' });
    const { latest_invoice: invoice } = await world.stripe.subscriptions.retrieve(
      (await me()).subscription.stripeSubscriptionId,
    );
    await world.stripe.invoices.pay(invoice as string);
    await world.pass(86_401);
    await world.work();
    expect(await world.read(anna.creatorId)).toMatchObject({
      subscription: { plan: { productId: 'studio-plan' } },
      billing: { payNeeded: null },
    });
  });

  test('by a token that is changed, old, or of another creator does nothing', async () => {
    const { customer } = await buy();
    const { token } = (await preview('studio-plan')).body;
    const before = await charged(customer);
    expect((await change(`${token.slice(0, -2)}xx`)).body.code).toBe('changed_meanwhile');
    const owner = anna;
    anna = await world.owner();
    await buy();
    expect((await change(token)).body.code).toBe('changed_meanwhile');
    anna = owner;
    await world.pass(15 * 60 + 1);
    expect((await change(token)).body.code).toBe('changed_meanwhile');
    expect(await charged(customer)).toBe(before);
    expect((await preview('creator-plan')).body.code).toBe('already_exists');
    expect((await preview('no-plan')).status).toBe(422);
  });

  test('is given back in full within the first days, and not after them', async () => {
    const { customer, id } = await buy();
    const first = (await me()).billing;
    expect(Date.parse(first.refundUntil) - world.app.clock.now().getTime()).toBeLessThanOrEqual(14 * 86_400_000);
    await change((await preview('studio-plan')).body.token);
    expect((await anna.call(contract.refundPlan, { params: params() })).status).toBe(200);
    expect((await me()).billing).toMatchObject({ standing: 'free', refundUntil: null, mayTry: false });
    expect((await world.stripe.subscriptions.retrieve(id)).status).toBe('canceled');
    const given = (await world.control.money()).filter((one) => one.customer === customer && one.kind === 'refunded');
    expect(given.reduce((sum, { cents }) => sum + cents, 0)).toBe(await charged(customer));
    // Of a second plan nothing is given back.
    await buy();
    expect((await me()).billing.refundUntil).toBeNull();
    expect((await anna.call(contract.refundPlan, { params: params() })).body.code).toBe('not_possible_now');
  });
});

test('invoices are Stripe’s; the portal is for card and address', async () => {
  const params = { creatorId: anna.creatorId };
  expect((await anna.call(contract.listInvoices, { params })).body).toEqual({ items: [], next: null });
  expect((await anna.call(contract.openPortal, { params })).body.code).toBe('not_possible_now');
  const { url } = (await world.begin(anna)).body;
  await world.pay(url);
  await world.pass(2);
  await world.look(anna, url);
  const { items } = (await anna.call(contract.listInvoices, { params })).body;
  expect(items).toMatchObject([{ status: 'paid', totalCents: 2900, taxCents: 0, payUrl: null, says: '1 × Creator' }]);
  expect(items[0].pdfUrl).toMatch(/^http/);
  expect((await anna.call(contract.openPortal, { params })).body.url).toMatch(/^http/);
});

test('a plan ends with its creator, and goes on where they stay', async () => {
  const { url } = (await world.begin(anna)).body;
  await world.pay(url);
  await world.pass(2);
  await world.look(anna, url);
  const params = { creatorId: anna.creatorId };
  const { handle } = (await me()).creatorAccount;
  const { deleteAt } = (await anna.call(requestDeletion, { params, body: { handle } })).body;
  await world.work();
  const until = Math.floor(Date.parse(deleteAt) / 1000) * 1000;
  expect(Date.parse((await me()).billing.until)).toBe(until);
  await anna.call(cancelDeletion, { params });
  await world.work();
  expect((await me()).billing).toMatchObject({ standing: 'paid', until: null });
  // Their own wish to end it stays.
  await anna.call(contract.cancelPlan, { params, body: { reason: null } });
  await anna.call(requestDeletion, { params, body: { handle } });
  await world.work();
  await anna.call(cancelDeletion, { params });
  await world.work();
  expect((await me()).billing.standing).toBe('ending');
});
