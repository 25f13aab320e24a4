import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { archiveForm, createForm, listForms } from '#contract/forms.ts';
import { MADE_FORMS } from '#contract/made-forms.ts';
import { addEndpoint } from '#contract/outgoing-webhooks.ts';
import { type Submission, submitForms, syncBlogPosts } from '#contract/plugin.ts';
import { QUOTAS } from '#contract/quotas.ts';
import { listTags, type Tag } from '#contract/tags.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import { applyNewsletterAct } from '#server/features/contacts/address-contacts.ts';
import { registerBlog } from '#server/testing/endpoint-walk.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';
import { submitAll } from './submissions.ts';

const HOUR_MS = 3_600_000;
const NO_ATTEMPT = '00000000-0000-4000-8000-000000000000';

let app: TestApp;
let anna: Person;
let creatorId: string;
let key: string;
let forms: Record<string, { id: string; key: string }>;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app?.close());
beforeEach(async () => {
  anna = await app.signUpAndIn();
  creatorId = (await anna.createCreator()).id;
  ({ key } = await registerBlog(app, anna, creatorId));
  const { items } = (await anna.call(listForms, { params: { creatorId } })).body;
  forms = Object.fromEntries(items.map((form: { name: string }) => [form.name, form]));
});

let pages = 0;
const entry = (changed: object = {}): Submission => {
  const url = `https://blog-of-${creatorId}.example.test/recipe-${++pages}`;
  return {
    attempt: crypto.randomUUID(),
    formKey: forms['Save this recipe']!.key,
    formVersion: 1,
    email: 'Reader@Example.test',
    firstName: 'Rosa',
    newsletter: false,
    language: 'en-US',
    submittedAt: app.clock.now().toISOString(),
    network: null,
    page: {
      url,
      title: 'Lemon pasta',
      pictureUrl: 'https://pictures.example.test/pasta.jpg',
      recipe: { name: 'Lemon pasta', anchor: 'recipe-1', ingredients: ['1 lemon'], totalMinutes: 20, yield: '2' },
    },
    ...changed,
  };
};
const send = (submissions: unknown) =>
  app.visitor().send({
    method: 'POST',
    url: `/api/v1${submitForms.path}`,
    headers: { authorization: `Bearer ${key}` },
    body: { submissions },
  });
const resultOf = async (one: unknown) => (await send([one])).body.results[0];
const rows = async (
  table: 'submissions' | 'contacts' | 'saved_recipes' | 'reader_mails' | 'consents' | 'outgoing_events',
) => (await app.db.enginePool.query(`select * from ${table} where creator_id = $1`, [creatorId])).rows;
const suppress = async (reason: string) => {
  const { rows: made } = await app.db.enginePool.query(
    `update suppressions set reason = $2 where creator_id = $1 returning 1`,
    [creatorId, reason],
  );
  expect(made).toHaveLength(1);
};

