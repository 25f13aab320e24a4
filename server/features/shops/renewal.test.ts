/** Pages of shops over months, by the test's clock. Nobody is logged in that long: creators are made first. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { forgetOld } from '#server/features/retention/forget-old.ts';
import { runDue } from '#server/jobs/run-jobs.ts';
import type { ShopList } from '#server/platforms/shops/shop.ts';
import { LIST_ID, listFor } from '#server/platforms/shops/testing/lists.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';
import { type ShopsSimulator, startShopsSimulator } from '#simulators/shops/main.ts';
import { shopJobs } from './jobs.ts';
import { getShopping } from './settings.ts';
import { prepareShopPages, shopPageFor } from './shop-pages.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

let simulator: ShopsSimulator;
let app: TestApp;
let anna: Person;
const creators: string[] = [];
let creatorId: string;
beforeAll(async () => {
  simulator = await startShopsSimulator({ clock: { now: () => app.clock.now() } });
  app = await createTestApp({ settings: { INSTACART_URL: simulator.url, INSTACART_API_KEY: simulator.apiKey } });
  anna = await app.signUpAndIn({ name: 'Anna' });
  for (let made = 0; made < 8; made++) creators.push((await anna.createCreator()).id);
});
afterAll(async () => {
  await app?.close();
  await simulator?.close();
});
beforeEach(async () => {
  creatorId = creators.pop()!;
  await app.db.engine.deleteFrom('shop_pages').execute();
  await app.db.engine.deleteFrom('jobs').execute();
  await app.clock.advance(2 * HOUR_MS);
  simulator.ledger.calls.length = 0;
});

const soup = listFor(['2 cups flour', '3 onions', 'salt']);
const open = async (list: ShopList = soup) => {
  await app.clock.advance(1_000);
  return shopPageFor(
    app.deps,
    creatorId,
    list,
    'instacart',
    { keys: null },
    { country: 'US', channel: 'dm', mayAsk: true },
  );
};
const settings = () => app.db.withCreator(creatorId, (trx) => getShopping(app.deps, trx, creatorId));
const run = () => runDue(shopJobs, app.deps);
const calls = () => simulator.ledger.calls.length;

describe('pages are made and renewed', () => {
  const rows = () =>
    app.db.engine.selectFrom('shop_pages').selectAll().where('creator_id', '=', creatorId).orderBy('made_at').execute();

  test('in the background, the usual one of each list, anew when the list changes', async () => {
    await prepareShopPages(app.deps, creatorId, soup);
    await prepareShopPages(app.deps, creatorId, soup);
    await run();
    expect(calls()).toBe(1);
    await app.clock.advance(1_000);
    await prepareShopPages(app.deps, creatorId, { ...soup, title: 'Better soup' });
    await run();
    expect((await rows()).map(({ is_usual, state }) => ({ is_usual, state }))).toEqual([
      { is_usual: false, state: 'ready' },
      { is_usual: true, state: 'ready' },
    ]);
    expect(await settings()).toMatchObject({ instacart: { pages: 2, renewsAt: expect.any(String) } });
  });

  test('not without a key', async () => {
    const poor = {
      ...app.deps,
      config: {
        ...app.deps.config,
        shops: { ...app.deps.config.shops, instacart: { ...app.deps.config.shops.instacart, apiKey: null } },
      },
    };
    await prepareShopPages(poor, creatorId, soup);
    expect(await rows()).toEqual([]);
  });

  test('before they end, while they are opened', async () => {
    await open();
    const other: ShopList = { ...soup, id: creatorId };
    await open(other);
    await app.clock.advance(200 * DAY_MS);
    await open();
    await app.clock.advance(140 * DAY_MS);
    const before = calls();
    await run();
    await run();
    expect(calls()).toBe(before + 1);
    const renewed = (await rows()).find((row) => row.list_id === LIST_ID)!;
    expect(renewed.ends_at!.getTime() - app.clock.now().getTime()).toBe(365 * DAY_MS);
    expect((await rows()).find((row) => row.list_id === creatorId)!.ends_at).not.toEqual(renewed.ends_at);
  });

  test('who was opened goes on leading there while renewing fails, and owners hear of it once after two days', async () => {
    const first = await open();
    await app.clock.advance(170 * DAY_MS);
    await open();
    await app.clock.advance(166 * DAY_MS);
    const told = async () => (await app.mails(anna.email)).filter(({ kind }) => kind === 'shop_trouble').length;
    for (let turn = 0; turn < 4; turn++) {
      simulator.failNext({ status: 503 });
      await run();
      await run();
      expect(await told()).toBe(0);
      await app.clock.advance(12 * HOUR_MS);
    }
    expect(await open()).toEqual(first);
    for (let turn = 0; turn < 3; turn++) {
      simulator.failNext({ status: 503 });
      await run();
      await run();
      await app.clock.advance(7 * HOUR_MS);
    }
    expect(await told()).toBe(1);
    expect((await settings()).instacart.problem).toBe('Instacart has a problem (503).');
    await run();
    await run();
    expect((await rows())[0]).toMatchObject({ failing_since: null });
    expect((await settings()).instacart.problem).toBeNull();
  });

  test('and are forgotten when nobody opened them for 400 days', async () => {
    await open();
    await app.clock.advance(401 * DAY_MS);
    await forgetOld(app.deps as never);
    expect(await rows()).toEqual([]);
  });

  test('a list sent on day 0 and opened on day 400 works, at a new page', async () => {
    const before = await open();
    await app.clock.advance(400 * DAY_MS);
    const after = await open();
    expect(after).toMatchObject({ kind: 'page', isUsual: false });
    expect((after as { url: string }).url).not.toBe((before as { url: string }).url);
    expect((await fetch((after as { url: string }).url)).status).toBe(200);
    expect((await fetch((before as { url: string }).url)).status).toBe(404);
  });
});
