/** Headers of every answer: walked over all endpoints and pages there are. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Writable } from 'node:stream';
import Fastify from 'fastify';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listForms } from '#contract/forms.ts';
import { forgotPassword, login } from '#contract/session.ts';
import { ENDPOINTS } from '#server/features/registered.ts';
import { handleError } from '#server/http/problems.ts';
import { furnishCreator, type Params, urlFor } from '#server/testing/endpoint-walk.ts';
import { createTestApp, type Person, type TestApp, type Visitor } from '#server/testing/test-app.ts';

let app: TestApp;
let owner: Person;
let stranger: Visitor;
let own: Params;
beforeAll(async () => {
  app = await createTestApp({ settings: { BASE_URL: 'https://hq.example.test', SIMULATORS: 'on' } });
  owner = await app.signUpAndIn();
  stranger = app.visitor();
  own = await furnishCreator(app, owner, await app.signUpAndIn());
});
afterAll(() => app?.close());

const READS = ENDPOINTS.filter(({ endpoint }) => endpoint.method === 'GET' && !endpoint.stream);
const PAGES = [
  '/',
  '/api/docs',
  '/api/docs/scalar.js',
  '/api/v1/openapi.json',
  '/mailbox',
  '/l/nothing',
  '/.well-known/creator-hq/nothing',
  '/internal/domains/ask',
  '/s/nothing',
  '/f/nothing',
  '/data-deletion/nothing',
  '/unsubscribe/nothing',
  '/healthz',
  '/readyz',
  '/webhooks/meta',
  '/webhooks/mail/ses',
  '/no/such/address',
  '/%',
  '/api/v1/auth/me',
];
/** Answers about nobody may be cached; a story's picture and flags are kept by the one browser that may see them. */
const MAY_BE_KEPT: Record<string, RegExp> = {
  '/api/docs': /^public, max-age=60$/,
  '/api/docs/scalar.js': /^public, max-age=3600$/,
  '/api/v1/openapi.json': /^public, max-age=60$/,
  picture: /^private, /,
  evaluateFlags: /^private, no-cache$/,
};

function expectSafe(what: string, answer: Awaited<ReturnType<Visitor['send']>>): void {
  const header = (name: string) => String(answer.headers[name]);
  const policy = header('content-security-policy');
  for (const directive of ["object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"]) {
    // A picture's policy begins with nothing at all.
    if (directive.startsWith('object') && policy.startsWith("default-src 'none'")) continue;
    expect(policy, what).toContain(directive);
  }
  expect(policy.match(/script-src[^;]*/g)?.join() ?? '', what).not.toMatch(
    /unsafe-inline|unsafe-eval|\*|https:(;|$| )/,
  );
  expect(header('x-content-type-options'), what).toBe('nosniff');
  expect(header('strict-transport-security'), what).toBe('max-age=31536000; includeSubDomains');
  expect(header('referrer-policy'), what).toMatch(/^no-referrer/);
  expect(header('cross-origin-opener-policy'), what).toBe('same-origin');
  expect(header('cross-origin-resource-policy'), what).toBe('same-origin');
  expect(Object.keys(answer.headers).filter((name) => /^(access-control-|x-powered-by$|server$)/.test(name))).toEqual(
    [],
  );
  if (answer.text !== '') expect(header('content-type'), what).toMatch(/^[a-z]+\/[a-z+-]+(; charset=utf-8)?$/);
  expect(header('cache-control'), what).toMatch(MAY_BE_KEPT[what] ?? /^no-store$/);
}

test.each(READS)(
  '$name answers with every header, to whom it serves and to whom it refuses',
  async ({ name, endpoint }) => {
    const url = urlFor(endpoint, own);
    const headers = { origin: 'https://evil.test' };
    expectSafe(name, await owner.send({ method: 'GET', url, headers }));
    expectSafe(name, await stranger.send({ method: 'GET', url, headers }));
  },
);

test.each(PAGES)('%s answers with every header', async (url) => {
  expectSafe(url, await stranger.send({ method: 'GET', url, headers: { accept: 'text/html' } }));
});

