/** Reading recipes over the API, from a site that answers as the test wants. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer as createTcpServer } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { syncBlogPosts } from '#contract/plugin.ts';
import { QUOTAS } from '#contract/quotas.ts';
import { READ_FAILURES, type ReadFailure, readRecipe } from '#contract/recipe-reading.ts';
import { createRecipe } from '#contract/recipes.ts';
import { addressKey } from '#server/features/recipes/address-key.ts';
import { createGuardedFetch, type GuardedFetch, isPublicAddress } from '#server/platforms/guarded-fetch.ts';
import { registerBlog } from '#server/testing/endpoint-walk.ts';
import { insertConnection, insertPost } from '#server/testing/rows.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';
import { type Blog, startBlog } from '#simulators/web/blog/blog.ts';
import { create, page, SEVERAL, script, tasty, wprm } from './fixtures/pages.ts';

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

let app: TestApp;
let anna: Person;
let creatorId: string;
let site: string;
let answers: Record<string, Answer> = {};
let asked: IncomingMessage[] = [];
/** As on the real program, unless the site under test is on this machine. */
let isOpen = true;
const server = createServer((request, response) => {
  asked.push(request);
  const answer = answers[request.url!];
  if (answer === undefined) response.writeHead(404, { 'content-type': 'text/html' }).end();
  else answer(response, request);
});
let blog: Blog;
let fetching: GuardedFetch;

beforeAll(async () => {
  blog = await startBlog({ hubUrl: 'http://127.0.0.1:9' });
  fetching = createGuardedFetch({
    openOrigin: blog.url,
    isAllowed: (address) => (isOpen && address === '127.0.0.1') || isPublicAddress(address),
    resolve: async (name) => {
      if (name === 'blog.test') return [{ address: '127.0.0.1', family: 4 }];
      if (name === 'inside.test') return [{ address: '10.0.0.1', family: 4 }];
      throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
    },
  });
  app = await createTestApp({ deps: { fetching } });
  // Turns of hosts are tested with the link guard; here nobody waits for them.
  app.clock.sleep = async () => {};
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await blog.close();
  await fetching.close();
  await app.close();
});
beforeEach(async () => {
  isOpen = true;
  answers = {};
  asked = [];
  anna = await app.signUpAndIn();
  creatorId = (await anna.createCreator()).id;
});

const read = (body: object) => anna.send({ method: 'POST', url: `/api/v1/creators/${creatorId}/recipes/read`, body });
const readAt = async (path: string, more: object = {}) => (await read({ url: site + path, ...more })).body;
const send =
  (text: string, status = 200, type = 'text/html; charset=utf-8'): Answer =>
  (response) =>
    response.writeHead(status, { 'content-type': type }).end(text);
const json = (value: unknown): Answer => send(JSON.stringify(value), 200, 'application/json');
const CAKE = { '@type': 'Recipe', name: 'Lemon cake', recipeIngredient: ['2 eggs', '100 g flour'], recipeYield: '4' };
const FLAT = [{ name: null, lines: ['2 eggs', '100 g flour'].map((text) => ({ text, uid: null })) }];
const group = (name: string | null, ...lines: [string, string | null][]) => ({
  name,
  lines: lines.map(([text, uid]) => ({ text, uid })),
});

