import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listAutomations } from '#contract/automations.ts';
import { getInteraction } from '#contract/interactions.ts';
import { deliveryIdOf, trackedUrl } from '#server/engine/deciding/tracked-url.ts';
import type { WorldCreator } from '#server/engine/testing/engine-world.ts';
import { createFollowers, type Followers } from '#server/testing/followers.ts';
import { createTestApp, type Person, TEST_SECRET_KEY, type TestApp } from '#server/testing/test-app.ts';
import { createClickRecorder } from './clicks.ts';

let app: TestApp;
let anna: Person;
let creatorId: string;
let automationId: string;
let followers: Followers;
let account: WorldCreator;
let code: string;

const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Instagram 400.0';

beforeAll(async () => {
  app = await createTestApp();
  anna = await app.signUpAndIn();
  creatorId = (await anna.createCreator()).id;
  followers = await createFollowers(app);
  account = await followers.connect(creatorId, 40);
  automationId = await followers.automation(anna, account, {
    buttons: [{ title: 'Recipe', url: 'https://example.test/pasta?a=1&b=ü' }],
  });
  const link = await app.db.engine.selectFrom('links').select('code').executeTakeFirstOrThrow();
  code = link.code;
});
afterAll(async () => {
  await followers?.close();
  await app?.close();
});

/** A message that was sent, and the path of its link. */
async function sent() {
  const asked = await followers.ask(account);
  const { content } = await app.db.engine
    .selectFrom('deliveries')
    .select('content')
    .where('id', '=', asked.deliveryId)
    .executeTakeFirstOrThrow();
  const { buttons } = content as { buttons: { url: string }[] };
  return { ...asked, path: new URL(buttons[0]!.url).pathname };
}

const tap = (url: string, headers: Record<string, string> = { 'user-agent': PHONE }, method = 'GET') =>
  app.visitor().send({ method, url, headers });

async function clicks(deliveryId: string) {
  await app.deps.clicks.flush();
  const rows = await app.db.engine
    .selectFrom('clicks')
    .select('not_counted_because')
    .where('delivery_id', '=', deliveryId)
    .execute();
  return rows.map((row) => row.not_counted_because);
}

describe('a tracked address', () => {
  test('is short and names its message', () => {
    const id = '01890000-1234-7000-8000-00000000abcd';
    const url = trackedUrl('https://hq.example', 'abc1234', id);
    expect(url).toMatch(/^https:\/\/hq\.example\/l\/abc1234\/[\w-]{22}$/);
    expect(deliveryIdOf(url.split('/').at(-1)!)).toBe(id);
    for (const wrong of ['', 'short', 'x'.repeat(23), '../../../../../../etc1', id])
      expect(deliveryIdOf(wrong)).toBeNull();
  });
});

