/** Malformed requests for every endpoint there is: made from the contract, then spoilt. And bytes that are hardly HTTP. */
import fc from 'fast-check';
import { API_BASE } from '#contract/endpoint.ts';
import { ENDPOINTS } from '#server/features/registered.ts';
import { bodyFor, type Params, paramsOf } from '#server/testing/endpoint-walk.ts';

export type SpoiltRequest = {
  name: string;
  method: string;
  url: string;
  body: string | Buffer | undefined;
  headers: Record<string, string>;
};

/** Parts of the requests: ids of the caller's own creator, and of one that is none of theirs. */
export type Known = { own: Params; foreign: Params };

const FUZZED = ENDPOINTS.filter(({ endpoint }) => !endpoint.stream);

/** Addresses outside of the contract: pages, downloads, what Meta and followers call. */
const OTHER_ADDRESSES: readonly [method: string, path: string][] = [
  ['GET', '/healthz'],
  ['GET', '/api/docs'],
  ['GET', '/mailbox/:x'],
  ['GET', '/l/:x'],
  ['HEAD', '/l/:x/:y'],
  ['GET', '/f/:x'],
  ['POST', '/f/:x'],
  ['GET', '/f/:x/:y'],
  ['GET', '/data-deletion/:x'],
  ['POST', '/webhooks/meta'],
  ['GET', '/webhooks/meta'],
  ['POST', '/webhooks/mail/:x'],
  ['POST', '/webhooks/meta/deauthorize'],
  ['POST', '/webhooks/meta/data-deletion'],
  ['GET', `${API_BASE}/creators/:creatorId/stories/:storyId/picture`],
  ['GET', `${API_BASE}/creators/:creatorId/posts/:postId/picture`],
  ['GET', `${API_BASE}/creators/:creatorId/interactions.csv`],
  ['GET', `${API_BASE}/creators/:creatorId/contacts.csv`],
  ['GET', `${API_BASE}/creators/:creatorId/figures.csv`],
  ['GET', `${API_BASE}/creators/:creatorId/connections/instagram/start`],
  ['GET', `${API_BASE}/connections/facebook/callback`],
  ['GET', `${API_BASE}/convert-kit/callback`],
  ['PATCH', `${API_BASE}/creators/:creatorId`],
  ['OPTIONS', `${API_BASE}/auth/me`],
  ['GET', '/:x/:y'],
];

const nastyText = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '\0',
    'a\0b',
    '\ud800',
    '\ufeff',
    '\u202egnp.exe',
    '\u0000\u0007\u001b[31m',
    'ﷺ'.repeat(50),
    `a${'\u0301'.repeat(200)}`,
    'null',
    'NaN',
    '__proto__',
    'constructor',
    '../../etc/passwd',
    '..%2f..%2fetc%2fpasswd',
    '%00',
    '%',
    '%ff%fe',
    '%E0%A4%A',
    "'; drop table users; --",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: what template engines would work out.
    '${7*7}{{7*7}}<%= 7*7 %>',
    '<img src=x onerror=alert(1)>',
    '=HYPERLINK("http://evil.test")',
    'a'.repeat(5_000),
    '(a+)+$'.repeat(30),
    `${'a'.repeat(3_000)}@`,
    'http://169.254.169.254/latest/meta-data',
    'http://[::ffff:127.0.0.1]/',
    'javascript:alert(1)',
    '//evil.test/',
    '00000000-0000-0000-0000-000000000000',
    'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF',
    '2026-02-30T25:61:61Z',
    '+275760-09-13T00:00:00.001Z',
    '-271821-04-20T00:00:00.000Z',
    '9999999999999999999999',
    '-1',
    '1e309',
    '0x10',
    'a\r\nSet-Cookie: x=y',
  ),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
);

const nastyValue: fc.Arbitrary<unknown> = fc.oneof(
  nastyText,
  fc.constantFrom(null, true, 0, -0, -1, 1e21, 1e308, 5e-324, Number.MAX_SAFE_INTEGER, 2 ** 31, 2 ** 53, 0.5),
  fc.constantFrom<unknown>([], {}, [[]], [null], { a: 1 }, { length: 1e9 }, { toString: 1 }, { toJSON: 1 }),
  fc.constant(JSON.parse('{"__proto__":{"isAdmin":true},"constructor":{"prototype":{}}}')),
  fc.array(nastyText, { maxLength: 4 }),
  fc.constant(Array.from({ length: 3_000 }, (_, index) => index)),
  fc.jsonValue({ maxDepth: 3 }),
);

const headerText = nastyText.map((text) => text.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 400));

const nastyHeaders = fc.dictionary(
  fc.constantFrom(
    'accept',
    'accept-encoding',
    'accept-language',
    'authorization',
    'expect',
    'forwarded',
    'host',
    'if-modified-since',
    'if-none-match',
    'origin',
    'range',
    'referer',
    'sec-fetch-site',
    'upgrade',
    'user-agent',
    'via',
    'x-caller-address',
    'x-forwarded-for',
    'x-forwarded-host',
    'x-forwarded-proto',
    'x-http-method-override',
    'x-hub-signature-256',
  ),
  fc.oneof(
    headerText,
    headerText.map((text) => `Bearer ${text}`),
    fc.constantFrom(
      'bytes=0-,1-,2-',
      'sha256=',
      `sha256=${'0'.repeat(64)}`,
      'text/html;q=2',
      '*/*,'.repeat(100),
      'null',
    ),
  ),
  { maxKeys: 3 },
);