describe('a page', () => {
  test('answers what stands there, and saves nothing', async () => {
    answers['/cake/'] = send(page('<meta property="og:image" content="/cake.jpg">', script(CAKE)));
    expect(await readAt('/cake/')).toEqual({
      kind: 'read',
      reading: {
        ...{ name: 'Lemon cake', url: `${site}/cake/`, pictureUrl: `${site}/cake.jpg`, servings: 4, minutes: null },
        ...{
          language: 'en-US',
          measures: 'us',
          groups: FLAT,
          linesLeftOut: 0,
          steps: [],
          foundBy: 'json_ld',
          already: null,
        },
      },
    });
    expect(asked.map(({ headers }) => headers['user-agent'])).toEqual([
      `CreatorHQ-recipes/1.0 (+${app.deps.config.baseUrl})`,
    ]);
    expect(asked[0]!.headers.cookie).toBeUndefined();
    expect((await anna.send({ method: 'GET', url: `/api/v1/creators/${creatorId}/recipes` })).body.items).toEqual([]);
  });

  test('is named where redirects end', async () => {
    answers['/short'] = (response) => response.writeHead(301, { location: '/cake/#recipe' }).end();
    answers['/cake/'] = send(page(script(CAKE)));
    const host = site.replace('127.0.0.1', 'blog.test');
    expect((await read({ url: `${host}/short` })).body.reading).toMatchObject({ url: `${host}/cake/` });
  });

  test('names the recipe that has it already, however it is written', async () => {
    answers['/short'] = (response) => response.writeHead(301, { location: '/cake/' }).end();
    answers['/cake/'] = send(page(script(CAKE)));
    const body = {
      name: 'My cake',
      url: `${site}/cake?utm_source=mail`,
      pictureUrl: null,
      keywordIdeas: [],
      messageText: '',
    };
    const { id } = (await anna.call(createRecipe, { params: { creatorId }, body })).body;
    expect((await readAt('/short')).reading.already).toEqual({ id, name: 'My cake' });
    // Another creator's recipe is theirs.
    anna = await app.signUpAndIn();
    creatorId = (await anna.createCreator()).id;
    expect((await readAt('/short')).reading.already).toBeNull();
  });

  test.each(SEVERAL)('with %s is asked about, and read by a name', async (_, html, names) => {
    answers['/many/'] = send(html);
    expect(await readAt('/many/')).toEqual({
      kind: 'failed',
      because: 'several',
      says: READ_FAILURES.several,
      choices: names,
    });
    for (const choice of names) expect((await readAt('/many/', { choice })).reading.name).toBe(choice);
    expect(await readAt('/many/', { choice: 'Gone meanwhile' })).toMatchObject({ because: 'several' });
  });

  test('with several is read at once where the address names a card', async () => {
    answers['/many/'] = send(
      page(tasty('<ul><li>2 eggs</li></ul>'), tasty('<ul><li>1 lemon</li></ul>', { id: '13', name: 'Icing' })),
    );
    expect((await readAt('/many/#tasty-recipes-13')).reading.name).toBe('Icing');
  });
});

describe('the card’s plugin', () => {
  const CARD = wprm([{ name: 'For the cake', lines: ['2||eggs|', '100|g|flour|sifted'] }]);
  const told = {
    recipe: {
      name: 'Lemon cake',
      servings: 6,
      total_time: '45',
      image_url: '/cake.jpg',
      ingredients: [
        {
          name: 'For the cake',
          uid: 0,
          ingredients: [
            { uid: 1, amount: '2', unit: '', name: 'eggs', notes: '' },
            { uid: 2, amount: '100', unit: 'g', name: '<a href="/flour">flour</a>', notes: 'sifted' },
          ],
        },
        {
          name: 'For the icing',
          uid: 3,
          ingredients: [{ uid: 4, amount: '1', unit: '', name: 'lemon', notes: '' }, null],
        },
      ],
    },
  };

  test('WP Recipe Maker tells of it over REST', async () => {
    answers['/cake/'] = send(page(CARD));
    answers['/wp-json/wp/v2/wprm_recipe/7'] = json(told);
    expect((await readAt('/cake/')).reading).toMatchObject({
      ...{ foundBy: 'wprm', servings: 6, minutes: 45, pictureUrl: `${site}/cake.jpg` },
      groups: [
        group('For the cake', ['2 eggs', '1'], ['100 g flour (sifted)', '2']),
        group('For the icing', ['1 lemon', '4']),
      ],
    });
  });

  test('is asked where the page says that it answers', async () => {
    answers['/cake/'] = send(page(`<link rel="https://api.w.org/" href="${site}/blog/wp-json/">`, CARD));
    answers['/blog/wp-json/wp/v2/wprm_recipe/7'] = json(told);
    expect((await readAt('/cake/')).reading.foundBy).toBe('wprm');
  });

  test.each<[string, Answer | undefined]>([
    ['a draft is not for us', send('{"code":"rest_forbidden"}', 401, 'application/json')],
    ['it has no REST API', undefined],
    ['it sends us away', (response) => response.writeHead(302, { location: 'http://10.0.0.1/' }).end()],
    ['it answers no JSON', send('<p>Hello</p>')],
    ['it answers broken JSON', send('{"recipe":', 200, 'application/json')],
    ['it answers something else', json({ recipe: { ingredients: 'none', name: ['a'] } })],
    ['it answers too much', json({ ...told, more: 'x'.repeat(2_000_000) })],
  ])('is left out where %s', async (_, answer) => {
    answers['/cake/'] = send(page(CARD));
    if (answer !== undefined) answers['/wp-json/wp/v2/wprm_recipe/7'] = answer;
    expect((await readAt('/cake/')).reading).toMatchObject({
      foundBy: 'card',
      groups: [group('For the cake', ['2 eggs', '0'], ['100 g flour sifted', '1'])],
    });
  });

  test('is not asked at another site, nor by an id of its own making', async () => {
    const html = CARD.replaceAll('"7"', '"7/../../../secrets"');
    answers['/cake/'] = send(page('<link rel="https://api.w.org/" href="http://inside.test/wp-json/">', html));
    expect((await readAt('/cake/')).reading.foundBy).toBe('card');
    expect(asked.map(({ url }) => url)).toEqual(['/cake/']);
  });

  test('Mediavine Create tells of it over REST', async () => {
    answers['/cake/'] = send(page(create('<ul><li>2 eggs</li></ul>')));
    answers['/wp-json/mv-create/v1/creations/3'] = json({
      ...{ title: 'Lemon cake', yield: '8 slices', total_time: 2700 },
      ingredients: {
        'For the cake': [
          { id: 11, original_text: '2 eggs' },
          { id: 12, original_text: '100 g flour' },
        ],
        'For the icing': [{ id: 13, original_text: '1 lemon' }],
      },
    });
    expect((await readAt('/cake/')).reading).toMatchObject({
      ...{ foundBy: 'create', servings: 8, minutes: 45 },
      groups: [
        group('For the cake', ['2 eggs', '11'], ['100 g flour', '12']),
        group('For the icing', ['1 lemon', '13']),
      ],
    });
  });
});

