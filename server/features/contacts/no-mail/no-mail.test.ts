/** Nobody who left gets a newsletter through a file, a newsletter tool, a restored database or erasure; and the list itself. */
import { appendFile, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eraseContact } from '#contract/contacts.ts';
import { runImport } from '#contract/imports.ts';
import { systemIds } from '#server/clock.ts';
import { copyTestDatabase, createTestDatabase, type TestDatabase } from '#server/db/testing/test-database.ts';
import { applyRemote } from '#server/features/newsletter-tools/changes.ts';
import { HELD } from '#server/features/registered.ts';
import { runDue } from '#server/jobs/run-jobs.ts';
import { createTestApp } from '#server/testing/test-app.ts';
import { createTestClock } from '#server/testing/test-clock.ts';
import { applyNewsletterAct, findOrMakeContact } from '../address-contacts.ts';
import { erase } from '../erasure.ts';
import { importContacts } from '../importing/imports.ts';
import { type NewsletterAct, type NewsletterStatus, STATUSES } from '../newsletter-status.ts';
import { NO_MAIL_FILE, openNoMailFile } from './file.ts';
import type { NoMailLine } from './list.ts';
import { listNoMail } from './listing.ts';
import { takeUpNoMailList } from './taking-up.ts';

const NOW = new Date('2026-11-25T09:30:00Z');
const clock = createTestClock(NOW);
const keys = { encryptionKeys: [{ id: 'test', key: Buffer.alloc(32, 7) }] };
const log = { warn: () => {}, error: () => {} };

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'creator-hq-list-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Of a new address, made what it is by acts alone. */
const WAY: Record<NewsletterStatus, NewsletterAct[]> = {
  none: [],
  unconfirmed: ['ticks'],
  confirmed: ['ticks', 'taps'],
  unsubscribed: ['ticks', 'taps', 'unsubscribes'],
  bounced: ['bounces'],
  complained: ['complains'],
};
const isYes = (act: NewsletterAct) => act === 'ticks' || act === 'taps';
async function add(db: TestDatabase, creatorId: string, name: string, acts: NewsletterAct[]): Promise<string> {
  return db.withCreator(creatorId, async (trx) => {
    const facts = { name: null, language: null, source: 'blog', at: NOW } as const;
    const { id } = await findOrMakeContact(trx, deps, { creatorId, email: `${name}@example.com`, ...facts });
    for (const act of acts) await doAct(trx, creatorId, id, act);
    return id;
  });
}
const deps = { ids: systemIds, keys, clock, log };
type Trx = Parameters<typeof applyNewsletterAct>[0];
const doAct = (trx: Trx, creatorId: string, contactId: string, act: NewsletterAct) =>
  applyNewsletterAct(trx, deps, { creatorId, contactId, act, at: clock.now(), how: null });
const newsletterOf = async (db: TestDatabase, creatorId: string, email: string) =>
  (
    await db.engine
      .selectFrom('contacts')
      .select('newsletter')
      .where('creator_id', '=', creatorId)
      .where('email_key', '=', email)
      .executeTakeFirst()
  )?.newsletter ?? 'gone';

