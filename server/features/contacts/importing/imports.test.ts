import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eraseContact } from '#contract/contacts.ts';
import {
  cancelImport,
  changeImportColumns,
  getImport,
  IMPORT_PROBLEMS_PATH,
  type Import,
  type ImportCounts,
  listImportRows,
  listImports,
  MOST_IMPORT_BYTES,
  runImport,
  undoImport,
} from '#contract/imports.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import { givePass } from '#server/features/fans/passes.ts';
import { makeTier } from '#server/features/fans/tiers.ts';
import { runDue } from '#server/jobs/run-jobs.ts';
import { FRIENDS } from '#server/testing/inputs.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';
import { applyNewsletterAct, findOrMakeContact, noteConsent } from '../address-contacts.ts';
import type { NewsletterAct } from '../newsletter-status.ts';
import { importContacts } from './imports.ts';
import { ROWS_A_STEP, runStep } from './steps.ts';

const AGREED = 'They signed up on my old blog.';
const HOUR_MS = 3_600_000;

let app: TestApp;
let anna: Person;
let creatorId: string;
beforeAll(async () => {
  app = await createTestApp();
  anna = await app.signUpAndIn({ name: 'Anna' });
});
afterAll(() => app?.close());
beforeEach(async () => {
  creatorId = (await anna.createCreator()).id;
});

const urlOf = (name: string) => `/api/v1/creators/${creatorId}/contact-imports?fileName=${encodeURIComponent(name)}`;
const send = (file: string | Buffer, name = 'list.csv', who = anna) =>
  who.send({
    method: 'POST',
    url: urlOf(name),
    body: Buffer.from(file as string),
    headers: { 'content-type': 'text/csv' },
  });
const work = async () => {
  while ((await runDue([importContacts], app.deps)) > 0);
  const { rows } = await sql`select last_failure from jobs where last_failure is not null`.execute(app.db.engine);
  expect(rows).toEqual([]);
};
const paramsOf = (importId: string) => ({ creatorId, importId });
const get = async (importId: string): Promise<Import> =>
  (await anna.call(getImport, { params: paramsOf(importId) })).body;

async function upload(file: string | Buffer, name?: string): Promise<Import> {
  const answer = await send(file, name);
  expect(answer.body).toMatchObject({ state: 'reading' });
  await work();
  return get(answer.body.id);
}
async function run(importId: string, over: { newsletter?: boolean; attested?: boolean } = {}): Promise<Import> {
  const body = { agreed: AGREED, newsletter: true, attested: true, ...over };
  expect(await anna.call(runImport, { params: paramsOf(importId), body })).toMatchObject({ status: 200 });
  await work();
  return get(importId);
}
async function undo(importId: string): Promise<Import> {
  expect(await anna.call(undoImport, { params: paramsOf(importId) })).toMatchObject({ status: 200 });
  await work();
  return get(importId);
}
const some = (counts: Partial<ImportCounts>): ImportCounts => ({
  new: 0,
  merged: 0,
  already: 0,
  unsubscribed: 0,
  bounced: 0,
  complained: 0,
  suppressed: 0,
  left: 0,
  double: 0,
  invalid: 0,
  ...counts,
});

const inCreator = <T>(act: (trx: CreatorTransaction) => Promise<T>) => app.db.withCreator(creatorId, act);
/** A contact made by acts alone, some days ago. */
async function known(email: string, acts: NewsletterAct[] = [], name: string | null = 'Known') {
  const at = new Date(app.clock.now().getTime() - 100 * HOUR_MS);
  return inCreator(async (trx) => {
    const { id } = await findOrMakeContact(trx, app.deps, {
      creatorId,
      email,
      name,
      language: null,
      source: 'blog',
      at,
    });
    for (const act of acts) await applyNewsletterAct(trx, app.deps, { creatorId, contactId: id, act, at, how: null });
    return id;
  });
}
const tableOf = async (table: string) => {
  const { rows } = await sql<{ row: Record<string, unknown> }>`
    select to_jsonb(t) as row from ${sql.table(table)} t where creator_id = ${creatorId} order by id`.execute(
    app.db.engine,
  );
  return rows.map(({ row }) => row);
};
const contacts = () => tableOf('contacts');
const newsletterOf = async (email: string) => (await contacts()).find((one) => one.email_key === email)?.newsletter;

