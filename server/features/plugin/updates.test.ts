import { createHash, createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { crc32, inflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { registerPlugin } from '#contract/plugin.ts';
import { getApiKey, makeApiKey } from '#contract/settings.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';
import { buildFormScript } from '../../../scripts/build.ts';

const BASE_URL = "https://hq.example.test/it's";
let app: TestApp;
let anna: Person;
let creatorId: string;
let key: string;
beforeAll(async () => {
  await buildFormScript();
  app = await createTestApp({ settings: { BASE_URL } });
  anna = await app.signUpAndIn();
  creatorId = (await anna.createCreator()).id;
  ({ key } = (await anna.call(makeApiKey, { params: { creatorId } })).body);
});
afterAll(() => app?.close());

const main = () => readFile(new URL('../../../wordpress-plugin/creator-hq.php', import.meta.url), 'utf8');
const version = async () => /Version: +(.+)/.exec(await main())![1]!;
const zip = async () => (await app.app.inject({ method: 'GET', url: '/api/v1/plugin/creator-hq.zip' })).rawPayload;
const asPlugin = (method: string, url: string, body?: object) =>
  app.visitor().send({ method, url: `/api/v1${url}`, headers: { authorization: `Bearer ${key}` }, body });
const update = async (siteUrl: string) =>
  (await asPlugin('GET', `/plugin/update?siteUrl=${encodeURIComponent(siteUrl)}`)).body.update;

test('the version expected is the one of the plugin that came along', async () => {
  expect((await anna.call(getApiKey, { params: { creatorId } })).body).toMatchObject({
    pluginVersion: null,
    expectedPluginVersion: await version(),
  });
});

test('anybody gets the zip: the same bytes each time, with the address of this installation and no secret', async () => {
  const first = await zip();
  const other = await createTestApp({ settings: { BASE_URL } });
  const again = await other.app.inject({ method: 'GET', url: '/api/v1/plugin/creator-hq.zip' });
  await other.close();
  expect(again.headers).toMatchObject({
    'content-type': 'application/zip',
    'content-disposition': 'attachment; filename="creator-hq.zip"',
  });
  expect(again.rawPayload.equals(first)).toBe(true);
  const files = unzip(first);
  expect(Object.keys(files)).toEqual(expect.arrayContaining(['creator-hq/uninstall.php', 'creator-hq/assets/form.js']));
  const address = 'https://hq.example.test/it%27s';
  expect(files['creator-hq/creator-hq.php']).toContain(` * Update URI:        ${address}/api/v1/plugin/creator-hq\n`);
  expect(files['creator-hq/creator-hq.php']).toContain(`define( 'CREATOR_HQ_HUB', '${address}' );`);
  const secrets = [app.deps.keys.secretKey, ...app.deps.keys.encryptionKeys.map((one) => one.key.toString('base64'))];
  for (const secret of secrets) expect(Object.values(files).join('')).not.toContain(secret);
});

test('a site that registered is told of the version and its file, signed for it alone', async () => {
  const keyOf = async (siteUrl: string) => {
    const body = { pluginVersion: '0.0.1', siteUrl };
    return Buffer.from((await asPlugin('POST', registerPlugin.path, body)).body.signingKeys[0], 'base64url');
  };
  const live = await keyOf('https://blog.example.test/');
  const copy = await keyOf('https://staging.example.test/');
  const told = await update('https://www.blog.example.test');
  const sha256 = createHash('sha256')
    .update(await zip())
    .digest('hex');
  const lines = `plugin update\n${told.version}\n${sha256}`;
  const signed = (by: Buffer) => createHmac('sha256', by).update(lines).digest('base64url');
  expect(told).toEqual({
    version: await version(),
    tested: expect.stringMatching(/^\d/),
    requires: '6.2',
    requiresPhp: '7.4',
    changelog: expect.stringContaining(`= ${await version()} =`),
    sha256,
    signature: signed(live),
  });
  expect((await update('https://staging.example.test/')).signature).toBe(signed(copy));
});

test('a place that never registered is told of none, and a wrong key nothing', async () => {
  expect(await update('https://elsewhere.example.test/')).toBeNull();
  expect(await update('')).toBeNull();
  const url = '/api/v1/plugin/update?siteUrl=https://blog.example.test/';
  const wrong = { authorization: `Bearer chq_${'x'.repeat(40)}` };
  expect((await app.visitor().send({ method: 'GET', url, headers: wrong })).status).toBe(401);
});

/** By the local headers, each checked by its sum. */
function unzip(bytes: Buffer): Record<string, string> {
  const files: Record<string, string> = {};
  for (let at = 0; bytes.readUInt32LE(at) === 0x04034b50; ) {
    const [packed, length] = [bytes.readUInt32LE(at + 18), bytes.readUInt16LE(at + 26)];
    const start = at + 30 + length;
    const content = inflateRawSync(bytes.subarray(start, start + packed));
    expect(crc32(content)).toBe(bytes.readUInt32LE(at + 14));
    files[bytes.toString('utf8', at + 30, start)] = content.toString('utf8');
    at = start + packed;
  }
  return files;
}
