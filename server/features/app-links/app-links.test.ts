import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { changeAmazonRules } from '#contract/amazon-rules.ts';
import type { AppLink } from '#contract/app-links.ts';
import * as contract from '#contract/app-links.ts';
import { createAutomation, getAutomation } from '#contract/automations.ts';
import { LINK_CHANNELS } from '#contract/link-channels.ts';
import { listLinkChecks } from '#contract/link-guard.ts';
import { createMealPlan, deleteMealPlan, publishMealPlan, unpublishMealPlan } from '#contract/meal-plans.ts';
import { changeShopping, getShopping } from '#contract/shops.ts';
import { watchAppLinks } from '#server/features/link-guard/watched-links.ts';
import { createFollowers, type Followers } from '#server/testing/followers.ts';
import { appLink, automationInput, mealPlan } from '#server/testing/inputs.ts';
import { insertConnection } from '#server/testing/rows.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';

const INSTAGRAM =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/22F76 Instagram 424.0.0.31.64 (iPhone17,1; iOS 18_5) Safari/604.1';
const DESKTOP =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36';
const GOOGLEBOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
const REMEMBERED_MS = 10_000;
const HOUR_MS = 3_600_000;

let app: TestApp;
let anna: Person;
let followers: Followers;
let creatorId: string;
beforeAll(async () => {
  app = await createTestApp({ settings: { BASE_URL: 'https://hq.example.test' } });
  followers = await createFollowers(app);
});
beforeEach(async () => {
  // Nobody may make more than a few creators a day.
  anna = await app.signUpAndIn();
  creatorId = (await anna.createCreator()).id;
});
afterAll(async () => {
  await followers?.close();
  await app?.close();
});

const make = async (over: object = {}, name = 'Pan'): Promise<AppLink> => {
  const answer = await anna.call(contract.createAppLink, { params: { creatorId }, body: appLink(name, over) as never });
  expect(answer).toMatchObject({ status: 200 });
  return answer.body;
};
const change = ({ id, version, ...link }: AppLink, over: object) =>
  anna.call(contract.changeAppLink, {
    params: { creatorId, appLinkId: id },
    body: { ...appLink(link.name), address: link.address, version, ...over } as never,
  });
const follow = (link: Pick<AppLink, 'shortUrl'>, userAgent = DESKTOP, part = '') =>
  app.visitor().send({
    method: 'GET',
    url: new URL(link.shortUrl).pathname + part,
    headers: { 'user-agent': userAgent },
  });
const inFrom = (ms: number) => new Date(app.clock.now().getTime() + ms).toISOString();

