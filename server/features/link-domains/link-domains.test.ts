/** Hosts of creators: who may have which, when one works, and that nothing but links and lists answers there. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AppLink } from '#contract/app-links.ts';
import { changeAppLink, createAppLink, getAppLink } from '#contract/app-links.ts';
import * as contract from '#contract/link-domains.ts';
import type { GuardedAnswer, GuardedRequest } from '#server/platforms/guarded-fetch.ts';
import { appLink } from '#server/testing/inputs.ts';
import { routesOf } from '#server/testing/routes-of.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';
import { checkDue } from './domains.ts';

const MINUTE_MS = 60_000;
const DESKTOP =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36';

let app: TestApp;
let anna: Person;
let creatorId: string;
/** What the internet answers, by scheme and host. */
const internet = new Map<string, GuardedAnswer | 'ours'>();
let hosts = 0;

beforeAll(async () => {
  const request = async ({ url }: GuardedRequest): Promise<GuardedAnswer> => {
    const { protocol, host, pathname } = new URL(url);
    const answer = internet.get(`${protocol}//${host}`) ?? failure('unreachable');
    if (answer !== 'ours') return answer;
    const { status, text } = await app.visitor().send({ method: 'GET', url: pathname, headers: { host } });
    return page(text, status);
  };
  app = await createTestApp({
    settings: { BASE_URL: 'https://hq.example.com', DOMAINS_ASK_TOKEN: 'a-token' },
    deps: { fetching: { request, addressOf: async () => '', close: async () => {} } },
  });
});
beforeEach(async () => {
  anna = await app.signUpAndIn();
  creatorId = (await anna.createCreator()).id;
});
afterAll(() => app?.close());

const failure = (because: 'unreachable' | 'certificate' | 'timeout'): GuardedAnswer => ({
  ...{ kind: 'no_answer', because, says: '' },
});
const page = (text: string, status = 200) =>
  ({
    kind: 'answer',
    status,
    bytes: Buffer.from(text),
    text,
    headers: {},
    tookMs: 1,
    certificateEndsAt: null,
  }) as GuardedAnswer;
const newHost = () => `go.anna${hosts++}.com`;
const add = (host: string) => anna.call(contract.addLinkDomain, { params: { creatorId }, body: { host } });
const check = async (linkDomainId: string) =>
  (await anna.call(contract.checkLinkDomain, { params: { creatorId, linkDomainId } })).body;
async function works(host = newHost()) {
  const { body } = await add(host);
  internet.set(`https://${host}`, 'ours');
  expect(await check(body.id)).toMatchObject({ state: 'works', problem: null });
  return { host, id: body.id as string };
}
const make = async (over: object = {}): Promise<AppLink> =>
  (await anna.call(createAppLink, { params: { creatorId }, body: appLink('Pan', over) as never })).body;
const follow = (host: string, url: string) =>
  app.visitor().send({ method: 'GET', url, headers: { host, 'user-agent': DESKTOP } });