test('a form’s script may be run by other blogs, and keeps nothing of their readers', async () => {
  const { body } = await owner.call(listForms, { params: { creatorId: own.creatorId! } });
  const url = `/f/${body.items[0]!.key}.js`;
  for (const method of ['GET', 'HEAD'] as const) {
    const { status, headers } = await stranger.send({ method, url, headers: { origin: 'https://blog.example.test' } });
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cross-origin-resource-policy': 'cross-origin',
      'referrer-policy': expect.stringMatching(/^no-referrer/),
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
      'x-content-type-options': 'nosniff',
    });
    expect(headers['set-cookie']).toBeUndefined();
  }
});

test('a picture that came from outside is only a picture', async () => {
  const url = `/api/v1/creators/${own.creatorId}/stories/${own.storyId}/picture`;
  const answer = await owner.send({ method: 'GET', url });
  expect(answer.status).toBe(200);
  expectSafe('picture', answer);
  expect(answer.headers['content-security-policy']).toMatch(/^default-src 'none'; .*sandbox$/);
});

test('third parties add their own hosts to the policy, and nothing inline', async () => {
  const other = await createTestApp({
    settings: {
      INTERCOM_APP_ID: 'app',
      INTERCOM_SECRET: 'secret',
      TAG_MANAGER_ID: 'GTM-1',
      FEATURE_FLAG_CLIENT_ID: 'flags',
      ERROR_REPORTING_DSN: 'https://key@errors.example.test/1',
    },
  });
  try {
    const { headers } = await other.app.inject({ method: 'GET', url: '/healthz' });
    const scripts = /script-src ([^;]*)/.exec(String(headers['content-security-policy']))?.[1];
    expect(scripts).toBe(
      "'self' https://widget.intercom.io https://js.intercomcdn.com https://www.googletagmanager.com",
    );
    expect(headers['content-security-policy']).toContain("script-src-attr 'none'");
  } finally {
    await other.close();
  }
});

