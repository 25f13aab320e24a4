/** The page on which readers find again what they saved and asked for, from the link of any mail. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { eraseContact, joinContacts, unsubscribeContact } from '#contract/contacts.ts';
import { listForms } from '#contract/forms.ts';
import { submitForms } from '#contract/plugin.ts';
import { createRecipe, updateRecipe } from '#contract/recipes.ts';
import { registerBlog } from '#server/testing/endpoint-walk.ts';
import { createFollowers, type Followers } from '#server/testing/followers.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';
import { sendDue } from './testing/asked-reader.ts';

const MINUTE_MS = 60_000;
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const ANA = 'ana@example.test';

let app: TestApp;
let followers: Followers;
let anna: Person;
let creatorId: string;
let key: string;
let formKey: string;
beforeAll(async () => {
  app = await createTestApp();
  followers = await createFollowers(app);
  anna = await app.signUpAndIn();
});
afterAll(async () => {
  await followers?.close();
  await app?.close();
});
beforeEach(async () => {
  creatorId = (await anna.createCreator()).id;
  ({ key } = await registerBlog(app, anna, creatorId));
  const { items } = (await anna.call(listForms, { params: { creatorId } })).body;
  formKey = items.find(({ kind }: { kind: string }) => kind === 'save').key;
});

type Saved = { email?: string; newsletter?: boolean; anchor?: string; pictureUrl?: string | null };
const pageUrl = (title: string) =>
  `https://blog-of-${creatorId}.example.test/${encodeURIComponent(title.toLowerCase())}/`;

async function save(
  title: string,
  { email = ANA, newsletter = false, anchor, pictureUrl = null }: Saved = {},
): Promise<void> {
  await app.clock.advance(MINUTE_MS);
  const recipe = { name: title, anchor: anchor ?? null, ingredients: ['1 egg'], totalMinutes: 10, yield: '2' };
  const submission = {
    ...{ attempt: crypto.randomUUID(), formKey, formVersion: 1, email, firstName: null, newsletter },
    ...{ language: 'en', submittedAt: app.clock.now().toISOString(), network: null },
    page: { url: pageUrl(title), title, pictureUrl, recipe },
  };
  const answer = await app.visitor().send({
    ...{ method: 'POST', url: `/api/v1${submitForms.path}`, headers: { authorization: `Bearer ${key}` } },
    body: { submissions: [submission] },
  });
  expect(answer.body.results).toMatchObject([{ result: newsletter ? 'please_confirm' : 'on_its_way' }]);
}

/** @returns the path of the cookbook's link in the mails that were waiting */
async function openMail(): Promise<string> {
  const { html, text } = (await sendDue(app)).at(-1)!;
  const link = /href="([^"]+\/e\/cookbook\/[^"]+)"[^>]*>Your cookbook</.exec(html)![1]!;
  expect(text).toContain(`Your cookbook:\n${link}`);
  return new URL(link).pathname;
}

const get = (url: string) => app.app.inject({ method: 'GET', url });
const entriesOf = (html: string) =>
  html.split('<li>').flatMap((entry) => {
    const [, title] = /<h2[^>]*><a [^>]*><bdi>([^<]*)</.exec(entry) ?? [];
    return title === undefined ? [] : [{ title, id: /name="entry" value="([^"]+)"/.exec(entry)![1]! }];
  });
const titles = (html: string) => entriesOf(html).map(({ title }) => title);
const list = async (url: string) => titles((await get(url)).body);

async function press(url: string, title: string, act: 'again' | 'out', times = 1) {
  const { id: entry } = entriesOf((await get(url)).body).find((one) => one.title === title)!;
  const send = () =>
    app.app.inject({ method: 'POST', url, headers: FORM, payload: new URLSearchParams({ act, entry }).toString() });
  const answers = await Promise.all(Array.from({ length: times }, send));
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(times).fill(200));
  return answers.map(({ body }) => body).join();
}

const contactOf = async (email: string): Promise<string> =>
  (
    await app.db.engine
      .selectFrom('contacts')
      .select('id')
      .where('creator_id', '=', creatorId)
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
  ).id;

/** Somebody of an account is this contact, and asks for these links in DMs: three in a message, as Instagram allows. */
async function sendInDm(contactId: string, links: { url: string; recipeId?: string }[]): Promise<void> {
  const account = await followers.connect(creatorId);
  for (let n = 0; n < links.length; n += 3) {
    const buttons = links.slice(n, n + 3).map((link) => ({ title: 'Recipe', ...link }));
    await followers.automation(anna, account, { words: [`links${n}`], buttons });
    const { personId } = await followers.ask(account, { text: `links${n}`, person: 0 });
    await app.db.engine.updateTable('people').set({ contact_id: contactId }).where('id', '=', personId).execute();
  }
}

