import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { registerPlugin } from '#contract/plugin.ts';
import { getApiKey, makeApiKey } from '#contract/settings.ts';
import { keepSiteAsCopy, listSites, makeSiteLive, removeSite, SITES_AT_MOST } from '#contract/sites.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';
import { placeOf, siteOfPage } from './site-place.ts';

let app: TestApp;
let anna: Person;
let creatorId: string;
let key: string;
beforeAll(async () => {
  app = await createTestApp({ settings: { PLUGIN_VERSION: '1.10' } });
});
afterAll(() => app?.close());
beforeEach(async () => {
  anna = await app.signUpAndIn();
  creatorId = (await anna.createCreator()).id;
  key = await newKey();
});

const newKey = async (): Promise<string> => (await anna.call(makeApiKey, { params: { creatorId } })).body.key;
const register = (siteUrl: string | undefined, more: object = {}) =>
  app.visitor().send({
    method: 'POST',
    url: `/api/v1${registerPlugin.path}`,
    headers: { authorization: `Bearer ${key}` },
    body: { pluginVersion: '1.10', siteUrl, ...more },
  });
const sites = async () => (await anna.call(listSites, { params: { creatorId } })).body.items;
const pluginVersion = async () => (await anna.call(getApiKey, { params: { creatorId } })).body.pluginVersion;
const minutesLater = (minutes: number) => app.clock.advance(minutes * 60_000);

describe('a site', () => {
  test('is listed with what its plugin told', async () => {
    expect(await sites()).toEqual([]);
    const { body } = await register('https://www.blog.example/', {
      wordpressVersion: '7.1.1',
      phpVersion: '8.4.1',
      cards: ['wprm'],
      caches: ['wp-rocket'],
      outboxDepth: 3,
      cronIsHealthy: true,
    });
    expect(body).toMatchObject({ expectedPluginVersion: '1.10', site: { state: 'live' } });
    expect(await sites()).toEqual([
      {
        id: body.site.id,
        kind: 'wordpress',
        state: 'live',
        asks: false,
        name: 'blog.example',
        url: 'https://www.blog.example/',
        pluginVersion: '1.10',
        wordpressVersion: '7.1.1',
        phpVersion: '8.4.1',
        cards: ['wprm'],
        caches: ['wp-rocket'],
        outboxDepth: 3,
        cronIsHealthy: true,
        postsKnown: 0,
        postsWaiting: null,
        firstHeardAt: app.clock.now().toISOString(),
        lastHeardAt: app.clock.now().toISOString(),
      },
    ]);
  });

  test('has a signing key of its own, sealed, which stays the same', async () => {
    const { body: first } = await register('https://blog.example');
    const { body: again } = await register('https://blog.example');
    expect(first.signingKeys).toHaveLength(1);
    expect(Buffer.from(first.signingKeys[0], 'base64url')).toHaveLength(32);
    expect(again.signingKeys).toEqual(first.signingKeys);
    const { body: copy } = await register('https://copy.example');
    expect(copy.signingKeys).not.toEqual(first.signingKeys);
    const rows = await app.db.engine.selectFrom('sites').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(first.signingKeys[0]);
  });

  test('is written at most once a minute while nothing changes, and at once when something does', async () => {
    await register('https://blog.example');
    const [{ lastHeardAt }] = await sites();
    await minutesLater(0.5);
    await register('https://blog.example');
    expect((await sites())[0].lastHeardAt).toBe(lastHeardAt);
    await register('https://blog.example', { pluginVersion: '1.11' });
    expect((await sites())[0]).toMatchObject({ pluginVersion: '1.11', lastHeardAt: app.clock.now().toISOString() });
    await minutesLater(1);
    await register('https://blog.example', { pluginVersion: '1.11' });
    expect((await sites())[0].lastHeardAt).toBe(app.clock.now().toISOString());
  });

  test('is away when it was not heard of for two days, and ended when its key was replaced', async () => {
    await register('https://blog.example');
    await minutesLater(47 * 60);
    expect(await sites()).toMatchObject([{ state: 'live' }]);
    await minutesLater(2 * 60);
    expect(await sites()).toMatchObject([{ state: 'away' }]);
    key = await newKey();
    expect(await sites()).toMatchObject([{ state: 'ended' }]);
    await register('https://blog.example');
    expect(await sites()).toMatchObject([{ state: 'live' }]);
  });

  test('that never told its address is the live one, and learns it later', async () => {
    await register(undefined);
    expect(await sites()).toMatchObject([{ state: 'live', name: null, url: null }]);
    await register('https://blog.example');
    expect(await sites()).toMatchObject([{ state: 'live', name: 'blog.example' }]);
  });

  test('reaches open screens when it changes', async () => {
    const told: string[] = [];
    const end = app.deps.live.listen(creatorId, ({ what }) => told.push(what));
    const heard = async () => {
      await app.clock.advance(1000);
      await expect.poll(() => told.splice(0)).toEqual(['account']);
    };
    await register('https://blog.example');
    await heard();
    await register('https://blog.example');
    await register('https://blog.example', { pluginVersion: '1.11' });
    await heard();
    end();
  });
});

