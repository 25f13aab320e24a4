import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { registerPlugin } from '#contract/plugin.ts';
import { endDemo } from '#server/features/people/demo.ts';
import { createTestApp, type TestApp } from '#server/testing/test-app.ts';
import { startBlog } from '#simulators/web/blog/blog.ts';
import { connectBlog } from './connect-blog.ts';

let app: TestApp;
let folder: string;
beforeAll(async () => {
  app = await createTestApp({ settings: { SIMULATORS: 'on' } });
  folder = join(app.deps.config.dataDir, 'simulators');
  await mkdir(folder, { recursive: true });
});
afterAll(async () => {
  await app?.close();
  await rm(folder, { recursive: true, force: true });
});

/** As the blog does it. */
const keys: string[] = [];
let url = 'http://127.0.0.1:3002';
const connect = async (key: string): Promise<boolean> => {
  keys.push(key);
  const headers = { authorization: `Bearer ${key}` };
  const body = { pluginVersion: '0.1.0', siteUrl: url };
  return (
    (await app.visitor().send({ method: 'POST', url: `/api/v1${registerPlugin.path}`, headers, body })).status === 200
  );
};
const connectKeys = async () => {
  keys.length = 0;
  await connectBlog(app.deps, { connect, url });
  return [...keys];
};

test('the demo blog keeps its key over starts, and gets another one when somebody replaced it', async () => {
  const [first, ...more] = await connectKeys();
  expect(more).toEqual([]);
  expect(await connectKeys()).toEqual([first]);
  await app.db.engine.updateTable('api_keys').set({ ended_at: app.clock.now() }).execute();
  expect(await connectKeys()).toEqual([first, expect.stringMatching(/^chq_/)]);
});

test('on another port it is still the live blog', async () => {
  url = 'http://127.0.0.1:4002';
  await connectKeys();
  const { rows } = await app.db.enginePool.query('select url from sites where is_live');
  expect(rows).toEqual([{ url }]);
});

test('nothing of it works once the program starts without simulators', async () => {
  const [key] = await connectKeys();
  await endDemo(app.db);
  expect(await connect(key!)).toBe(false);
});

test('a hub that is not there breaks nothing but the connection', async () => {
  const blog = await startBlog({ hubUrl: 'http://127.0.0.1:9' });
  await expect(connectBlog(app.deps, blog)).rejects.toThrow();
  expect((await fetch(blog.url)).status).toBe(200);
  await blog.close();
});
