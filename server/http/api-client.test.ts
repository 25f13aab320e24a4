/** Other people's tools: a client generated from the description alone, with a token, against the program on a socket. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { registerHooks } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeToken, Scope } from '#contract/api-tokens.ts';
import { furnishCreator } from '#server/testing/endpoint-walk.ts';
import { createTestApp, type TestApp } from '#server/testing/test-app.ts';

const root = path.join(import.meta.dirname, '../..');
const run = promisify(execFile);

/** A program somebody would write. It prints the status of each call. */
const PROGRAM = `
import createClient from 'openapi-fetch';
import type { paths } from './api.d.ts';

const { URL: url, TOKEN: token, CREATOR: creatorId, CONNECTION: connectionId } = process.env as Record<string, string>;
const api = createClient<paths>({ baseUrl: url + '/api/v1', headers: { Authorization: 'Bearer ' + token } });
const path = { creatorId };
const body = {
  connectionId, name: 'Soup', postId: null, words: ['soup'], mode: 'whole_word' as const, excludedWords: [],
  typoTolerance: true, priority: 0, messageText: 'Here it is.', buttons: [], publicReplies: [], repeatAfterMinutes: null,
};

const create = () =>
  api.POST('/creators/{creatorId}/automations', { params: { path, header: { 'Idempotency-Key': '"soup-1"' } }, body });
const made = await create();
const again = await create();
if (made.data?.id === undefined || again.data?.id !== made.data.id) throw new Error('There are two soups.');
const one = { creatorId, automationId: made.data.id };
const answers = [
  made,
  again,
  await api.GET('/creators/{creatorId}/automations', { params: { path } }),
  await api.GET('/creators/{creatorId}/automations/{automationId}', { params: { path: one } }),
  await api.POST('/creators/{creatorId}/automations/test', {
    params: { path }, body: { connectionId, postId: null, text: 'soup please' },
  }),
  await api.POST('/creators/{creatorId}/automations/{automationId}/switch', { params: { path: one }, body: { on: true } }),
  await api.GET('/creators/{creatorId}/keywords', { params: { path } }),
  await api.GET('/creators/{creatorId}/figures', { params: { path } }),
  await api.GET('/creators/{creatorId}/interactions', { params: { path, query: { limit: 5 } } }),
  await api.GET('/creators/{creatorId}/contacts', { params: { path } }),
  await api.GET('/creators/{creatorId}/posts', { params: { path } }),
  await api.DELETE('/creators/{creatorId}/automations/{automationId}', { params: { path: one } }),
];
// @ts-expect-error a word is a text
void (() => api.POST('/creators/{creatorId}/automations', { params: { path }, body: { ...body, words: [5] } }));
// @ts-expect-error there is no such address
void (() => api.GET('/creators/{creatorId}/soups', { params: { path } }));
console.log(JSON.stringify(answers.map(({ response }) => response.status)));
`;

const CONFIG = {
  compilerOptions: {
    ...{ module: 'nodenext', target: 'es2024', strict: true, noEmit: true, skipLibCheck: false },
    ...{ allowImportingTsExtensions: true, moduleDetection: 'force', types: ['node'] },
  },
  files: ['client.ts'],
};

let app: TestApp;
let folder: string;
beforeAll(async () => {
  app = await createTestApp();
  folder = await mkdtemp(path.join(os.tmpdir(), 'creator-hq-client-'));
});
afterAll(async () => {
  await app?.close();
  await rm(folder, { recursive: true, force: true });
});

test('a client made by openapi-typescript from the description makes its calls with a token', {
  timeout: 120_000,
}, async () => {
  const owner = await app.signUpAndIn();
  const own = await furnishCreator(app, owner, await app.signUpAndIn());
  const { token } = (
    await owner.call(makeToken, { params: own, body: { name: 'Tool', scopes: Scope.options, days: 1 } })
  ).body;
  const url = await app.app.listen({ host: '127.0.0.1', port: 0 });

  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  await writeFile(path.join(folder, 'package.json'), '{"type":"module"}');
  await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify(CONFIG));
  await writeFile(path.join(folder, 'api.d.ts'), await generate(`${url}/api/v1/openapi.json`));
  await writeFile(path.join(folder, 'client.ts'), PROGRAM);

  const types = await run(process.execPath, [path.join(root, 'node_modules/typescript/bin/tsc'), '-p', folder]).catch(
    ({ stdout }: { stdout: string }) => ({ stdout }),
  );
  expect(types.stdout).toBe('');
  const env = { ...process.env, URL: url, TOKEN: token, CREATOR: own.creatorId, CONNECTION: own.connectionId };
  const { stdout } = await run(process.execPath, [path.join(folder, 'client.ts')], { env });
  expect(JSON.parse(stdout)).toEqual(Array(12).fill(200));
});

/** The generator asks for the interface of TypeScript that ended with version 6. */
async function generate(address: string): Promise<string> {
  const hooks = registerHooks({
    resolve: (name, context, next) => next(name === 'typescript' ? '@typescript/typescript6' : name, context),
  });
  try {
    const { default: openapiTypescript, astToString } = await import('openapi-typescript');
    return astToString(await openapiTypescript(new URL(address)));
  } finally {
    hooks.deregister();
  }
}