describe('a save', () => {
  test('writes submission, contact, ledger, saved recipe, mail and what other tools hear, all at once', async () => {
    const body = { url: 'https://tool.example.test/', types: ['contact' as const] };
    await anna.call(addEndpoint, { params: { creatorId }, body });
    const one = entry();
    expect(await resultOf(one)).toEqual({ attempt: one.attempt, result: 'on_its_way', code: null, message: null });
    const [contact] = await rows('contacts');
    expect(contact).toMatchObject({
      email_key: 'reader@example.test',
      name: 'Rosa',
      newsletter: 'none',
      saved_count: 1,
    });
    expect(await rows('submissions')).toMatchObject([
      { attempt: one.attempt, contact_id: contact.id, result: 'on_its_way', is_test: false },
    ]);
    expect(await rows('saved_recipes')).toMatchObject([{ contact_id: contact.id, title: 'Lemon pasta', times: 1 }]);
    expect(await rows('consents')).toMatchObject([{ purpose: 'save', act: 'given', page_url: one.page.url }]);
    expect(await rows('reader_mails')).toMatchObject([{ kind: 'save', about: one.page, question: null }]);
    expect((await rows('outgoing_events')).map(({ data }) => data)).toMatchObject([
      { change: 'saved', email: 'Reader@example.test', contactId: contact.id, url: one.page.url },
    ]);
  });

  test('with the box ticked asks in the same mail, in the words of the version on the page', async () => {
    expect(await resultOf(entry({ newsletter: true }))).toMatchObject({ result: 'please_confirm' });
    expect(await rows('reader_mails')).toMatchObject([{ kind: 'save', question: 'Yes, send me new recipes too' }]);
    expect(await rows('contacts')).toMatchObject([{ newsletter: 'unconfirmed' }]);
    expect((await rows('consents')).map(({ purpose, how, wording }) => [purpose, how, wording])).toEqual(
      expect.arrayContaining([['newsletter', 'box', 'Yes, send me new recipes too']]),
    );
  });

  test('notes the yes to the ad network as an act of its own, and only where the form asks for it', async () => {
    const design = { ...MADE_FORMS[0]!.design, ads: true };
    const body = { kind: 'save' as const, name: 'Ads', design };
    const form = (await anna.call(createForm, { params: { creatorId }, body })).body;
    const ads = async () => (await rows('consents')).filter(({ purpose }) => purpose === 'ads');
    await resultOf(entry({ ads: true }));
    await resultOf(entry({ formKey: form.key }));
    expect(await ads()).toEqual([]);
    await resultOf(entry({ formKey: form.key, ads: true }));
    expect(await ads()).toMatchObject([{ act: 'given', how: 'box', wording: 'Let my ad partner recognize me' }]);
    expect((await rows('consents')).some(({ purpose }) => purpose === 'newsletter')).toBe(false);
  });

  test('of the same attempt counts once, in one batch, again and at the same moment', async () => {
    const one = entry();
    const { body } = await send([one, one]);
    expect(body.results[1]).toEqual(body.results[0]);
    const answers = await Promise.all(Array.from({ length: 5 }, () => resultOf(one)));
    for (const answer of answers) expect(answer).toEqual(body.results[0]);
    const other = entry();
    const both = await Promise.all(Array.from({ length: 5 }, () => resultOf(other)));
    for (const answer of both) expect(answer).toMatchObject({ result: 'on_its_way' });
    expect(await rows('submissions')).toHaveLength(2);
    expect(await rows('reader_mails')).toHaveLength(2);
  });

  test('of the same page is one saved recipe, and not mailed again within a minute', async () => {
    const one = entry();
    await resultOf(one);
    const page = { ...one.page, url: `${one.page.url}/?utm_source=pin#recipe` };
    expect(await resultOf(entry({ page }))).toMatchObject({ result: 'already_sent' });
    await app.clock.advance(61_000);
    expect(await resultOf(entry({ page }))).toMatchObject({ result: 'on_its_way' });
    expect(await rows('saved_recipes')).toMatchObject([{ times: 3 }]);
    expect(await rows('contacts')).toMatchObject([{ saved_count: 1 }]);
    expect(await rows('reader_mails')).toHaveLength(2);
  });

  test('of another card on the same page is a recipe and a mail of its own', async () => {
    const one = entry();
    await resultOf(one);
    const page = { ...one.page, recipe: { ...one.page.recipe, name: 'Lemon cake', anchor: 'recipe-2' } };
    expect(await resultOf(entry({ page }))).toMatchObject({ result: 'on_its_way' });
    expect(await rows('saved_recipes')).toHaveLength(2);
    expect(await rows('reader_mails')).toHaveLength(2);
  });

  test('from a copy of the site mails the team alone, and is kept as a test', async () => {
    const page = { ...entry().page, url: 'https://staging.example.test/pasta' };
    expect(await resultOf(entry({ page }))).toMatchObject({
      result: 'on_its_way',
      message: expect.stringContaining('copy'),
    });
    expect(await rows('submissions')).toMatchObject([{ is_test: true, contact_id: null }]);
    expect([...(await rows('contacts')), ...(await rows('reader_mails')), ...(await rows('saved_recipes'))]).toEqual(
      [],
    );
    const stranger = await app.signUpAndIn();
    for (const email of [stranger.email, anna.email.toUpperCase()])
      expect(await resultOf(entry({ page, email }))).toMatchObject({ message: expect.stringContaining('copy') });
    expect(await rows('reader_mails')).toHaveLength(1);
    expect(await rows('contacts')).toMatchObject([{ email_key: anna.email }]);
    expect(await rows('submissions')).toMatchObject([{ is_test: true }, { is_test: true }, { is_test: true }]);
  });
});

