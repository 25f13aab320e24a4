/** Backups of the built-in database, restored after people left: who left gets no newsletter, and nobody is made anew. */
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as contract from '#contract/newsletters.ts';
import { connectDatabase } from '#server/db/database.ts';
import { backUp, restore } from '#server/db/embedded/backup.ts';
import { startEmbeddedPostgres } from '#server/db/embedded/supervisor.ts';
import { migrate } from '#server/db/migrate.ts';
import { addReader, openKitchen, startKitchen } from '#server/features/newsletters/testing/kitchen.ts';
import { HELD } from '#server/features/registered.ts';
import { runDue } from '#server/jobs/run-jobs.ts';
import { logIn, type Visitor } from '#server/testing/test-app.ts';
import { applyNewsletterAct } from '../address-contacts.ts';
import { erase } from '../erasure.ts';
import type { NewsletterAct } from '../newsletter-status.ts';
import { NO_MAIL_FILE, openNoMailFile } from './file.ts';
import { listNoMail } from './listing.ts';
import { letNewslettersGo, takeUpNoMailList } from './taking-up.ts';

/** Each file of a database goes to the disk, which others may be writing to. */
const SLOW = { timeout: 300_000 };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'creator-hq-no-mail-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** What works on a data folder, as a start does. */
async function startOn(dataDir: string) {
  const server = await startEmbeddedPostgres({ dataDir, log: () => {} });
  await migrate(server.connectionString);
  const database = connectDatabase({ connectionString: server.loginString });
  const db = { ...database, connectionString: server.connectionString, drop: () => database.close() };
  const kitchen = await startKitchen(db);
  const noMailList = await openNoMailFile(dataDir);
  const deps = { ...kitchen.app.deps, held: HELD, noMailList };
  const takeUp = () => takeUpNoMailList(deps, { isAlone: true });
  return {
    ...kitchen,
    taken: await takeUp(),
    takeUp,
    backUpTo: (target: string) =>
      backUp({ dataDir, target, connectionString: server.connectionString, now: new Date() }),
    /** What became of an act reaches the list. */
    list: async () => {
      while ((await runDue([listNoMail], deps)) > 0);
    },
    act: (creatorId: string, contactId: string, act: NewsletterAct) =>
      db.withCreator(creatorId, (trx) =>
        applyNewsletterAct(trx, deps, { creatorId, contactId, act, at: kitchen.app.clock.now(), how: null }),
      ),
    erase: (creatorId: string, contactId: string) => erase(deps, { creatorId, contactId, userId: null }),
    letGo: () => letNewslettersGo(db),
    addressesOf: async (creatorId: string) =>
      (
        await db.engine
          .selectFrom('contacts')
          .select('email')
          .where('creator_id', '=', creatorId)
          .orderBy('email')
          .execute()
      ).map(({ email }) => email),
    stop: async () => {
      await kitchen.close();
      await server.stop();
    },
  };
}
type Started = Awaited<ReturnType<typeof startOn>>;

async function sendNewsletter({ app, work, deliver, inbox }: Started, owner: Visitor, creatorId: string) {
  const { body } = await owner.call(contract.createBroadcast, { params: { creatorId } });
  const params = { creatorId, broadcastId: body.id };
  const design = { ...body.design, subject: 'Soup season' };
  const changed = await owner.call(contract.changeBroadcast, {
    params,
    body: { version: body.version, design, segment: null },
  });
  const sent = await owner.call(contract.sendBroadcast, {
    params,
    body: { version: changed.body.version, sendAt: null },
  });
  expect(sent.status).toBe(200);
  await app.clock.advance(contract.HOLD_SECONDS * 1000);
  await work();
  await deliver();
  return (await inbox()).map(({ to }) => to);
}

test(
  'who left after the backup gets nothing from what is restored, the others get theirs once; without the list newsletters wait',
  SLOW,
  async () => {
    const dataDir = path.join(folder, 'first');
    const backup = path.join(folder, 'backup');
    const first = await startOn(dataDir);
    expect(first.taken).toEqual({ takenUp: 0, waits: false });
    const owner = await first.app.signUpAndIn();
    const creatorId = await openKitchen(first.app, owner);
    const add = (name: string) => addReader(first.app, creatorId, `${name}@example.test`);
    const ids = {
      ...{ stays: await add('stays'), left: await add('left'), angry: await add('angry'), gone: await add('gone') },
      ...{ wrong: await add('wrong'), erased: await add('erased'), leftFirst: await add('left-first') },
      ...{ returns: await add('returns'), returned: await add('returned') },
    };
    await first.act(creatorId, ids.returned, 'unsubscribes');
    await first.list();
    await first.backUpTo(backup);

    await first.app.clock.advance(60_000);
    await first.act(creatorId, ids.left, 'unsubscribes');
    await first.act(creatorId, ids.angry, 'complains');
    await first.act(creatorId, ids.gone, 'bounces');
    await first.act(creatorId, ids.wrong, 'not_me');
    await first.erase(creatorId, ids.erased);
    await first.act(creatorId, ids.leftFirst, 'unsubscribes');
    await first.erase(creatorId, ids.leftFirst);
    await first.act(creatorId, ids.returns, 'unsubscribes');
    await first.list();
    for (const id of [ids.returns, ids.returned])
      for (const act of ['ticks', 'taps'] as const) await first.act(creatorId, id, act);
    await first.list();
    await first.stop();

    const again = path.join(folder, 'again');
    await restore({ from: backup, dataDir: again });
    await copyFile(path.join(dataDir, NO_MAIL_FILE), path.join(again, NO_MAIL_FILE));
    const second = await startOn(again);
    expect(second.taken).toEqual({ takenUp: expect.any(Number), waits: false });
    expect(second.taken.takenUp).toBeGreaterThan(0);
    const names = ['angry', 'gone', 'left', 'returned', 'returns', 'stays', 'wrong'];
    expect(await second.addressesOf(creatorId)).toEqual(names.map((name) => `${name}@example.test`));
    const recipients = await sendNewsletter(second, await logIn(second.app, owner), creatorId);
    expect(recipients).toEqual(['returns@example.test', 'stays@example.test']);
    expect(await second.takeUp()).toEqual({ takenUp: 0, waits: false });
    await second.stop();

    const third = path.join(folder, 'third');
    await restore({ from: backup, dataDir: third });
    const without = await startOn(third);
    expect(without.taken).toEqual({ takenUp: 0, waits: true });
    expect(await sendNewsletter(without, await logIn(without.app, owner), creatorId)).toEqual([]);
    expect(await without.letGo()).toBe(true);
    await without.deliver();
    expect((await without.inbox()).map(({ to }) => to)).toContain('stays@example.test');
    await without.stop();
  },
);