describe('a file that is uploaded', () => {
  test('changes nothing but its own rows, and says what would happen', async () => {
    await known('old@example.com', ['ticks', 'taps']);
    const before = [await contacts(), await tableOf('consents')];
    const ready = await upload(
      'Email Address,First Name,Last Name,MEMBER_RATING,OPTIN_TIME,CONFIRM_TIME,LEID,EUID,NOTES,TAGS\n' +
        'new@gmial.com,Ann,Lee,2,,2020-02-03 04:06:00,1,x,,\n' +
        'OLD@Example.com,,,2,,,1,x,,\n' +
        'info@example.com,,,2,,,1,x,,\n' +
        '=HYPERLINK("http://evil.test"),,,2,,,1,x,,\n' +
        ',Nobody,,2,,,1,x,,\n',
    );
    expect(ready).toMatchObject({ state: 'ready', tool: 'mailchimp', rows: 5, result: null, fileName: 'list.csv' });
    expect(ready.columns.map(({ use }) => use).slice(0, 6)).toEqual([
      'email',
      'first_name',
      'last_name',
      'ignore',
      'ignore',
      'agreed_at',
    ]);
    expect(ready.columns[1]).toEqual({ name: 'First Name', samples: ['Ann', 'Nobody'], use: 'first_name' });
    expect(ready.counts).toEqual(some({ new: 2, already: 1, invalid: 2 }));
    expect(ready.notes).toEqual({ role: 1, misspelt: 1, withTime: 1, unconfirmed: 0 });
    const rowsOf = async (only: 'invalid' | 'misspelt') =>
      (await anna.call(listImportRows, { params: paramsOf(ready.id), query: { only } })).body.items;
    expect(await rowsOf('invalid')).toEqual([
      {
        line: 5,
        email: '=HYPERLINK("http://evil.test")',
        verdict: 'invalid',
        why: 'This is a formula, not an email address.',
        suggestion: null,
      },
      { line: 6, email: null, verdict: 'invalid', why: 'There is no email address.', suggestion: null },
    ]);
    const csv = await anna.send({ method: 'GET', url: IMPORT_PROBLEMS_PATH(creatorId, ready.id) });
    expect(csv.text.split('\r\n').slice(1)).toEqual([
      `5,"'=HYPERLINK(""http://evil.test"")","This is a formula, not an email address."`,
      '6,,There is no email address.',
      '',
    ]);
    expect(await rowsOf('misspelt')).toMatchObject([{ line: 2, suggestion: 'new@gmail.com' }]);
    expect([await contacts(), await tableOf('consents')]).toEqual(before);
    expect((await anna.call(listImports, { params: { creatorId } })).body.items).toEqual([
      { ...ready, columns: ready.columns.map((column) => ({ ...column, samples: [] })) },
    ]);
  });

  test('that is none is refused with its line, and nothing of it stays', async () => {
    expect(await send('email,name\na@example.com,"A\n')).toMatchObject({
      status: 422,
      body: { code: 'invalid_input', detail: expect.stringContaining('line 2 is never closed') },
    });
    expect(await send('')).toMatchObject({ status: 422, body: { detail: 'This file is empty.' } });
    expect(await send('email,name\n')).toMatchObject({
      status: 422,
      body: { detail: expect.stringContaining('line 1') },
    });
    expect(
      await send(Buffer.alloc(MOST_IMPORT_BYTES + 1, 'a@example.com,b,ccccccccccccccccccccc\n'.repeat(20))),
    ).toMatchObject({
      status: expect.toSatisfy((status) => status === 413 || status === 422),
    });
    expect(await tableOf('imports')).toEqual([]);
    const { rows } = await sql`select from import_rows where creator_id = ${creatorId}`.execute(app.db.engine);
    expect(rows).toEqual([]);
  });

  test('without names of columns, and with columns chosen by hand, is counted again', async () => {
    const ready = await upload('Ann;x@example.com;a@example.com\nBo;nonsense;b@example.com\n');
    expect(ready.columns.map(({ name, use }) => [name, use])).toEqual([
      ['Column 1', 'ignore'],
      ['Column 2', 'email'],
      ['Column 3', 'ignore'],
    ]);
    expect(ready.counts).toEqual(some({ new: 1, invalid: 1 }));
    const change = (uses: string[]) =>
      anna.call(changeImportColumns, { params: paramsOf(ready.id), body: { uses: uses as never } });
    expect(await change(['name', 'ignore', 'email'])).toMatchObject({
      status: 200,
      body: { state: 'reading', counts: null },
    });
    await work();
    expect((await get(ready.id)).counts).toEqual(some({ new: 2 }));
    expect(await change(['name', 'ignore', 'ignore'])).toMatchObject({ status: 422 });
    expect(await change(['email', 'ignore', 'email'])).toMatchObject({ status: 422 });
    expect(await change(['email'])).toMatchObject({ status: 422 });
    await run(ready.id);
    expect((await contacts()).map(({ email, name }) => [email, name])).toEqual([
      ['a@example.com', 'Ann'],
      ['b@example.com', 'Bo'],
    ]);
    expect(await change(['name', 'ignore', 'email'])).toMatchObject({
      status: 409,
      body: { code: 'not_possible_now' },
    });
  });

  test('is nobody else’s', async () => {
    const ready = await upload('email\na@example.com\n');
    const bert = await app.signUpAndIn();
    const other = (await bert.createCreator()).id;
    const url = IMPORT_PROBLEMS_PATH(other, ready.id);
    expect(await bert.send({ method: 'GET', url })).toMatchObject({ status: 404 });
    for (const params of [paramsOf(ready.id), { creatorId: other, importId: ready.id }]) {
      expect(await bert.call(getImport, { params })).toMatchObject({ status: 404 });
      expect(await bert.call(listImportRows, { params, query: {} })).toMatchObject({ status: 404 });
      expect(await bert.call(undoImport, { params })).toMatchObject({ status: 404 });
    }
  });
});

