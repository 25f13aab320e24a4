/** A payment given back in part or in full: once, told once, and what they read by it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cancelMember, getMember, getMemberPayment, giveBackPayment } from '#contract/members.ts';
import { type FanWorld, type Shop, startFanWorld } from './testing/fan-world.ts';

/** Stripe's test account that a debit arrives from. */
const DEBIT = 'DE89370400440532013000';

let world: FanWorld;
let shop: Shop;
beforeAll(async () => {
  world = await startFanWorld();
  shop = await world.shop();
});
afterAll(() => world?.close());

/** Somebody who paid 4.00 for a month, and their payment. */
async function payer(email: string) {
  await world.member(shop, email);
  await world.pass(0.5);
  const [{ contact_id: memberId }] = await world.passOf(shop, email);
  const about = { params: { creatorId: shop.creator.id, memberId } };
  const look = async () => (await shop.owner.call(getMember, about)).body;
  const paymentId: string = (await look()).payments.find(({ kind }: { kind: string }) => kind === 'paid').id;
  const payment = { params: { ...about.params, paymentId } };
  return {
    ...{ look, payment },
    left: async () => (await shop.owner.call(getMemberPayment, payment)).body,
    giveBack: (body: { amount: number; left: number; ends: boolean }) =>
      shop.owner.call(giveBackPayment, { ...payment, body }),
    told: async () => (await world.app.mails(email)).map(({ subject }) => subject.replace(/^@\S+: /, '')),
  };
}

test('a part is given back: they read on, are told once, and it stands in their story', async () => {
  const anna = await payer('anna@example.com');
  expect(await anna.left()).toEqual({ amount: 400, left: 400, currency: 'usd' });
  const { status, body } = await anna.giveBack({ amount: 150, left: 400, ends: false });
  expect([status, body.message]).toEqual([200, 'Given back. They’re told by email.']);
  await world.pass(0.5);
  await world.pass(0.5);
  expect(await world.isIn(shop, 'anna@example.com')).toBe(true);
  expect((await anna.told()).filter((subject) => /back/.test(subject))).toEqual(['You get $1.50 back']);
  const { changes, payments, state } = await anna.look();
  expect(changes.map(({ what }: { what: string }) => what)).toContain('$1.50 was given back.');
  expect(payments).toMatchObject([
    { kind: 'refunded', amount: -150 },
    { kind: 'paid', amount: 400 },
  ]);
  expect(state).toBe('in');
  expect(await anna.left()).toEqual({ amount: 400, left: 250, currency: 'usd' });
});

test('two who give back at the same moment give back once, and never more than was paid', async () => {
  const ben = await payer('ben@example.com');
  const wish = { amount: 100, left: 400, ends: false };
  const answers = await Promise.all([ben.giveBack(wish), ben.giveBack(wish)]);
  expect(answers.map(({ status }) => status)).toContain(200);
  expect(await ben.left()).toMatchObject({ left: 300 });
  expect([await ben.giveBack(wish), await ben.giveBack({ amount: 301, left: 300, ends: false })]).toMatchObject([
    { status: 409, body: { detail: 'Some of it was given back meanwhile. Look again.' } },
    { status: 409, body: { detail: 'No more can be given back than they paid.' } },
  ]);
  expect((await ben.giveBack({ amount: 0, left: 300, ends: false })).status).toBe(422);
  expect(await ben.left()).toMatchObject({ left: 300 });
});

test('with a part given back it ends at once, if that is wished', async () => {
  const cora = await payer('cora@example.com');
  expect((await cora.giveBack({ amount: 200, left: 400, ends: true })).status).toBe(200);
  expect(await world.isIn(shop, 'cora@example.com')).toBe(false);
  await world.pass(0.5);
  expect((await cora.look()).state).toBe('over');
  expect(await cora.told()).toEqual(expect.arrayContaining(['You get $2.00 back', 'Your membership has ended']));
});

test('the last payment, given back in full, lets in no longer; an answer of Stripe’s that is lost gives nothing back twice', async () => {
  const dora = await payer('dora@example.com');
  await world.control.failNext({ kind: 'error_after', method: 'POST', path: '/v1/refunds' });
  await dora.giveBack({ amount: 100, left: 400, ends: false });
  await world.pass(0.5);
  expect(await dora.left()).toMatchObject({ left: 300 });
  expect((await dora.giveBack({ amount: 300, left: 300, ends: false })).status).toBe(200);
  expect(await world.isIn(shop, 'dora@example.com')).toBe(false);
});

test('the payment of somebody else is not found', async () => {
  const emil = await payer('emil@example.com');
  const other = await payer('other@example.com');
  const { memberId } = other.payment.params;
  const params = { ...emil.payment.params, memberId };
  expect((await shop.owner.call(getMemberPayment, { params })).status).toBe(404);
  const body = { amount: 100, left: 400, ends: false };
  expect((await shop.owner.call(giveBackPayment, { params, body })).status).toBe(404);
});

test('what a bank debits after all was given back is given back, too, though the program was away longer than banks take', async () => {
  const other = await world.shop();
  await world.member(other, 'fia@example.com', 'month', DEBIT);
  const [{ contact_id: memberId }] = await world.passOf(other, 'fia@example.com');
  const params = { creatorId: other.creator.id, memberId };
  expect((await other.owner.call(cancelMember, { params, body: { refund: true } })).status).toBe(200);
  await world.app.clock.advance(31 * 86_400_000);
  await world.control.advance(31 * 86_400);
  const kept = async () =>
    (await world.stripe.charges.list({ limit: 1 }, { stripeAccount: other.account })).data.map(
      ({ paid, amount, amount_refunded }) => paid && amount - amount_refunded,
    );
  expect(await kept()).toEqual([400]);
  await world.work();
  expect(await kept()).toEqual([0]);
});
