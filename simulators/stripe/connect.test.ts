import type Stripe from 'stripe';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DAY_S, type StripeWorld, startListener, startStripeWorld } from './testing.ts';

let world: StripeWorld;
beforeEach(async () => {
  world = await startStripeWorld();
});
afterEach(() => world.close());

const INCLUDE = ['configuration.merchant', 'requirements'] as const;

async function makeAccount(): Promise<string> {
  const account = await world.stripe.v2.core.accounts.create({
    ...{ contact_email: 'anna@example.com', display_name: 'Anna Bakes', dashboard: 'full' },
    configuration: { merchant: { capabilities: { card_payments: { requested: true } } } },
    defaults: { responsibilities: { fees_collector: 'stripe', losses_collector: 'stripe' } },
  });
  return account.id;
}

async function linkOf(account: string): Promise<string> {
  const addresses = { refresh_url: 'https://hq.test/refresh', return_url: 'https://hq.test/return' };
  const link = await world.stripe.v2.core.accountLinks.create({
    account,
    use_case: { type: 'account_onboarding', account_onboarding: addresses },
  });
  return link.url;
}

/** A member of a connected account, who pays ten dollars a month. */
async function subscribe(account: string, percent: number): Promise<Stripe.Checkout.Session> {
  const options = { stripeAccount: account };
  const price = await world.stripe.prices.create(
    { unit_amount: 1000, currency: 'usd', recurring: { interval: 'month' }, product_data: { name: 'Members' } },
    options,
  );
  const session = await world.stripe.checkout.sessions.create(
    {
      ...{ mode: 'subscription', success_url: 'https://hq.test/done', customer_email: 'fan@example.com' },
      line_items: [{ price: price.id, quantity: 1 }],
      subscription_data: { application_fee_percent: percent },
    },
    options,
  );
  await world.submit(session.url!, { act: 'pay', name: 'Fan', number: '4242424242424242' });
  return world.stripe.checkout.sessions.retrieve(session.id, {}, options);
}

test('an account is filled in on a page that is good for one visit, and can charge once it is ready', async () => {
  const account = await makeAccount();
  const url = await linkOf(account);
  const done = await world.submit(url, { act: 'submit', state: 'ready' });
  expect(done.location).toBe('https://hq.test/return');
  const again = await fetch(url, { redirect: 'manual' });
  expect(again.headers.get('location')).toBe('https://hq.test/refresh');
  const { configuration, requirements } = await world.stripe.v2.core.accounts.retrieve(account, {
    include: [...INCLUDE],
  });
  expect(configuration?.merchant?.capabilities?.card_payments?.status).toBe('active');
  expect(requirements?.entries).toEqual([]);
  expect((await world.stripe.v2.core.accounts.retrieve(account)).requirements).toBeUndefined();
});

test('what belongs to an account is nowhere else, and a closed one lets no one in', async () => {
  const account = await makeAccount();
  await expect(subscribe(account, 0)).rejects.toThrow('cannot currently make charges');
  await world.control.setAccount(account, 'ready');
  const { customer, subscription } = await subscribe(account, 0);
  await expect(world.stripe.customers.retrieve(customer as string)).rejects.toMatchObject({ code: 'resource_missing' });
  const options = { stripeAccount: account };
  expect((await world.stripe.subscriptions.retrieve(subscription as string, {}, options)).status).toBe('active');
  await world.control.setAccount(account, 'closed');
  const asked = world.stripe.subscriptions.retrieve(subscription as string, {}, options);
  await expect(asked).rejects.toMatchObject({ code: 'account_invalid', statusCode: 403 });
  await world.control.advance(32 * DAY_S);
  expect(await world.control.kept(customer as string, (await world.control.now()) - 32 * DAY_S)).toMatchObject({
    charges: 1,
  });
});

test('the sum of all lines is the balance, and payouts are what left it', async () => {
  const account = await makeAccount();
  await world.control.setAccount(account, 'ready');
  const { invoice } = await subscribe(account, 5);
  await world.control.sellElsewhere(account, 2500, 'usd');
  const options = { stripeAccount: account };
  const charges = await world.stripe.charges.list({}, options);
  expect(charges.data.map((charge) => charge.application_fee_amount)).toEqual([null, 50]);
  const ours = charges.data[1]!.id;
  const lines = () => world.stripe.balanceTransactions.list({ limit: 100 }, options);
  expect((await lines()).data.map(({ amount, fee, net }) => [amount, fee, net])).toEqual([
    [2500, 103, 2397],
    [1000, 109, 891],
  ]);
  await world.control.advance(3 * DAY_S);
  const paid = await world.stripe.payouts.list({}, options);
  expect(paid.data.map(({ amount, status }) => [amount, status])).toEqual([[3288, 'in_transit']]);
  const inside = await world.stripe.balanceTransactions.list({ payout: paid.data[0]!.id }, options);
  expect(inside.data).toHaveLength(3);
  await world.control.setPayouts(account, true);
  await world.control.advance(2 * DAY_S);
  const { data } = await world.stripe.payouts.list({}, options);
  expect(data[0]).toMatchObject({ status: 'failed', failure_code: 'account_closed' });
  await world.stripe.refunds.create({ charge: ours, amount: 400 }, options);
  const won = await world.control.dispute(ours);
  await world.control.closeDispute(won, true);
  const { available, pending } = await world.stripe.balance.retrieve({}, options);
  const sum = (await lines()).data.reduce((all, { net }) => all + net, 0);
  expect([...available, ...pending].reduce((all, { amount }) => all + amount, 0)).toBe(sum);
  expect(sum).toBe(3288 - 400 - 1500);
  expect(invoice).not.toBeNull();
});

test('messages about connected accounts go to their own endpoint and name the account', async () => {
  const listener = await startListener();
  const account = await makeAccount();
  await world.stripe.webhookEndpoints.create({ url: `${listener.url}/platform`, enabled_events: ['*'] });
  await world.stripe.webhookEndpoints.create({ url: `${listener.url}/connect`, enabled_events: ['*'], connect: true });
  const destination = await world.stripe.v2.core.eventDestinations.create({
    ...{ name: 'accounts', type: 'webhook_endpoint', event_payload: 'thin', events_from: ['@accounts'] },
    enabled_events: ['v2.core.account[requirements].updated', 'v2.core.account.closed'],
    webhook_endpoint: { url: `${listener.url}/thin` },
    include: ['webhook_endpoint.signing_secret'],
  });
  await world.control.setAccount(account, 'ready');
  await subscribe(account, 0);
  await world.control.settled();
  const at = (path: string) => listener.got.filter((one) => one.path === path);
  expect(at('/platform')).toEqual([]);
  expect(new Set(at('/connect').map(({ body }) => JSON.parse(body).account))).toEqual(new Set([account]));
  expect(at('/connect').map(({ body }) => JSON.parse(body).type)).toContain('customer.subscription.created');
  const [thin] = at('/thin');
  const read = world.stripe.parseEventNotification(
    ...([thin!.body, thin!.signature, destination.webhook_endpoint!.signing_secret!, 300, undefined] as const),
    (await world.control.now()) * 1000,
  );
  expect(read).toMatchObject({ type: 'v2.core.account[requirements].updated', related_object: { id: account } });
  expect(thin!.body).not.toContain('entries');
  await listener.close();
});