describe('a button of an automation', () => {
  async function sending(button: object) {
    const connectionId = await insertConnection(app.db, creatorId);
    const body = automationInput(connectionId, {
      buttons: [{ title: 'Get it', url: 'https://whatever.example/', ...button }],
    });
    return anna.call(createAutomation, { params: { creatorId }, body });
  }
  const automationOf = async (automationId: string) =>
    (await anna.call(getAutomation, { params: { creatorId, automationId } })).body;
  const codeOf = async (automationId: string) =>
    (
      await app.db.engine
        .selectFrom('links')
        .select('code')
        .where('automation_id', '=', automationId)
        .executeTakeFirstOrThrow()
    ).code;

  test('leads to an app link, follows its changes in messages already sent, and is counted with it', async () => {
    const link = await make({ address: 'https://shop.example/old' });
    const { status, body: automation } = await sending({ appLinkId: link.id });
    expect({ status, buttons: automation.buttons }).toEqual({
      status: 200,
      buttons: [{ title: 'Get it', url: 'https://shop.example/old', appLinkId: link.id }],
    });
    const sent = { shortUrl: `https://hq.example.test/l/${await codeOf(automation.id)}` };
    expect((await follow(sent)).headers.location).toBe('https://shop.example/old');
    // In Instagram it opens the app, as the link itself does.
    expect((await follow(sent, INSTAGRAM)).text).toContain('shop.example');

    expect((await change(link, { address: 'https://shop.example/new' })).body.usedBy).toMatchObject([
      { automationId: automation.id },
    ]);
    await app.clock.advance(REMEMBERED_MS);
    expect((await follow(sent)).headers.location).toBe('https://shop.example/new');
    expect((await automationOf(automation.id)).buttons[0]!.url).toBe('https://shop.example/new');
    const params = { creatorId, appLinkId: link.id };
    await app.deps.clicks.flush();
    expect((await anna.call(contract.getAppLinkFigures, { params })).body.people).toBeGreaterThanOrEqual(2);
  });

  test('leads to a meal plan that is published; that stays while it does', async () => {
    const plan = await anna.call(createMealPlan, {
      params: { creatorId },
      body: mealPlan('Easy week', {
        meals: [{ id: crypto.randomUUID(), section: 0, slot: '', recipeId: null, text: 'Soup', servings: null }],
      }),
    });
    const params = { creatorId, mealPlanId: plan.body.id };
    expect((await sending({ mealPlanId: plan.body.id })).body).toMatchObject({
      detail: 'Publish the meal plan “Easy week” first, then send it.',
    });
    const { body: published } = await anna.call(publishMealPlan, { params, body: { version: 1 } });
    const { body: automation } = await sending({ mealPlanId: plan.body.id });
    expect(automation.buttons[0]!.url).toBe(published.published!.url);
    const delivery = '0'.repeat(22);
    const answer = await follow(
      { shortUrl: `https://hq.example.test/l/${await codeOf(automation.id)}` },
      DESKTOP,
      `/${delivery}`,
    );
    expect(answer.headers.location).toMatch(new RegExp(`^${published.published!.url}`));
    for (const endpoint of [unpublishMealPlan, deleteMealPlan]) {
      expect((await anna.call(endpoint, { params })).body).toMatchObject({ code: 'not_possible_now' });
    }
  });

  test.each([
    ['two places', { appLinkId: crypto.randomUUID(), mealPlanId: crypto.randomUUID() }, 422],
    ['an app link of nobody', { appLinkId: crypto.randomUUID() }, 404],
    ['a meal plan of nobody', { mealPlanId: crypto.randomUUID() }, 404],
  ])('does not lead to %s', async (_, button, status) => {
    expect((await sending(button)).status).toBe(status);
  });

  test('of another creator’s app link is refused', async () => {
    const link = await make();
    creatorId = (await anna.createCreator()).id;
    expect((await sending({ appLinkId: link.id })).status).toBe(404);
  });
});

test('opening that is tested and mended: tried on the creator’s own phone, its answers stand by app and system', async () => {
  const link = await make({ address: 'https://www.amazon.com/dp/B08N5WRWNW?tag=annacooks-20' });
  const tested = async (of = link) =>
    (await anna.call(contract.getOpeningTest, { params: { creatorId, appLinkId: of.id } }))
      .body as contract.OpeningTest;
  const { url, target, answers } = await tested();
  expect({ target, answers }).toEqual({ target: 'Amazon', answers: [] });
  const path = new URL(url!).pathname;
  const openIn = (userAgent: string, at = path) =>
    app.visitor().send({ method: 'GET', url: at, headers: { 'user-agent': userAgent } });
  const page = await openIn(INSTAGRAM);
  expect(page.text).toContain('Did the Amazon app open?');
  // A desktop is told where to open it; who guesses the address sees nothing.
  expect((await openIn(DESKTOP)).text).toContain('Open this inside an app');
  expect((await openIn(INSTAGRAM, `${path.slice(0, -1)}_`)).status).toBe(404);

  const answer = (what: string, at = path) =>
    app.visitor().send({ method: 'POST', url: `${at}/${what}`, headers: { 'user-agent': INSTAGRAM } });
  await answer('failed', `${path.slice(0, -1)}_`);
  await answer('opened');
  expect((await tested()).answers).toEqual([]);
  for (const [what, worked] of [
    ['failed', false],
    ['worked', true],
  ] as const) {
    expect((await answer(what)).status).toBe(204);
    expect((await tested()).answers).toEqual([
      {
        app: 'instagram',
        system: 'ios',
        worked,
        rule: expect.stringMatching(/^[a-z-]+, 20\d\d-\d\d$/),
        testedAt: expect.any(String),
      },
    ]);
  }
  // It holds for every link to that app, and counts as nobody.
  expect((await tested(await make({ address: 'https://www.amazon.com/s?k=pan' }, 'Pans'))).answers).toHaveLength(1);
  expect((await tested(await make({ address: 'https://shop.example/pan' }, 'Shop'))).answers).toEqual([]);
  await app.deps.clicks.flush();
  const { people, opened, stayed } = (
    await anna.call(contract.getAppLinkFigures, { params: { creatorId, appLinkId: link.id } })
  ).body;
  expect({ people, opened, stayed }).toEqual({ people: 0, opened: 0, stayed: 0 });
});

