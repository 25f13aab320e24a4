/** The log tells what happened and to which row, and nothing of what people wrote, who they are, or what opens doors. */
import { Writable } from 'node:stream';
import pg from 'pg';
import type { Logger } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { login, signUp } from '#contract/session.ts';
import { createEngineWorld, type EngineWorld } from '#server/engine/testing/engine-world.ts';
import { runDue } from '#server/jobs/run-jobs.ts';
import { mailLater } from '#server/platforms/email/mail-later.ts';
import { sendMail } from '#server/platforms/email/send-mail.ts';
import { createTestApp, type TestApp } from '#server/testing/test-app.ts';
import { createLog } from './reporting-log.ts';

let lines: string[];
let log: Logger;
beforeEach(() => {
  lines = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  log = createLog({ level: 'info', reporter: null }, stream);
});

/** Each as JSON. Fails when a line is no line. */
function written(): Record<string, unknown>[] {
  return lines.map((line) => {
    expect(line.endsWith('\n')).toBe(true);
    expect(line.slice(0, -1)).not.toContain('\n');
    return JSON.parse(line) as Record<string, unknown>;
  });
}

describe('an error', () => {
  test('of PostgreSQL is told by its code, table and constraint, not by the failing row', () => {
    const error = Object.assign(new Error('new row for relation "users" violates check constraint "users_check"'), {
      code: '23514',
      severity: 'ERROR',
      table: 'users',
      constraint: 'users_check',
      detail: 'Failing row contains (Ada, ada@kitchen.test, secret).',
      where: 'JSON data, line 1: {"text":"my secret"}',
      parameters: ['secret'],
    });
    log.error({ err: error, connectionId: '01890000-0000-7000-8000-000000000001' }, 'it failed');
    const [line] = written();
    expect(line).toMatchObject({
      msg: 'it failed',
      connectionId: '01890000-0000-7000-8000-000000000001',
      err: {
        code: '23514',
        table: 'users',
        constraint: 'users_check',
        message: expect.stringContaining('users_check'),
      },
    });
    expect(lines[0]).not.toMatch(/ada|secret/i);
  });

  test('keeps its places in the program and its causes, without their texts', () => {
    const cause = new Error('to https://graph.facebook.com/v27.0/me?access_token=EAAG1234567890abcdef failed');
    log.warn({ err: new Error('a "secret" text', { cause }) }, 'it failed');
    const [line] = written();
    const { stack, cause: told } = line!.err as { stack: string; cause: { message: string } };
    expect(stack).toMatch(/^\s+at .*safe-logging\.test\.ts:\d+:\d+/);
    expect(told.message).toContain('graph.facebook.com');
    expect(lines[0]).not.toMatch(/secret|EAAG/);
  });

  test('given alone, in an array, or in place of a message says no more', () => {
    log.error(new Error('for ada@kitchen.test'));
    log.error({ err: new Error('for ada@kitchen.test') });
    log.error('failed for %s', 'ada@kitchen.test');
    log.error({ reasons: ['for ada@kitchen.test', { deep: 'by @ada.cooks' }] }, 'failed for ada@kitchen.test');
    expect(written()).toHaveLength(4);
    expect(lines.join('')).not.toMatch(/ada/);
  });
});

test('a line cannot be made up by what people enter', () => {
  const forged = 'x\n{"level":60,"msg":"forged"}\r\n\u2028\u0085';
  log.info({ why: forged }, forged);
  log.error({ err: new Error(forged) }, 'it failed');
  expect(written()).toHaveLength(2);
  expect(written().map(({ level }) => level)).toEqual([30, 50]);
});