test('a sign-up gets a mail that asks, once a day at most, and the same answer always', async () => {
  const formKey = forms.Newsletter!.key;
  expect(await resultOf(entry({ formKey }))).toMatchObject({ result: 'please_confirm' });
  expect(await resultOf(entry({ formKey }))).toMatchObject({ result: 'please_confirm' });
  await app.db.enginePool.query(`update contacts set newsletter = 'confirmed' where creator_id = $1`, [creatorId]);
  expect(await resultOf(entry({ formKey }))).toMatchObject({ result: 'please_confirm' });
  expect(await rows('reader_mails')).toMatchObject([{ kind: 'confirmation', question: 'Yes, send me new recipes' }]);
  expect(await rows('saved_recipes')).toEqual([]);
});

describe('a form that gives tags', () => {
  const tags = async () =>
    (await anna.call(listTags, { params: { creatorId } })).body.items.map(
      ({ name, count }: Tag) => `${name}: ${count}`,
    );
  const make = async (over: object, kind: 'save' | 'signup' = 'save') => {
    const body = { kind, name: 'With tags', design: { ...MADE_FORMS[0]!.design, ...over } };
    return (await anna.call(createForm, { params: { creatorId }, body })).body.key;
  };
  const tellPost = (url: string, categories: object[]) =>
    app.visitor().send({
      method: 'POST',
      url: `/api/v1${syncBlogPosts.path}`,
      headers: { authorization: `Bearer ${key}` },
      body: {
        ...{ siteUrl: new URL('/', url).href, waiting: 0 },
        posts: [
          {
            ...{ id: 1, url, title: 'Pasta', pictureUrl: null, recipe: null, categories },
            ...{ publishedAt: '2026-01-02T03:04:05Z', changedAt: '2026-01-02T03:04:05Z' },
          },
        ],
      },
    });

  test('gives its own and the categories of the post, which are renamed with the blog', async () => {
    const one = entry({ formKey: await make({ tags: ['Blog', 'blog', 'Summer 2026'], categoryTags: true }) });
    const categories = [
      { id: 3, name: 'Pasta' },
      { id: 4, name: 'x'.repeat(90) },
    ];
    expect(await tellPost(one.page.url, categories)).toMatchObject({ status: 200 });
    await resultOf(one);
    await resultOf({ ...one, attempt: crypto.randomUUID() });
    await resultOf(entry({ formKey: one.formKey, email: 'other@example.test' }));
    const long = `Category: ${'x'.repeat(50)}: 1`;
    expect(await tags()).toEqual(['Blog: 2', 'Category: Pasta: 1', long, 'Summer 2026: 2']);
    await tellPost(one.page.url, [{ id: 3, name: 'Noodles' }, categories[1]!]);
    await resultOf({ ...one, attempt: crypto.randomUUID() });
    expect(await tags()).toEqual(['Blog: 2', 'Category: Noodles: 1', long, 'Summer 2026: 2']);
  });

  test('gives none to who complained, and takes the save where there is no room for another tag', async () => {
    const formKey = await make({ tags: ['Blog'] });
    await app.db.enginePool.query(
      `insert into tags (creator_id, id, name, created_at)
       select $1, gen_random_uuid(), 'tag ' || n, now() from generate_series(1, $2) as n`,
      [creatorId, QUOTAS.tags.most],
    );
    expect(await resultOf(entry({ formKey }))).toMatchObject({ result: 'on_its_way' });
    expect(await tags()).not.toContain('Blog: 1');
    await app.db.enginePool.query(`update tags set name = 'Blog' where creator_id = $1 and name = 'tag 1'`, [
      creatorId,
    ]);
    await resultOf(entry({ formKey, email: 'second@example.test' }));
    expect(await tags()).toContain('Blog: 1');
    const [{ id: contactId }] = (await rows('contacts')).filter(({ email_key: one }) => one.startsWith('reader@'));
    await app.db.withCreator(creatorId, (trx) =>
      applyNewsletterAct(trx, app.deps, { creatorId, contactId, act: 'complains', at: app.clock.now(), how: null }),
    );
    await resultOf(entry({ formKey }));
    expect(await tags()).toContain('Blog: 1');
  });
});

