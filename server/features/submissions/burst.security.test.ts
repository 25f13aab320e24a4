/** What a program can make us mail to strangers, through a blog it took over and through a form's own page. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Form, listForms } from '#contract/forms.ts';
import { submitForms } from '#contract/plugin.ts';
import { countBeyond } from '#server/http/rate-limits.ts';
import { registerBlog } from '#server/testing/endpoint-walk.ts';
import { workOf } from '#server/testing/form-work.ts';
import { createTestApp, type TestApp } from '#server/testing/test-app.ts';

/** More than thirty to each address from each creator. */
const BURST = 500;
const VICTIMS = 5;
/** Of a creator's thousand a day those that were mailed before, only counted here. */
const MAILED_BEFORE = 900;
const FORGED = 400;
/** Of 2,000 in a viral minute: each is mailed by its own work, whatever their number. */
const VIRAL = 100;
const AT_ONCE = 50;
const CREATORS = 3;
const HOUR_MS = 3_600_000;

let app: TestApp;
let blogs: { creatorId: string; key: string; save: string; signUp: string }[];
beforeAll(async () => {
  app = await createTestApp();
  const anna = await app.signUpAndIn();
  blogs = [];
  for (let n = 0; n < CREATORS; n++) {
    const { id: creatorId } = await anna.createCreator();
    const { key } = await registerBlog(app, anna, creatorId);
    const items: Form[] = (await anna.call(listForms, { params: { creatorId } })).body.items;
    const keyOf = (kind: string) => items.find((form) => form.kind === kind)!.key;
    blogs.push({ creatorId, key, save: keyOf('save'), signUp: keyOf('signup') });
  }
});
afterAll(() => app?.close());

/** Mails to one address that may go out by then. */
async function mailsBy(at: Date): Promise<{ address: string; creators: number[]; all: number }[]> {
  const { rows } = await app.db.enginePool.query(
    `select address, array_agg(n::int) as creators, sum(n)::int as all from (
       select c.email_key as address, count(*) as n from reader_mails m join contacts c on c.creator_id = m.creator_id and c.id = m.contact_id
       where m.due_at <= $1 group by c.email_key, m.creator_id) as one group by address`,
    [at],
  );
  return rows;
}

test(`${BURST} forged saves from as many networks reach an address 10 times from a creator, 20 in all`, {
  timeout: 300_000,
}, async () => {
  for (let done = 0; done < BURST; done += AT_ONCE) {
    const blog = blogs[(done / AT_ONCE) % CREATORS]!;
    const submissions = Array.from({ length: AT_ONCE }, (_, n) => ({
      attempt: crypto.randomUUID(),
      formKey: blog.save,
      formVersion: 1,
      email: `victim${(done + n) % VICTIMS}@example.test`,
      firstName: null,
      newsletter: true,
      language: 'en',
      submittedAt: app.clock.now().toISOString(),
      network: `network-${String(done + n).padStart(6, '0')}`,
      page: {
        ...{ url: `https://blog-of-${blog.creatorId}.example.test/${done + n}`, title: 'Buy now' },
        ...{ pictureUrl: null, recipe: null },
      },
    }));
    const answer = await app.visitor().send({
      method: 'POST',
      url: `/api/v1${submitForms.path}`,
      headers: { authorization: `Bearer ${blog.key}` },
      body: { submissions },
    });
    expect(answer.status).toBe(200);
  }
  const now = await mailsBy(app.clock.now());
  const anHourLater = await mailsBy(new Date(app.clock.now().getTime() + HOUR_MS));
  const sum = (mails: { all: number }[]) => mails.reduce((all, one) => all + one.all, 0);
  console.log(`${BURST} forged saves to ${VICTIMS} addresses: ${sum(now)} mails, ${sum(anHourLater)} an hour later`);
  expect(now).toHaveLength(VICTIMS);
  for (const { creators, all } of now) {
    expect(Math.max(...creators)).toBeLessThanOrEqual(10);
    expect(all).toBe(20);
  }
  // The rest of each creator is one mail.
  for (const { all } of anHourLater) expect(all).toBeLessThanOrEqual(20 + CREATORS);
});

