import { afterAll, beforeAll, expect, test } from 'vitest';
import { getFormFigures, listForms } from '#contract/forms.ts';
import { submitForms } from '#contract/plugin.ts';
import { applyNewsletterAct } from '#server/features/contacts/address-contacts.ts';
import { registerBlog } from '#server/testing/endpoint-walk.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';

const DAY_MS = 86_400_000;

let app: TestApp;
let anna: Person;
let creatorId: string;
let key: string;
let form: (kind: string) => string;
beforeAll(async () => {
  app = await createTestApp();
  anna = await app.signUpAndIn();
  creatorId = (await anna.createCreator()).id;
  ({ key } = await registerBlog(app, anna, creatorId));
  const { items } = (await anna.call(listForms, { params: { creatorId } })).body;
  form = (kind) => items.find((one: { kind: string }) => one.kind === kind).key;
});
afterAll(() => app?.close());

const press = (
  email: string,
  page: string,
  { kind = 'save', newsletter = false, host = `blog-of-${creatorId}` } = {},
) =>
  app.visitor().send({
    method: 'POST',
    url: `/api/v1${submitForms.path}`,
    headers: { authorization: `Bearer ${key}` },
    body: {
      submissions: [
        {
          ...{ attempt: crypto.randomUUID(), formKey: form(kind), formVersion: 1, email, firstName: null, newsletter },
          ...{ language: 'en', submittedAt: app.clock.now().toISOString(), network: null },
          page: { url: `https://${host}.example.test/${page}`, title: `The ${page}`, pictureUrl: null, recipe: null },
        },
      ],
    },
  });
const figures = async () => (await anna.call(getFormFigures, { params: { creatorId } })).body;

test('nothing yet', async () => {
  expect(await figures()).toEqual({ saves: 0, readers: 0, subscribers: 0, mostSaved: [] });
});

test('counts the last 28 days: people once, and who is on the newsletter now', async () => {
  await press('early@example.test', 'soup');
  app.clock.advance(29 * DAY_MS);
  await press('rosa@example.test', 'cake', { newsletter: true });
  await press('rosa@example.test', 'soup');
  await press('sam@example.test', 'cake', { newsletter: true });
  await press('sam@example.test', 'cake?utm_source=x');
  await press('test@example.test', 'pie', { host: 'a-copy' });
  await press('tom@example.test', 'home', { kind: 'signup', newsletter: true });
  const { rows } = await app.db.enginePool.query(
    `select id from contacts where creator_id = $1 and email = any ('{rosa@example.test,tom@example.test}')`,
    [creatorId],
  );
  for (const { id: contactId } of rows) {
    await app.db.withCreator(creatorId, (trx) =>
      applyNewsletterAct(trx, app.deps, { creatorId, contactId, act: 'taps', at: app.clock.now(), how: 'press' }),
    );
  }
  expect(await figures()).toMatchObject({
    ...{ saves: 4, readers: 2, subscribers: 2 },
    mostSaved: [
      { title: 'The cake', readers: 2 },
      { title: 'The soup', readers: 1 },
    ],
  });
});