test('figures say which word and door the messages answered, and the day; a campaign names post and word', async () => {
  const campaign = 'utm_campaign={post}&utm_term={word}&utm_content=reel-{word}';
  const link = await make({ address: 'https://shop.example/pan', campaign });
  const account = await followers.connect(creatorId, 10);
  await followers.automation(anna, account, {
    words: ['pan'],
    buttons: [{ title: 'Get it', url: 'https://x.example/', appLinkId: link.id }],
  });
  const { deliveryId } = await followers.ask(account, { text: 'pan please' });
  const { content } = await app.db.engine
    .selectFrom('deliveries')
    .select('content')
    .where('id', '=', deliveryId)
    .executeTakeFirstOrThrow();
  const sent = await follow({ shortUrl: (content as { buttons: { url: string }[] }).buttons[0]!.url });
  // Nobody knows them where no message was answered.
  expect((await follow(link)).headers.location).toBe('https://shop.example/pan?utm_content=reel-');
  await app.deps.clicks.flush();
  const figures = (await anna.call(contract.getAppLinkFigures, { params: { creatorId, appLinkId: link.id } })).body;
  expect(figures).toMatchObject({
    people: 2,
    days: [{ day: app.clock.now().toISOString().slice(0, 10), people: 2 }],
    posts: [{ postId: expect.any(String), people: 1 }],
    words: [{ word: 'pan', people: 1 }],
    doors: [{ door: 'comment', people: 1 }],
  });
  const marks = `utm_campaign=${figures.posts[0]!.postId}&utm_term=pan&utm_content=reel-pan`;
  expect(sent.headers.location).toBe(`https://shop.example/pan?${marks}`);
});

test('where an app link leads is watched while it is used, and what is seen stands with it', async () => {
  const link = await make({ address: 'https://shop.example/pan' });
  const other = await make({ address: 'https://shop.example/ended', endsAt: inFrom(-HOUR_MS) }, 'Pot');
  const get = async ({ id }: AppLink) =>
    (await anna.call(contract.getAppLink, { params: { creatorId, appLinkId: id } })).body.sight;
  expect(await get(link)).toEqual({ state: 'unchecked', problem: null, checkedAt: null, brokenSince: null });
  expect(await get(other)).toBeNull();
  const checks = async () => (await anna.call(listLinkChecks, { params: { creatorId }, query: {} })).body.items;
  expect(await checks()).toEqual([]);
  const at = app.clock.now();
  await app.db.engine
    .updateTable('watched_links')
    .set({ state: 'broken', problem: 'gone', checked_at: at, broken_since: at })
    .where('creator_id', '=', creatorId)
    .execute();
  expect(await get(link)).toEqual({
    state: 'broken',
    problem: 'gone',
    checkedAt: at.toISOString(),
    brokenSince: at.toISOString(),
  });
  expect(await checks()).toMatchObject([{ appLinks: [{ id: link.id, name: 'Pan' }], usedBy: [] }]);
  // Nobody followed it for a month.
  await app.db.engine
    .updateTable('app_links')
    .set({ updated_at: new Date(at.getTime() - 31 * 24 * HOUR_MS) })
    .where('id', '=', link.id)
    .execute();
  await app.db.withCreator(creatorId, (trx) => watchAppLinks(app.deps, trx, creatorId));
  expect(await get(link)).toBeNull();
});

