import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { archiveForm, createForm, type FormDesign, listForms } from '#contract/forms.ts';
import { MADE_FORMS } from '#contract/made-forms.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';

const FORM = 'application/x-www-form-urlencoded';
const MINUTE_MS = 60_000;
const SIGN_UP = MADE_FORMS.find(({ kind }) => kind === 'signup')!;

let app: TestApp;
let anna: Person;
let creatorId: string;
beforeAll(async () => {
  app = await createTestApp({ settings: { MAIL_FROM: 'Creator HQ <mail@hq.example>' } });
});
afterAll(() => app?.close());
beforeEach(async () => {
  anna = await app.signUpAndIn();
  creatorId = (await anna.createCreator()).id;
});

const make = async (design: Partial<FormDesign> = {}, kind: 'save' | 'signup' = 'signup') => {
  const body = { kind, name: 'Hosted', design: { ...SIGN_UP.design, ...design } };
  return (await anna.call(createForm, { params: { creatorId }, body })).body as { id: string; key: string };
};
let readers = 0;
type Get = { headers?: Record<string, string>; remoteAddress?: string };
const get = (url: string, more: Get = {}) => app.app.inject({ method: 'GET', url, ...more });
/** Fills the form in as a browser without script does. */
async function press(url: string, typed: Record<string, string>, from = `10.1.${readers++ >> 8}.${readers % 256}`) {
  const { body } = await get(url);
  return sendForm(body, typed, from);
}
function sendForm(page: string, typed: Record<string, string>, from: string) {
  const [, action] = /<form [^>]*action="([^"]+)"/.exec(page)!;
  const hidden = [...page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [
    name,
    value,
  ]);
  const payload = new URLSearchParams({ ...Object.fromEntries(hidden), ...typed }).toString();
  const headers = { 'content-type': FORM, origin: 'null', 'sec-fetch-site': 'same-origin' };
  return app.app.inject({
    method: 'POST',
    url: action!.replaceAll('&amp;', '&'),
    payload,
    headers,
    remoteAddress: from,
  });
}
const rows = async (table: 'submissions' | 'contacts' | 'consents' | 'reader_mails') =>
  (await app.db.enginePool.query(`select * from ${table} where creator_id = $1`, [creatorId])).rows;