describe('our plugin’s copy', () => {
  beforeEach(async () => {
    const { key } = await registerBlog(app, anna, creatorId);
    const siteUrl = `https://blog-of-${creatorId}.example.test`;
    const now = app.clock.now().toISOString();
    const ingredients = ['2 eggs', '100 g flour'];
    const post = {
      ...{ id: 4, url: `${siteUrl}/cake/`, title: 'Cake', pictureUrl: `${siteUrl}/a.jpg`, categories: [] },
      ...{ publishedAt: now, changedAt: now },
      recipe: { name: 'Lemon cake', anchor: null, ingredients, totalMinutes: 45, yield: '8 slices' },
    };
    const told = await app.visitor().send({
      method: 'POST',
      url: `/api/v1${syncBlogPosts.path}`,
      headers: { authorization: `Bearer ${key}` },
      body: { siteUrl, waiting: 0, posts: [post] },
    });
    expect(told.status).toBe(200);
  });

  test('is read where the blog does not let us in', async () => {
    const url = `https://blog-of-${creatorId}.example.test/cake/`;
    const { reading } = (await read({ url })).body;
    expect(reading).toMatchObject({
      url,
      name: 'Lemon cake',
      servings: 8,
      minutes: 45,
      foundBy: 'plugin',
      groups: FLAT,
    });
    expect(reading.already).toMatchObject({ name: 'Lemon cake' });
  });

  test('lends its words to the groups of the page', async () => {
    const url_key = addressKey(`${site}/cake/`);
    await app.db.engine.updateTable('blog_posts').set({ url_key }).where('creator_id', '=', creatorId).execute();
    answers['/cake/'] = send(
      page(
        wprm([
          { name: 'Wet', lines: ['2||egg|'] },
          { name: 'Dry', lines: ['100|g|flour|'] },
        ]),
      ),
    );
    expect((await readAt('/cake/')).reading).toMatchObject({
      foundBy: 'plugin',
      groups: [group('Wet', ['2 eggs', '0']), group('Dry', ['100 g flour', '1'])],
    });
  });

  test('is another creator’s to them alone', async () => {
    const url = `https://blog-of-${creatorId}.example.test/cake/`;
    anna = await app.signUpAndIn();
    creatorId = (await anna.createCreator()).id;
    expect((await read({ url })).body).toMatchObject({ because: 'unreachable' });
  });
});