describe('a host', () => {
  test.each([
    ['ours', 'hq.example.com'],
    ['under ours', 'anna.hq.example.com'],
    ['above ours', 'example.com'],
    ['a public suffix', 'co.uk'],
    ['a suffix that many share', 'github.io'],
    ['an address', '192.0.2.1'],
    ['of this machine', 'localhost'],
    ['of no internet', 'shop.internal'],
    ['with an address behind it', 'go.anna.com/links'],
    ['nothing', ''],
  ])('%s is refused in words at its field', async (_, host) => {
    const { status, body } = await add(host);
    expect({ status, fields: body.errors }).toEqual({
      status: 422,
      fields: [{ path: 'host', message: expect.any(String) }],
    });
  });

  test('of another creator is refused, however it is typed, and whoever asks at the same moment', async () => {
    const host = newHost();
    expect(await add(`https://${host.toUpperCase()}/`)).toMatchObject({
      status: 200,
      body: { host, state: 'waiting' },
    });
    expect((await add(host)).body).toMatchObject({ code: 'already_exists', detail: 'You already have this host.' });
    creatorId = (await anna.createCreator()).id;
    expect((await add(host)).body).toMatchObject({ code: 'already_exists', detail: 'Another creator uses this host.' });
    const another = newHost();
    const both = await Promise.all([add(another), add(another)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });

  test.each([
    ['nobody answers', {}, 'no_entry'],
    ['somebody else answers', { https: page('hello') }, 'elsewhere'],
    ['the certificate is missing', { https: failure('certificate'), http: 'ours' as const }, 'no_certificate'],
    ['nobody answers in time', { https: failure('timeout') }, 'no_answer'],
  ])('waits while %s, and links are made with ours', async (_, answers, problem) => {
    const host = newHost();
    const { body } = await add(host);
    for (const [scheme, answer] of Object.entries(answers)) internet.set(`${scheme}://${host}`, answer);
    expect(await check(body.id)).toMatchObject({ state: 'waiting', problem });
    expect((await make()).shortUrl).toMatch(/^https:\/\/hq\.example\.com\/l\//);
  });

  test('that works is in new links; lost for fifteen minutes it is not, members are told once, and it comes back', async () => {
    const { host, id } = await works();
    const link = await make();
    expect(link.shortUrl).toMatch(new RegExp(`^https://${host}/[0-9A-Za-z]{8}$`));
    internet.delete(`https://${host}`);
    const shortUrl = async () =>
      (await anna.call(getAppLink, { params: { creatorId, appLinkId: link.id } })).body.shortUrl;
    const mails = async () => (await app.mails(anna.email)).filter(({ kind }) => kind === 'link_domain_lost').length;
    const before = await mails();
    expect(await check(id)).toMatchObject({ state: 'works', problem: 'no_entry' });
    for (const minutes of [10, 10, 10]) {
      await app.clock.advance(minutes * MINUTE_MS);
      await checkDue(app.deps);
    }
    expect({ url: await shortUrl(), mails: (await mails()) - before }).toEqual({
      url: expect.stringMatching(/^https:\/\/hq\.example\.com\/l\//),
      mails: 1,
    });
    internet.set(`https://${host}`, 'ours');
    await app.clock.advance(10 * MINUTE_MS);
    await checkDue(app.deps);
    expect(await shortUrl()).toBe(link.shortUrl);
  });
});

describe('under a creator’s host', () => {
  test('their links answer by code, by word and in a place; those of others do not', async () => {
    const others = await make({ address: 'https://shop.example.com/theirs' });
    const othersCode = others.shortUrl.split('/').at(-1);
    creatorId = (await anna.createCreator()).id;
    const { host } = await works();
    const link = await make({ address: 'https://shop.example.com/pan', slug: 'Lemon-Pan' });
    expect(link.shortUrl).toBe(`https://${host}/lemon-pan`);
    for (const url of ['/lemon-pan', '/LEMON-PAN', '/lemon-pan/qr', '/l/lemon-pan']) {
      const { status, headers } = await follow(host, url);
      expect({ url, status, to: headers.location, cookie: headers['set-cookie'] }).toEqual({
        ...{ url, status: 302, to: link.address, cookie: undefined },
      });
    }
    for (const url of [`/${othersCode}`, `/l/${othersCode}`, '/nothing-here']) {
      expect((await follow(host, url)).status, url).toBe(404);
    }
    // A word is nothing on our own host: there one creator could pose as another.
    expect((await follow('hq.example.com', '/l/lemon-pan')).status).toBe(404);
    const twin = await anna.call(createAppLink, {
      params: { creatorId },
      body: appLink('Pot', { slug: 'lemon-pan' }) as never,
    });
    expect(twin.body).toMatchObject({ code: 'already_exists', errors: [{ path: 'slug' }] });
    // A link of theirs as a target is taken apart: nothing leads in a circle.
    const { id, version } = link;
    const circle = await anna.call(changeAppLink, {
      params: { creatorId, appLinkId: id },
      body: { ...appLink('Pan'), address: link.shortUrl, version } as never,
    });
    expect(circle.body.address).toBe('https://shop.example.com/pan');
  });

  test('no other route of the app answers', async () => {
    const { host } = await works();
    const answered: string[] = [];
    const routes = routesOf(app.app);
    expect(routes.length).toBeGreaterThan(250);
    for (const { url, methods } of routes) {
      for (const method of methods) {
        const path = url.replaceAll(/:\w+/g, 'abcd').replaceAll('*', 'a');
        if (MAY_ANSWER.some((fits) => fits.test(path))) continue;
        const { statusCode } = await app.app.inject({ method: method as 'GET', url: path, headers: { host } });
        if (statusCode !== 404) answered.push(`${method} ${path}: ${statusCode}`);
      }
    }
    expect(answered).toEqual([]);
    expect(await follow(host, '/robots.txt')).toMatchObject({ status: 200, text: 'User-agent: *\nAllow: /\n' });
    expect((await follow(host, '/')).status).toBe(404);
    // With a port, a dot at its end or in capitals it is the same host.
    for (const same of [`${host}:8443`, `${host}.`, host.toUpperCase()]) {
      expect((await follow(same, '/api/v1/auth/me')).status, same).toBe(404);
    }
  });

  test('nothing of theirs is left when the host is removed', async () => {
    const { host, id } = await works();
    const link = await make();
    const code = link.shortUrl.split('/').at(-1);
    await anna.call(contract.removeLinkDomain, { params: { creatorId, linkDomainId: id } });
    expect((await follow(host, `/${code}`)).status).toBe(404);
    expect((await follow('hq.example.com', `/l/${code}`)).status).toBe(302);
  });
});

test('a proxy learns which hosts are creators’ own: from this machine and for itself, or with the token', async () => {
  const { host } = await works();
  const ask = async (of: TestApp, url: string, from: string, headers: Record<string, string> = {}) =>
    (await of.app.inject({ method: 'GET', url: `/internal/domains/ask?${url}`, remoteAddress: from, headers }))
      .statusCode;
  expect(await ask(app, `domain=${host}&token=a-token`, '203.0.113.9')).toBe(200);
  expect(await ask(app, 'domain=evil.com&token=a-token', '203.0.113.9')).toBe(404);
  expect(await ask(app, `domain=${host}&token=guessed`, '127.0.0.1')).toBe(404);
  expect(await ask(app, `domain=${host}`, '127.0.0.1')).toBe(404);

  const plain = await createTestApp({ settings: { BASE_URL: 'https://hq.example.com' } });
  const person = await plain.signUpAndIn();
  const params = { creatorId: (await person.createCreator()).id };
  await person.call(contract.addLinkDomain, { params, body: { host } });
  expect(await ask(plain, `domain=${host.toUpperCase()}`, '127.0.0.1')).toBe(200);
  expect(await ask(plain, `domain=${host}`, '203.0.113.9')).toBe(404);
  expect(await ask(plain, `domain=${host}`, '127.0.0.1', { 'x-forwarded-for': '203.0.113.9' })).toBe(404);
  await plain.close();
});

const MAY_ANSWER = [/^\/l\//, /^\/s\//, /^\/\.well-known\/creator-hq\//, /^\/robots\.txt$/];