test('the list shows those of Amazon, broken and ended ones alone', async () => {
  const pan = await make();
  const short = await make({ address: 'https://amzn.asia/d/x' }, 'Pot');
  const ended = await make({ address: 'https://shop.example/amazon.com/', endsAt: inFrom(-HOUR_MS) }, 'Pen');
  await app.db.engine
    .updateTable('watched_links')
    .set({ state: 'broken', problem: 'gone', checked_at: app.clock.now(), broken_since: app.clock.now() })
    .where('creator_id', '=', creatorId)
    .where('url', '=', pan.address)
    .execute();
  const shown = async (query: object) =>
    (await anna.call(contract.listAppLinks, { params: { creatorId }, query })).body.items
      .map(({ id }: { id: string }) => id)
      .toSorted();
  expect(await shown({ show: 'amazon' })).toEqual([pan.id, short.id].toSorted());
  expect(await shown({ show: 'broken' })).toEqual([pan.id]);
  expect(await shown({ show: 'ended' })).toEqual([ended.id]);
  expect(await shown({ show: 'amazon', search: 'pot' })).toEqual([short.id]);
  expect(
    (await anna.call(contract.listAppLinks, { params: { creatorId }, query: { show: 'x' } as never })).status,
  ).toBe(422);
});

describe('an app link', () => {
  test('leads people of other countries to the product found for them', async () => {
    const productsAbroad = [{ marketplace: 'amazon.de', product: 'https://www.amazon.de/Pfanne/dp/B00006JSUA?ref=x' }];
    const link = await make({ productsAbroad });
    expect(link.productsAbroad).toEqual([{ marketplace: 'amazon.de', product: 'B00006JSUA' }]);
    const channels = Object.fromEntries(LINK_CHANNELS.map((one) => [one, 'with_tag'])) as never;
    await anna.call(changeAmazonRules, { params: { creatorId }, body: { channels, byCountry: true } });
    const { instacart: _instacart, ...shopping } = (await anna.call(getShopping, { params: { creatorId } })).body;
    const amazonTags = [{ marketplace: 'amazon.de', tag: 'anna-21' }] as const;
    await anna.call(changeShopping, { params: { creatorId }, body: { ...shopping, amazonTags: [...amazonTags] } });
    const url = new URL(link.shortUrl).pathname;
    const headers = { 'user-agent': DESKTOP, 'accept-language': 'de-AT' };
    expect((await app.visitor().send({ method: 'GET', url, headers })).headers.location).toBe(
      'https://www.amazon.de/dp/B00006JSUA?tag=anna-21',
    );
    expect((await follow(link)).headers.location).toBe(link.address);
  });

  test.each([
    ['of another country', [{ marketplace: 'amazon.de', product: 'https://www.amazon.fr/dp/B00006JSUA' }]],
    ['that is none', [{ marketplace: 'amazon.de', product: 'a pan' }]],
    [
      'of a shop that only looks like it',
      [{ marketplace: 'amazon.de', product: 'https://amazon.de.evil.example/dp/B00006JSUA' }],
    ],
  ])('refuses a product %s', async (_, productsAbroad) => {
    const body = appLink('Pan', { productsAbroad }) as never;
    const answer = await anna.call(contract.createAppLink, { params: { creatorId }, body });
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ path: 'productsAbroad.0.product' }] } });
  });

  test('is made, found by name, address and short link, and leads there', async () => {
    const link = await make({ address: 'https://shop.example/pan?size=24#red' });
    expect(link).toMatchObject({ name: 'Pan', version: 1, state: 'on', opensApp: true });
    expect(link.shortUrl).toMatch(/^https:\/\/hq\.example\.test\/l\/[0-9A-Za-z]{8}$/);
    await make({}, 'Pot');
    for (const search of ['pan', 'SIZE=24', link.shortUrl, `${link.shortUrl}/qr`]) {
      const { items } = (await anna.call(contract.listAppLinks, { params: { creatorId }, query: { search } })).body;
      expect(items, search).toEqual([{ ...link, people: 0 }]);
    }
    expect(await follow(link)).toMatchObject({ status: 302, headers: { location: link.address } });
    // A query of whoever shares it is not passed on: else anyone could add a tag.
    expect((await follow(link, DESKTOP, '/qr?tag=thief-20')).headers.location).toBe(link.address);
  });

  test('that was changed leads elsewhere wherever it was shared; its changes are kept, and taken back', async () => {
    const link = await make({ address: 'https://shop.example/old' });
    await follow(link);
    const changed = await change(link, { address: 'https://shop.example/new' });
    expect(changed).toMatchObject({ status: 200, body: { version: 2, address: 'https://shop.example/new' } });
    await app.clock.advance(REMEMBERED_MS);
    expect((await follow(link)).headers.location).toBe('https://shop.example/new');

    const params = { creatorId, appLinkId: link.id };
    const { items } = (await anna.call(contract.listAppLinkChanges, { params })).body;
    expect(items).toMatchObject([{ address: 'https://shop.example/old', changedBy: anna.name }]);
    expect((await change(changed.body, { address: items[0].address })).status).toBe(200);
    await app.clock.advance(REMEMBERED_MS);
    expect((await follow(link)).headers.location).toBe('https://shop.example/old');
    // Another name is no change of where it leads.
    const { body: now } = await anna.call(contract.getAppLink, { params });
    await change(now, { name: 'Big pan' });
    expect((await anna.call(contract.listAppLinkChanges, { params })).body.items).toHaveLength(2);
  });

  test('of two people who change it at once one is told; no two have one name', async () => {
    const link = await make();
    const both = await Promise.all([change(link, { name: 'One' }), change(link, { name: 'Two' })]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(both.find(({ status }) => status === 409)!.body.code).toBe('changed_meanwhile');
    await make({}, 'Pot');
    const again = { params: { creatorId }, body: appLink('pOt') as never };
    expect((await anna.call(contract.createAppLink, again)).body.code).toBe('already_exists');
  });

  test('begins and ends; outside of its time it leads elsewhere, or to a page that says so', async () => {
    const link = await make({ beginsAt: inFrom(HOUR_MS), endsAt: inFrom(2 * HOUR_MS) });
    const other = await make({ endsAt: inFrom(HOUR_MS), elsewhere: 'https://shop.example/sale' }, 'Pot');
    expect(link.state).toBe('to_come');
    expect(await follow(link)).toMatchObject({ status: 404, text: expect.stringContaining('isn’t there yet') });
    expect((await follow(other)).headers.location).toBe(other.address);
    await app.clock.advance(HOUR_MS);
    expect((await follow(link)).headers.location).toBe(link.address);
    expect((await follow(other)).headers.location).toBe('https://shop.example/sale');
    await app.clock.advance(HOUR_MS);
    expect(await follow(link)).toMatchObject({ status: 410, text: expect.stringContaining('This link has ended') });
    const { items } = (await anna.call(contract.listAppLinks, { params: { creatorId } })).body;
    expect(items.map(({ state }: AppLink) => state)).toEqual(['ended', 'ended']);
  });

  test('opens its app out of the browser of another one; others are led there at once', async () => {
    const link = await make({ address: 'https://www.amazon.com/dp/B08N5WRWNW?tag=anna-20' });
    const page = await follow(link, INSTAGRAM);
    expect(page).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } });
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    expect(page.text).toContain('href="https://www.amazon.com/dp/B08N5WRWNW?tag=anna-20"');
    expect(page.text).toContain('Open the Amazon app');
    for (const agent of [DESKTOP, GOOGLEBOT]) expect((await follow(link, agent)).headers.location).toBe(link.address);
    const plain = await make({ opensApp: false }, 'Pot');
    expect((await follow(plain, INSTAGRAM)).status).toBe(302);
  });

  test('to Amazon keeps the creator’s rules by channel, on the opening page, too', async () => {
    const channels = { ...{ dm: 'without_tag', mail: 'without_tag', blog: 'with_tag', bio: 'with_tag' } };
    const rules = {
      channels: { ...channels, qr: 'not_at_all', story: 'with_tag', other: 'with_tag' },
      byCountry: false,
    };
    expect((await anna.call(changeAmazonRules, { params: { creatorId }, body: rules as never })).status).toBe(200);
    const link = await make({ address: 'https://www.amazon.com/dp/B08N5WRWNW?tag=anna-20' });
    for (const agent of [DESKTOP, INSTAGRAM]) {
      const text = async (part: string) => {
        const { headers, text: body } = await follow(link, agent, part);
        return `${headers.location ?? ''}${body}`;
      };
      expect(await text('/bio')).toContain('tag=anna-20');
      expect(await text('/dm')).not.toContain('anna-20');
      expect((await follow(link, agent, '/qr')).status).toBe(404);
    }
  });

  test('counts people by place, app and country, and whether the app opened; neither programs nor who reports', async () => {
    const link = await make({ address: 'https://www.amazon.com/dp/B08N5WRWNW' });
    const other = await make({}, 'Pot');
    const [jo, kim, lee, robot] = [app.visitor(), app.visitor(), app.visitor(), app.visitor()];
    const from = (who: typeof jo, agent: string, part: string, language = 'de-AT', method: 'GET' | 'POST' = 'GET') => {
      const headers = { 'user-agent': agent, 'accept-language': language };
      return who.send({ method, url: new URL(link.shortUrl).pathname + part, headers });
    };
    const page = await from(jo, INSTAGRAM, '/bio');
    await from(jo, INSTAGRAM, '/bio');
    await from(jo, DESKTOP, '/bio');
    // Nobody makes a row for each country that they can think of.
    await from(jo, DESKTOP, '/bio', 'fr-FR');
    await from(kim, INSTAGRAM, '/story', 'en');
    await from(lee, DESKTOP, '', 'en');
    await from(robot, GOOGLEBOT, '/bio');
    await follow(other);
    const tellAt = /data-tell="\/l\/\w{8}(\/[^"]+)"/.exec(page.text)![1]!;
    expect(tellAt).toBe('/bio/');
    for (const what of ['opened', 'opened', 'sold', '%00']) {
      expect((await from(jo, INSTAGRAM, `${tellAt}${what}`, 'de-AT', 'POST')).status).toBe(204);
    }
    await from(kim, INSTAGRAM, '/story/stayed', 'en', 'POST');
    await from(robot, GOOGLEBOT, '/bio/opened', 'en', 'POST');
    await app.deps.clicks.flush();

    const params = { creatorId, appLinkId: link.id };
    const { body } = await anna.call(contract.getAppLinkFigures, { params });
    expect(body).toEqual({
      people: 4,
      channels: [
        { channel: 'bio', people: 2 },
        { channel: 'story', people: 1 },
        { channel: null, people: 1 },
      ],
      apps: [
        { app: 'instagram', people: 2 },
        { app: null, people: 2 },
      ],
      countries: [
        { country: 'AT', people: 2 },
        { country: null, people: 2 },
      ],
      ...{ opened: 1, stayed: 1, posts: [], words: [], doors: [] },
      days: [{ day: expect.any(String), people: 4 }],
    });
    const { items } = (await anna.call(contract.listAppLinks, { params: { creatorId } })).body;
    expect(items.map(({ people }: { people: number }) => people)).toEqual([1, 4]);
    await app.clock.advance(contract.APP_LINK_FIGURES_DAYS * 24 * HOUR_MS + 1000);
    expect((await anna.call(contract.getAppLinkFigures, { params })).body).toMatchObject({ people: 0, channels: [] });
  });

  test('adds its campaign where it is followed, over nothing that is there, and never at Amazon', async () => {
    const campaign = '?utm_source=instagram&utm_medium={channel}&utm_campaign=pan%20of%20may';
    const address = 'https://shop.example/pan?utm_source=blog&q=a%20b#red';
    const link = await make({ address, campaign });
    const marked = 'https://shop.example/pan?utm_source=blog&q=a%20b&utm_medium=bio&utm_campaign=pan+of+may#red';
    expect((await follow(link, DESKTOP, '/bio')).headers.location).toBe(marked);
    expect((await follow(link)).headers.location).toBe(marked.replace('utm_medium=bio&', ''));
    expect((await follow(link, INSTAGRAM, '/bio')).text).toContain(marked.replaceAll('&', '&amp;'));
    const atAmazon = await make({ campaign }, 'Pot');
    expect((await follow(atAmazon, DESKTOP, '/bio')).headers.location).toBe(atAmazon.address);
    for (const wrong of [
      'utm_source',
      'source=x',
      'utm_source=a&utm_source=b',
      'utm_source=',
      `utm_x=${'x'.repeat(500)}`,
    ]) {
      const body = appLink('Pen', { address, campaign: wrong }) as never;
      const answer = await anna.call(contract.createAppLink, { params: { creatorId }, body });
      expect(answer.body.errors, wrong).toMatchObject([{ path: 'campaign' }]);
    }
  });

  test('to a short link of ours leads where that one leads; one of nobody’s is refused', async () => {
    const first = await make({ address: 'https://shop.example/pan' });
    const second = await make({ address: `${first.shortUrl}/bio` }, 'Pot');
    expect(second.address).toBe(first.address);
    // Not in a circle.
    expect((await change(first, { address: second.shortUrl })).body.address).toBe('https://shop.example/pan');
    const stranger = await app.signUpAndIn();
    const theirs = (await stranger.createCreator()).id;
    for (const address of [first.shortUrl, 'https://hq.example.test/l/nobody12']) {
      const body = appLink('Pan', { address }) as never;
      const answer = await stranger.call(contract.createAppLink, { params: { creatorId: theirs }, body });
      expect(answer).toMatchObject({ status: 422, body: { errors: [{ path: 'address' }] } });
    }
  });

  test.each([
    ['javascript:alert(1)', 'address'],
    ['data:text/html,x', 'address'],
    ['file:///etc/passwd', 'address'],
    ['intent://x#Intent;end', 'address'],
    ['https://anna:secret@shop.example/', 'address'],
    ['https://', 'address'],
    [`https://shop.example/${'x'.repeat(2000)}`, 'address'],
    ['https://127.0.0.1/', 'address'],
    ['https://localhost/', 'address'],
    ['', 'address'],
  ])('to %j is refused at its field', async (address, path) => {
    const body = appLink('Pan', { address }) as never;
    const answer = await anna.call(contract.createAppLink, { params: { creatorId }, body });
    expect(answer).toMatchObject({ status: 422, body: { code: 'invalid_input' } });
    expect(answer.body.errors.map((field: { path: string }) => field.path)).toEqual([path]);
    const end = appLink('Pan', { beginsAt: inFrom(HOUR_MS), endsAt: inFrom(HOUR_MS) }) as never;
    const late = await anna.call(contract.createAppLink, { params: { creatorId }, body: end });
    expect(late.body.errors).toMatchObject([{ path: 'endsAt' }]);
  });
});
