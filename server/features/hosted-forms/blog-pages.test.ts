/** Saves on blogs that have our script and no plugin, over the guarded fetch and the demo blog. */
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { checkFormPage, listForms } from '#contract/forms.ts';
import { listSites, makeSiteLive, removeSite } from '#contract/sites.ts';
import { runDue } from '#server/jobs/run-jobs.ts';
import { createGuardedFetch, isPublicAddress, isPublicOrInside } from '#server/platforms/guarded-fetch.ts';
import { registerBlog } from '#server/testing/endpoint-walk.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';
import { type Blog, startBlog } from '#simulators/web/blog/blog.ts';
import { buildFormScript } from '../../../scripts/build.ts';
import { readSavedPage } from './blog-pages.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

let app: TestApp;
let blog: Blog;
let anna: Person;
let creatorId: string;
let save: { id: string; key: string };
let signUp: { id: string; key: string };
/** Requests for pages, by us. */
let asked: string[] = [];
let isAllowed = isPublicOrInside;
beforeAll(async () => {
  await buildFormScript();
  const inside = createGuardedFetch({ isAllowed: (address) => isAllowed(address) });
  const fetching: typeof inside = {
    ...inside,
    request: (request) => {
      asked.push(request.url);
      return inside.request(request);
    },
  };
  app = await createTestApp({ deps: { fetching }, settings: { MAIL_FROM: 'Creator HQ <mail@hq.example>' } });
  blog = await startBlog({ hubUrl: 'http://127.0.0.1:9' });
  await startHostile();
}, 240_000);
afterAll(async () => {
  await blog?.close();
  hostile?.closeAllConnections();
  hostile?.close();
  await app?.close();
});
beforeEach(async () => {
  anna = await app.signUpAndIn();
  creatorId = (await anna.createCreator()).id;
  const { items } = (await anna.call(listForms, { params: { creatorId } })).body;
  save = items.find(({ name }: { name: string }) => name === 'Save this recipe');
  signUp = items.find(({ kind }: { kind: string }) => kind === 'signup');
  blog.embed(`<script async src="https://hq.example/f/${save.key}.js"></script>`);
  await app.db.enginePool.query('delete from jobs');
  asked = [];
});

let readers = 0;
const check = async (url: string, formId = save.id) =>
  (await anna.call(checkFormPage, { params: { creatorId, formId }, body: { url } })).body;
const found = async () => {
  expect(await check(`${blog.url}/shakshuka/`)).toMatchObject({ found: true });
  asked = [];
};
async function stampOf(form: { key: string }): Promise<string> {
  const { body } = await app.app.inject({ method: 'GET', url: `/f/${form.key}.js` });
  return /name=\\"stamp\\" value=\\"([^\\"]+)/.exec(body)![1]!;
}
type Sent = { origin?: string | undefined; fields?: object; from?: string; form?: { key: string } };
async function press(url: string, { origin = blog.url, fields = {}, from, form = save }: Sent = {}) {
  const stamp = await stampOf(form);
  const answer = await app.app.inject({
    method: 'POST',
    url: `/f/${form.key}?lang=en&version=1`,
    headers: { 'content-type': 'application/json', cookie: 'session=x', ...(origin !== '' && { origin }) },
    payload: { form: form.key, email: `reader${++readers}@example.test`, post: url, stamp, website: '', ...fields },
    remoteAddress: from ?? `10.2.${readers >> 8}.${readers % 256}`,
  });
  return { status: answer.statusCode, headers: answer.headers, body: answer.json() };
}
const read = () => runDue([readSavedPage], app.deps as never);
const rows = async (table: 'submissions' | 'saved_recipes' | 'reader_mails' | 'script_pages' | 'sites') =>
  (await app.db.enginePool.query(`select * from ${table} where creator_id = $1`, [creatorId])).rows;

