import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type MetaSimulator, startMetaSimulator } from '../simulator.ts';
import { errorKey, graphCaller } from '../testing/graph-caller.ts';

let simulator: MetaSimulator;
const forms: URLSearchParams[] = [];
const app = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => {
    forms.push(new URLSearchParams(body));
    response.end('{"url":"https://example.com/deletion/1","confirmation_code":"1"}');
  });
});

beforeAll(async () => {
  await new Promise<void>((resolve) => app.listen(0, '127.0.0.1', resolve));
  const address = app.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  simulator = await startMetaSimulator({
    app: { deauthorizeUrl: `${url}/deauthorize`, dataDeletionUrl: `${url}/delete` },
  });
});
afterAll(async () => {
  await simulator.close();
  app.close();
});

it('tells the app of its removal with a signed request about the app-scoped id, and the tokens die', async () => {
  const creator = await simulator.control.seedCreator({ subscribed: ['instagram'] });
  expect(await simulator.control.deauthorize({ subjectId: creator.instagramAccountId })).toEqual({ status: 200 });
  const [signature, payload] = forms.at(-1)!.get('signed_request')!.split('.') as [string, string];
  expect(signature).toBe(createHmac('sha256', simulator.app.instagramAppSecret).update(payload).digest('base64url'));
  expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({
    algorithm: 'HMAC-SHA256',
    user_id: creator.instagramAppScopedId,
  });
  expect(errorKey(await graphCaller(simulator, 'instagram', creator.tokens.instagram.token).get('/me'))).toBe(
    '190/458',
  );
});

it('asks for deletion of a Facebook person signed with the Meta secret', async () => {
  const creator = await simulator.control.seedCreator();
  const answer = await simulator.control.requestDataDeletion({ subjectId: creator.facebookUserId });
  expect(JSON.parse(answer.body).confirmation_code).toBe('1');
  const [signature, payload] = forms.at(-1)!.get('signed_request')!.split('.') as [string, string];
  expect(signature).toBe(createHmac('sha256', simulator.app.metaAppSecret).update(payload).digest('base64url'));
});

it('tells of the person who connected a Page, not of the Page', async () => {
  const creator = await simulator.control.seedCreator({ subscribed: ['facebook'] });
  await simulator.control.requestDataDeletion({ subjectId: creator.pageId });
  const [, payload] = forms.at(-1)!.get('signed_request')!.split('.') as [string, string];
  expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({ user_id: creator.facebookUserId });
  await simulator.control.deauthorize({ subjectId: creator.pageId });
  expect(errorKey(await graphCaller(simulator, 'facebook', creator.tokens.page.token).get('/me'))).toBe('190/458');
});

it('refuses control calls that make no sense with the reason', async () => {
  await expect(simulator.control.comment({ mediaId: 'nope', personId: 'nobody', text: 'x' })).rejects.toThrow(
    'There is no post nope',
  );
  expect((await fetch(`${simulator.url}/control/nonsense`)).status).toBe(404);
});

it('serves placeholder pictures and says when the phone is not built', async () => {
  const picture = await fetch(`${simulator.url}/pictures/anything.jpg`);
  expect(picture.headers.get('content-type')).toBe('image/svg+xml');
  expect((await fetch(`${simulator.url}/phone/%2e%2e/package.json`)).status).toBe(404);
});
