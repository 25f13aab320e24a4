/** Events reach who wants them: signed, again where they failed, and in any order that a test asks for. */
import Stripe from 'stripe';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createStripeControl } from './control-client.ts';
import { type StripeWorld, startListener, startStripeWorld } from './testing.ts';

let world: StripeWorld;
let listener: Awaited<ReturnType<typeof startListener>>;
let got: { body: string; signature: string }[];
let secret: string;
let endpoint: string;
beforeEach(async () => {
  world = await startStripeWorld();
  listener = await startListener();
  got = listener.got;
  const made = await world.stripe.webhookEndpoints.create({
    url: `${listener.url}/hook`,
    enabled_events: ['customer.created', 'customer.updated'],
  });
  [secret, endpoint] = [made.secret!, made.id];
});
afterEach(async () => {
  await world?.close();
  await listener.close();
});

const types = () => got.map(({ body }) => (JSON.parse(body) as Stripe.Event).type);
const verify = async ({ body, signature }: { body: string; signature: string }, with_ = secret) =>
  world.stripe.webhooks.constructEvent(body, signature, with_, 300, undefined, (await world.control.now()) * 1000);

test('are signed with the endpoint’s secret, and with two while it is changed', async () => {
  await world.stripe.customers.create({ name: 'Anna' });
  await world.control.settled();
  expect(types()).toEqual(['customer.created']);
  expect(await verify(got[0]!)).toMatchObject({ object: 'event', livemode: false, data: { object: { name: 'Anna' } } });
  await expect(verify(got[0]!, 'whsec_other')).rejects.toThrow(Stripe.errors.StripeSignatureVerificationError);
  await world.control.advance(301);
  await expect(verify(got[0]!)).rejects.toThrow('Timestamp outside the tolerance zone');
  const next = await world.control.newSecret(endpoint);
  await world.stripe.customers.create({});
  await world.control.settled();
  for (const one of [secret, next]) expect((await verify(got[1]!, one)).type).toBe('customer.created');
  await world.control.forgetOldSecrets(endpoint);
  await world.stripe.customers.create({});
  await world.control.settled();
  await expect(verify(got[2]!)).rejects.toThrow();
});

test('say what was before, and who asked for it', async () => {
  const { id } = await world.stripe.customers.create({ name: 'Anna' });
  await world.stripe.customers.update(id, { name: 'Ann' }, { idempotencyKey: 'named' });
  const [event] = (await world.stripe.events.list({ type: 'customer.updated' })).data;
  expect(event).toMatchObject({
    data: { previous_attributes: { name: 'Anna' } },
    request: { idempotency_key: 'named' },
  });
  expect((await world.stripe.events.list({ types: ['customer.updated'] })).data).toHaveLength(1);
});

test('that are refused come again, and are found as not delivered until then', async () => {
  listener.status = 503;
  await world.stripe.customers.create({});
  await world.control.settled();
  expect((await world.stripe.events.list({ delivery_success: false })).data).toHaveLength(1);
  await world.control.advance(3600);
  // At once, after a minute, and after five more.
  expect(got).toHaveLength(3);
  listener.status = 200;
  await world.control.advance(24 * 3600);
  expect((await world.stripe.events.list({ delivery_success: false })).data).toEqual([]);
  const tries = got.length;
  await world.control.advance(5 * 24 * 3600);
  expect(got).toHaveLength(tries);
});

test('come late, doubled, shuffled or never, as a test wants it', async () => {
  const control = createStripeControl(world.url);
  await control.setDelivery('held');
  const { id } = await world.stripe.customers.create({});
  await world.stripe.customers.update(id, { name: 'A' });
  await world.stripe.customers.update(id, { name: 'B' });
  expect(await control.heldCount()).toBe(3);
  expect(got).toEqual([]);
  await control.letGo([2, 0, 2]);
  expect(types()).toEqual(['customer.updated', 'customer.created', 'customer.updated']);
  await control.setDelivery('lost');
  await world.stripe.customers.create({});
  await control.settled();
  expect(got).toHaveLength(3);
  const [lost] = (await world.stripe.events.list()).data;
  await control.sendAgain(lost!.id);
  expect(got).toHaveLength(4);
});

test('a verb that is none is refused in words', async () => {
  const answer = await fetch(`${world.url}/control/explode`, { method: 'POST' });
  expect(answer.status).toBe(404);
  await expect(createStripeControl(world.url).setBehavior('pm_no', { kind: 'good' })).rejects.toThrow(
    'No such payment_method',
  );
});