describe('a form that does not confirm', () => {
  const make = async (kind: 'save' | 'signup') => {
    const made = MADE_FORMS.find((form) => form.kind === kind)!;
    const body = { kind, name: 'No mail', design: { ...made.design, confirm: 'none' as const } };
    return (await anna.call(createForm, { params: { creatorId }, body })).body.key as string;
  };

  test('signs up at once whom nobody knew, and the ledger says that nobody was asked', async () => {
    const formKey = await make('signup');
    expect(await resultOf(entry({ formKey }))).toMatchObject({ result: 'on_its_way' });
    expect(await rows('contacts')).toMatchObject([{ newsletter: 'confirmed' }]);
    expect(await rows('reader_mails')).toEqual([]);
    expect((await rows('consents')).map(({ act, how, place }) => [act, how, place]).toSorted()).toEqual([
      ['confirmed', 'not_asked', 'blog'],
      ['given', 'button', 'blog'],
    ]);
  });

  test('sends a save without the question, and without the box nobody is signed up', async () => {
    const formKey = await make('save');
    expect(await resultOf(entry({ formKey }))).toMatchObject({ result: 'on_its_way' });
    expect(await rows('contacts')).toMatchObject([{ newsletter: 'none' }]);
    expect(await resultOf(entry({ formKey, newsletter: true }))).toMatchObject({ result: 'on_its_way' });
    expect(await rows('contacts')).toMatchObject([{ newsletter: 'confirmed' }]);
    expect((await rows('reader_mails')).map(({ question }) => question)).toEqual([null, null]);
  });

  test.each(['unsubscribes', 'bounces', 'complains', 'not_me'] as const)(
    'never signs up whose address %s before: anybody may have typed it',
    async (act) => {
      const formKey = await make('signup');
      await resultOf(entry());
      const [{ id: contactId }] = await rows('contacts');
      await app.db.withCreator(creatorId, async (trx) => {
        const facts = { creatorId, contactId, at: app.clock.now(), how: null };
        if (act === 'unsubscribes') await applyNewsletterAct(trx, app.deps, { ...facts, act: 'told_confirmed' });
        await applyNewsletterAct(trx, app.deps, { ...facts, act });
      });
      expect(await resultOf(entry({ formKey }))).toMatchObject({ result: 'on_its_way' });
      expect((await rows('contacts'))[0].newsletter).not.toBe('confirmed');
      const asked = (await rows('reader_mails')).filter(({ kind }) => kind === 'confirmation');
      expect(asked).toHaveLength(act === 'unsubscribes' || act === 'bounces' ? 1 : 0);
    },
  );
});

test.each(['not_me', 'complained'])(
  'an address that is suppressed (%s) gets no mail, and the same answers',
  async (reason) => {
    const email = `${reason.replace('_', '.')}@example.test`;
    await resultOf(entry({ email }));
    const [contact] = await rows('contacts');
    await app.db.withCreator(creatorId, (trx) =>
      applyNewsletterAct(trx, app.deps, {
        creatorId,
        contactId: contact.id,
        act: 'complains',
        at: app.clock.now(),
        how: null,
      }),
    );
    await suppress(reason);
    const before = [await rows('reader_mails'), await rows('saved_recipes')];
    const answers = async (address: string) => {
      const results = [];
      for (const newsletter of [false, true]) results.push(await resultOf(entry({ email: address, newsletter })));
      return results.map(({ attempt: _, ...rest }) => rest);
    };
    const suppressed = await answers(email);
    expect([await rows('reader_mails'), await rows('saved_recipes')]).toEqual(before);
    expect(suppressed).toEqual(await answers('nobody.knows@example.test'));
  },
);