/** A website with one page of each bad kind. */
let hostile: Server;
let hostileUrl: string;
const PAGES: Record<string, (response: ServerResponse, key: string) => void> = {
  '/good': (response, key) => response.setHeader('content-type', 'text/html').end(`<title>Good</title>${key}`),
  '/binary': (response, key) =>
    response.setHeader('content-type', 'image/png').end(Buffer.from([0, 1, 2, ...Buffer.from(key)])),
  '/late': (response, key) => {
    response.setHeader('content-type', 'text/html').write(' '.repeat(1024 * 1024));
    response.end(key);
  },
  '/busy': (response) => response.writeHead(503).end(),
  '/gone': (response) => response.writeHead(404).end(),
  '/metadata': (response) => response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end(),
  '/away': (response) => response.writeHead(302, { location: `${blog.url}/shakshuka/` }).end(),
  '/hang-up': (response) => response.destroy(),
};
async function startHostile(): Promise<void> {
  hostile = createServer((request, response) => PAGES[request.url!]!(response, save.key));
  await new Promise<void>((resolve) => hostile.listen(0, '127.0.0.1', resolve));
  hostileUrl = `http://127.0.0.1:${(hostile.address() as AddressInfo).port}`;
}

describe('the script', () => {
  test('is small with the form in it, the same form and code as in WordPress, and may be loaded from anywhere', async () => {
    const { body, headers } = await app.app.inject({ method: 'GET', url: `/f/${save.key}.js` });
    const bytes = gzipSync(body).length;
    console.info(`script with form: ${bytes} bytes gzip`);
    expect(bytes).toBeLessThanOrEqual(6 * 1024);
    expect(() => new Function(body)).not.toThrow();
    expect(body).toContain('shadowrootmode=\\"open\\"');
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'public, max-age=300',
    });
    expect(headers).not.toHaveProperty('set-cookie');
    expect((await app.app.inject({ method: 'GET', url: `/f/${'0'.repeat(22)}.js` })).statusCode).toBe(404);
  });
});

describe('the address of one recipe', () => {
  test('is found by the form’s key in it; its website is listed, apart from those with the plugin', async () => {
    expect(await check(` ${blog.url}/shakshuka/?utm_source=x#top`)).toEqual({
      found: true,
      says: 'Found.',
      page: { title: 'Sunday Shakshuka', pictureUrl: `${blog.url}/pictures/demo/shakshuka.svg`, ingredients: 7 },
    });
    expect(asked).toEqual([`${blog.url}/shakshuka/`]);
    const { items } = (await anna.call(listSites, { params: { creatorId } })).body;
    expect(items).toMatchObject([{ kind: 'script', state: 'live', asks: false, url: blog.url }]);
    const params = { creatorId, siteId: items[0].id };
    expect((await anna.call(makeSiteLive, { params })).status).toBe(404);
    await anna.call(removeSite, { params });
    expect(await rows('script_pages')).toEqual([]);
    expect((await press(`${blog.url}/shakshuka/`)).status).toBe(403);
  });

  test('says in words why not', async () => {
    const cases: [string, RegExp][] = [
      [`${hostileUrl}/gone`, /error \(404\)/],
      [`${hostileUrl}/binary`, /isn’t a web page/],
      [`${hostileUrl}/hang-up`, /connection broke/],
      [`${hostileUrl}/late`, /this form isn’t in it/],
      [`${hostileUrl}/metadata`, /private network/],
      ['http://169.254.169.254/latest', /private network/],
      ['http://anna:secret@blog.example/', /whole address/],
      ['javascript:alert(1)', /whole address/],
      [`https://blog.example/${'a'.repeat(1600)}`, /whole address/],
    ];
    for (const [url, says] of cases) {
      expect(await check(url), url).toEqual({ found: false, says: expect.stringMatching(says), page: null });
    }
    expect((await check(`${blog.url}/shakshuka/`, signUp.id)).found).toBe(false);
    expect(await rows('sites')).toEqual([]);
  });

  test('is read by nobody where it is inside a private network', async () => {
    isAllowed = isPublicAddress;
    try {
      expect((await check(`${blog.url}/shakshuka/`)).says).toContain('private network');
    } finally {
      isAllowed = isPublicOrInside;
    }
  });
});

