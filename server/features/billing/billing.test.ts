/** Buying and ending a plan, over the simulator, a database and the real routes. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as contract from '#contract/billing.ts';
import { getMe } from '#contract/session.ts';
import { changeBillingEmail, getBillingEmail } from '#contract/settings.ts';
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
    await world.control.failNext(
      { kind: 'cut_after', path: '/v1/customers' },
      { kind: 'cut_after', path: '/v1/customers' },
    );
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
    await world.control.failNext(
      ...Array.from(
        { length: 2 },
        () => ({ kind: 'cut_before', path: `/v1/checkout/sessions/${sessionOf(url)}` }) as const,
      ),
    );
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
  await world.control.failNext(
    ...[1, 2].map(() => ({ kind: 'cut_before', path: `/v1/customers/${first.id}` }) as const),
  );
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
    await world.control.failNext({ kind: 'cut_before', path }, { kind: 'cut_before', path });
    expect((await cancel()).body.code).toBe('stripe_unreachable');
    expect((await anna.call(contract.keepPlan, { params: { creatorId: anna.creatorId } })).status).toBe(200);
    await world.pass(60);
    await world.work();
    expect((await me()).billing.standing).toBe('paid');
  });
  const cancel = () =>
    anna.call(contract.cancelPlan, { params: { creatorId: anna.creatorId }, body: { reason: 'unused' } });
});
