/** deploy/compose.yaml as it is written, without Docker: see compose.ts. Left out where its programs are missing. */
import { createHmac } from 'node:crypto';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signUp } from '#contract/session.ts';
import { freePort } from '#server/testing/processes.ts';
import { type Composed, startComposed } from './compose.ts';
import { missingPrograms } from './installed.ts';

const missing = missingPrograms();
if (missing.length > 0) console.log(`The services of compose.yaml are not tried. ${missing.join(' ')}`);

const BASE_URL = 'https://hq.example.com';
const PERSON = { name: 'Ada', email: 'ada@example.com', password: 'only for this trial' };
const APP_SECRET = 'of the Meta app';
/** As the TLS proxy in front adds it: compose.yaml counts on two proxies. */
const FROM_OUTSIDE = { 'x-forwarded-for': '203.0.113.7' };

describe.skipIf(missing.length > 0)('the services of compose.yaml', () => {
  let folder: string;
  let composed: Composed;
  let mailServer: SMTPServer;
  const mails: string[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'creator-hq-compose-'));
    await chmod(folder, 0o711);
    mailServer = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      async onData(stream, _session, done) {
        mails.push((await stream.toArray()).join(''));
        done();
      },
    });
    const mailPort = await freePort();
    await new Promise<void>((resolve) => mailServer.listen(mailPort, '127.0.0.1', resolve));
    const nowhere = 'http://127.0.0.1:9';
    composed = await startComposed({
      folder,
      variables: {
        BASE_URL,
        MAIL_FROM: 'Creator HQ <hello@example.com>',
        META_APP_ID: '1234567890',
        INSTAGRAM_APP_ID: '2345678901',
      },
      written: {
        meta_app_secret: APP_SECRET,
        instagram_app_secret: 'of the Instagram app',
        smtp_url: `smtp://127.0.0.1:${mailPort}`,
      },
      besides: { META_GRAPH_URL: nowhere, INSTAGRAM_GRAPH_URL: nowhere, INSTAGRAM_API_URL: nowhere },
    });
  });
  afterAll(async () => {
    await composed?.stop();
    await new Promise<void>((resolve) => mailServer?.close(() => resolve()));
    await rm(folder, { recursive: true, force: true });
  });

  const ask = (where: string, init: RequestInit = {}) =>
    fetch(`${composed.url}${where}`, { ...init, headers: { ...FROM_OUTSIDE, ...(init.headers as object) } });

  test('are ready through the proxy, and well by the commands that Docker asks', async () => {
    const readyz = async () => {
      const answer = await ask('/readyz');
      return { status: answer.status, said: await answer.text() };
    };
    await expect.poll(readyz, { timeout: 150_000 }).toMatchObject({ status: 200 });
    expect(JSON.parse((await readyz()).said).notes).toEqual([]);
    // The proxy is ready with one of them; Docker asks each again until it is.
    const health = (service: string) =>
      composed.checkHealth(service).then(
        () => 'well',
        (error) => String(error),
      );
    for (const service of ['web-1', 'web-2']) {
      await expect.poll(() => health(service), { timeout: 60_000 }).toBe('well');
    }
  });

  test('keep a webhook on NATS and work it off', async () => {
    const body = JSON.stringify({ object: 'instagram', entry: [{ id: '17841400000000001', time: 1_790_000_000 }] });
    const signature = createHmac('sha256', APP_SECRET).update(body).digest('hex');
    const headers = { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${signature}` };
    const answer = await ask('/webhooks/meta', { method: 'POST', body, headers });
    expect(answer.status).toBe(200);

    const [address] = (await readFile(path.join(folder, 'worker-1/run/secrets/nats_url'), 'utf8')).split(',');
    const { host, username, password } = new URL(address!);
    const connection = await connect({ servers: host, user: username, pass: password });
    const { streams } = await jetstreamManager(connection);
    const state = async () => (await streams.info('creator-hq')).state;
    expect((await state()).last_seq).toBeGreaterThan(0);
    await expect.poll(async () => (await state()).messages).toBe(0);
    await connection.close();
  });

  test('let a person sign up whom the operator invites', async () => {
    await composed.exec('worker-1', 'npm', 'run', 'admin', '--', 'invite', PERSON.email);
    await expect.poll(() => mails.length).toBe(1);
    const inviteToken = /invite=3D([\w-]+)/.exec(mails[0]!.replaceAll('=\r\n', ''))![1]!;
    const signedUp = await ask(`/api/v1${signUp.path}`, {
      method: signUp.method,
      headers: { 'content-type': 'application/json', origin: BASE_URL },
      body: JSON.stringify({ ...PERSON, inviteToken }),
    });
    expect(await signedUp.json()).toMatchObject({ signedIn: true });
    const cookie = signedUp.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ');
    const me = await ask('/api/v1/auth/me', { headers: { cookie } });
    expect(await me.json()).toMatchObject({ account: { email: PERSON.email } });
  });

  test('stop in order', async () => {
    await composed.stop();
    for (const name of ['web-1', 'web-2', 'worker-1', 'worker-2']) {
      const log = await readFile(path.join(folder, `${name}.log`), 'utf8');
      expect(log).toContain('Stopped. Nothing was lost.');
      expect(log, name).not.toMatch(/"level":[456]0/);
    }
  });
});