describe('another place with the same key', () => {
  test('is a copy and is not believed', async () => {
    await register('https://blog.example');
    const { body } = await register('https://staging.blog.example', { pluginVersion: '0.9' });
    expect(body.site.state).toBe('copy');
    expect(await sites()).toMatchObject([
      { name: 'blog.example', state: 'live' },
      { name: 'staging.blog.example', state: 'copy', pluginVersion: '0.9' },
    ]);
    expect(await pluginVersion()).toBe('1.10');
  });

  test('may be where the blog moved: then the one before is the copy', async () => {
    await register('https://old.example');
    const { body } = await register('https://new.example', { pluginVersion: '1.11' });
    const answer = await anna.call(makeSiteLive, { params: { creatorId, siteId: body.site.id } });
    expect(answer.body.items).toMatchObject([
      { name: 'new.example', state: 'live' },
      { name: 'old.example', state: 'copy' },
    ]);
    expect(await pluginVersion()).toBe('1.11');
    expect((await register('https://old.example')).body.site.state).toBe('copy');
  });

  test('is asked about until somebody says which it is', async () => {
    const { body: live } = await register('https://blog.example');
    const { body: copy } = await register('https://staging.example');
    const answer = (endpoint: typeof keepSiteAsCopy | typeof makeSiteLive, { site }: { site: { id: string } }) =>
      anna.call(endpoint, { params: { creatorId, siteId: site.id } });
    const asking = async () => (await sites()).map((one: { name: string; asks: boolean }) => [one.name, one.asks]);
    expect(await asking()).toEqual([
      ['blog.example', false],
      ['staging.example', true],
    ]);
    expect((await answer(keepSiteAsCopy, copy)).body.items).toMatchObject([{}, { state: 'copy', asks: false }]);
    await register('https://staging.example', { pluginVersion: '1.11' });
    expect(await asking()).toMatchObject([{}, ['staging.example', false]]);
    expect(await answer(keepSiteAsCopy, live)).toMatchObject({ status: 409, body: { code: 'not_possible_now' } });
    // Moved after all: the one before is a copy, and nobody has to say so.
    await answer(makeSiteLive, copy);
    expect(await asking()).toEqual([
      ['staging.example', false],
      ['blog.example', false],
    ]);
  });

  test('can be removed, and whoever is first after the live one was removed is live', async () => {
    const { body: live } = await register('https://blog.example');
    const { body: copy } = await register('https://copy.example');
    await anna.call(removeSite, { params: { creatorId, siteId: copy.site.id } });
    expect(await sites()).toMatchObject([{ name: 'blog.example' }]);
    await anna.call(removeSite, { params: { creatorId, siteId: live.site.id } });
    expect(await sites()).toEqual([]);
    expect((await anna.call(removeSite, { params: { creatorId, siteId: live.site.id } })).status).toBe(404);
    expect((await register('https://copy.example')).body.site.state).toBe('live');
  });

  test('comes once, however many register at the same moment', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, (_, i) => register(`https://blog${i % 2}.example`)));
    expect(answers.filter(({ body }) => body.site.state === 'live').length).toBe(3);
    expect(await sites()).toHaveLength(2);
  });

  test('does not fill the list: the one longest unheard of makes room', async () => {
    await register('https://blog.example');
    for (let i = 0; i < SITES_AT_MOST + 2; i++) {
      await minutesLater(1);
      await register(`https://copy${i}.example`);
    }
    const names = (await sites()).map(({ name }: { name: string }) => name);
    expect(names).toHaveLength(SITES_AT_MOST);
    expect(names).toContain('blog.example');
    expect(names).not.toContain('copy0.example');
  });
});

test.each([
  ['https://www.Blog.example/', 'blog.example'],
  ['http://blog.example:8080/wp/', 'blog.example:8080/wp'],
  ['https://blog.example/a/?b#c', 'blog.example/a'],
  ['ftp://blog.example', null],
  ['blog.example', null],
  ['', null],
])('the place of %j is %j', (url, place) => expect(placeOf(url)).toBe(place));

test('a page is of the site that names most of its address', () => {
  const known = [{ place: 'blog.example' }, { place: 'blog.example/staging' }, { place: '' }];
  expect(siteOfPage(known, 'blog.example/soup')).toEqual({ place: 'blog.example' });
  expect(siteOfPage(known, 'blog.example/staging/soup')).toEqual({ place: 'blog.example/staging' });
  expect(siteOfPage(known, 'blog.example/stagings')).toEqual({ place: 'blog.example' });
  expect(siteOfPage(known, 'blog.example.evil.test/soup')).toBeUndefined();
});