describe('limits', () => {
  test('30 submissions of one network in ten minutes, then it waits', async () => {
    const network = 'a-keyed-hash-of-it';
    const many = Array.from({ length: 31 }, (_, i) => entry({ network, email: `r${i}@example.test` }));
    const { results } = (await send(many)).body;
    expect(results.slice(0, 30).every(({ result }: { result: string }) => result === 'on_its_way')).toBe(true);
    expect(results[30]).toMatchObject({ result: 'refused', code: 'too_many_requests' });
    // Accepted submissions are still answered as before, and others are not held up.
    expect(await resultOf(many[0])).toEqual(results[0]);
    expect(await resultOf(entry({ network: 'another-network', email: 'x@example.test' }))).toMatchObject({
      result: 'on_its_way',
    });
    await app.clock.advance(10 * 60_000);
    expect(await resultOf(many[30])).toMatchObject({ result: 'on_its_way' });
  });

  test('10 mails an hour to an address that never confirmed; later ones follow, and nobody learns which it is', async () => {
    const email = 'much@example.test';
    const { results } = (await send(Array.from({ length: 12 }, () => entry({ email })))).body;
    expect(results.map(({ result }: { result: string }) => result)).toEqual([
      ...Array(10).fill('on_its_way'),
      'later',
      'later',
    ]);
    const due = (await rows('reader_mails')).map(({ due_at }) => due_at.getTime() - app.clock.now().getTime());
    expect(due.toSorted((a, b) => a - b)).toEqual([...Array(10).fill(0), HOUR_MS]);
    const [gathered] = (await rows('reader_mails')).filter(({ due_at }) => due_at > app.clock.now());
    expect(gathered.about.others).toEqual([{ url: expect.stringContaining('/recipe-'), title: 'Lemon pasta' }]);
    await app.db.enginePool.query(`update contacts set newsletter = 'confirmed' where creator_id = $1`, [creatorId]);
    expect(await resultOf(entry({ email }))).toMatchObject({ result: 'later' });
    const last = (await rows('reader_mails')).map(({ due_at }) => due_at.getTime() - app.clock.now().getTime());
    expect(last.filter((ms) => ms === 0)).toHaveLength(11);
  });
});

describe('an address that works only for a few minutes', () => {
  const email = 'rosa@inbox.mailinator.com';

  test('may save, and may not sign up unless the creator chose so; nothing is kept of who may not', async () => {
    expect(await resultOf(entry({ email }))).toMatchObject({ result: 'on_its_way' });
    const formKey = forms.Newsletter!.key;
    expect(await resultOf(entry({ email, formKey }))).toMatchObject({ result: 'refused', code: 'invalid_email' });
    expect(await rows('submissions')).toHaveLength(1);
    const made = MADE_FORMS.find(({ kind }) => kind === 'signup')!;
    const body = { kind: 'signup' as const, name: 'Open', design: { ...made.design, throwAway: true } };
    const { key: open } = (await anna.call(createForm, { params: { creatorId }, body })).body;
    expect(await resultOf(entry({ email, formKey: open }))).toMatchObject({ result: 'please_confirm' });
  });
});

test('what fails is not counted, and what is tried again counts once', async () => {
  const one = entry({ network: 'a-network-that-tries-again', email: 'again@example.test' });
  const counted = async () =>
    (
      await app.db.enginePool.query(
        `select coalesce(sum(count), 0)::int as sum from tries where key like 'submissions_by_%'`,
      )
    ).rows[0].sum;
  const before = await counted();
  const door = {
    creatorId,
    // The connection is lost just before the commit.
    inCreator: <T>(work: (trx: CreatorTransaction) => Promise<T>) =>
      app.db.withCreator(creatorId, async (trx) => {
        const done = await work(trx);
        if (done !== undefined) throw new Error('lost');
        return done;
      }),
    siteOf: async () => ({ id: null, is_live: true }),
  };
  for (let tries = 0; tries < 3; tries++) await expect(submitAll(app.deps, door, [one])).rejects.toThrow('lost');
  expect(await counted()).toBe(before);
  for (let tries = 0; tries < 3; tries++) expect(await resultOf(one)).toMatchObject({ result: 'on_its_way' });
  expect(await counted()).toBe(before + 2);
});