export function spoiltRequest(known: Known): fc.Arbitrary<SpoiltRequest> {
  return fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...FUZZED).chain((entry) => spoiltCall(entry, known)) },
    { weight: 1, arbitrary: fc.constantFrom(...OTHER_ADDRESSES).chain((address) => spoiltVisit(address, known)) },
  );
}

function spoiltCall({ name, endpoint }: (typeof FUZZED)[number], known: Known): fc.Arbitrary<SpoiltRequest> {
  const body =
    endpoint.body === undefined
      ? fc.option(nastyText, { nil: undefined, freq: 20 })
      : spoiltBody(bodyFor(name, endpoint, known.own));
  return fc
    .record({
      path: filledPath(endpoint.path, known),
      query: spoiltQuery(Object.keys((endpoint.query as { shape?: object } | undefined)?.shape ?? {}), known),
      body,
      headers: nastyHeaders,
      contentType,
    })
    .map(({ path, query, body, headers, contentType }) => ({
      name,
      method: endpoint.method,
      url: `${API_BASE}${path}${query}`,
      body,
      headers: { ...headers, ...(body !== undefined && { 'content-type': contentType }) },
    }));
}

function spoiltVisit([method, path]: (typeof OTHER_ADDRESSES)[number], known: Known): fc.Arbitrary<SpoiltRequest> {
  return fc
    .record({
      filled: filledPath(path, known),
      query: spoiltQuery(['hub.mode', 'hub.challenge', 'hub.verify_token', 'state', 'code', 'filter', 'range'], known),
      body: ['GET', 'HEAD', 'OPTIONS'].includes(method) ? fc.constant(undefined) : fc.oneof(nastyText, nastyBytes),
      headers: nastyHeaders,
      contentType,
    })
    .map(({ filled, query, body, headers, contentType }) => ({
      name: path,
      method,
      url: `${filled}${query}`,
      body,
      headers: { ...headers, ...(body !== undefined && { 'content-type': contentType }) },
    }));
}

const contentType = fc.constantFrom(
  ...Array<string>(8).fill('application/json'),
  'text/plain',
  'application/json; charset=utf-7',
  'application/json;;;',
  'multipart/form-data; boundary=x',
  'multipart/form-data',
  'application/x-www-form-urlencoded',
  '',
);

/** Each parameter its own id, somebody else's, or nonsense. */
function filledPath(path: string, { own, foreign }: Known): fc.Arbitrary<string> {
  const names = paramsOf({ path } as Parameters<typeof paramsOf>[0]);
  const values = names.map((name) =>
    fc.oneof(
      { weight: 6, arbitrary: fc.constant(own[name] ?? (name === 'type' ? 'save-to-email' : 'x')) },
      { weight: 2, arbitrary: fc.constant(foreign[name] ?? 'y') },
      { weight: 2, arbitrary: nastyText },
    ),
  );
  return fc
    .tuple(...values)
    .map((filled) =>
      names.reduce(
        (soFar, name, index) => soFar.replace(`:${name}`, () => encodeURIComponent(filled[index]!.toWellFormed())),
        path,
      ),
    );
}

function spoiltQuery(names: string[], { foreign }: Known): fc.Arbitrary<string> {
  const value = fc.oneof(
    nastyText,
    fc.array(nastyText, { maxLength: 3 }),
    fc.constantFrom(...Object.values(foreign)),
    // Looks like our own position in a list.
    nastyText.map((text) => Buffer.from(JSON.stringify([text, text])).toString('base64url')),
  );
  return fc
    .dictionary(fc.oneof(fc.constantFrom(...names, 'x', '__proto__', 'limit', 'after'), nastyText), value, {
      maxKeys: 4,
    })
    .map((query) => {
      const pairs = Object.entries(query).flatMap(([key, value]) => [value].flat().map((one) => [key, one]));
      const search = new URLSearchParams(pairs as [string, string][]).toString();
      return search && `?${search}`;
    });
}

const nastyBytes = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes));

