/** Money that adds up: figures are sums of lines, and lines are Stripe's balance. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ResponseOf } from '#contract/endpoint.ts';
import { getMembersMoney, listMoneyLines, MONEY_FIGURES } from '#contract/members-money.ts';
import { fetchMoney } from './money.ts';
import { type FanWorld, type Shop, startFanWorld } from './testing/fan-world.ts';

/** With fees, payouts and what belongs to no member, about four lines each. */
const MEMBERS = 40;
const LINES = 10_000;

let world: FanWorld;
let shop: Shop;
beforeAll(async () => {
  world = await startFanWorld({ MEMBERSHIP_FEE_PERCENT: '5' });
  shop = await world.shop();
});
afterAll(() => world?.close());

const params = () => ({ creatorId: shop.creator.id });
const read = async (): Promise<ResponseOf<typeof getMembersMoney>> =>
  (await shop.owner.call(getMembersMoney, { params: params() })).body;
const options = () => ({ stripeAccount: shop.account });

test(`${LINES} lines of charges, refunds, disputes, fees, payouts and other sales add up`, {
  timeout: 300_000,
}, async () => {
  for (let fan = 0; fan < MEMBERS; fan++)
    await world.member(shop, `fan${fan}@example.com`, fan % 3 === 0 ? 'year' : 'month');
  const charges = (await world.control.money()).filter(({ kind }) => kind === 'charged').map(({ charge }) => charge);
  for (const [at, charge] of charges.entries()) {
    if (at % 4 === 0) await world.stripe.refunds.create({ charge, amount: 100 }, options());
    else if (at % 4 === 1) await world.stripe.refunds.create({ charge }, options());
    else if (at % 4 === 2) await world.control.closeDispute(await world.control.dispute(charge), at % 8 === 2);
  }
  for (let sale = 0; sale < LINES - 200; sale++) {
    await world.control.sellElsewhere(shop.account, 500 + sale, sale % 2 === 0 ? 'usd' : 'eur');
  }
  await fetchMoney(world.deps, shop.creator.id);
  await world.control.advance(3 * 86_400);
  await world.control.setPayouts(shop.account, true);
  await world.control.advance(3 * 86_400);
  await fetchMoney(world.deps, shop.creator.id);
  const money = await read();
  expect(money.differences).toEqual([]);
  const { rows } = await world.app.db.enginePool.query(
    `select count(*)::int as lines from money_lines where creator_id = $1`,
    [shop.creator.id],
  );
  expect(rows[0].lines).toBeGreaterThan(LINES - 300);
  const balance = await world.stripe.balance.retrieve({}, options());
  const atStripe = [...balance.available, ...balance.pending].filter(({ currency }) => currency === 'usd');
  expect(money.balance.find(({ currency }) => currency === 'usd')!.amount).toBe(
    atStripe.reduce((sum, { amount }) => sum + amount, 0),
  );
  // Paid out and sent back.
  expect(money.payouts.map(({ status }) => status)).toEqual(['failed', 'failed']);
  expect(money.payouts[0]!.failure).toBe('The bank account has been closed.');
  for (const month of money.months) {
    const { gross, refunds, disputes, stripeFees, ourFee, other, net } = month;
    expect(gross + refunds + disputes + stripeFees + ourFee + other).toBe(net);
    for (const figure of MONEY_FIGURES) expect(await sumOf(month.month, month.currency, figure)).toBe(month[figure]);
  }
  const usd = money.months.filter(({ currency }) => currency === 'usd');
  expect(usd.reduce((sum, { gross }) => sum + gross, 0)).toBe(14 * 4000 + 26 * 400);
  expect(usd.reduce((sum, { ourFee }) => sum + ourFee, 0)).toBe(-(14 * 200 + 26 * 20));
});

/** Of the lines that a figure opens. */
async function sumOf(month: string, currency: string, figure: (typeof MONEY_FIGURES)[number]): Promise<number> {
  let [sum, after] = [0, null as string | null];
  do {
    const query = { month, currency, figure, limit: 100, ...(after !== null && { after }) };
    const { body } = await shop.owner.call(listMoneyLines, { params: params(), query });
    for (const { amount, fee, net, category } of body.items) {
      const isOurs = ['charge', 'refund', 'dispute', 'dispute_reversal'].includes(category);
      if (figure === 'stripeFees') sum -= fee - (category === 'charge' ? feeOf(amount) : 0);
      else if (figure === 'ourFee') sum -= feeOf(amount);
      else if (figure === 'net' || figure === 'paidOut' || (figure === 'other' && isOurs)) sum += net;
      else sum += amount;
    }
    after = body.next;
  } while (after !== null);
  return sum;
}

/** What this installation takes. */
function feeOf(amount: number): number {
  return Math.round(amount * 0.05);
}

test('the table has each line, and runs nothing in a spreadsheet', async () => {
  const url = `/api/v1/creators/${shop.creator.id}/members-money.csv`;
  const { rows } = await world.app.db.enginePool.query(
    'select count(*)::int as many, sum(net)::float8 as net, min(contact_id::text) as one from money_lines where creator_id = $1',
    [shop.creator.id],
  );
  const [{ many, net, one }] = rows;
  await world.app.db.enginePool.query('update contacts set email = $2 where id = $1', [one, '=cmd@example.com']);
  const { text } = await shop.owner.send({ method: 'GET', url });
  const lines: string[] = text.trimEnd().split('\r\n').slice(1);
  expect(lines).toHaveLength(many);
  expect(lines.reduce((sum, line) => sum + Number(line.split(',').at(-3)), 0)).toBe(net);
  expect(text).toContain(`,"'=cmd@example.com",`);
});

test('a line that is withheld makes the page say by how much, and since when', async () => {
  const before = await read();
  await world.control.sellElsewhere(shop.account, 700, 'usd');
  const [newest] = (await world.stripe.balanceTransactions.list({ limit: 1 }, options())).data;
  // As if it had come before.
  await world.app.db.enginePool.query('update stripe_accounts set last_line = $2 where creator_id = $1', [
    shop.creator.id,
    newest!.id,
  ]);
  await fetchMoney(world.deps, shop.creator.id);
  const after = await read();
  await world.app.clock.advance(3_600_000);
  await fetchMoney(world.deps, shop.creator.id);
  const later = await read();
  expect(before).toMatchObject({ differences: [], differsSince: null });
  expect(after.differences).toEqual([{ currency: 'usd', amount: newest!.net }]);
  expect(later).toMatchObject({ differences: after.differences, differsSince: after.checkedAt });
  expect(later.checkedAt).not.toBe(after.checkedAt);
});