describe('the page of a form', () => {
  test('is small, in the form’s language, and lets nothing in but its own styles and picture', async () => {
    const arabic = { ...SIGN_UP.design.texts[0]!, language: 'ar', heading: 'وصفات جديدة' };
    const pictureUrl = 'https://pictures.example/cake.jpg';
    const { key } = await make({ texts: [SIGN_UP.design.texts[0]!, arabic], pictureUrl });
    const page = await get(`/f/${key}`, { headers: { 'accept-language': 'fr, ar-EG;q=0.8, en;q=0.5', cookie: 'a=b' } });
    expect(page.statusCode).toBe(200);
    expect(page.body).toContain('<html lang="ar" dir="rtl">');
    expect(page.body).toContain('وصفات جديدة');
    expect(Buffer.byteLength(page.body)).toBeLessThanOrEqual(20 * 1024);
    expect(page.headers).toMatchObject({
      'x-robots-tag': 'noindex',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    });
    expect(page.headers).not.toHaveProperty('set-cookie');
    const styles = [...page.body.matchAll(/<style>(.*?)<\/style>/gs)].map(
      ([, css]) => `'sha256-${createHash('sha256').update(css!).digest('base64')}'`,
    );
    expect(page.headers['content-security-policy']).toBe(
      `default-src 'none'; style-src ${styles.join(' ')}; img-src https://pictures.example; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    );
    expect(page.body).not.toMatch(/<script|\son[a-z]+=|\sstyle=|%%chq/);
    expect((await get(`/f/${key}?lang=en`)).body).toContain('<html lang="en" dir="ltr">');
  });

  test('of a form that is archived, unknown or none is gone', async () => {
    const { id, key } = await make();
    await anna.call(archiveForm, { params: { creatorId, formId: id } });
    for (const url of [`/f/${key}`, `/f/${'0'.repeat(22)}`, '/f/x', `/f/${key}/on-its-way`]) {
      const answer = await get(url);
      expect(answer.statusCode).toBe(404);
      expect(answer.body).toContain('This form is gone');
    }
  });

  test('of a save asks for its recipe', async () => {
    const { items } = (await anna.call(listForms, { params: { creatorId } })).body;
    const { key } = items.find(({ kind }: { kind: string }) => kind === 'save');
    expect((await get(`/f/${key}`)).body).toContain('Open the recipe on the blog');
    const headers = { 'content-type': FORM };
    expect(
      (await app.app.inject({ method: 'POST', url: `/f/${key}`, payload: 'email=a@b.test', headers })).statusCode,
    ).toBe(422);
    expect(await rows('submissions')).toEqual([]);
  });
});

describe('a sign-up there', () => {
  test('leads to a page that says where to look; loading that again sends nothing', async () => {
    const { key } = await make();
    const answer = await press(`/f/${key}`, { email: 'Rosa@example.test', first_name: 'Rosa' });
    expect(answer.statusCode).toBe(303);
    expect(answer.headers.location).toBe(`/f/${key}/please-confirm?lang=en`);
    const { body } = await get(answer.headers.location!);
    expect(body).toContain('Look in your inbox and confirm.');
    expect(body).toContain('&lt;mail@hq.example&gt;');
    expect(await rows('submissions')).toMatchObject([{ site_id: null, is_test: false, wants_newsletter: true }]);
    expect(await rows('contacts')).toMatchObject([{ email: 'Rosa@example.test', name: 'Rosa', source: 'blog' }]);
    expect(await rows('reader_mails')).toMatchObject([{ kind: 'confirmation', question: 'Yes, send me new recipes' }]);
    expect(await rows('consents')).toMatchObject([
      { purpose: 'newsletter', act: 'given', wording: 'Yes, send me new recipes', form_version: 1 },
    ]);
  });

  test('pressed twice is one, and another address from the same page is another', async () => {
    const { key } = await make();
    const { body } = await get(`/f/${key}`);
    for (const email of ['one@example.test', 'ONE@example.test', 'two@example.test']) {
      expect((await sendForm(body, { email }, '10.9.9.9')).statusCode).toBe(303);
    }
    expect(await rows('submissions')).toHaveLength(2);
  });

  test('with an address that is none comes back filled in, and says what is wrong', async () => {
    const { key } = await make();
    for (const [email, says] of [
      ['"><b>x', 'That isn’t an email address.'],
      ['', 'Enter your email address.'],
    ] as const) {
      const answer = await press(`/f/${key}`, { email, first_name: 'Rosa & Co' });
      expect(answer.statusCode).toBe(422);
      expect(answer.body).toContain(says);
      expect(answer.body).toContain('aria-invalid="true"');
      expect(answer.body).toContain('value="Rosa &amp; Co"');
      expect(answer.body).not.toContain('<b>x');
    }
    expect(await rows('submissions')).toEqual([]);
  });

  test('with an address that looks misspelt asks once; either answer is taken', async () => {
    const { key } = await make();
    const asked = await press(`/f/${key}`, { email: 'rosa@gmal.com' });
    expect(asked.statusCode).toBe(422);
    expect(asked.body).toContain('value="rosa@gmail.com"');
    expect(await rows('submissions')).toEqual([]);
    await sendForm(asked.body, { email: 'rosa@gmal.com', meant: 'rosa@gmail.com' }, '10.2.2.2');
    await sendForm(asked.body, { email: 'rosa@gmal.com' }, '10.2.2.2');
    expect((await rows('contacts')).map(({ email }) => email).toSorted()).toEqual(['rosa@gmail.com', 'rosa@gmal.com']);
  });

  test('is counted by network: 30 in ten minutes from a /24, then it says when again', async () => {
    const { key } = await make();
    for (let n = 0; n < 30; n++) {
      expect((await press(`/f/${key}`, { email: `r${n}@example.test` }, `192.0.2.${n}`)).statusCode).toBe(303);
    }
    const held = await press(`/f/${key}`, { email: 'r30@example.test' }, '192.0.2.200');
    expect(held.statusCode).toBe(429);
    expect(held.body).toContain('Try again in 10 minutes');
    expect((await press(`/f/${key}`, { email: 'r30@example.test' }, '192.0.3.1')).statusCode).toBe(303);
  });

  test('is refused when its body is over 8 KB or not a form’s', async () => {
    const { key } = await make();
    const post = (payload: string, type = FORM) =>
      app.app.inject({ method: 'POST', url: `/f/${key}`, payload, headers: { 'content-type': type } });
    expect((await post(`email=${'a'.repeat(8 * 1024)}`)).statusCode).toBe(413);
    expect((await post('<x/>', 'text/xml')).statusCode).toBe(415);
    expect((await post('')).statusCode).toBe(422);
    expect((await post('__proto__[x]=1&email=a&email=b&constructor=x')).statusCode).toBe(422);
  });
});

test('every result has its page', async () => {
  const { key } = await make();
  for (const [slug, says] of [
    ['on-its-way', 'Please confirm: we sent you an email.'],
    ['please-confirm', 'Confirm with one tap'],
    ['already-sent', 'Send it again'],
    ['later', 'The rest comes as one email'],
  ]) {
    const page = await get(`/f/${key}/${slug}`);
    expect(page.statusCode).toBe(200);
    expect(page.body).toContain(says);
    expect(page.body).not.toContain('<form');
  }
  expect((await get(`/f/${key}/refused`)).statusCode).toBe(404);
});

// Last: sessions of before do not outlive it.
test('a sign-up needs a stamp of ours, at most 60 days old and of this form; a filled trap is no person', async () => {
  const { key } = await make();
  const other = await make();
  const { body } = await get(`/f/${key}`);
  const stamp = /name="stamp" value="([^"]+)"/.exec(body)![1]!;
  const foreign = /name="stamp" value="([^"]+)"/.exec((await get(`/f/${other.key}`)).body)![1]!;
  const ahead = stamp.replace(/^\d+/, (at) => String(Number(at) + MINUTE_MS));
  for (const spoilt of ['', 'x', foreign, ahead, stamp.replace(/.$/, (end) => (end === 'A' ? 'B' : 'A'))]) {
    const answer = await sendForm(body, { email: 'rosa@example.test', stamp: spoilt }, '10.3.3.3');
    expect([answer.statusCode, answer.body.includes('too old')]).toEqual([422, true]);
  }
  expect((await sendForm(body, { email: 'rosa@example.test', website: 'x' }, '10.3.3.3')).statusCode).toBe(422);
  expect(await rows('submissions')).toEqual([]);
  await app.clock.advance(60 * 24 * 60 * MINUTE_MS - 1);
  expect((await sendForm(body, { email: 'rosa@example.test' }, '10.3.3.3')).statusCode).toBe(303);
  await app.clock.advance(1);
  expect((await sendForm(body, { email: 'rosa@example.test' }, '10.3.3.3')).statusCode).toBe(422);
});