describe('what goes wrong at an address is said', () => {
  const MB = 1024 * 1024;
  const GATE = page('<title>Just a moment...</title><h1>Just a moment...</h1>');
  const cases: [ReadFailure, string, string, Answer?][] = [
    ['bad_address', 'no address', 'lemon cake'],
    ['bad_address', 'a script', 'javascript:alert(1)'],
    ['bad_address', 'a file', 'file:///etc/passwd'],
    ['bad_address', 'a password', 'http://anna:secret@blog.test/'],
    ['bad_address', 'nothing', ''],
    [
      'bad_address',
      'a redirect to no address',
      '/a',
      (response) => response.writeHead(302, { location: 'http://' }).end(),
    ],
    ['private_address', 'a private network', 'http://10.0.0.1/'],
    ['private_address', 'a name of a private network', 'http://inside.test/'],
    ['private_address', 'the cloud’s secrets', 'http://169.254.169.254/latest/meta-data/'],
    [
      'private_address',
      'a redirect into a private network',
      '/a',
      (response) => response.writeHead(302, { location: 'http://10.0.0.1/' }).end(),
    ],
    ['unreachable', 'a name that nobody has', 'https://nobody.test/'],
    ['no_answer', 'a connection that breaks', '/a', (response) => response.destroy()],
    ['no_answer', 'a server in trouble', '/a', send('', 500)],
    ['no_answer', 'a circle', '/a', (response) => response.writeHead(302, { location: '/a' }).end()],
    ['gone', 'a page that is not there', '/a', send('', 404)],
    ['gone', 'a page that went', '/a', send('', 410)],
    ['blocked', 'a refusal', '/a', send(page(script(CAKE)), 403)],
    ['blocked', 'too many visits', '/a', send('', 429)],
    ['blocked', 'a gate', '/a', send(GATE, 503)],
    ['blocked', 'a gate that says all is well', '/a', send(GATE)],
    ['login', 'a page for members', '/a', send('', 401)],
    [
      'login',
      'WordPress’s login',
      '/a',
      (response) => response.writeHead(302, { location: '/wp-login.php?redirect_to=%2Fa' }).end(),
    ],
    ['login', 'a post with a password', '/a', send(page('<form class="post-password-form"></form>'))],
    ['too_large', 'a page of 4 MB', '/a', send(page(script(CAKE), 'x'.repeat(4 * MB)))],
    ['not_html', 'a picture', '/a', send('x', 200, 'image/png')],
    ['not_html', 'a PDF of 4 MB', '/a', send('x'.repeat(4 * MB), 200, 'application/pdf')],
    ['nothing', 'a page without a recipe', '/a', send(page('<h1>About me</h1>'))],
    ['nothing', 'an empty page', '/a', send('')],
    ['several', 'several recipes', '/a', send(SEVERAL[0]![1])],
  ];
  test.each(cases)('%s: %s', async (because, _, url, answer) => {
    answers['/wp-login.php?redirect_to=%2Fa'] = send(page('<h1>Log in</h1>'));
    if (answer !== undefined) answers['/a'] = answer;
    const choices = because === 'several' ? SEVERAL[0]![2] : [];
    const { status, body } = await read({ url: url.startsWith('/') ? site + url : url });
    expect({ status, body }).toEqual({
      status: 200,
      body: { kind: 'failed', because, says: READ_FAILURES[because], choices },
    });
  });

  test('certificate: a server whose certificate is none', async () => {
    const tls = createTcpServer((socket) => socket.on('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')));
    tls.on('connection', (socket) => socket.on('error', () => {}));
    await new Promise<void>((done) => void tls.listen(0, '127.0.0.1', done));
    const url = `https://127.0.0.1:${(tls.address() as AddressInfo).port}/`;
    expect((await read({ url })).body).toMatchObject({ because: 'certificate', says: READ_FAILURES.certificate });
    tls.close();
  });

  test('private_address: this machine, as the real program has it', async () => {
    isOpen = false;
    answers['/cake/'] = send(page(script(CAKE)));
    for (const host of [site, site.replace('127.0.0.1', '0x7f.1'), site.replace('127.0.0.1', 'blog.test')]) {
      expect((await read({ url: `${host}/cake/` })).body).toMatchObject({ because: 'private_address' });
    }
    expect(asked).toEqual([]);
  });

  test('and every failure of the list is reached', () => {
    const reached = new Set([...cases.map(([because]) => because), 'certificate']);
    expect([...reached].sort()).toEqual(Object.keys(READ_FAILURES).sort());
  });
});

