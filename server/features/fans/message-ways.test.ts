import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { joinContacts } from '#contract/contacts.ts';
import { endGiven } from './passes.ts';
import { type FanWorld, startFanWorld } from './testing/fan-world.ts';
import { IN_INSTAGRAM, type MessageWorld, startMessageWorld } from './testing/message-world.ts';

const HOUR_MS = 3_600_000;

let fans: FanWorld;
let world: MessageWorld;
let word: string;
let url: string;
let goldWord: string;
beforeAll(async () => {
  fans = await startFanWorld();
  world = await startMessageWorld(fans);
  url = await world.post({ for: 'members', of: 'recipe' }, 'cake');
  word = await world.automation(`${url}?utm_source=reel#recipe`, 'cake');
  goldWord = await world.automation(await world.post({ for: `tier:${world.gold.id}`, of: 'text' }, 'gold'), 'gold');
});
afterAll(async () => {
  await world?.followers.close();
  await fans?.close();
});

let emails = 0;
/** A follower who gave their address in a DM, and whose message has arrived. @param tierId null: they hold no pass */
async function follower(tierId: string | null = world.shop.tierId, asks = word) {
  const email = `fan${++emails}@example.com`;
  const asked = await world.ask(asks);
  await world.givesAddress(asked.personId, email);
  const contactId = tierId === null ? null : await world.give(email, tierId);
  return { ...asked, email, contactId };
}
const usual = () => `${url}?utm_source=reel#recipe`;
const whole = (path: string) => `${path}?anyone`;

describe('a member', () => {
  test('gets a page with a button, and behind it the very post, in the browser that pressed it', async () => {
    const { path } = await follower();
    const browser = world.browser();
    const page = await browser.tap(path);
    expect(page.status).toBe(200);
    expect(page.html).toContain('Open as a member');
    expect(page.html).toContain('The cake');
    expect(page.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'same-origin' });
    expect(page.headers['content-security-policy']).toContain(`form-action 'self' ${world.blogUrl};`);
    const said = await browser.openAsMember(path);
    expect(said).toMatch(new RegExp(`^${world.blogUrl}/creator-hq-entered/[\\w-]{43}/$`));
    const back = await fans.comeBack(world.shop, said!);
    expect(back.token).toMatch(/^chq1\./);
    expect(back.to).toBe('/cake/?utm_source=reel');
  });

  test('is asked no second time in that browser: the next message leads on at once, until they are logged out', async () => {
    const { path, followerId, contactId } = await follower();
    const browser = world.browser();
    await fans.comeBack(world.shop, (await browser.openAsMember(path))!);
    const person = world.account.followers.findIndex((one) => one.personId === followerId);
    await world.app.clock.advance(HOUR_MS);
    const next = await world.ask(word, person);
    expect((await browser.tap(next.path)).location).toBe(whole(next.path));
    expect((await browser.go('GET', whole(next.path))).location).toBe(usual());
    await sql`update fan_devices set ended_at = now() where contact_id = ${contactId}`.execute(world.app.db.engine);
    expect((await browser.tap(next.path)).status).toBe(200);
  });

  test('of a contact that its creator joined by hand, by the address of another row', async () => {
    const email = 'joined@example.com';
    const other = await world.give(email);
    const { path, personId } = await world.ask(word);
    await world.givesAddress(personId, email);
    const browser = world.browser();
    // Anybody may have typed the address of a member.
    expect((await browser.tap(path)).location).toBe(usual());
    const { creator, owner } = world.shop;
    const params = { creatorId: creator.id, contactId: `${world.account.connectionId}.${personId}` };
    expect((await owner.call(joinContacts, { params, body: { with: other } })).status).toBe(200);
    expect(await browser.openAsMember(path)).toContain('/creator-hq-entered/');
  });

  test('who joined after the message gets in by it', async () => {
    const { path, email } = await follower(null);
    const browser = world.browser();
    expect((await browser.tap(path)).location).toBe(usual());
    await fans.member(world.shop, email);
    expect(await browser.openAsMember(path)).toContain('/creator-hq-entered/');
  });

  test('of a higher tier reads what is for a lower one, and what is for theirs', async () => {
    expect(await world.browser().openAsMember((await follower(world.gold.id)).path)).not.toBeNull();
    expect(await world.browser().openAsMember((await follower(world.gold.id, goldWord)).path)).not.toBeNull();
  });
});