describe('bad input', () => {
  test.each([
    [
      'an address over 254 bytes',
      { email: `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(63)}.test` },
    ],
    ['an address without a dot', { email: 'reader@example' }],
    ['an address with two @', { email: 'a@b@example.test' }],
    ['an address with a control character', { email: 'a\u0007@example.test' }],
    ['a header in the address', { email: 'a@b.c\r\nBcc: victim@example.test' }],
    ['no address', { email: '' }],
  ])('%s is refused: invalid_email', async (_, spoilt) => {
    expect(await resultOf(entry(spoilt))).toMatchObject({ result: 'refused', code: 'invalid_email' });
    expect(await rows('submissions')).toEqual([]);
  });

  test.each([
    ['an array for a text', { email: ['a@example.test'] }],
    ['an attempt that is none', { attempt: 'again' }],
    ['a page that is none', { page: { url: 'javascript:alert(1)', title: '', pictureUrl: null, recipe: null } }],
    ['a network that is an address', { network: '192.0.2.1 ' }],
  ])('%s is refused by itself, and the others are taken', async (_, spoilt) => {
    const { body } = await send([entry(spoilt), { attempt: 7 }, entry()]);
    expect(body.results).toMatchObject([
      { result: 'refused', code: 'invalid_input' },
      { result: 'refused', code: 'invalid_input' },
      { result: 'on_its_way' },
    ]);
  });

  test('an unknown, a foreign and an archived form are gone', async () => {
    const formId = forms['Save bar']!.id;
    await anna.call(archiveForm, { params: { creatorId, formId } });
    const stranger = await app.signUpAndIn();
    const other = (await stranger.createCreator()).id;
    const foreign = (await stranger.call(listForms, { params: { creatorId: other } })).body.items[0].key;
    for (const formKey of ['0'.repeat(22), foreign, forms['Save bar']!.key]) {
      expect(await resultOf(entry({ formKey }))).toMatchObject({ result: 'refused', code: 'form_gone' });
    }
  });

  test('51 at once, and none, are refused as a whole', async () => {
    expect((await send(Array.from({ length: 51 }, () => entry()))).status).toBe(422);
    expect((await send([])).status).toBe(422);
    expect((await send('all')).status).toBe(422);
  });

  test('names are cut at a letter, without line breaks and signs that turn the writing around; <script> and emoji are text', async () => {
    const family = '👩‍👩‍👧';
    await resultOf(entry({ firstName: `A\r\nBcc: x \u202e${family.repeat(80)}` }));
    const [{ name }] = await rows('contacts');
    expect(name).toMatch(/^A Bcc: x /);
    expect(name).not.toMatch(/[\r\n\u202e]/);
    expect(name.endsWith(family)).toBe(true);
    const page = { ...entry().page, title: '<script>alert(1)</script> مرحبا 🍋\u0000' };
    expect(await resultOf(entry({ page, email: 'ü@müller.example' }))).toMatchObject({ result: 'on_its_way' });
    expect((await rows('saved_recipes')).map(({ title }) => title)).toContain('<script>alert(1)</script> مرحبا 🍋');
    expect((await rows('contacts')).map(({ email_key }) => email_key)).toContain('ü@xn--mller-kva.example');
  });

  test('what is longer than a page has is cut, and what comes from the future is from now', async () => {
    const one = entry({ submittedAt: '2099-01-01T00:00:00.000Z' });
    one.page.title = 'x'.repeat(5000);
    one.page.recipe!.ingredients = Array.from({ length: 300 }, () => 'y'.repeat(600));
    expect(await resultOf(one)).toMatchObject({ result: 'on_its_way' });
    const [{ about }] = await rows('reader_mails');
    expect([about.title.length, about.recipe.ingredients.length, about.recipe.ingredients[0].length]).toEqual([
      300, 200, 300,
    ]);
    expect((await rows('submissions'))[0].submitted_at).toEqual(app.clock.now());
  });
});

test('an attempt of another creator is one of its own', async () => {
  const one = entry({ attempt: NO_ATTEMPT });
  expect(await resultOf(one)).toMatchObject({ result: 'on_its_way' });
  expect(await rows('submissions')).toHaveLength(1);
});