/** Every kind of row, 4,000 in all, among contacts of every kind. */
async function bigFile() {
  const ways: [string, NewsletterAct[]][] = [
    ['left', ['ticks', 'taps', 'unsubscribes']],
    ['bounced', ['bounces']],
    ['complained', ['complains']],
    ['confirmed', ['ticks', 'taps']],
    ['asked', ['ticks']],
    ['saver', []],
  ];
  for (const [name, acts] of ways) for (let n = 0; n < 5; n++) await known(`${name}${n}@example.com`, acts);
  await known('nameless@example.com', ['ticks', 'taps'], null);
  const gone = await known('gone@example.com', ['ticks', 'taps']);
  expect(await anna.call(eraseContact, { params: { creatorId, contactId: gone } })).toMatchObject({ status: 200 });
  const lines = ['email,name,confirmed_at,status'];
  for (const [name] of ways)
    for (let n = 0; n < 5; n++) lines.push(`${name.toUpperCase()}${n}@Example.com,Other,2021-05-06,active`);
  lines.push('nameless@example.com,Now Named,,', 'gone@example.com,Gone,2021-05-06,active');
  for (let n = 0; n < 50; n++) lines.push(`broken${n}@,Broken,,`, `said${n}@example.com,Said,2021-05-06,unsubscribed`);
  for (let n = 0; lines.length < 3800; n++) {
    lines.push(
      `reader${n}@example.com,"Reader ${n}",${n % 2 ? '2022-01-02 03:04:05' : ''},${n % 3 ? 'active' : 'pending'}`,
    );
  }
  for (let n = 0; lines.length < 4001; n++) lines.push(`READER${n}@EXAMPLE.COM,Double,,`);
  return lines.join('\n');
}