describe('the usual link is for', () => {
  test.each<[string, () => Promise<string>]>([
    ['one who gave no address', async () => (await world.ask(word)).path],
    ['one without a membership', async () => (await follower(null)).path],
    [
      'one whose membership ended between message and tap',
      async () => {
        const { path, contactId } = await follower();
        const { id: creatorId } = world.shop.creator;
        await world.app.db.withCreator(creatorId, (trx) =>
          endGiven(world.app.deps, trx, { creatorId, contactId: contactId! }),
        );
        return path;
      },
    ],
    [
      'one who comes after a day',
      async () => {
        const { path } = await follower();
        await world.app.clock.advance(24 * HOUR_MS);
        return path;
      },
    ],
    [
      'one whose link was used',
      async () => {
        const { path } = await follower();
        await world.browser().openAsMember(path);
        return path;
      },
    ],
    ['a link without its message', async () => (await follower()).path.replace(/\/[^/]+$/, '')],
    [
      'the message of another automation',
      async () => {
        const { path } = await follower(world.gold.id, goldWord);
        const own = (await follower()).path.split('/');
        return [...own.slice(0, -1), path.split('/').at(-1)].join('/');
      },
    ],
  ])('%s', async (_, pathOf) => {
    const { status, location } = await world.browser().tap(await pathOf());
    expect([status, location]).toEqual([302, usual()]);
  });

  test('a member of a lower tier', async () => {
    const { status, location } = await world.browser().tap((await follower(world.shop.tierId, goldWord)).path);
    expect([status, location]).toEqual([302, `${world.blogUrl}/gold/`]);
  });

  test('a post that everybody reads, and one elsewhere', async () => {
    const open = await world.post(null, 'open');
    for (const [address, said] of [
      [open, 'open'],
      ['https://elsewhere.example.test/cake/', 'elsewhere'],
    ] as const) {
      await world.automation(address, said);
      expect((await world.browser().tap((await follower(world.gold.id, said)).path)).location).toBe(address);
    }
  });

  test.each([
    ['a preview', 'GET', 'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)'],
    ['a program', 'GET', 'curl/8.5.0'],
    ['a HEAD request', 'HEAD', IN_INSTAGRAM],
  ] as const)('%s, and the member still gets in', async (_, method, agent) => {
    const { path } = await follower();
    expect((await world.browser(agent).go(method, path)).location).toBe(usual());
    expect(await world.browser().openAsMember(path)).toContain('/creator-hq-entered/');
  });
});

test('opening the page uses nothing up, however often; the first press that comes back does', async () => {
  const { path, contactId } = await follower();
  for (let looks = 0; looks < 3; looks++) expect((await world.browser().tap(path)).status).toBe(200);
  const [one, other] = [world.browser(), world.browser()];
  const page = (await one.go('GET', path)).location!;
  for (const browser of [one, other]) expect((await browser.go('POST', page)).status).toBe(307);
  const ways = await Promise.all([one.begin('/'), other.begin('/')]);
  expect(ways.map(({ location }) => location?.includes('/creator-hq-entered/') ?? false).sort()).toEqual([false, true]);
  // Who comes second is asked for a code, as everybody.
  expect(ways.find(({ location }) => location === null)!.html).toContain('Send me a code');
  for (const { location } of ways) if (location !== null) await fans.comeBack(world.shop, location);
  const { rows } = await world.app.db.enginePool.query('select from fan_devices where contact_id = $1', [contactId]);
  expect(rows).toHaveLength(1);
});

test('a press that ended before it came back, or was made long ago, lets nobody in', async () => {
  const { path, contactId } = await follower();
  const { id: creatorId } = world.shop.creator;
  const late = world.browser();
  const page = (await late.go('GET', path)).location!;
  await late.go('POST', page);
  await world.app.clock.advance(121_000);
  expect((await late.begin('/cake/')).html).toContain('Send me a code');
  const browser = world.browser();
  await browser.go('POST', page);
  await world.app.db.withCreator(creatorId, (trx) =>
    endGiven(world.app.deps, trx, { creatorId, contactId: contactId! }),
  );
  expect((await browser.begin('/cake/')).html).toContain('Send me a code');
  expect((await browser.go('POST', page)).location).toBe(whole(path));
});

describe('nobody gets in where', () => {
  beforeEach(async () => {
    // What links lead to is remembered so long.
    await world.app.clock.advance(11_000);
  });

  test('the blog is away from the hub', async () => {
    const { path } = await follower();
    await sql`update sites set is_live = false where id = ${world.shop.siteId}`.execute(world.app.db.engine);
    expect((await world.browser().tap(path)).location).toBe(usual());
    await sql`update sites set is_live = true where id = ${world.shop.siteId}`.execute(world.app.db.engine);
    expect((await world.browser().tap(path)).status).toBe(200);
  });

  test('the post is gone', async () => {
    const { path } = await follower();
    await sql`update blog_posts set gone_at = now() where url = ${url}`.execute(world.app.db.engine);
    expect((await world.browser().tap(path)).location).toBe(usual());
    await sql`update blog_posts set gone_at = null where url = ${url}`.execute(world.app.db.engine);
  });

  test('memberships are off', async () => {
    const { path } = await follower();
    const off = await startFanWorld({ FAN_MEMBERSHIPS: 'off' }, { ...world.app.db, drop: async () => {} });
    const tapped = await off.app.visitor().send({ method: 'GET', url: path, headers: { 'user-agent': IN_INSTAGRAM } });
    expect(tapped.headers.location).toBe(usual());
    expect((await off.visit('GET', `/join/${world.shop.creator.handle}/message${path.slice(2)}`)).status).toBe(404);
    await off.close();
  });
});
