/** Members who moved in and have not gone on are reminded once before their day. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FanWorld, type Shop, startFanWorld } from '../testing/fan-world.ts';
import { runMove, uploadMove } from './moves.ts';

let world: FanWorld;
let shop: Shop;
beforeAll(async () => {
  world = await startFanWorld();
  shop = await world.shop();
});
afterAll(() => world?.close());

const dayIn = (days: number) =>
  new Date(world.app.clock.now().getTime() + days * 86_400_000).toISOString().slice(0, 10);
const remindersOf = async (email: string) =>
  (await world.app.mails(email)).filter(({ subject }) => subject.includes('Your membership ends on'));

test('three days before, once, with the link; who goes on, has gone or came with days left hears nothing', async () => {
  const whose = { creatorId: shop.creator.id, userId: shop.owner.id };
  const rows = ['stays', 'paid'].map((name) => `${name}@example.com,${dayIn(30)}`);
  const text = ['Email,Expiry', ...rows, `soon@example.com,${dayIn(5)}`].join('\n');
  const file = (async function* () {
    yield Buffer.from(text);
  })();
  const moveId = await uploadMove(world.app.deps, { ...whose, fileName: 'members.csv', file });
  await world.app.db.withCreator(shop.creator.id, (trx) =>
    runMove(world.app.deps, trx, { creatorId: shop.creator.id, moveId }),
  );
  await world.work();
  await world.member(shop, 'paid@example.com');
  await world.pass(26);
  expect(await remindersOf('stays@example.com')).toEqual([]);
  for (let day = 0; day < 6; day++) await world.pass(1);
  const [mail, ...more] = await remindersOf('stays@example.com');
  expect(more).toEqual([]);
  expect(mail!.text).toMatch(/\/join\/\S+\?on=/);
  for (const email of ['paid@example.com', 'soon@example.com']) expect(await remindersOf(email)).toEqual([]);
});
