import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '#server/clock.ts';
import { createMetaClient, type MetaClient, type MetaSettings, type Speaker } from './client.ts';
import { messageBody } from './message.ts';
import { usageOf } from './usage.ts';

/** A server that answers what the test says and remembers what it was asked. */
let respond: (request: IncomingMessage, response: ServerResponse) => void;
let asked: { method: string; url: string; authorization: string | undefined; body: string }[];
let client: MetaClient;
let server: ReturnType<typeof createServer>;
const now = new Date('2026-06-01T12:00:00Z');

beforeEach(async () => {
  asked = [];
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    asked.push({
      method: request.method ?? '',
      url: request.url ?? '',
      authorization: request.headers.authorization,
      body,
    });
    respond(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  client = clientOf();
});
afterEach(async () => {
  await client.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function clientOf(over: Partial<MetaSettings> = {}, timeoutMs = 1_000): MetaClient {
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return createMetaClient(
    {
      appId: '1',
      appSecret: null,
      oldAppSecrets: [],
      verifyToken: 'v',
      instagramAppId: '2',
      instagramAppSecret: 's2',
      graphVersion: 'v27.0',
      graphUrl: `${base}/graph.facebook.com`,
      dialogUrl: `${base}/www.facebook.com`,
      instagramGraphUrl: `${base}/graph.instagram.com`,
      instagramApiUrl: `${base}/api.instagram.com`,
      instagramDialogUrl: `${base}/www.instagram.com`,
      loginConfigId: null,
      ...over,
    },
    { clock: { ...systemClock, now: () => now }, timeoutMs },
  );
}

const answer = (status: number, body: unknown, headers: Record<string, string> = {}) => {
  respond = (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
};
const direct: Speaker = { platform: 'instagram', via: 'instagram', senderId: '17841', token: 'IGAA' };
const viaPage: Speaker = { platform: 'instagram', via: 'page', senderId: '135', token: 'EAA' };
const message = { text: 'Here you are', buttons: [] };

describe('a private reply', () => {
  it('goes to the account of Instagram Login', async () => {
    answer(200, { recipient_id: '430', message_id: 'm1' });
    expect(await client.privateReply({ ...direct, commentId: 'c1', message })).toEqual({
      verdict: { kind: 'done', messageId: 'm1', personId: '430' },
      usage: null,
    });
    expect(asked).toEqual([
      {
        method: 'POST',
        url: '/graph.instagram.com/v27.0/17841/messages',
        authorization: 'Bearer IGAA',
        body: JSON.stringify({ recipient: { comment_id: 'c1' }, message: { text: 'Here you are' } }),
      },
    ]);
  });
  it('goes to the Page that speaks for an Instagram account, with proof of the app', async () => {
    const proving = clientOf({ appSecret: 'secret' });
    answer(200, { recipient_id: '430', message_id: 'm1' });
    await proving.privateReply({ ...viaPage, commentId: 'c1', message });
    await proving.close();
    expect(asked[0]?.url).toMatch(/^\/graph\.facebook\.com\/v27\.0\/135\/messages\?appsecret_proof=[0-9a-f]{64}$/);
  });
  it('tells usage and refusals', async () => {
    answer(
      400,
      { error: { message: 'slow', type: 'OAuthException', code: 80002, fbtrace_id: 'A' } },
      {
        'x-business-use-case-usage':
          '{"17841":[{"type":"instagram","call_count":100,"total_time":3,"estimated_time_to_regain_access":19}]}',
      },
    );
    expect(await client.privateReply({ ...direct, commentId: 'c1', message })).toEqual({
      verdict: { kind: 'rate_limited', scope: 'connection', waitMs: 19 * 60_000, detail: '80002 slow' },
      usage: { percent: 100, regainAccessMs: 19 * 60_000 },
    });
  });
  it.each([
    ['the connection breaks after the request', () => (request: IncomingMessage) => request.socket.destroy()],
    ['no answer comes in time', () => () => {}],
    [
      'the answer breaks off',
      () => (_request: IncomingMessage, response: ServerResponse) => {
        response.writeHead(200, { 'content-length': '100' });
        response.write('{"recipient_id":"1"');
        response.socket?.destroySoon();
      },
    ],
    [
      'the answer is larger than 1 MiB',
      () => (_request: IncomingMessage, response: ServerResponse) => {
        response.end(`{"message_id":"${'x'.repeat(2 * 1024 * 1024)}"}`);
      },
    ],
    [
      'the answer is a page',
      () => (_request: IncomingMessage, response: ServerResponse) => response.end('<html></html>'),
    ],
  ])('is unknown when %s', async (_name, misbehave) => {
    respond = misbehave();
    const { verdict } = await client.privateReply({ ...direct, commentId: 'c1', message });
    expect(verdict.kind).toBe('unknown');
    expect(asked).toHaveLength(1);
  });
  it('is to be tried again when nobody listens', async () => {
    const nobody = clientOf({ instagramGraphUrl: 'http://127.0.0.1:1' });
    const { verdict } = await nobody.privateReply({ ...direct, commentId: 'c1', message });
    expect(verdict.kind).toBe('retry');
    await nobody.close();
  });
});

describe('a message', () => {
  it('with buttons becomes a button template', () => {
    expect(messageBody({ text: 'Hi', buttons: [{ title: 'Open', url: 'https://a.b' }] })).toEqual({
      attachment: {
        type: 'template',
        payload: {
          template_type: 'button',
          text: 'Hi',
          buttons: [{ type: 'web_url', url: 'https://a.b', title: 'Open' }],
        },
      },
    });
  });
  it('too long for a template keeps its links as lines', () => {
    const text = 'x'.repeat(641);
    expect(messageBody({ text, buttons: [{ title: 'Open', url: 'https://a.b' }] })).toEqual({
      text: `${text}\n\nOpen: https://a.b`,
    });
  });
  it('takes buttons that come back as taps, whatever its length', () => {
    const buttons = [{ title: 'Send it to me', payload: 'go:1' }];
    const wired = [{ type: 'postback', title: 'Send it to me', payload: 'go:1' }];
    for (const text of ['Hi', 'x'.repeat(641)]) {
      expect(messageBody({ text, buttons })).toMatchObject({ attachment: { payload: { buttons: wired } } });
    }
  });
  it('offers quick replies', () => {
    expect(messageBody({ text: 'Right?', buttons: [], quickReplies: [{ title: 'Yes', payload: 'y' }] })).toEqual({
      text: 'Right?',
      quick_replies: [{ content_type: 'text', title: 'Yes', payload: 'y' }],
    });
  });
  it('with a card becomes a generic template', () => {
    const card = { title: 'Pan', subtitle: '', imageUrl: 'https://a.b/pan.jpg' };
    expect(messageBody({ text: 'Hi', buttons: [{ title: 'Open', url: 'https://a.b' }], card })).toEqual({
      attachment: {
        type: 'template',
        payload: {
          template_type: 'generic',
          elements: [
            {
              title: 'Pan',
              image_url: 'https://a.b/pan.jpg',
              buttons: [{ type: 'web_url', url: 'https://a.b', title: 'Open' }],
            },
          ],
        },
      },
    });
  });
  it('to a person names the person', async () => {
    answer(200, { recipient_id: '430', message_id: 'm1' });
    await client.sendMessage({ ...direct, personId: '430', message });
    expect(JSON.parse(asked[0]?.body ?? '')).toEqual({ recipient: { id: '430' }, message: { text: 'Here you are' } });
  });
});

describe('a public reply', () => {
  it('uses the edge of its platform', async () => {
    answer(200, { id: 'c2' });
    const { verdict } = await client.publicReply({ ...direct, commentId: 'c1', text: 'Sent!' });
    await client.publicReply({ ...viaPage, platform: 'facebook', commentId: '1_2', text: 'Sent!' });
    expect(verdict).toMatchObject({ kind: 'done', messageId: 'c2' });
    expect(asked.map((call) => call.url)).toEqual([
      '/graph.instagram.com/v27.0/c1/replies',
      '/graph.facebook.com/v27.0/1_2/comments',
    ]);
  });
});

describe('a read', () => {
  it('of oneself keeps every digit and accepts both shapes', async () => {
    const me = '{"id":28978671838402975,"user_id":17841477965412210,"username":"ana","account_type":"MEDIA_CREATOR"}';
    for (const body of [me, `{"data":[${me}]}`]) {
      answer(200, body);
      expect(await client.instagramMe('t')).toMatchObject({
        ok: true,
        data: { id: '28978671838402975', user_id: '17841477965412210', account_type: 'MEDIA_CREATOR' },
      });
    }
  });
  it('of a list tells how to go on, and that it ends', async () => {
    answer(200, {
      data: [{ id: '1', timestamp: '2026-05-19T23:27:28+0000' }],
      paging: { cursors: { after: 'A' }, next: 'https://elsewhere/?access_token=x' },
    });
    expect(await client.media({ ...direct, accountId: '17841' })).toMatchObject({
      ok: true,
      data: { items: [{ id: '1' }], after: 'A' },
    });
    answer(200, { data: [], paging: { cursors: { after: 'A' } } });
    expect(await client.media({ ...direct, accountId: '17841', after: 'A' })).toMatchObject({ data: { after: null } });
    expect(asked[1]?.url).toContain('after=A');
  });
  it('in an unknown shape fails with the place', async () => {
    answer(200, { data: [{ id: '1' }] });
    expect(await client.media({ ...direct, accountId: '17841' })).toMatchObject({
      ok: false,
      verdict: { kind: 'retry', detail: expect.stringContaining('data.0.timestamp') },
    });
  });
  it('of the replies under a comment works for both platforms', async () => {
    answer(200, { data: [{ id: '2', text: 'Sent!', timestamp: '2026-05-19T23:27:28+0000', from: { id: '17841' } }] });
    expect(await client.commentReplies({ ...direct, commentId: '1' })).toMatchObject({
      data: { items: [{ id: '2', text: 'Sent!', personId: '17841', at: new Date('2026-05-19T23:27:28Z') }] },
    });
    answer(200, { data: [{ id: '1_2', message: 'Sent!', from: { id: '135', name: 'Page' } }] });
    expect(await client.commentReplies({ ...viaPage, platform: 'facebook', commentId: '1' })).toMatchObject({
      data: { items: [{ id: '1_2', text: 'Sent!', personId: '135', username: 'Page' }] },
    });
  });
  it('of a conversation lists its messages', async () => {
    answer(200, {
      data: [{ id: 't', messages: { data: [{ id: 'm1', message: 'Hi', from: { id: '17841' } }, { id: 'm2' }] } }],
    });
    expect(await client.conversationWith({ ...direct, personId: '430' })).toMatchObject({
      data: [
        { mid: 'm1', text: 'Hi', personId: '17841' },
        { mid: 'm2', text: '', personId: null },
      ],
    });
    expect(asked[0]?.url).toContain('user_id=430');
  });
  it('of subscriptions is empty when Meta has unsubscribed us', async () => {
    answer(200, { data: [] });
    expect(await client.readSubscriptions(direct)).toMatchObject({ ok: true, data: [] });
  });
});

describe('a login', () => {
  it.each([
    ['documented', { data: [{ access_token: 'T', user_id: '1', permissions: 'a,b' }] }],
    ['flat', { access_token: 'T', user_id: 1, permissions: ['a', 'b'] }],
  ])('reads the token in the %s shape', async (_name, body) => {
    answer(200, body);
    expect(await client.instagramCodeToToken({ code: 'c', redirectUri: 'https://hq/cb' })).toMatchObject({
      data: { token: 'T', scopes: ['a', 'b'] },
    });
    expect(asked[0]).toMatchObject({ method: 'POST', url: '/api.instagram.com/oauth/access_token' });
    expect(Object.fromEntries(new URLSearchParams(asked[0]?.body))).toEqual({
      client_id: '2',
      client_secret: 's2',
      grant_type: 'authorization_code',
      redirect_uri: 'https://hq/cb',
      code: 'c',
    });
  });
  it("reads api.instagram.com's own shape of an error", async () => {
    answer(400, { error_type: 'OAuthException', code: 400, error_message: 'Matching code was not found' });
    expect(await client.instagramCodeToToken({ code: 'c', redirectUri: 'r' })).toMatchObject({
      ok: false,
      status: 400,
      error: { message: 'Matching code was not found' },
    });
  });
  it('tells when a token ends, by our clock', async () => {
    answer(200, { access_token: 'L', token_type: 'bearer', expires_in: 5_183_944 });
    expect(await client.instagramLongToken('T')).toMatchObject({
      data: { token: 'L', expiresAt: new Date(now.getTime() + 5_183_944_000) },
    });
    answer(200, { access_token: 'L', token_type: 'bearer' });
    expect(await client.facebookLongToken('T')).toMatchObject({ data: { expiresAt: null } });
  });
});

describe('usage headers', () => {
  it('are absent, unreadable, or the tightest of all', () => {
    expect(usageOf({})).toBeNull();
    expect(usageOf({ 'x-app-usage': 'nonsense' })).toEqual({ percent: 0, regainAccessMs: 0 });
    expect(
      usageOf({
        'x-app-usage': '{"call_count":28,"total_time":25,"total_cputime":25}',
        'x-business-use-case-usage': '{"1":[{"type":"pages","call_count":9},{"type":"instagram","total_time":95}]}',
      }),
    ).toEqual({ percent: 95, regainAccessMs: 0 });
  });
});