describe('tapping a link', () => {
  test('leads on at once, and is never kept by anything in between', async () => {
    const { path } = await sent();
    const answer = await tap(path);
    expect(answer).toMatchObject({
      status: 302,
      headers: { location: 'https://example.test/pasta?a=1&b=%C3%BC', 'cache-control': 'no-store' },
    });
  });

  test('works without the message’s part, and with a wrong one', async () => {
    expect((await tap(`/l/${code}`)).status).toBe(302);
    expect((await tap(`/l/${code}/nonsense`)).status).toBe(302);
    const { deliveryId } = await sent();
    expect((await tap(trackedUrl('', code, '01890000-0000-7000-8000-000000000000'))).status).toBe(302);
    expect(await clicks(deliveryId)).toEqual([]);
  });

  test.each(['/l/nothere', '/l/%00', `/l/${'a'.repeat(90)}`, '/l/a%27%20or%201=1'])(
    '%s says kindly that it leads nowhere',
    async (url) => {
      const answer = await tap(url);
      expect(answer.status).toBe(404);
      expect(answer.text).toContain('This link doesn’t work');
      expect(answer.headers.location).toBeUndefined();
    },
  );

  test('counts a person once, however often they tap', async () => {
    const { interactionId, deliveryId, path } = await sent();
    const phone = app.visitor();
    for (let taps = 0; taps < 3; taps++) {
      await phone.send({ method: 'GET', url: path, headers: { 'user-agent': PHONE } });
    }
    expect(await clicks(deliveryId)).toEqual([null]);
    const { body } = await anna.call(getInteraction, { params: { creatorId, interactionId } });
    expect(body.clickedAt).toBe(app.clock.now().toISOString());
    expect(body.help.likely).toContain('clicked the link');
    const { figures } = (await anna.call(listAutomations, { params: { creatorId } })).body.items[0];
    await tap(path);
    await app.deps.clicks.flush();
    expect((await anna.call(listAutomations, { params: { creatorId } })).body.items[0].figures).toEqual(figures);
  });

  test('keeps the time of the first tap, also of two in one batch', async () => {
    const { deliveryId, path } = await sent();
    const first = app.clock.now();
    await tap(path);
    await app.clock.advance(60_000);
    await tap(path);
    await app.deps.clicks.flush();
    await app.clock.advance(60_000);
    await tap(path);
    await app.deps.clicks.flush();
    const { clicked_at } = await app.db.engine
      .selectFrom('deliveries')
      .select('clicked_at')
      .where('id', '=', deliveryId)
      .executeTakeFirstOrThrow();
    expect(clicked_at).toEqual(first);
  });

  test.each<[string, string, Record<string, string>, string?]>([
    ['head', 'a HEAD request', { 'user-agent': PHONE }, 'HEAD'],
    [
      'previewer',
      'Facebook’s preview',
      { 'user-agent': 'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)' },
    ],
    ['previewer', 'Meta’s crawler', { 'user-agent': 'meta-externalagent/1.1' }],
    ['previewer', 'WhatsApp', { 'user-agent': 'WhatsApp/2.23.20.0' }],
    ['previewer', 'Twitter', { 'user-agent': 'Twitterbot/1.0' }],
    ['previewer', 'Telegram', { 'user-agent': 'TelegramBot (like TwitterBot)' }],
    ['bot', 'Google', { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' }],
    ['bot', 'a headless browser', { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) HeadlessChrome/140.0' }],
    ['bot', 'a program', { 'user-agent': 'curl/8.5.0' }],
    ['prefetch', 'a prefetching browser', { 'user-agent': PHONE, 'sec-purpose': 'prefetch;prerender' }],
    ['prefetch', 'an old prefetching browser', { 'user-agent': PHONE, 'x-moz': 'prefetch' }],
    ['no_user_agent', 'somebody without a name', { 'user-agent': '' }],
  ])('%s: does not count %s', async (reason, _name, headers, method) => {
    const { deliveryId, path } = await sent();
    expect((await tap(path, headers, method)).status).toBe(302);
    expect(await clicks(deliveryId)).toEqual([reason]);
    const row = await app.db.engine
      .selectFrom('deliveries')
      .select('clicked_at')
      .where('id', '=', deliveryId)
      .executeTakeFirst();
    expect(row!.clicked_at).toBeNull();
  });

  test('does not wait for the database, and nothing is lost when it is slow', async () => {
    const { deliveryId, path } = await sent();
    await tap(path);
    const blocker = await app.db.enginePool.connect();
    await blocker.query('begin; lock table clicks in exclusive mode');
    const flushing = app.deps.clicks.flush();
    expect((await tap(path)).status).toBe(302);
    await blocker.query('rollback');
    blocker.release();
    await flushing;
    expect(await clicks(deliveryId)).toEqual([null, null]);
  });

  test('is one row per link, network and minute, with the sum of its taps', async () => {
    const { deliveryId, path } = await sent();
    const visitor = app.visitor();
    const at = (url: string) => visitor.send({ method: 'GET', url, headers: { 'user-agent': PHONE } });
    // Messages that are made up, a second batch, and another process.
    for (let taps = 0; taps < 20; taps++) await at(trackedUrl('', code, app.deps.ids.uuid(new Date())));
    await app.deps.clicks.flush();
    const other = createClickRecorder({ ...app.deps, secretKey: TEST_SECRET_KEY });
    const link = await app.db.engine
      .selectFrom('links')
      .select('id')
      .where('code', '=', code)
      .executeTakeFirstOrThrow();
    const click = { creatorId, linkId: link.id, deliveryId: null, at: app.clock.now(), notCountedBecause: null };
    other.record({ ...click, network: visitor.address });
    await other.close();
    for (let taps = 0; taps < 5; taps++) await at(path);
    await app.deps.clicks.flush();
    const rows = () =>
      app.db.engine
        .selectFrom('clicks')
        .select(['delivery_id', 'times'])
        .where('link_id', '=', link.id)
        .where('clicked_at', '=', app.clock.now())
        .where((is) => is.or([is('delivery_id', '=', deliveryId), is('times', '>', 10)]))
        .orderBy('times')
        .execute();
    expect(await rows()).toEqual([
      { delivery_id: deliveryId, times: 5 },
      { delivery_id: null, times: 21 },
    ]);
    // The next minute is another row.
    await app.clock.advance(60_000);
    await at(path);
    expect(await clicks(deliveryId)).toEqual([null, null]);
  });

  test('counts each of two people behind one network', async () => {
    const two = [await sent(), await sent()];
    const cafe = app.visitor();
    for (const { path } of two) await cafe.send({ method: 'GET', url: path, headers: { 'user-agent': PHONE } });
    for (const { deliveryId, interactionId } of two) {
      expect(await clicks(deliveryId)).toEqual([null]);
      const { body } = await anna.call(getInteraction, { params: { creatorId, interactionId } });
      expect(body.clickedAt).toBe(app.clock.now().toISOString());
    }
  });

  test('counts a person whose link a machine in the same network looked at in the same minute', async () => {
    const { deliveryId, interactionId, path } = await sent();
    const cafe = app.visitor();
    await cafe.send({ method: 'GET', url: path, headers: { 'user-agent': 'curl/8.5.0' } });
    await app.deps.clicks.flush();
    await cafe.send({ method: 'GET', url: path, headers: { 'user-agent': PHONE } });
    expect((await clicks(deliveryId)).toSorted()).toEqual(['bot', null]);
    const { body } = await anna.call(getInteraction, { params: { creatorId, interactionId } });
    expect(body.clickedAt).toBe(app.clock.now().toISOString());
  });

  test('guesses no codes: after sixty that are not there the database is not asked', async () => {
    const guesser = app.visitor();
    const guess = (i: number) => guesser.send({ method: 'GET', url: `/l/guess${i}`, headers: { 'user-agent': PHONE } });
    for (let i = 0; i < 60; i++) expect((await guess(i)).status).toBe(404);
    const refused = await guess(60);
    expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '60' } });
    expect(refused.text).toContain('Too many broken links');
    expect((await tap('/l/nothere')).status).toBe(404);
    await app.clock.advance(60_000);
    expect((await guess(61)).status).toBe(404);
  });

  test('takes no address that is not of the web', async () => {
    await app.db.engine
      .insertInto('links')
      .values({
        creator_id: creatorId,
        id: app.deps.ids.uuid(new Date()),
        code: 'badlink',
        automation_id: automationId,
        url: 'javascript:alert(1)',
        created_at: new Date(),
      })
      .execute();
    expect((await tap('/l/badlink')).status).toBe(404);
  });
});
