/** A membership moves to another address: proven there, told here, and taken back for a day. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { renewMemberPass } from '#contract/plugin.ts';
import { MOVED } from './address-changes.ts';
import { block } from './blocking.ts';
import { feature } from './feature.ts';
import { readMails } from './members.ts';
import { fetchFan } from './sync.ts';
import { type FanWorld, type Shop, startFanWorld } from './testing/fan-world.ts';

let world: FanWorld;
let shop: Shop;
let readers = 0;
let before: string;
let after: string;
beforeAll(async () => {
  world = await startFanWorld();
  shop = await world.shop();
});
afterAll(() => world?.close());
beforeEach(() => {
  readers++;
  [before, after] = [`before${readers}@example.com`, `after${readers}@example.com`];
});

const at = (path = '/account/email') => `/join/${shop.creator.handle}${path}`;
const mailsTo = async (email: string, subject: RegExp) => {
  await world.work();
  return (await world.app.mails(email)).filter((mail) => subject.test(mail.subject));
};
const codeFor = async (email: string) => (await mailsTo(email, /confirms your address/)).at(-1)!.subject.slice(0, 6);
const changeIn = (html: string) => /name="change" value="([^"]+)"/.exec(html)![1]!;
/** @returns the answer to the code */
const change = async (cookie: string, to = after, url = at()) => {
  const { html } = await world.visit('POST', url, { email: to }, cookie);
  const code = await codeFor(to);
  const answer = await world.visit('POST', url, { change: changeIn(html), email: to, code }, cookie);
  await world.work();
  return answer;
};
const undoUrl = async () => {
  const [mail] = await mailsTo(before, /has another address/);
  return new URL(/https?:\S+\/address\/\S+/.exec(mail!.text)![0]).pathname;
};
const customerOf = async () => {
  const { rows } = await world.app.db.enginePool.query(
    `select f.customers from fans f join contacts c on c.creator_id = f.creator_id and c.id = f.contact_id
     where f.creator_id = $1 and c.email = any($2)`,
    [shop.creator.id, [before, after]],
  );
  expect(rows).toHaveLength(1);
  const found = await world.stripe.customers.retrieve(rows[0].customers[0], {}, { stripeAccount: shop.account });
  return found.deleted ? null : found.email;
};

test('all that says whose it is by a contact moves, or is known to stay', () => {
  const byContact = Object.entries(feature.holds ?? {}).flatMap(([table, { person }]) =>
    person?.rows === 'contact_id' ? [table] : [],
  );
  // `fans` are joined; codes are good for minutes; free opens are counted by address.
  expect(byContact.toSorted()).toEqual([...MOVED, 'fans', 'fan_entries', 'free_opens'].toSorted());
});

test('with the code mailed there, the membership is at the new address: browsers, money and mails, too', async () => {
  const done = await world.member(shop, before);
  const { secret, token } = await world.comeBack(shop, await world.goBack(done.html));
  const { device } = JSON.parse(Buffer.from(token!.split('.')[1]!, 'base64url').toString());
  const cookie = await world.enterAccount(shop, before);
  const { html } = await world.visit('POST', at(), { email: after }, cookie);
  const code = await codeFor(after);
  const wrong = code === '111111' ? '222222' : '111111';
  const typed = { change: changeIn(html), email: after };
  expect((await world.visit('POST', at(), { ...typed, code: wrong }, cookie)).status).toBe(422);
  expect(await world.isIn(shop, before)).toBe(true);
  expect((await world.visit('POST', at(), { ...typed, code }, cookie)).status).toBe(303);
  expect((await world.visit('POST', at(), { ...typed, code }, cookie)).status).toBe(422);
  const mails = (await readMails(world.app.deps, shop.creator.id, after)).map(({ subject }) => subject);
  expect(mails).toContain('Code to confirm an address');
  expect(mails.join()).not.toContain(code);
  await world.work();
  expect([await world.passOf(shop, before), await world.isIn(shop, after)]).toEqual([[], true]);
  expect((await world.visit('GET', at('/account'), {}, cookie)).html).toContain(after);
  const renewed = await world.app.visitor().send({
    ...{ method: 'POST', url: `/api/v1${renewMemberPass.path}`, body: { device, secret } as never },
    headers: { authorization: `Bearer ${shop.key}` },
  });
  expect(renewed.body.token).toMatch(/^chq1\./);
  expect(await customerOf()).toBe(after);
  expect(await mailsTo(after, /has another address/)).toHaveLength(1);
  expect(await mailsTo(before, /has another address/)).toHaveLength(1);
  await world.pass(32);
  expect(await world.isIn(shop, after)).toBe(true);
});

