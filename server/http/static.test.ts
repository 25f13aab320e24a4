import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '#server/testing/test-app.ts';

let app: TestApp;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'creator-hq-web-'));
  await mkdir(path.join(folder, 'assets'));
  await writeFile(path.join(folder, 'index.html'), '<!doctype html><title>The app</title>');
  await writeFile(path.join(folder, 'favicon.svg'), '<svg/>');
  await writeFile(path.join(folder, 'assets/main-abc123.js'), 'console.log(1)');
  await writeFile(path.join(folder, 'assets/main-abc123.js.gz'), gzipSync('console.log(1)'));
  app = await createTestApp({ deps: { webDir: folder } });
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

const get = (url: string, headers: Record<string, string> = { accept: 'text/html' }) =>
  app.visitor().send({ method: 'GET', url, headers });

describe('the web app’s files', () => {
  test.each(['/', '/creator-hq', '/creator-hq/login', '/creator-hq/comment-for-dm/posts-and-reels?post=1'])(
    '%s is the app, requested every time',
    async (url) => {
      const answer = await get(url);
      expect(answer).toMatchObject({ status: 200, text: expect.stringContaining('The app') });
      expect(answer.headers['cache-control']).toBe('no-store');
    },
  );

  test('assets are kept for good, and sent compressed where that is understood', async () => {
    const plain = await get('/assets/main-abc123.js', {});
    expect(plain).toMatchObject({ status: 200, text: 'console.log(1)' });
    expect(plain.headers['cache-control']).toContain('immutable');
    const small = await get('/assets/main-abc123.js', { 'accept-encoding': 'gzip' });
    expect(small.headers['content-encoding']).toBe('gzip');
    expect(small.headers['cache-control']).toContain('immutable');
    expect((await get('/favicon.svg')).headers['cache-control']).toBe('public, max-age=3600');
  });

  test('a missing asset is not the app', async () => {
    const answer = await get('/assets/main-old.js', { accept: '*/*' });
    expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect((await get('/assets/main-old.js')).status).toBe(404);
    expect((await get('/assets/main-old.js')).text).not.toContain('The app');
  });

  test.each(['/../../etc/passwd', '/assets/..%2f..%2fpackage.json', '/.git/config'])('%s is not there', async (url) => {
    const answer = await get(url, {});
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.text).not.toContain('root:');
  });

  test('an unknown address shows the app’s own not-found page to people, a problem to programs', async () => {
    expect(await get('/recipes')).toMatchObject({ status: 404, text: expect.stringContaining('The app') });
    expect(await get('/recipes', { accept: 'application/json' })).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    });
    expect(await get('/api/v1/nothing')).toMatchObject({ status: 404, body: { code: 'not_found' } });
    const posted = await app.visitor().send({ method: 'POST', url: '/creator-hq', headers: { accept: 'text/html' } });
    expect(posted).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });
});