/** A valid body with some of its values replaced, left out or added; or what no parser should trip over. */
function spoiltBody(valid: unknown): fc.Arbitrary<string | Buffer> {
  const names = Object.keys((valid ?? {}) as object);
  const changed = fc
    .record({
      replaced:
        names.length === 0 ? fc.constant({}) : fc.dictionary(fc.constantFrom(...names), nastyValue, { maxKeys: 3 }),
      added: fc.dictionary(
        fc.oneof(fc.constantFrom('id', 'creatorId', 'userId', 'isAdmin', 'role', 'version'), nastyText),
        nastyValue,
        { maxKeys: 2 },
      ),
      leftOut: names.length === 0 ? fc.constant([]) : fc.subarray(names, { maxLength: 1 }),
    })
    .map(({ replaced, added, leftOut }) => {
      const body: Record<string, unknown> = { ...(valid as object), ...replaced, ...added };
      for (const name of leftOut) delete body[name];
      return JSON.stringify(body);
    });
  const field = fc.constantFrom(...names, 'x');
  const written = JSON.stringify(valid ?? {});
  return fc.oneof(
    { weight: 12, arbitrary: changed },
    { weight: 1, arbitrary: nastyValue.map((value) => JSON.stringify(value) ?? '') },
    { weight: 1, arbitrary: nastyText },
    { weight: 1, arbitrary: nastyBytes },
    { weight: 1, arbitrary: changed.map((body) => body.slice(0, Math.floor(body.length / 2))) },
    // The same key twice, numbers that no double holds, deep nesting, half of a pair: all of it is JSON.
    { weight: 1, arbitrary: field.map((name) => `{"${name}":1,${written.slice(1)}`.replace(/,}$/, '}')) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(field, fc.constantFrom('1e999', '-1e999', '1'.repeat(400), '0.1e-400', '"\\ud800"', '"\\u0000"'))
        .map(([name, value]) => `{"${name}":${value}}`),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(field, fc.constantFrom(10, 500, 5_000, 40_000), fc.constantFrom(['[', ']'], ['{"a":', '}']))
        .map(([name, depth, [open, close]]) => `{"${name}":${open!.repeat(depth)}1${close!.repeat(depth)}}`),
    },
    { weight: 1, arbitrary: fc.constantFrom('['.repeat(20_000), `${'{"a":'.repeat(20_000)}`, `\ufeff${written}`) },
    { weight: 1, arbitrary: fc.constant(Buffer.from(written, 'utf16le')) },
  );
}

/** Bytes for a socket: a request whose lines, lengths and ends contradict each other, or that is none. */
export function spoiltBytes({ own }: Known): fc.Arbitrary<Buffer> {
  const line = fc.constantFrom(
    'Content-Length: 0',
    'Content-Length: 5',
    'Content-Length: 4, 5',
    'Content-Length: -1',
    'Content-Length: +5',
    'Content-Length: 99999999999999999999',
    'Transfer-Encoding: chunked',
    'Transfer-Encoding: identity, chunked',
    'Transfer-Encoding: chunked, gzip',
    'Transfer-Encoding : chunked',
    ' Transfer-Encoding: chunked',
    'Transfer-Encoding:\tchunked',
    'Transfer-Encoding: \x0bchunked',
    'Expect: 100-continue',
    'Upgrade: websocket',
    'Connection: upgrade',
    'Connection: keep-alive, close',
    'Host: other.test',
    'Cookie: =; ;;=a; __proto__=1',
    `Cookie: ${'a=b; '.repeat(500)}`,
    `X-Long: ${'x'.repeat(20_000)}`,
    'Bad Header: 1',
    ': empty',
    'No-Colon',
    'Folded: a\r\n b',
    'Null: \0',
    'Content-Type: application/json',
  );
  const target = fc.constantFrom(
    '/healthz',
    '/api/v1/auth/login',
    `/api/v1/creators/${own.creatorId}/automations`,
    'http://evil.test/healthz',
    '*',
    '//',
    '/\0',
    '/ HTTP/1.1\r\nX: /healthz',
    `/${'a'.repeat(20_000)}`,
    '/%',
  );
  return fc
    .record({
      method: fc.constantFrom('GET', 'POST', 'PUT', 'HEAD', 'OPTIONS', 'TRACE', 'CONNECT', 'PRI', 'get', 'G\0T', ''),
      target,
      version: fc.constantFrom(...Array<string>(6).fill('HTTP/1.1'), 'HTTP/1.0', 'HTTP/0.9', 'HTTP/2.0', 'HTTP/1.1 '),
      lines: fc.array(line, { maxLength: 5 }),
      lineEnd: fc.constantFrom(...Array<string>(6).fill('\r\n'), '\n', '\r'),
      body: fc.constantFrom(
        '',
        '{}',
        '5\r\nhello\r\n0\r\n\r\n',
        '0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n',
        'ffffffffffffffff\r\n',
        '5;ext="\n"\r\nhello\r\n0\r\n\r\n',
        '-1\r\n\r\n',
      ),
      noise: fc.option(fc.tuple(fc.nat({ max: 400 }), fc.uint8Array({ maxLength: 5 })), { nil: null, freq: 2 }),
    })
    .map(({ method, target, version, lines, lineEnd, body, noise }) => {
      const head = [`${method} ${target} ${version}`, 'Host: localhost', 'Connection: close', ...lines].join(lineEnd);
      const bytes = Buffer.from(head + lineEnd + lineEnd + body, 'latin1');
      if (noise === null) return bytes;
      const at = Math.min(noise[0], bytes.length);
      return Buffer.concat([bytes.subarray(0, at), Buffer.from(noise[1]), bytes.subarray(at)]);
    });
}