test('“That was not me” takes it back once, and logs everyone out; so it can’t be moved on within the day', async () => {
  await world.member(shop, before);
  const cookie = await world.enterAccount(shop, before);
  await change(cookie);
  const on = await world.visit('POST', at(), { email: `on-${after}` }, cookie);
  expect([on.status, on.html]).toEqual([409, expect.stringContaining('Come back tomorrow')]);
  const url = await undoUrl();
  expect((await world.visit('GET', url)).html).toContain('That was not you?');
  expect(await world.isIn(shop, after)).toBe(true);
  expect((await world.visit('POST', `${url.slice(0, -2)}xx`)).status).toBe(404);
  expect((await world.visit('POST', url)).html).toContain('It’s yours again');
  await world.work();
  expect([await world.isIn(shop, before), await world.passOf(shop, after)]).toEqual([true, []]);
  expect((await world.visit('GET', at('/account'), {}, cookie)).html).toContain('Send me a code');
  expect(await customerOf()).toBe(before);
  expect((await world.visit('POST', url)).status).toBe(404);
});

test('other tools of the creator hear who is a member now, and who no longer', async () => {
  await world.member(shop, before);
  await world.app.db.enginePool.query(
    `insert into outgoing_endpoints (creator_id, id, url, types, secret, created_at)
     values ($1, gen_random_uuid(), 'https://tool.example/', '{member}', 'sealed', now())`,
    [shop.creator.id],
  );
  await change(await world.enterAccount(shop, before));
  const { rows } = await world.app.db.enginePool.query('select data from outgoing_events where creator_id = $1', [
    shop.creator.id,
  ]);
  await world.app.db.enginePool.query('delete from outgoing_endpoints where creator_id = $1', [shop.creator.id]);
  const heard = rows.map(({ data }) => [data.change, data.email, data.tier]);
  expect(heard.toSorted()).toEqual([
    ['joined', after, 'Friends'],
    ['over', before, 'Friends'],
  ]);
});

test('a day later it stays', async () => {
  await world.member(shop, before);
  await change(await world.enterAccount(shop, before));
  const url = await undoUrl();
  await world.pass(1.001);
  expect((await world.visit('POST', url)).status).toBe(404);
  expect(await world.isIn(shop, after)).toBe(true);
});

test('an address with a membership of its own takes no other, and its own address is none', async () => {
  await world.member(shop, before);
  await world.member(shop, after);
  const cookie = await world.enterAccount(shop, before);
  const refused = await change(cookie);
  expect([refused.status, refused.html]).toEqual([409, expect.stringContaining('another membership at this address')]);
  expect([await world.isIn(shop, before), await world.isIn(shop, after)]).toEqual([true, true]);
  for (const email of [before.toUpperCase(), 'no address']) {
    expect((await world.visit('POST', at(), { email }, cookie)).status).toBe(422);
  }
});

/** @returns where Stripe led back to */
const pay = async (email: string) => {
  const url = await world.pay((await world.join(shop, email)).location!);
  expect((await world.visit('GET', url)).html).toContain('Wrong address? Change it');
  return url;
};

test('who mistyped their address as they paid changes it without entering, and nobody takes it back', async () => {
  const url = await pay(before);
  const { location } = await change('', after, url);
  expect((await world.visit('GET', location!)).html).toContain(`<strong class="address">${after}</strong>`);
  expect([await world.passOf(shop, before), await world.isIn(shop, after)]).toEqual([[], true]);
  expect(await customerOf()).toBe(after);
  const [mail] = await mailsTo(before, /You have nothing to do/);
  expect(mail!.text).not.toContain('/address/');
  expect((await world.visit('POST', url, { email: before })).status).toBe(409);
});

test.each([
  ['a day later', async () => world.pass(1.001)],
  ['once someone has entered there', async () => world.enterAccount(shop, before)],
])('no longer %s', async (_, happens) => {
  const url = await pay(before);
  await happens();
  expect((await world.visit('GET', url)).html).not.toContain('Wrong address? Change it');
  expect((await world.visit('POST', url, { email: after })).status).toBe(409);
  expect(await world.app.mails(after)).toEqual([]);
});

test('nor where that address was a member before', async () => {
  await world.member(shop, before);
  const [{ stripe_subscription_id: id, contact_id: contactId }] = await world.passOf(shop, before);
  await world.stripe.subscriptions.cancel(id, {}, { stripeAccount: shop.account });
  await fetchFan(world.deps, { creatorId: shop.creator.id, contactId });
  const url = await world.pay((await world.join(shop, before)).location!);
  expect((await world.visit('GET', url)).html).not.toContain('Wrong address? Change it');
  expect((await world.visit('POST', url, { email: after })).status).toBe(409);
});

test('whoever is blocked stays so, whatever becomes of their address', async () => {
  await world.member(shop, before);
  await change(await world.enterAccount(shop, before));
  const url = await undoUrl();
  const [{ contact_id: contactId }] = await world.passOf(shop, after);
  const creatorId = shop.creator.id;
  await world.app.db.withCreator(creatorId, (trx) => block(world.deps, trx, { creatorId, contactId }));
  expect((await world.visit('POST', url)).html).toContain('It’s yours again');
  const { html } = await world.join(shop, before);
  expect(html).toContain('can’t be used here');
});