test('through a form’s page one network gets 30 presses in ten minutes, and an address one question a day of a creator', {
  timeout: 300_000,
}, async () => {
  const [{ creatorId, signUp }] = blogs as [(typeof blogs)[number]];
  const { body } = await app.app.inject({ method: 'GET', url: `/f/${signUp}` });
  const stamp = /name="stamp" value="([^"]+)"/.exec(body)![1]!;
  const press = (email: string, remoteAddress: string) =>
    app.app.inject({
      ...{ method: 'POST', url: `/f/${signUp}`, remoteAddress },
      payload: new URLSearchParams({ email, stamp }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
  const statuses: number[] = [];
  for (let n = 0; n < 60; n++) statuses.push((await press(`stranger${n}@example.test`, `192.0.2.${n}`)).statusCode);
  expect(statuses.filter((status) => status === 303)).toHaveLength(30);
  expect(statuses.filter((status) => status === 429)).toHaveLength(30);
  for (let n = 0; n < 40; n++) await press('one.victim@example.test', `10.${n}.0.1`);
  const { rows } = await app.db.enginePool.query(
    `select count(*)::int as mails from reader_mails m join contacts c on c.creator_id = m.creator_id and c.id = m.contact_id
     where m.creator_id = $1 and c.email_key = 'one.victim@example.test'`,
    [creatorId],
  );
  expect(rows).toEqual([{ mails: 1 }]);
});

/** @param workFor what each brings along */
async function saveAll(many: number, who: string, workFor: (attempt: string, email: string) => string | undefined) {
  const [{ creatorId, key, save }] = blogs as [(typeof blogs)[number]];
  for (let done = 0; done < many; done += AT_ONCE) {
    const submissions = Array.from({ length: AT_ONCE }, (_, n) => {
      const [attempt, email] = [crypto.randomUUID(), `${who}${done + n}@example.test`];
      return {
        ...{ attempt, formKey: save, formVersion: 1, email, firstName: null, newsletter: false, language: 'en' },
        ...{ submittedAt: app.clock.now().toISOString(), network: `${who}-network-${done + n}` },
        work: workFor(attempt, email),
        page: { url: `https://blog-of-${creatorId}.example.test/pie/`, title: 'Pie', pictureUrl: null, recipe: null },
      };
    });
    const url = `/api/v1${submitForms.path}`;
    const headers = { authorization: `Bearer ${key}` };
    const { body } = await app.visitor().send({ method: 'POST', url, headers, body: { submissions } });
    for (const { result } of body.results) expect(result).toBe('on_its_way');
  }
}

async function dueWithin(who: string, ms: number): Promise<number> {
  const { rows } = await app.db.enginePool.query(
    `select count(*)::int as mails from reader_mails m join contacts c on c.creator_id = m.creator_id and c.id = m.contact_id
     where c.email_key like $1 and m.due_at <= $2`,
    [`${who}%`, new Date(app.clock.now().getTime() + ms)],
  );
  return rows[0].mails;
}

test(`of ${MAILED_BEFORE + FORGED} forged saves from as many networks to as many addresses 1,000 are mailed, 200 more an hour; of readers with work all`, {
  timeout: 300_000,
}, async () => {
  await app.clock.advance(25 * HOUR_MS);
  const [{ creatorId, save }] = blogs as [(typeof blogs)[number]];
  for (let before = 0; before < MAILED_BEFORE; before++) {
    await countBeyond(app.db.engine, app.clock.now(), 'reader_mails_without_work', creatorId);
  }
  const recorded = { attempt: crypto.randomUUID(), email: 'recorded@example.test' };
  // Found for one reader's press, and sent along with all of them.
  const replayed = workOf(save, recorded.attempt, recorded.email);
  await saveAll(FORGED, 'forged', () => replayed);
  const atOnce = MAILED_BEFORE + (await dueWithin('forged', 0));
  expect(atOnce).toBeGreaterThanOrEqual(1_000);
  // One of 4,096 fits another press by chance.
  expect(atOnce).toBeLessThan(1_010);
  const withinAnHour = MAILED_BEFORE + (await dueWithin('forged', HOUR_MS));
  expect(withinAnHour).toBeGreaterThanOrEqual(1_200);
  expect(withinAnHour).toBeLessThan(1_220);
  // In the same hour, of a creator whose first thousand is used up.
  await saveAll(VIRAL, 'reader', (attempt, email) => workOf(save, attempt, email));
  expect(await dueWithin('reader', 0)).toBe(VIRAL);
});