const addRecipe = async (name: string, url: string) =>
  (
    await anna.call(createRecipe, {
      params: { creatorId },
      body: { name, url, pictureUrl: 'https://pictures.example.test/dm.jpg', keywordIdeas: [], messageText: '' },
    })
  ).body;

test('shows what they saved, newest first, each with its picture and its place on the blog', async () => {
  await save('Pasta', { pictureUrl: 'https://pictures.example.test/pasta.jpg', anchor: 'recipe-7' });
  await save('<b>Soup');
  await save('Bread', { email: 'other@example.test' });
  await save('Pasta', { pictureUrl: 'https://pictures.example.test/pasta.jpg', anchor: 'recipe-7' });
  const url = await openMail();
  const { statusCode, body, headers } = await get(url);
  expect(statusCode).toBe(200);
  expect(titles(body)).toEqual(['Pasta', '&lt;b&gt;Soup']);
  expect(body).toContain(`href="${pageUrl('Pasta')}#recipe-7"`);
  expect(body).toContain('<img src="https://pictures.example.test/pasta.jpg" alt=""');
  expect(body).not.toContain('<script');
  expect(headers).toMatchObject({
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex',
    'content-security-policy': expect.stringContaining("default-src 'none'"),
  });
  expect(headers['content-security-policy']).toContain('img-src https:');
  expect(headers['set-cookie']).toBeUndefined();
});

test('shows what they asked for in DMs, once, where its page is now; other links are no recipes', async () => {
  await save('Pasta', { anchor: 'recipe-7' });
  const url = await openMail();
  const tacos = await addRecipe('Tacos', 'https://anna.example/tacos');
  const pasta = await addRecipe('Pasta of the reel', pageUrl('Pasta'));
  await addRecipe('Curry', 'https://anna.example/curry');
  await sendInDm(await contactOf(ANA), [
    { url: tacos.url, recipeId: tacos.id },
    { url: pasta.url, recipeId: pasta.id },
    { url: 'https://www.anna.example/curry/?utm_source=ig' },
    { url: 'https://shop.example.test/pan' },
  ]);
  expect((await list(url)).toSorted()).toEqual(['Curry', 'Pasta', 'Tacos']);
  const { version, name, pictureUrl, keywordIdeas, messageText } = tacos;
  const moved = { version, name, pictureUrl, keywordIdeas, messageText, url: 'https://anna.example/best-tacos' };
  await anna.call(updateRecipe, { params: { creatorId, recipeId: tacos.id }, body: moved });
  const { body } = await get(url);
  expect(body).toContain('href="https://anna.example/best-tacos"');
  expect(body).toContain('https://pictures.example.test/dm.jpg');
  await press(url, 'Tacos', 'again');
  expect(await sendDue(app)).toMatchObject([{ subject: 'Tacos', recipient: ANA }]);
});

test('sends one again, once however often it is pressed, and many as one mail an hour later', async () => {
  await save('Pasta');
  const url = await openMail();
  await app.clock.advance(MINUTE_MS);
  expect(await press(url, 'Pasta', 'again', 3)).toContain('on its way');
  expect((await sendDue(app)).map(({ subject, html }) => [subject, html.includes('1 egg')])).toEqual([['Pasta', true]]);
  expect(await press(url, 'Pasta', 'again')).toContain('Look in your inbox');
  expect(await sendDue(app)).toEqual([]);

  for (let n = 1; n <= 8; n++) await save(`Soup ${n}`);
  await sendDue(app);
  const later = await press(url, 'Soup 1', 'again');
  expect(later).toContain('within an hour');
  await press(url, 'Soup 2', 'again');
  await press(url, 'Soup 2', 'again');
  expect(await sendDue(app)).toEqual([]);
  await app.clock.advance(60 * MINUTE_MS);
  const [mail, ...more] = await sendDue(app);
  expect(more).toEqual([]);
  expect(mail!.subject).toBe('Soup 1');
  expect(mail!.html.match(/Soup 2/g)).toHaveLength(1);
});