describe('on a bad day', () => {
  const TEXT = 'my grandmothers recipe';
  const MAIL = 'ada.lovelace@kitchen.test';
  const PASSWORD = 'correct horse battery';
  const CODE = 'AQBx7secretcodeofmeta';
  const NAME = 'Ada Lovelace';
  const FORGED = '\n{"level":60,"time":1,"msg":"forged"}\n';
  let world: EngineWorld;
  let app: TestApp;
  beforeEach(async () => {
    world = await createEngineWorld();
    app = await createTestApp({ deps: { log } });
  });
  afterEach(async () => {
    await app?.close();
    await world?.close();
  });

  test('nothing of people, their texts or keys is in any line', { timeout: 120_000 }, async () => {
    const creator = await world.addCreator();
    await world.addAutomation(creator, { words: ['recipe'], messageText: `${TEXT} ${FORGED}` });
    const engine = await world.startEngine({ log });
    const say = async (text: string, person: number) => {
      const webhook = await world.comment(creator, { text, person });
      await world.deliver(webhook);
      await engine.ingestOnce();
      return webhook;
    };

    // Meta's own words repeat what was sent.
    await world.simulator.control.addFault({
      match: { operation: 'private_reply' },
      action: { kind: 'error', code: 100, message: `(#100) "${TEXT}" to ${MAIL}${FORGED}` },
    });
    await say(`recipe ${TEXT} ${MAIL}${FORGED}`, 0);
    await engine.dispatchOnce();
    // A call that breaks off on our side.
    await world.simulator.control.addFault({
      match: { operation: 'private_reply' },
      action: { kind: 'reset', when: 'after' },
    });
    await say(`recipe ${TEXT}`, 1);
    await engine.dispatchOnce();
    // An event that the database refuses, quoting it.
    await asOwner(world.db, `alter table interactions add constraint no_poison check (text not like '%poison%')`);
    await say(`poison recipe ${TEXT} ${MAIL}${FORGED}`, 2);
    // A lease that is lost.
    await world.db.enginePool.query(
      `update shard_leases set holder = gen_random_uuid(), expires_at = now() + interval '1 hour'`,
    );
    await engine.holdShards(false);

    // People at the door, while the database refuses them, quoting them.
    await asOwner(app.db, `alter table users add constraint no_ada check (email not like 'ada%')`);
    const visitor = app.visitor();
    await visitor.call(signUp, { body: { name: NAME, email: MAIL, password: PASSWORD } });
    await visitor.call(login, { body: { email: MAIL, password: PASSWORD } });
    await asOwner(app.db, 'drop table creators cascade');
    const person = app.visitor();
    await person.call(signUp, { body: { name: NAME, email: 'grace@kitchen.test', password: PASSWORD } });
    for (const url of [
      `/api/v1/connect/instagram/callback?code=${CODE}&state=${CODE}`,
      `/api/v1/me?token=${CODE}`,
      `/l/${CODE}/${encodeURIComponent(FORGED)}`,
      `/api/v1/creators/${encodeURIComponent(FORGED)}`,
    ]) {
      await visitor.send({
        method: 'GET',
        url,
        headers: { authorization: `Bearer ${CODE}`, 'user-agent': FORGED.trim() },
      });
    }
    await visitor.send({
      method: 'POST',
      url: '/webhooks/meta',
      body: { text: TEXT },
      headers: { 'x-hub-signature-256': CODE },
    });

    // Mails and jobs that fail with words of others.
    const letter = { subject: `Hello ${NAME}`, heading: TEXT, paragraphs: [TEXT] };
    await app.db.engine
      .transaction()
      .execute((trx) => mailLater(trx, app.deps, { kind: 'confirm_email', to: MAIL, letter }));
    const transport = {
      keepsText: false,
      deliver: () => Promise.reject(new Error(`550 <${MAIL}>: "${TEXT}"${FORGED}`)),
      close: () => {},
    };
    await runDue([sendMail], { ...app.deps, log, transport });
    const job = {
      name: 'fails',
      everyMs: 1000,
      run: async () => {
        throw new Error(`Key (email)=(${MAIL}) already exists. "${TEXT}"${FORGED}`);
      },
    };
    await runDue([job], { ...app.deps, log });

    const told = written();
    const messages = told.map(({ msg }) => msg);
    for (const message of [
      'a batch of events could not be worked off; trying them one by one',
      'an event was parked',
      'lost shards; another worker took over',
      'request failed',
      'an email could not be sent; trying again',
      'a job failed; it will run again',
    ]) {
      expect(messages).toContain(message);
    }
    const all = lines.join('');
    const { followers, instagramAccountId } = creator;
    const secrets = [
      ...[TEXT, 'grandmother', MAIL, 'ada.lovelace', 'kitchen.test', PASSWORD, 'correct horse', CODE, NAME, 'Lovelace'],
      ...['forged', 'grace', followers[0]!.username, followers[1]!.username],
      ...(await tokensOf(world, instagramAccountId)),
    ];
    for (const secret of secrets) expect(all.toLowerCase()).not.toContain(secret.toLowerCase());
  });
});

/** Rights of the owner of the tables alone. */
async function asOwner({ connectionString }: { connectionString: string }, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

/** The token that speaks for this account at Meta. */
async function tokensOf(world: EngineWorld, accountId: string): Promise<string[]> {
  const { rows } = await world.db.enginePool.query<{ id: string; creator_id: string }>(
    'select id, creator_id from connections where account_id = $1',
    [accountId],
  );
  const speaker = await world.speakerOf({ id: rows[0]!.id, creatorId: rows[0]!.creator_id } as never);
  return speaker === null ? [] : [speaker.token];
}