describe('each status', () => {
  /** What becomes of it. */
  const TABLE: Record<NewsletterStatus, { file: string; tool: string; restored: string; erasedAndInFile: string }> = {
    none: { file: 'confirmed', tool: 'none', restored: 'none', erasedAndInFile: 'gone' },
    unconfirmed: { file: 'confirmed', tool: 'unconfirmed', restored: 'unconfirmed', erasedAndInFile: 'gone' },
    confirmed: { file: 'confirmed', tool: 'confirmed', restored: 'confirmed', erasedAndInFile: 'gone' },
    unsubscribed: { file: 'unsubscribed', tool: 'unsubscribed', restored: 'unsubscribed', erasedAndInFile: 'gone' },
    bounced: { file: 'bounced', tool: 'bounced', restored: 'bounced', erasedAndInFile: 'gone' },
    complained: { file: 'complained', tool: 'complained', restored: 'complained', erasedAndInFile: 'gone' },
  };

  test('through a file and a tool that say they agreed, and through erasure', { timeout: 120_000 }, async () => {
    const app = await createTestApp();
    const owner = await app.signUpAndIn();
    const { id: creatorId } = await owner.createCreator();
    const importAll = async () => {
      const file = STATUSES.map((status) => `${status}@example.com\n`).join('');
      const { body } = await owner.send({
        method: 'POST',
        url: `/api/v1/creators/${creatorId}/contact-imports?fileName=list.csv`,
        body: Buffer.from(`email\n${file}`),
        headers: { 'content-type': 'text/csv' },
      });
      while ((await runDue([importContacts], app.deps)) > 0);
      const agreed = { agreed: 'On my old blog.', newsletter: true, attested: true };
      await owner.call(runImport, { params: { creatorId, importId: body.id }, body: agreed });
      while ((await runDue([importContacts], app.deps)) > 0);
    };
    const standing = async () =>
      Object.fromEntries(
        await Promise.all(
          STATUSES.map(async (status) => [status, await newsletterOf(app.db, creatorId, `${status}@example.com`)]),
        ),
      );
    const column = (name: keyof (typeof TABLE)['none']) =>
      Object.fromEntries(STATUSES.map((status) => [status, TABLE[status][name]]));
    try {
      const ids = [];
      for (const status of STATUSES) ids.push(await add(app.db, creatorId, status, WAY[status]));
      const row = { creator_id: creatorId, id: systemIds.uuid(NOW), tool: 'kit' } as Parameters<typeof applyRemote>[1];
      for (const status of STATUSES) {
        await applyRemote(app.deps, row, { email: `${status}@example.com`, state: 'subscribed' });
      }
      expect(await standing()).toEqual(column('tool'));
      await importAll();
      expect(await standing()).toEqual(column('file'));
      for (const contactId of ids) await owner.call(eraseContact, { params: { creatorId, contactId } });
      await importAll();
      expect(await standing()).toEqual(column('erasedAndInFile'));
    } finally {
      await app.close();
    }
  });

  test('processes that begin at once have one list', async () => {
    const lists = await Promise.all(Array.from({ length: 8 }, () => openNoMailFile(folder)));
    expect(new Set(lists.map(({ id }) => id)).size).toBe(1);
    expect(await readdir(folder)).toEqual([NO_MAIL_FILE]);
  });

  test('in a database that was restored from before the act, or from after it', async () => {
    const [db, creatorId] = await begin();
    const list = await openNoMailFile(folder);
    await takeUpNoMailList({ ...deps, db, held: HELD, noMailList: list }, { isAlone: false });
    const ids = new Map<NewsletterStatus, string>();
    for (const status of STATUSES) ids.set(status, await add(db, creatorId, status, WAY[status].filter(isYes)));
    const [after, restored] = await copyTestDatabase(db);
    try {
      await clock.advance(60_000);
      for (const status of STATUSES) {
        for (const act of WAY[status].filter((one) => !isYes(one))) {
          await after.withCreator(creatorId, (trx) => doAct(trx, creatorId, ids.get(status)!, act));
        }
      }
      while ((await runDue([listNoMail], { ...deps, db: after, noMailList: list })) > 0);
      const taken = await takeUpNoMailList({ ...deps, db: restored, held: HELD, noMailList: list }, { isAlone: false });
      expect(taken).toEqual({ takenUp: 3, waits: false });
      for (const one of [after, restored]) {
        for (const status of STATUSES) {
          expect(await newsletterOf(one, creatorId, `${status}@example.com`)).toBe(TABLE[status].restored);
        }
      }
    } finally {
      await Promise.all([after.drop(), restored.drop()]);
    }
  });
});

async function begin(): Promise<[TestDatabase, string]> {
  const db = await createTestDatabase();
  const creatorId = systemIds.uuid(NOW);
  await db.enginePool.query('insert into creators (id, handle) values ($1, $2)', [creatorId, creatorId.slice(-12)]);
  return [db, creatorId];
}

