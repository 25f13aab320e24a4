/** A whole cluster on this machine: entered by a person, broken under load. Left out where its programs are missing. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DEMO_USERNAME } from '#simulators/meta/demo/world.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { failOver } from './failing-over.ts';
import { missingPrograms } from './installed.ts';

const missing = missingPrograms();
if (missing.length > 0) console.log(`The tests of the cluster are left out. ${missing.join(' ')}`);

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'creator-hq-cluster-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

type Visitor = { cookie: string; creatorId: string };

/** The demo creator, signed in through the proxy. */
async function enterDemo({ url }: Cluster): Promise<Visitor> {
  const entered = await fetch(`${url}/api/v1/auth/login/demo`, { method: 'POST', headers: { origin: url } });
  expect(entered.status).toBe(200);
  const cookie = entered.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  const me = await fetch(`${url}/api/v1/auth/me`, { headers: { cookie, origin: url } });
  const { creatorAccount } = (await me.json()) as { creatorAccount: { _id: string } };
  return { cookie, creatorId: creatorAccount._id };
}

/** A comment comes in at one web process; the pages at all of them hear of it. */
async function commentAndHear(cluster: Cluster, demo: Visitor, text: string): Promise<void> {
  const streams = await Promise.all(cluster.webUrls.map((webUrl) => openStream(webUrl, demo)));
  const account = (await cluster.control.accounts()).find(({ username }) => username === DEMO_USERNAME);
  const [post] = await cluster.control.posts(account!.accountId);
  const [person] = await cluster.control.people();
  await cluster.control.comment({ mediaId: post!.mediaId, personId: person!.personId, text });
  await Promise.all(streams.map((stream) => stream.until('interactions')));
}

/** Who the person is, asked of one web process itself. */
async function statusAt(webUrl: string, cookie: string): Promise<number> {
  return (await fetch(`${webUrl}/api/v1/auth/me`, { headers: { cookie } })).status;
}

describe.skipIf(missing.length > 0)('a cluster', () => {
  test('has one sign-in and one stream of news for all web processes, and starts over its old folder', async () => {
    const options = { dataDir, demo: true };
    const first = await startCluster(options);
    let cookie: string;
    try {
      const demo = await enterDemo(first);
      cookie = demo.cookie;
      for (const webUrl of first.webUrls) expect(await statusAt(webUrl, cookie)).toBe(200);
      await commentAndHear(first, demo, 'PASTA please');
    } finally {
      await first.close();
    }
    const second = await startCluster(options);
    try {
      expect(await statusAt(second.url, cookie)).toBe(200);
    } finally {
      await second.close();
    }
  });

  test('answers when it starts while its NATS servers are away, and goes on with them afterwards', async () => {
    const cluster = await startCluster({ dataDir, demo: true });
    try {
      const nats = [...cluster.members.values()].filter(({ name }) => name.startsWith('nats-'));
      const programs = [...cluster.members.values()].filter(({ name }) => /^(web|worker)-/.test(name));
      const proxy = cluster.member('proxy');
      await Promise.all([...nats, ...programs, proxy].map((member) => member.kill()));
      await Promise.all(programs.map((member) => member.start()));
      // Its start waits until it knows that they are there.
      await proxy.start();
      const demo = await enterDemo(cluster);
      await commentAndHear(cluster, demo, 'PASTA while NATS is away');
      await Promise.all(nats.map((member) => member.start()));
      await commentAndHear(cluster, demo, 'PASTA when it is back');
    } finally {
      await cluster.close();
    }
  });

  test('loses nothing and doubles nothing when one of its processes is killed under load', async () => {
    const report = await failOver({
      dataDir,
      perSecond: 150,
      victims: ['web-1', 'worker-1', 'nats-1', 'postgres'],
      betweenMs: 1_500,
      awayMs: 3_000,
    });
    expect(report.faults).toEqual([]);
    expect(report.acked).toBeGreaterThan(300);
  });
});

async function openStream(webUrl: string, { cookie, creatorId }: Visitor) {
  const response = await fetch(`${webUrl}/api/v1/creators/${creatorId}/live`, { headers: { cookie } });
  expect(response.status).toBe(200);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  return {
    async until(what: string) {
      for (let text = ''; !text.includes(`"${what}"`); ) {
        const { value, done } = await reader.read();
        if (done) throw new Error('The stream ended.');
        text += value;
      }
      await reader.cancel();
    },
  };
}