describe('an import that runs', () => {
  test('does to 4,000 rows what the dry run said; undone, everything is as before', async () => {
    const file = await bigFile();
    const before = [await contacts(), await tableOf('consents'), await tableOf('people')];
    const ready = await upload(file);
    expect(ready).toMatchObject({ state: 'ready', rows: 4000 });
    expect(ready.counts).toEqual(
      some({
        new: 3667,
        merged: 11,
        already: 5,
        unsubscribed: 5,
        bounced: 5,
        complained: 5,
        suppressed: 1,
        left: 50,
        double: 201,
        invalid: 50,
      }),
    );
    const done = await run(ready.id, { attested: false });
    expect(done).toMatchObject({ state: 'done', result: ready.counts, counts: ready.counts, doneRows: 4000 });
    expect(done.columns[0]!.samples).toEqual([]);
    const after = await contacts();
    expect(after).toHaveLength(before[0]!.length + 3667);
    for (const { email_key: key, newsletter, name } of after) {
      const kept = { left: 'unsubscribed', bounced: 'bounced', complained: 'complained' }[
        String(key).replace(/\d*@.*/, '')
      ];
      if (kept) expect([key, newsletter, name]).toEqual([key, kept, 'Known']);
    }
    expect(await newsletterOf('saver1@example.com')).toBe('confirmed');
    expect(await newsletterOf('reader0@example.com')).toBe('none');
    expect(await newsletterOf('reader1@example.com')).toBe('confirmed');
    // Without a time, or unconfirmed there.
    expect(await newsletterOf('reader2@example.com')).toBe('none');
    expect(await newsletterOf('reader3@example.com')).toBe('none');
    expect(await newsletterOf('gone@example.com')).toBeUndefined();
    const imported = (await tableOf('consents')).filter(({ act }) => act === 'imported');
    expect(imported).toHaveLength(
      after.filter((one) => one.source === 'file' && one.newsletter === 'confirmed').length + 10,
    );
    expect(imported[0]).toMatchObject({ wording: AGREED, how: 'list.csv', place: 'file', purpose: 'newsletter' });
    // Nothing is sent.
    expect(await tableOf('reader_mails')).toEqual([]);

    expect(await undo(ready.id)).toMatchObject({ undo: { isDone: true, undone: 3678, kept: 0 } });
    expect([await contacts(), await tableOf('consents'), await tableOf('people')]).toEqual(before);
    expect(await anna.call(undoImport, { params: paramsOf(ready.id) })).toMatchObject({ status: 409 });
  });

  test('with the attestation confirms rows without a time, but nobody who is unconfirmed there', async () => {
    const { id } = await upload('email,status\na@example.com,active\nb@example.com,unconfirmed\nc@example.com,\n');
    await run(id);
    expect((await contacts()).map(({ newsletter }) => newsletter)).toEqual(['confirmed', 'none', 'confirmed']);
  });

  test('without the newsletter makes contacts who get none', async () => {
    const { id } = await upload('email,confirmed_at\na@example.com,2020-01-01\n');
    await run(id, { newsletter: false });
    expect((await contacts()).map(({ newsletter }) => newsletter)).toEqual(['none']);
    expect(await tableOf('consents')).toEqual([]);
  });

  test('heeds whoever unsubscribes between the dry run and the run', async () => {
    const id = await known('a@example.com', ['ticks', 'taps'], null);
    const ready = await upload('email,name\na@example.com,Ann\n');
    expect(ready.counts).toEqual(some({ merged: 1 }));
    await inCreator((trx) =>
      applyNewsletterAct(trx, app.deps, {
        creatorId,
        contactId: id,
        act: 'unsubscribes',
        at: app.clock.now(),
        how: null,
      }),
    );
    expect((await run(ready.id)).result).toEqual(some({ unsubscribed: 1 }));
    expect(await newsletterOf('a@example.com')).toBe('unsubscribed');
  });

  test('asks how they agreed', async () => {
    const { id } = await upload('email\na@example.com\n');
    const body = { agreed: ' ', newsletter: true, attested: true };
    expect(await anna.call(runImport, { params: paramsOf(id), body })).toMatchObject({
      status: 422,
      body: { detail: 'Say how these people agreed to hear from you.' },
    });
  });

  test('keeps what was touched since: those who did something stay, all others go', async () => {
    await known('merged@example.com', ['ticks']);
    const { id } = await upload(
      'email\na@example.com\nb@example.com\nc@example.com\nmerged@example.com\nd@example.com\nmember@example.com\n',
    );
    await run(id);
    await inCreator(async (trx) => {
      const tierId = await makeTier(app.deps, trx, { creatorId, ...FRIENDS });
      await givePass(app.deps, trx, { creatorId, email: 'member@example.com', tierId, endsAt: null, note: null });
    });
    const idOf = async (email: string) => (await contacts()).find((one) => one.email === email)!.id as string;
    const act = async (email: string, what: NewsletterAct) => {
      const contactId = await idOf(email);
      await inCreator((trx) =>
        applyNewsletterAct(trx, app.deps, { creatorId, contactId, act: what, at: app.clock.now(), how: null }),
      );
    };
    await act('a@example.com', 'unsubscribes');
    await act('merged@example.com', 'unsubscribes');
    const c = await idOf('c@example.com');
    await sql`
      insert into saved_recipes (creator_id, id, contact_id, address_key, url, title, first_saved_at, last_saved_at)
      values (${creatorId}, gen_random_uuid(), ${c}, 'x', 'x', 'x', now(), now())
    `.execute(app.db.engine);
    await inCreator((trx) =>
      noteConsent(trx, app.deps, { creatorId, contactId: c, purpose: 'save', act: 'given', at: app.clock.now() }),
    );
    expect((await undo(id)).undo).toEqual({ isDone: true, undone: 2, kept: 4 });
    expect((await contacts()).map(({ email, newsletter }) => [email, newsletter])).toEqual([
      ['merged@example.com', 'unsubscribed'],
      ['a@example.com', 'unsubscribed'],
      ['c@example.com', 'confirmed'],
      ['member@example.com', 'confirmed'],
    ]);
  });

  test('is undone for 7 days and not longer', async () => {
    const { id } = await upload('email\na@example.com\n');
    await run(id);
    const late = new Date(app.clock.now().getTime() - 1);
    await sql`update imports set undo_until = ${late} where id = ${id}`.execute(app.db.engine);
    expect(await anna.call(undoImport, { params: paramsOf(id) })).toMatchObject({ status: 409 });
  });

  test('goes on after a crash between two steps, without doubles, and stops where it is cancelled', async () => {
    const file = `email\n${Array.from({ length: 2 * ROWS_A_STEP + 500 }, (_, n) => `r${n}@example.com`).join('\n')}`;
    const crashed = await upload(file);
    const begin = (id: string) =>
      anna.call(runImport, { params: paramsOf(id), body: { agreed: AGREED, newsletter: true, attested: true } });
    const step = (id: string) => {
      const ids = () => Array.from({ length: ROWS_A_STEP }, () => app.deps.ids.uuid(app.clock.now()));
      return runStep(app.db.engine, {
        creatorId,
        importId: id,
        now: app.clock.now(),
        ids: { contacts: ids(), ledger: ids() },
      });
    };
    await begin(crashed.id);
    // What a worker did that died then.
    expect(await step(crashed.id)).toBe(ROWS_A_STEP);
    expect(await get(crashed.id)).toMatchObject({ state: 'running', doneRows: ROWS_A_STEP });
    await work();
    expect(await get(crashed.id)).toMatchObject({ state: 'done', result: some({ new: 2 * ROWS_A_STEP + 500 }) });
    expect(await contacts()).toHaveLength(2 * ROWS_A_STEP + 500);
    expect(await tableOf('consents')).toHaveLength(2 * ROWS_A_STEP + 500);
    await undo(crashed.id);
    expect(await contacts()).toEqual([]);

    const cancelled = await upload(file);
    await begin(cancelled.id);
    await step(cancelled.id);
    expect((await anna.call(cancelImport, { params: paramsOf(cancelled.id) })).body).toMatchObject({
      state: 'cancelled',
    });
    await work();
    expect(await get(cancelled.id)).toMatchObject({ state: 'cancelled', result: some({ new: ROWS_A_STEP }) });
    expect(await contacts()).toHaveLength(ROWS_A_STEP);
    await undo(cancelled.id);
    expect(await contacts()).toEqual([]);
  });

  test('that was not begun is dropped with its rows when it is cancelled', async () => {
    const { id } = await upload('email\na@example.com\n');
    expect((await anna.call(cancelImport, { params: paramsOf(id) })).body).toMatchObject({ state: 'cancelled' });
    expect((await anna.call(listImportRows, { params: paramsOf(id), query: {} })).body.items).toEqual([]);
    expect(await anna.call(undoImport, { params: paramsOf(id) })).toMatchObject({ status: 409 });
  });

  test('does not bring back whoever was erased, and erasing takes them out of files that wait', async () => {
    const contactId = await known('erased@example.com', ['ticks', 'taps']);
    const { id } = await upload('email,name\nerased@example.com,Erased Person\n');
    expect(await anna.call(eraseContact, { params: { creatorId, contactId } })).toMatchObject({ status: 200 });
    expect((await anna.call(listImportRows, { params: paramsOf(id), query: {} })).body.items).toEqual([]);
    await run(id);
    const again = await upload('email,name\nErased@example.com,Erased Person\n');
    expect(again.counts).toEqual(some({ suppressed: 1 }));
    await run(again.id);
    expect(await contacts()).toEqual([]);
  });
});