describe('a text', () => {
  test('is read with its steps', async () => {
    const text = 'Lemon cake 🍋\nServes 4\nIngredients\n• 2 eggs\n• 100 g flour\nMethod\nMix and bake.\n#cake';
    expect((await read({ text })).body).toEqual({
      kind: 'read',
      reading: {
        ...{
          name: 'Lemon cake',
          url: null,
          pictureUrl: null,
          servings: 4,
          minutes: null,
          language: 'en',
          measures: 'us',
          groups: FLAT,
        },
        ...{ linesLeftOut: 0, steps: ['Mix and bake.'], foundBy: 'text', already: null },
      },
    });
  });

  test('in another language has its measures, and else those of the settings', async () => {
    const given = async (text: string) => (await read({ text })).body.reading;
    const german = 'Kuchen\nZutaten\n2 Eier\n1 Tasse Mehl\n1 EL Zucker';
    expect(await given(german)).toMatchObject({
      language: 'de',
      measures: 'metric',
      groups: [{ lines: [{}, {}, {}] }],
    });
    await app.db.engine
      .insertInto('shop_settings')
      .values({ creator_id: creatorId, id: crypto.randomUUID(), measures: 'au' })
      .execute();
    expect(await given('Cake\n2 eggs\n1 cup flour')).toMatchObject({ language: 'en', measures: 'au' });
    expect(await given(german)).toMatchObject({ measures: 'metric' });
  });

  test.each([[''], ['I love cake.'], ['\0\ud800'], ['🍋'.repeat(5000)]])(
    'without ingredients is nothing: %j',
    async (text) => {
      expect((await read({ text })).body).toMatchObject({ kind: 'failed', because: 'nothing' });
    },
  );

  test('of 20,001 letters is too long, and the field says so', async () => {
    expect(await read({ text: 'x'.repeat(20_001) })).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'text' }] },
    });
  });
});

describe('a post', () => {
  test('is read by its caption', async () => {
    const connectionId = await insertConnection(app.db, creatorId);
    const caption = 'Lemon cake\n2 eggs\n100 g flour\nComment CAKE for the recipe';
    const postId = await insertPost(app.db, creatorId, connectionId, { caption });
    expect((await read({ postId })).body.reading).toMatchObject({ name: 'Lemon cake', foundBy: 'post', groups: FLAT });
    const own = creatorId;
    anna = await app.signUpAndIn();
    creatorId = (await anna.createCreator()).id;
    expect(await read({ postId })).toMatchObject({ status: 404 });
    creatorId = own;
    expect(await read({ postId })).toMatchObject({ status: 404 });
  });

  test('that is not there is not found', async () => {
    expect(await read({ postId: '17900000000000001' })).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });
});

test.each([
  [{}],
  [{ url: 'https://blog.test/', text: '2 eggs' }],
  [{ text: '2 eggs', postId: '1' }],
  [{ choice: 'Cake' }],
])('one of the three is wanted: %j', async (body) =>
  expect(await read(body)).toMatchObject({ status: 422, body: { code: 'invalid_input' } }),
);

test('an address of 2,001 letters is refused at its field', async () => {
  const url = `https://blog.test/${'x'.repeat(2000)}`;
  expect(await read({ url })).toMatchObject({ status: 422, body: { errors: [{ path: 'url' }] } });
});

test('sixty an hour are read', async () => {
  const { most } = QUOTAS.recipe_readings;
  for (let count = 0; count < most; count++) expect((await read({ text: '2 eggs' })).status).toBe(200);
  expect(await read({ text: '2 eggs' })).toMatchObject({ status: 409, body: { code: 'quota_reached' } });
});

test('a host is asked once a second while somebody waits', async () => {
  const slept: number[] = [];
  app.clock.sleep = async (ms) => void slept.push(ms);
  await app.db.engine.deleteFrom('link_hosts').execute();
  answers['/cake/'] = send(page(script(CAKE)));
  for (let visit = 0; visit < 3; visit++) await readAt('/cake/');
  expect(slept).toEqual([1000, 2000]);
  app.clock.sleep = async () => {};
});

test('the demo blog’s recipes are read, although they are on this machine', async () => {
  isOpen = false;
  const { reading } = (await read({ url: `${blog.url}/shakshuka/` })).body;
  expect(reading).toMatchObject({ foundBy: 'json_ld', url: `${blog.url}/shakshuka/` });
  expect(reading.name).toMatch(/shakshuka/i);
  expect(reading.groups.flatMap(({ lines }: { lines: unknown[] }) => lines).length).toBeGreaterThan(4);
});

test('nobody but the team reads with this creator', async () => {
  const request = { params: { creatorId }, body: { text: '2 eggs' } };
  expect(await app.visitor().call(readRecipe, request)).toMatchObject({ status: 401 });
  expect(await (await app.signUpAndIn()).call(readRecipe, request)).toMatchObject({ status: 404 });
});