test.each(['web/index.html', 'simulators/meta/phone/index.html'])(
  '%s has no script of its own inside',
  async (file) => {
    const html = await readFile(path.join(import.meta.dirname, '../..', file), 'utf8');
    for (const [script] of html.matchAll(/<script[^>]*>/g)) expect(script).toMatch(/\ssrc="\.?\//);
    expect(html).not.toMatch(/\son[a-z]+=|javascript:/i);
  },
);

describe('the host header', () => {
  test('does not decide where the links in mails lead', async () => {
    await stranger.send({
      method: 'POST',
      url: `/api/v1${forgotPassword.path}`,
      body: { email: owner.email },
      headers: { host: 'evil.test', 'x-forwarded-host': 'evil.test', forwarded: 'host=evil.test' },
    });
    const mail = (await app.mails(owner.email)).at(-1)!;
    expect(mail.kind).toBe('reset_password');
    expect(mail.text).toContain('https://hq.example.test/creator-hq/password-reset?token=');
    expect(mail.text + mail.html).not.toContain('evil.test');
  });

  test('does not stand in any answer', async () => {
    for (const url of [...PAGES, '/api/v1/env', `/api/v1/creators/${own.creatorId}/connections/instagram/start`]) {
      const answer = await owner.send({ method: 'GET', url, headers: { host: 'evil.test' } });
      expect(answer.text + JSON.stringify(answer.headers), url).not.toContain('evil.test');
    }
  });
});

describe('methods', () => {
  test.each(['TRACE', 'CONNECT', 'PROPFIND', 'DELETE', 'PUT'])(
    '%s on a page does nothing and tells nothing',
    async (method) => {
      const answer = await owner.send({ method, url: '/creator-hq', headers: { 'x-secret': 'echo me' } });
      expect(answer.status).toBe(404);
      expect(answer.text).not.toContain('echo me');
    },
  );

  test('a header does not turn one method into another', async () => {
    const answer = await owner.send({
      method: 'GET',
      url: `/api/v1/creators/${own.creatorId}/automations/${own.automationId}`,
      headers: { 'x-http-method-override': 'DELETE', 'x-method-override': 'DELETE' },
    });
    expect(answer.status).toBe(200);
    const left = app.db.engine.selectFrom('automations').select('id').where('id', '=', own.automationId!);
    expect(await left.executeTakeFirst()).toBeDefined();
  });
});

describe('input', () => {
  const post = (payload: string, type = 'application/json', url = '/api/v1/auth/login') =>
    app.app.inject({ method: 'POST', url, payload, headers: { 'content-type': type } });

  test.each([
    '{"email":"a@example.test","password":"x","__proto__":{"isAdmin":true}}',
    '{"email":"a@example.test","password":"x","constructor":{"prototype":{"isAdmin":true}}}',
    '{"email":{"__proto__":{"isAdmin":true}},"password":"x"}',
  ])('%s pollutes nothing', async (payload) => {
    expect((await post(payload)).statusCode).toBe(400);
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  });

  test('a form cannot pollute either, nor say a thing twice', async () => {
    const form = 'application/x-www-form-urlencoded';
    const send = (payload: string) => post(payload, form, '/webhooks/meta/data-deletion');
    expect((await send('__proto__[signed_request]=x.y')).statusCode).toBe(400);
    expect(({} as { signed_request?: string }).signed_request).toBeUndefined();
    expect((await send('signed_request=x.y&signed_request=x.z')).statusCode).toBe(400);
    expect((await send('signed_request=x.y')).statusCode).toBe(403);
  });

  test('a parameter given twice is refused instead of one of them being taken', async () => {
    const url = `/api/v1/creators/${own.creatorId}/interactions?limit=1&limit=2`;
    expect((await owner.send({ method: 'GET', url })).status).toBe(422);
  });
});

describe('the log', () => {
  async function logged(level: string, requests: (other: TestApp) => Promise<unknown>) {
    const lines: string[] = [];
    const out = new Writable({
      write(chunk, _encoding, done) {
        lines.push(...String(chunk).trimEnd().split('\n'));
        done();
      },
    });
    const other = await createTestApp({ deps: { log: pino({ level }, out) } });
    try {
      await requests(other);
    } finally {
      await other.close();
    }
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  test('has one line of JSON for each entry, whatever line ends somebody sends', async () => {
    const forged = 'x"}\r\n{"level":60,"msg":"forged"}';
    const entries = await logged('trace', async (other) => {
      await other.visitor().call(login, { body: { email: 'a@example.test', password: forged } });
      await other.app.inject({
        method: 'POST',
        url: `/api/v1/${encodeURIComponent(forged)}`,
        headers: { cookie: forged },
      });
    });
    expect(entries.length).toBeGreaterThan(0);
    expect(entries.map(({ msg }) => msg)).not.toContain('forged');
  });

  test('tells of refusals at `info`: what and where, and neither the address nor the password', async () => {
    const entries = await logged('info', async (other) => {
      const ada = await other.signUpAndIn({ email: 'ada@example.test' });
      await other.visitor().call(login, { body: { email: ada.email, password: 'wrong password' } });
      await ada.send({ method: 'POST', url: '/api/v1/creators', headers: { origin: 'https://evil.test' } });
    });
    expect(entries).toMatchObject([
      { security: 'signed_in', route: '/api/v1/auth/verification/confirm', userId: expect.any(String) },
      { security: 'wrong_credentials', method: 'POST', route: '/api/v1/auth/login' },
      { security: 'cross_site_request', method: 'POST' },
    ]);
    expect(JSON.stringify(entries)).not.toMatch(/ada@example|wrong password|session_token/);
  });
});

test('an unexpected error tells its cause to the log only', async () => {
  const lines: string[] = [];
  const broken = Fastify({ loggerInstance: pino({}, { write: (line) => void lines.push(line) }) });
  broken.setErrorHandler(handleError);
  broken.get('/thing', async () => {
    throw Object.assign(new Error('password=hunter2 at postgres://u:p@db/hq'), { code: '42P01', detail: 'secret row' });
  });
  const answer = await broken.inject({ method: 'GET', url: '/thing' });
  expect(answer.statusCode).toBe(500);
  expect(answer.json()).toMatchObject({ code: 'internal', title: 'Something went wrong' });
  expect(answer.body).not.toMatch(/hunter2|postgres|42P01|secret row/);
  expect(lines.some((line) => line.includes('request failed'))).toBe(true);
  await broken.close();
});
