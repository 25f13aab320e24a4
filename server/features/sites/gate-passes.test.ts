/** What only subscribers read, from the hub's side: who still reads it, and links that open it. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createForm, listForms } from '#contract/forms.ts';
import { MADE_FORMS } from '#contract/made-forms.ts';
import { checkGatePasses, registerPlugin, submitForms } from '#contract/plugin.ts';
import { applyNewsletterAct } from '#server/features/contacts/address-contacts.ts';
import { readSentReaderMail } from '#server/features/reader-mails/sent-mails.ts';
import { registerBlog } from '#server/testing/endpoint-walk.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';
import { passOf } from './gate-passes.ts';

const DAY_MS = 24 * 3_600_000;

let app: TestApp;
let anna: Person;
let creatorId: string;
let key: string;
let forms: { gate: string; save: string };
beforeAll(async () => {
  app = await createTestApp();
  anna = await app.signUpAndIn();
});
afterAll(() => app?.close());
beforeEach(async () => {
  creatorId = (await anna.createCreator()).id;
  ({ key } = await registerBlog(app, anna, creatorId));
  const params = { creatorId };
  const { items } = (await anna.call(listForms, { params })).body;
  const body = { kind: 'gate' as const, name: 'Gate', design: MADE_FORMS[0]!.design };
  const gate = (await anna.call(createForm, { params, body })).body;
  forms = { gate: gate.key, save: items.find(({ kind }: { kind: string }) => kind === 'save').key };
});

const call = async (path: string, body: object, bearer = key) =>
  (
    await app.visitor().send({
      method: 'POST',
      url: `/api/v1${path}`,
      headers: { authorization: `Bearer ${bearer}` },
      body: body as never,
    })
  ).body;
const submit = async (more: object = {}, host = `blog-of-${creatorId}.example.test`) => {
  const attempt = crypto.randomUUID();
  const page = { url: `https://${host}/cake/?a=1`, title: 'Cake', pictureUrl: null, recipe: null, isLocked: true };
  const entry = {
    ...{ attempt, formKey: forms.gate, formVersion: 1, email: 'rosa@example.test', firstName: null, newsletter: true },
    ...{ language: 'en', submittedAt: app.clock.now().toISOString(), network: null, page, ...more },
  };
  const { results } = await call(submitForms.path, { submissions: [entry] });
  return { attempt, ...results[0] } as { attempt: string; result: string; code: string | null };
};
const opens = async (...attempts: string[]) =>
  (await call(checkGatePasses.path, { attempts })).passes.map(({ opens }: { opens: boolean }) => opens);
const act = async (what: 'taps' | 'unsubscribes') => {
  const { rows } = await app.db.enginePool.query('select id from contacts where creator_id = $1', [creatorId]);
  const given = { creatorId, contactId: rows[0].id, act: what, at: app.clock.now(), how: 'test' };
  await app.db.withCreator(creatorId, (trx) => applyNewsletterAct(trx, app.deps, given));
};

test('a gate needs the box, and the ledger has what they gave for what', async () => {
  expect(await submit({ newsletter: false })).toMatchObject({ result: 'refused', code: 'consent_needed' });
  expect(await submit()).toMatchObject({ result: 'please_confirm' });
  const { rows } = await app.db.enginePool.query(
    'select purpose, act, how, wording from consents where creator_id = $1 order by purpose',
    [creatorId],
  );
  expect(rows).toEqual([
    { purpose: 'gate', act: 'given', how: 'button', wording: '' },
    { purpose: 'newsletter', act: 'given', how: 'box', wording: 'Yes, send me new recipes too' },
  ]);
});

test('who does not confirm within 7 days reads on no more; who confirmed does until they leave', async () => {
  const { attempt } = await submit();
  expect(await opens(attempt)).toEqual([true]);
  await app.clock.advance(7 * DAY_MS);
  expect(await opens(attempt, crypto.randomUUID())).toEqual([false, false]);
  await act('taps');
  expect(await opens(attempt)).toEqual([true]);
  await act('unsubscribes');
  expect(await opens(attempt)).toEqual([false]);
});

test('a save without the box opens nothing, a copy of the blog everything, and other creators’ presses are unknown', async () => {
  const saved = await submit({ formKey: forms.save, newsletter: false });
  const copied = await submit({}, 'staging.example.test');
  const mine = await submit({ email: 'ben@example.test' });
  expect(await opens(saved.attempt, copied.attempt, mine.attempt)).toEqual([false, true, true]);
  const other = (await anna.createCreator()).id;
  ({ key } = await registerBlog(app, anna, other));
  expect(await opens(mine.attempt)).toEqual([false]);
});

test('the link of a save mail opens the page for subscribers, and only for them', async () => {
  const siteUrl = `https://blog-of-${creatorId}.example.test/`;
  const { signingKeys } = await call(registerPlugin.path, { pluginVersion: '0.1.0', siteUrl });
  const linkOf = async (more: object) => {
    const { attempt } = await submit({ formKey: forms.save, ...more });
    const { rows } = await app.db.enginePool.query(
      `update reader_mails m set state = 'accepted', finished_at = m.created_at from submissions s
       where s.id = m.submission_id and s.attempt = $1 returning m.id, m.created_at`,
      [attempt],
    );
    const { html } = (await readSentReaderMail(app.deps, rows[0].id))!;
    return { html, attempt, at: rows[0].created_at as Date };
  };
  const { html, attempt, at } = await linkOf({ newsletter: true });
  const pass = passOf(signingKeys[0], attempt, new Date(at.getTime() + 7 * DAY_MS));
  expect(html).toContain(`/cake/?a=1&amp;chq-pass=${pass}`);
  expect((await linkOf({ newsletter: false, email: 'saver@example.test' })).html).not.toContain('chq-pass');
});
