import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Blog, startBlog } from './blog.ts';

const KEY = 'chq_good';
const FORM = { key: 'k'.repeat(22), kind: 'save', version: 3, name: 'Save' };
const HTML = `<form action="%%chq-action%%" method="post"><input name="form" value="${FORM.key}">
<input name="post" value="%%chq-post%%"><input name="recipe" value="%%chq-recipe%%"><input name="stamp" value="%%chq-stamp%%">
<input name="attempt" value="%%chq-attempt%%"></form>`;

type Body = { submissions: { attempt: string; [fact: string]: unknown }[] };
let received: Body[];
let isAway: boolean;
let hub: Server;
let blog: Blog;
beforeEach(async () => {
  received = [];
  isAway = false;
  hub = createServer(async (request, response) => {
    let text = '';
    for await (const part of request.setEncoding('utf8')) text += part;
    if (isAway) return void request.socket.destroy();
    if (request.headers.authorization !== `Bearer ${KEY}`) return void response.writeHead(401).end();
    const body = JSON.parse(text) as Body;
    if (request.url === '/api/v1/plugin/submissions') received.push(body);
    const results = body.submissions?.map(({ attempt }) => ({ attempt, result: 'on_its_way', message: null }));
    response.end(JSON.stringify({ forms: [{ ...FORM, languages: [{ language: 'en', html: HTML }] }], results }));
  });
  await new Promise<void>((resolve) => hub.listen(0, '127.0.0.1', resolve));
  blog = await startBlog({ hubUrl: `http://127.0.0.1:${(hub.address() as AddressInfo).port}` });
});
afterEach(async () => {
  await blog.close();
  await new Promise((resolve) => hub.close(resolve));
});

const pageOf = async (path: string) => (await fetch(blog.url + path)).text();
const fieldsOf = (html: string) =>
  Object.fromEntries([...html.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]));
async function save(fields: Record<string, string>): Promise<{ status: number; text: string }> {
  const answer = await fetch(`${blog.url}/save`, { method: 'POST', body: new URLSearchParams(fields) });
  return { status: answer.status, text: await answer.text() };
}

test('twelve recipes have a page with a picture and facts that programs read', async () => {
  const home = await pageOf('/');
  const paths = [...home.matchAll(/href="(\/[a-z-]+\/)"/g)].map(([, path]) => path!);
  expect(new Set(paths).size).toBe(12);
  for (const path of paths) {
    const html = await pageOf(path);
    const data = JSON.parse(/<script type="application\/ld\+json">(.+)<\/script>/.exec(html)![1]!);
    expect(data).toMatchObject({ '@type': 'Recipe', recipeIngredient: expect.arrayContaining([expect.any(String)]) });
    const picture = await fetch(data.image[0]);
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
    expect(html).not.toContain('<form');
  }
});

test('a form comes with the key, and what a reader types reaches the hub with the facts of the page', async () => {
  expect(await blog.connect('chq_wrong')).toBe(false);
  expect(await blog.connect(KEY)).toBe(true);
  const fields = fieldsOf(await pageOf('/shakshuka/'));
  expect(await save({ ...fields, email: 'reader@example.test', newsletter: '1' })).toMatchObject({ status: 200 });
  expect(received).toEqual([
    {
      submissions: [
        expect.objectContaining({
          attempt: fields.attempt,
          formKey: FORM.key,
          formVersion: 3,
          email: 'reader@example.test',
          newsletter: true,
          page: expect.objectContaining({ url: `${blog.url}/shakshuka/`, title: 'Sunday Shakshuka' }),
        }),
      ],
    },
  ]);
});

test('the hub is told that nothing is locked', async () => {
  const response = await fetch(`${blog.url}/?rest_route=/creator-hq/v1/hub`, { method: 'POST', body: '{}' });
  const time = expect.any(Number);
  expect(await response.json()).toMatchObject({
    plugin: 'creator-hq',
    time,
    post: null,
    items: [],
    posts: { locked: 0 },
  });
});

test('while the hub is away saves wait, and go with the next one', async () => {
  await blog.connect(KEY);
  const page = await pageOf('/focaccia/');
  isAway = true;
  expect((await save({ ...fieldsOf(page), email: 'one@example.test' })).text).toContain('as soon as we can send');
  isAway = false;
  await save({ ...fieldsOf(await pageOf('/focaccia/')), email: 'two@example.test' });
  expect(received.flatMap(({ submissions }) => submissions.map(({ email }) => email))).toEqual([
    'one@example.test',
    'two@example.test',
  ]);
});

test('a forged stamp, another post and a program that fills in everything send nothing', async () => {
  await blog.connect(KEY);
  const fields = { ...fieldsOf(await pageOf('/focaccia/')), email: 'a@example.test' };
  expect((await save({ ...fields, stamp: `${Date.now()}.${'x'.repeat(43)}` })).status).toBe(400);
  expect((await save({ ...fields, post: 'shakshuka' })).status).toBe(400);
  expect((await save({ ...fields, website: 'https://spam.example' })).status).toBe(200);
  expect(received).toEqual([]);
});
