/** Members move in with a file: what is shown before is what becomes of it, and nobody is charged before their day. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ResponseOf } from '#contract/endpoint.ts';
import {
  changeMemberMove,
  getMemberMove,
  listMoveRows,
  type MemberMove,
  type MoveVerdict,
  runMemberMove,
  undoMemberMove,
} from '#contract/member-moves.ts';
import { createTier } from '#contract/tiers.ts';
import { FRIENDS } from '#server/testing/inputs.ts';
import { type FanWorld, type Shop, startFanWorld } from '../testing/fan-world.ts';

const DAY_MS = 86_400_000;
let world: FanWorld;
let shop: Shop;
beforeAll(async () => {
  world = await startFanWorld();
});
afterAll(() => world?.close());
beforeEach(async () => {
  shop = await world.shop({ trialDays: 7 });
});

const paramsOf = (moveId: string) => ({ creatorId: shop.creator.id, moveId });
const dayIn = (days: number) => new Date(world.app.clock.now().getTime() + days * DAY_MS).toISOString().slice(0, 10);

async function upload(text: string): Promise<MemberMove> {
  const url = `/api/v1/creators/${shop.creator.id}/member-moves?fileName=members.csv`;
  const headers = { 'content-type': 'text/csv' };
  const { status, body } = await shop.owner.send({ method: 'POST', url, body: Buffer.from(text), headers });
  expect([status, body]).toMatchObject([200, {}]);
  return body;
}
const rowsOf = async (move: MemberMove, only?: MoveVerdict): Promise<ResponseOf<typeof listMoveRows>['items']> =>
  (await shop.owner.call(listMoveRows, { params: paramsOf(move.id), query: { ...(only && { only }), limit: 100 } }))
    .body.items;
async function run(move: MemberMove): Promise<MemberMove> {
  const { status, body } = await shop.owner.call(runMemberMove, { params: paramsOf(move.id) });
  expect([status, body]).toMatchObject([200, { state: 'running' }]);
  await world.work();
  return (await shop.owner.call(getMemberMove, { params: paramsOf(move.id) })).body;
}
const some = (counts: Partial<MemberMove['counts']>) => ({
  ...{ new: 0, already: 0, member: 0, double: 0, past: 0, no_tier: 0, invalid: 0 },
  ...counts,
});
async function linkIn(email: string): Promise<string> {
  const [mail] = (await world.app.mails(email)).filter(({ subject }) => subject.includes('has moved here'));
  return new URL(/https?:\S+\/join\/\S+/.exec(mail!.text)![0]).toString().replace(/^https?:\/\/[^/]+/, '');
}

test('each row says what becomes of it, doubles merge into the later day, and what is wrong is named by its line', async () => {
  await world.member(shop, 'pays@example.com');
  const move = await upload(
    [
      'Full Name,Email,Plan,Price,Expiration Date,Interval',
      `Ann,ann@example.com,Friends,$4,${dayIn(40)},Monthly`,
      `Ann,ANN@Example.com,Friends,$4,${dayIn(90)},yearly`,
      `Old,old@example.com,Friends,$4,${dayIn(-1)},Monthly`,
      `Pays,pays@example.com,Friends,$4,${dayIn(30)},Monthly`,
      `Bad,=HYPERLINK("x"),Friends,$4,${dayIn(30)},Monthly`,
      'No day,noday@example.com,Friends,$4,soon,Monthly',
      'Short,short@example.com',
      `Far,far@example.com,Friends,$4,${dayIn(1000)},Monthly`,
      `=1+1,formula@example.com,"Friends, gold",$4,${dayIn(30)},Monthly`,
    ].join('\n'),
  );
  expect(move).toMatchObject({ state: 'ready', tool: 'memberful', rows: 9, done: 0, undoUntil: null });
  expect(move.columns.map(({ use }) => use)).toEqual(['name', 'email', 'tier', 'ignore', 'paid_until', 'interval']);
  expect(move.counts).toEqual(some({ new: 2, double: 1, past: 1, member: 1, invalid: 4 }));
  expect((await rowsOf(move)).map(({ line, verdict, why }) => [line, verdict, why])).toEqual([
    [2, 'double', 'Line 3 counts.'],
    [3, 'new', null],
    [4, 'past', null],
    [5, 'member', null],
    [6, 'invalid', 'This is a formula, not an email address.'],
    [7, 'invalid', '“soon” isn’t a day within the next two years.'],
    [8, 'invalid', 'There is no day until which they paid.'],
    [9, 'invalid', expect.stringContaining('isn’t a day within the next two years.')],
    [10, 'new', null],
  ]);
  expect(await world.passOf(shop, 'ann@example.com')).toEqual([]);
});

test('tiers of the file are the creator’s choice where no name is the same, and columns are, too', async () => {
  const other = await shop.owner.call(createTier, {
    ...{ params: { creatorId: shop.creator.id }, body: { ...FRIENDS, name: 'Gold' } },
  });
  const text = `a,b,c\nx@example.com,${dayIn(9)},gold\ny@example.com,${dayIn(9)},Silver\n`;
  let move = await upload(text);
  expect(move.counts).toEqual(some({ invalid: 2 }));
  const uses = ['email', 'paid_until', 'tier'] as const;
  const change = async (body: object) => {
    const answer = await shop.owner.call(changeMemberMove, { params: paramsOf(move.id), body });
    if (answer.status === 200) move = answer.body;
    return answer.status;
  };
  expect(await change({ uses: ['email', 'email', 'tier'] })).toBe(422);
  expect(await change({ uses: [...uses], tool: 'patreon' })).toBe(200);
  expect(move.counts).toEqual(some({ new: 1, no_tier: 1 }));
  expect(move.tiers.map(({ name, tierId }) => [name, tierId])).toEqual([
    ['gold', other.body.id],
    ['Silver', null],
  ]);
  expect(await rowsOf(move, 'no_tier')).toMatchObject([{ line: 3, why: 'Choose which of your tiers “Silver” is.' }]);
  expect(await change({ tiers: [{ name: 'Silver', tierId: shop.tierId }] })).toBe(200);
  expect([move.tool, move.counts]).toEqual(['patreon', some({ new: 2 })]);
});

test('a file is undone: who pays here goes on, the others are out', async () => {
  const done = await run(await upload(`Email,Expiry\nstays@example.com,${dayIn(60)}\ngoes@example.com,${dayIn(60)}`));
  await world.member(shop, 'stays@example.com');
  const { body } = await shop.owner.call(undoMemberMove, { params: paramsOf(done.id) });
  expect(body).toMatchObject({ state: 'undone', undoUntil: null });
  expect([await world.isIn(shop, 'stays@example.com'), await world.isIn(shop, 'goes@example.com')]).toEqual([
    ...[true, false],
  ]);
  expect((await shop.owner.call(undoMemberMove, { params: paramsOf(done.id) })).body.code).toBe('not_possible_now');
  const [, query] = (await linkIn('goes@example.com')).split('?');
  expect((await world.visit('GET', `/join/${shop.creator.handle}?${query}`)).html).not.toContain('You’ve paid until');
});

test('members are let in once readers can go on here', async () => {
  const owner = await world.app.signUpAndIn();
  const creator = await owner.createCreator();
  await owner.call(createTier, { params: { creatorId: creator.id }, body: FRIENDS });
  shop = { ...shop, owner, creator };
  const move = await upload(`Email,Expiry\nann@example.com,${dayIn(60)}`);
  const { body } = await owner.call(runMemberMove, { params: paramsOf(move.id) });
  expect(body).toMatchObject({ code: 'not_possible_now', detail: expect.stringContaining('Connect Stripe') });
});

test('5,000 rows become what was shown; a second time nothing changes; nobody is charged before their day', async () => {
  const rows = ['Email,Name,Tier,Next Charge Date,Charge Frequency,Patron Status'];
  for (let n = 1; n <= 5000; n++) {
    const day = n % 7 === 0 ? dayIn(-n % 300) : n % 11 === 0 ? 'never' : dayIn(3 + (n % 300));
    // Each tenth is the one before once more, in capitals.
    const email = n % 10 === 0 ? `FAN${n - 1}@EXAMPLE.COM` : n % 501 === 0 ? `=fan${n}` : `fan${n}@example.com`;
    rows.push(`${email},"Fan ""${n}""",Friends,${day},Monthly,Active patron`);
  }
  const file = rows.join('\n');
  const shown = await upload(file);
  expect([shown.tool, shown.rows]).toEqual(['patreon', 5000]);
  const total = Object.values(shown.counts).reduce((sum, many) => sum + many, 0);
  expect(total).toBe(5000);
  for (const verdict of ['new', 'double', 'past', 'invalid'] as const) expect(shown.counts[verdict]).toBeGreaterThan(0);
  const done = await run(shown);
  expect(done).toMatchObject({ state: 'done', counts: shown.counts, done: shown.counts.new });
  const count = async (text: string) =>
    Number((await world.app.db.enginePool.query(text, [shop.creator.id])).rows[0].count);
  const passes = () => count(`select count(*) from passes where creator_id = $1 and move_id is not null`);
  const mails = () => count(`select count(*) from mails where about_creator_id = $1 and kind = 'fan_moved_in'`);
  expect([await passes(), await mails()]).toEqual([shown.counts.new, shown.counts.new]);
  const again = await upload(file);
  expect(again.counts).toEqual({ ...shown.counts, new: 0, already: shown.counts.new });
  expect(await run(again)).toMatchObject({ state: 'done', counts: again.counts, done: 0 });
  expect([await passes(), await mails()]).toEqual([shown.counts.new, shown.counts.new]);

  // By the link, on the page to join itself, with days from tomorrow to ten months.
  const going = ['fan1@example.com', 'fan2@example.com', 'fan51@example.com', 'fan299@example.com'];
  const days = new Map<string, number>();
  for (const email of going) {
    const [{ ends_at }] = await world.passOf(shop, email);
    const page = await world.visit('GET', await linkIn(email));
    expect(page.html).toContain('Nothing is charged before.');
    expect(page.html).toContain(`value="${email}" readonly`);
    await world.member(shop, email);
    const [paid] = (await world.passOf(shop, email)).filter(({ source }) => source === 'stripe');
    expect(paid).toMatchObject({ status: 'trialing', isIn: true });
    expect(paid.trial_end.getTime()).toBeGreaterThanOrEqual(ends_at.getTime());
    days.set(email, ends_at.getTime());
  }
  const chargedAt = async (email: string) => {
    const [{ contact_id }] = await world.passOf(shop, email);
    const { rows: fans } = await world.app.db.enginePool.query('select customers from fans where contact_id = $1', [
      contact_id,
    ]);
    const lines = (await world.control.money()).filter(({ customer }) => customer === fans[0].customers[0]);
    return lines.map(({ at }) => at * 1000);
  };
  for (const email of going) expect(await chargedAt(email)).toEqual([]);
  await world.pass(320);
  for (const email of going) {
    const charges = await chargedAt(email);
    expect(charges.length).toBeGreaterThan(0);
    expect(Math.min(...charges)).toBeGreaterThanOrEqual(days.get(email)!);
    expect(await world.isIn(shop, email)).toBe(true);
  }
  expect(await world.isIn(shop, 'fan3@example.com')).toBe(false);
}, 600_000);