test('100,000 rows take at most 300 statements and bounded memory', { timeout: 300_000 }, async () => {
  let statements = 0;
  let most = 0;
  let held = () => 0;
  const query = pg.Client.prototype.query;
  const counting = function (this: pg.Client, ...given: unknown[]) {
    const text = typeof given[0] === 'string' ? given[0] : ((given[0] as { text?: string } | undefined)?.text ?? '');
    if (/import_rows|\bimports\b|contacts|consents|people/.test(text)) {
      statements += 1;
      if (statements % 10 === 0) most = Math.max(most, held());
    }
    return (query as (...all: unknown[]) => unknown).apply(this, given);
  };
  const rows = 100_000;
  const file = Buffer.from(
    `email,name,confirmed_at\n${Array.from({ length: rows }, (_, n) => `reader.number${n}@example.com,Reader ${n},2022-01-02`).join('\n')}`,
  );
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  /** What is still referred to: garbage is collected when there is need. */
  held = () => {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const before = held();
  pg.Client.prototype.query = counting as typeof query;
  let done: Import;
  try {
    done = await run((await upload(file)).id);
  } finally {
    pg.Client.prototype.query = query;
  }
  expect(done).toMatchObject({ state: 'done', result: some({ new: rows }) });
  expect(statements).toBeGreaterThan(rows / ROWS_A_STEP);
  expect(statements).toBeLessThanOrEqual(300);
  expect((most - before) / 1024 ** 2).toBeLessThan(100);
});