describe('the list', () => {
  let db: TestDatabase;
  let creatorId: string;
  beforeAll(async () => {
    [db, creatorId] = await begin();
  });
  afterAll(() => db?.drop());
  const start = async (list: Awaited<ReturnType<typeof openNoMailFile>>, isAlone = false) =>
    takeUpNoMailList({ ...deps, db, held: HELD, noMailList: list }, { isAlone });
  const linesOf = async (list: Awaited<ReturnType<typeof openNoMailFile>>, after = 0): Promise<NoMailLine[]> => {
    const lines: NoMailLine[] = [];
    for await (const one of list.linesAfter(after)) lines.push(one);
    return lines;
  };
  const line = (hash: string, reason: NoMailLine['reason']): NoMailLine => {
    return { creatorId, hash, reason, gone: false, at: NOW.toISOString() };
  };

  test('that is new gets everybody who is away; another database of an own server begins another one and waits for nobody', async () => {
    const id = await add(db, creatorId, 'left', ['ticks', 'taps', 'unsubscribes']);
    await erase(
      { ...deps, db, held: HELD },
      { creatorId, contactId: await add(db, creatorId, 'erased', []), userId: null },
    );
    const list = await openNoMailFile(folder);
    expect(await start(list)).toEqual({ takenUp: 0, waits: false });
    expect((await linesOf(list)).map(({ reason, gone }) => [reason, gone]).toSorted()).toEqual([
      ['erased', true],
      ['unsubscribed', false],
    ]);
    expect(await readFile(path.join(folder, NO_MAIL_FILE), 'utf8')).not.toMatch(new RegExp(`@|${id}`));
    const elsewhere = await mkdtemp(path.join(folder, 'elsewhere-'));
    expect(await start(await openNoMailFile(elsewhere))).toEqual({ takenUp: 0, waits: false });
    // Beside the built-in database a list that is gone says that it was restored.
    expect(await start(await openNoMailFile(await mkdtemp(path.join(folder, 'gone-'))), true)).toMatchObject({
      waits: true,
    });
    await db.enginePool.query('update no_mail_lists set newsletters_wait = false');
  });

  test('that is missing where a dump was restored: newsletters wait', async () => {
    await start(await openNoMailFile(folder));
    await db.enginePool.query(`update no_mail_lists set database = 'another'`);
    const list = await openNoMailFile(await mkdtemp(path.join(folder, 'new-')));
    expect(await start(list)).toMatchObject({ waits: true });
    expect(await start(await openNoMailFile(folder))).toMatchObject({ waits: true });
    await db.enginePool.query('update no_mail_lists set newsletters_wait = false');
  });

  test('has the act of a process that died before it wrote, and what was written and not noted counts once', async () => {
    const list = await openNoMailFile(folder);
    await start(list);
    const before = (await linesOf(list)).length;
    await add(db, creatorId, 'dies', ['ticks', 'taps', 'complains']);
    expect(await linesOf(list)).toHaveLength(before);
    const failing = {
      ...list,
      append: async (...given: Parameters<typeof list.append>) => {
        await list.append(...given);
        throw new Error('killed');
      },
    };
    await runDue([listNoMail], { ...deps, db, noMailList: failing });
    await appendFile(path.join(folder, NO_MAIL_FILE), '\n{"position":9');
    const again = await openNoMailFile(folder);
    expect(await start(again)).toMatchObject({ takenUp: 1 });
    await clock.advance(60_000);
    while ((await runDue([listNoMail], { ...deps, db, noMailList: again })) > 0);
    expect((await linesOf(again)).slice(before).map(({ reason }) => reason)).toContain('complained');
    expect(await start(again)).toEqual({ takenUp: 0, waits: false });
  });

  test('keeps one line of each address, none of who came back, and how far it is', async () => {
    const list = await openNoMailFile(folder, 1000);
    let to = 0;
    for (let round = 0; round < 40; round++) {
      to = await list.append([line('left', 'unsubscribed'), line('back', 'unsubscribed'), line('back', null)], to);
    }
    expect((await linesOf(list)).length).toBeLessThan(20);
    expect(await list.position()).toBe(120);
    const again = await openNoMailFile(folder);
    expect([again.id, await again.position()]).toEqual([list.id, 120]);
    expect((await linesOf(again, 119)).map(({ hash }) => hash).filter((hash) => hash === 'left')).toEqual([]);
  });
});