test('what was taken out stays away until it is saved again; the creator’s figures stay', async () => {
  await save('Pasta');
  await save('Soup');
  const url = await openMail();
  expect(await press(url, 'Pasta', 'out', 2)).toContain('is out of your cookbook');
  expect(await list(url)).toEqual(['Soup']);
  expect((await press(url, 'Soup', 'out')).match(/cookbook is empty/g)).toHaveLength(1);
  const saves = await app.db.engine
    .selectFrom('saved_recipes')
    .select(['title', 'times'])
    .where('creator_id', '=', creatorId)
    .orderBy('title')
    .execute();
  expect(saves).toEqual([
    { title: 'Pasta', times: 1 },
    { title: 'Soup', times: 1 },
  ]);
  await save('Pasta');
  expect(await list(url)).toEqual(['Pasta']);
});

test('belongs to one reader of one creator: other tokens and other entries open nothing', async () => {
  await save('Pasta');
  const url = await openMail();
  const entry = /name="entry" value="([^"]+)"/.exec((await get(url)).body)![1]!;
  const [ids, elsewhere] = [creatorId, (await anna.createCreator()).id];
  await save('Secret', { email: 'other@example.test' });
  const others = await openMail();
  const post = (path: string, act: string) =>
    app.app.inject({ method: 'POST', url: path, headers: FORM, payload: `act=${act}&entry=${entry}` });
  for (const act of ['again', 'out']) expect((await post(others, act)).statusCode).toBe(200);
  expect(await sendDue(app)).toEqual([]);
  expect(await list(url)).toEqual(['Pasta']);
  expect(await list(others)).toEqual(['Secret']);

  const token = url.split('/').at(-1)!;
  const bytes = Buffer.from(token, 'base64url');
  Buffer.from(elsewhere.replaceAll('-', ''), 'hex').copy(bytes);
  const planted = Buffer.concat([Buffer.from(token, 'base64url').subarray(0, 32), Buffer.alloc(32)]);
  for (const wrong of [bytes.toString('base64url'), planted.toString('base64url'), `${token.slice(0, -2)}xx`, ids]) {
    const path = `/e/cookbook/${wrong}`;
    expect((await get(path)).statusCode).toBe(404);
    expect((await post(path, 'out')).statusCode).toBe(404);
  }
  // The link of one purpose is not that of another.
  expect((await get(url.replace('cookbook', 'unsubscribe'))).statusCode).toBe(404);
  for (const payload of ['', 'act=eat', `act=out&entry=${'x'.repeat(5000)}`, 'entry=%00']) {
    expect((await app.app.inject({ method: 'POST', url, headers: FORM, payload })).statusCode).toBe(200);
  }
  expect(await list(url)).toEqual(['Pasta']);
});

test('of several addresses of one person it is the same', async () => {
  await save('Pasta');
  const url = await openMail();
  await save('Soup', { email: 'ana@work.example.test' });
  const atWork = await openMail();
  await anna.call(joinContacts, {
    params: { creatorId, contactId: await contactOf(ANA) },
    body: { with: await contactOf('ana@work.example.test') },
  });
  expect(await list(url)).toEqual(['Soup', 'Pasta']);
  await press(atWork, 'Pasta', 'out');
  expect(await list(url)).toEqual(['Soup']);
});

test('is there for who unsubscribed; empty for who was erased; and sends nothing to an address that is shut', async () => {
  await save('Pasta', { newsletter: true });
  const url = await openMail();
  await anna.call(unsubscribeContact, { params: { creatorId, contactId: await contactOf(ANA) } });
  expect(await list(url)).toEqual(['Pasta']);
  await app.clock.advance(MINUTE_MS);
  await press(url, 'Pasta', 'again');
  expect(await sendDue(app)).toMatchObject([{ subject: 'Pasta' }]);

  const notMe = /href="([^"]+\/e\/not-me\/[^"]+)"/;
  await app.clock.advance(MINUTE_MS);
  await save('Soup');
  const { html } = (await sendDue(app))[0]!;
  await app.app.inject({ method: 'POST', url: new URL(notMe.exec(html)![1]!).pathname, headers: FORM, payload: '' });
  expect((await get(url)).body).not.toContain('Send it again');

  await anna.call(eraseContact, { params: { creatorId, contactId: await contactOf(ANA) } });
  const { statusCode, body } = await get(url);
  expect(statusCode).toBe(200);
  expect(body).toContain('cookbook is empty');
  expect((await app.app.inject({ method: 'POST', url, headers: FORM, payload: 'act=out&entry=x' })).statusCode).toBe(
    200,
  );
});