describe('a save there', () => {
  beforeEach(found);

  test('of a page that we know is mailed at once, with what we read in it and nothing that the browser says', async () => {
    const facts = { title: 'Evil', picture: 'https://evil.example/x.png', page: { title: 'Evil' } };
    const { status, body, headers } = await press(`${blog.url}/shakshuka/?title=Evil`, { fields: facts });
    expect([status, body]).toEqual([200, { result: 'on_its_way', message: 'It’s on its way. Look in your inbox.' }]);
    expect(headers).toMatchObject({ 'access-control-allow-origin': blog.url, vary: 'Origin' });
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
    const [site] = await rows('sites');
    expect(await rows('submissions')).toMatchObject([{ site_id: site.id, is_test: false }]);
    const page = {
      url: `${blog.url}/shakshuka/`,
      title: 'Sunday Shakshuka',
      pictureUrl: `${blog.url}/pictures/demo/shakshuka.svg`,
      recipe: { name: 'Sunday Shakshuka', totalMinutes: 35, yield: '3 servings', anchor: null },
    };
    const [mail] = await rows('reader_mails');
    expect(mail).toMatchObject({ kind: 'save', about: page, due_at: app.clock.now() });
    expect(mail.about.recipe.ingredients).toContain('6 eggs');
    expect(await rows('saved_recipes')).toMatchObject([{ title: 'Sunday Shakshuka' }]);
    expect(asked).toEqual([]);
  });

  test('of an unseen page is answered at once and mailed when we read it; for a day nobody reads it again', async () => {
    const url = `${blog.url}/lemon-tart/`;
    expect((await press(`${url}?utm_source=x`)).body.result).toBe('on_its_way');
    expect(asked).toEqual([]);
    const [waiting] = await rows('reader_mails');
    expect(waiting.due_at).toEqual(new Date(app.clock.now().getTime() + 30_000));
    await read();
    expect(asked).toEqual([url]);
    const [mail] = await rows('reader_mails');
    expect(mail).toMatchObject({ due_at: app.clock.now(), about: { url, title: 'Very Lemon Tart' } });
    expect(mail.about.recipe.ingredients).toContain('4 lemons');
    expect(await rows('saved_recipes')).toMatchObject([{ title: 'Very Lemon Tart' }]);

    await app.clock.advance(DAY_MS - 1);
    await press(url);
    await read();
    expect(asked).toEqual([url]);
    await app.clock.advance(1);
    await press(url);
    await read();
    expect(asked).toEqual([url, url]);
  });

  test('of a page that cannot be read goes with the link alone', async () => {
    await check(`${hostileUrl}/good`);
    expect((await press(`${hostileUrl}/busy`, { origin: hostileUrl })).body.result).toBe('on_its_way');
    await read();
    const place = hostileUrl.slice('http://'.length);
    expect(await rows('reader_mails')).toMatchObject([
      { state: 'waiting', due_at: app.clock.now(), about: { title: `${place}/busy`, pictureUrl: null, recipe: null } },
    ]);
    // Also where nobody could look before the time is over.
    await press(`${hostileUrl}/hang-up`, { origin: hostileUrl });
    expect((await rows('reader_mails')).map(({ about }) => about.title).toSorted()).toEqual([
      `${place}/busy`,
      `${place}/hang-up`,
    ]);
  });

  test('of a page without the form is not mailed, and refused in words once we know', async () => {
    await check(`${hostileUrl}/good`);
    const pages = ['late', 'binary', 'gone', 'metadata', 'away'].map((name) => `${hostileUrl}/${name}`);
    for (const url of pages) {
      expect((await press(url, { origin: hostileUrl })).body.result, url).toBe('on_its_way');
      await read();
      const again = await press(url, { origin: hostileUrl });
      expect([again.status, again.body.message], url).toEqual([403, 'This form isn’t set up for this page.']);
    }
    const mails = await rows('reader_mails');
    expect(mails.map(({ state }) => state)).toEqual(pages.map(() => 'cancelled'));
    // Somebody may be putting it there.
    await app.clock.advance(10 * MINUTE_MS);
    expect((await press(pages[0]!, { origin: hostileUrl })).body.result).toBe('on_its_way');
  });

  test('of any other website is refused in words, and nothing is fetched', async () => {
    const urls = [
      'https://evil.example/shakshuka/',
      'http://127.0.0.1:1/',
      'http://169.254.169.254/',
      'about:blank',
      '',
      'x',
    ];
    for (const url of urls) {
      const { status, body } = await press(url);
      expect([status, body.result, body.message], url).toEqual([
        403,
        'refused',
        'This form isn’t set up for this page.',
      ]);
    }
    await read();
    expect([asked, await rows('submissions')]).toEqual([[], []]);
  });

  test('is one, however often it comes', async () => {
    const fields = { attempt: crypto.randomUUID(), email: 'twice@example.test' };
    const answers = await Promise.all([1, 2, 3].map(() => press(`${blog.url}/lemon-tart/`, { fields })));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect([(await rows('submissions')).length, (await rows('reader_mails')).length]).toEqual([1, 1]);
  });

  test('has the checks and limits of the form’s own page', async () => {
    const url = `${blog.url}/shakshuka/`;
    for (const [fields, status, code] of [
      [{ email: 'nobody' }, 422, 'invalid_email'],
      [{ website: 'https://spam.example' }, 422, 'spam'],
      [{ stamp: `${Date.now()}.x` }, 422, 'stamp'],
      [{ attempt: 'no uuid' }, 422, 'invalid_input'],
      [{ email: ['a@example.test'] }, 422, 'invalid_email'],
    ] as const) {
      expect(await press(url, { fields }), code).toMatchObject({ status, body: { result: 'refused', code } });
    }
    const post = (payload: string) => {
      const headers = { 'content-type': 'application/json', origin: blog.url };
      return app.app.inject({ method: 'POST', url: `/f/${save.key}`, payload, headers });
    };
    expect((await post(`{"email":"${'a'.repeat(8 * 1024)}"}`)).statusCode).toBe(413);
    for (const broken of ['', '{', '[]', 'null', '{"__proto__":{"email":"a@example.test"}}']) {
      expect((await post(broken)).statusCode, broken).toBe(422);
    }
    for (let n = 0; n < 30; n++) expect((await press(url, { from: `192.0.2.${n}` })).status).toBe(200);
    expect(await press(url, { from: '192.0.2.99' })).toMatchObject({
      status: 429,
      body: { code: 'too_many_requests' },
    });
  });

  test('can be read by the blog’s own pages alone', async () => {
    const ask = (origin?: string) =>
      app.app.inject({
        method: 'OPTIONS',
        url: `/f/${save.key}`,
        headers: { 'access-control-request-method': 'POST', ...(origin !== undefined && { origin }) },
      });
    expect((await ask(blog.url)).headers).toMatchObject({
      'access-control-allow-origin': blog.url,
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'content-type',
    });
    for (const origin of ['https://evil.example', 'null', blog.url.replace('127.0.0.1', 'localhost'), undefined]) {
      expect(Object.keys((await ask(origin)).headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
    const foreign = await press(`${blog.url}/shakshuka/`, { origin: 'https://evil.example' });
    expect([foreign.status, foreign.headers['access-control-allow-origin']]).toEqual([403, undefined]);
    expect(await rows('submissions')).toEqual([]);
  });

  test('works without script, from the page whose link was followed', async () => {
    const page = await app.app.inject({
      method: 'GET',
      url: `/f/${save.key}`,
      headers: { referer: `${blog.url}/focaccia/?utm_source=x` },
    });
    const fields = [...page.body.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(
      ([, name, value]) => [name, value],
    );
    const payload = new URLSearchParams({ ...Object.fromEntries(fields), email: 'plain@example.test' }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await app.app.inject({ method: 'POST', url: `/f/${save.key}`, payload, headers });
    expect([answer.statusCode, answer.headers.location]).toEqual([303, `/f/${save.key}/on-its-way?lang=en`]);
    await read();
    expect(await rows('reader_mails')).toMatchObject([{ about: { title: 'No-Knead Focaccia' } }]);
    const foreign = await app.app.inject({
      method: 'GET',
      url: `/f/${save.key}`,
      headers: { referer: 'https://evil.example/' },
    });
    expect(foreign.body).toContain('Open the recipe on the blog');
  });
});

test('a sign-up there says which page it was on', async () => {
  await found();
  const { body } = await press(`${blog.url}/`, { form: signUp });
  expect(body).toMatchObject({ result: 'please_confirm', message: expect.stringContaining('Look in your inbox') });
  expect(await rows('submissions')).toMatchObject([{ page_url: `${blog.url}/`, address_key: null }]);
  expect(asked).toEqual([]);
});

test('a blog that gets the plugin later becomes one with it', async () => {
  await found();
  await app.db.enginePool.query('update sites set place = $2, url = $3 where creator_id = $1', [
    creatorId,
    `blog-of-${creatorId}.example.test`,
    `https://blog-of-${creatorId}.example.test`,
  ]);
  await registerBlog(app, anna, creatorId);
  expect(await rows('sites')).toMatchObject([{ kind: 'wordpress', is_live: true }]);
});
