/** Malformed requests for every endpoint there is: made from the contract, then spoilt. */
import fc from 'fast-check';
import { ENDPOINTS } from '#contract/api.ts';
import { bodyFor, type Params, paramsOf } from '#server/testing/walking.ts';

export type SpoiltRequest = {
  name: string;
  method: string;
  url: string;
  body: string | undefined;
  headers: Record<string, string>;
};

/** They would sign the fuzzer out, or never end. */
const LEFT_OUT = new Set(['logout', 'endSession', 'changePassword']);
const FUZZED = ENDPOINTS.filter(({ name, endpoint }) => !LEFT_OUT.has(name) && !endpoint.stream);

const nastyText = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '\0',
    '\ud800',
    'null',
    '../../etc/passwd',
    '%00',
    '%',
    "'; drop table users; --",
    '<script>alert(1)</script>',
    '{{constructor.constructor("return 1")()}}',
    '#{7*7}',
    '=HYPERLINK("http://evil.test")',
    '(a+)+$',
    '\u202edecoded',
    '👩‍👩‍👧‍👧',
    '9'.repeat(40),
    '-1',
    '1e999',
    '0x7f',
    'a'.repeat(5_000),
    'http://169.254.169.254/latest/meta-data',
    'javascript:alert(1)',
    '00000000-0000-0000-0000-000000000000',
    '2026-02-30T25:61:61Z',
    '+275760-09-13T00:00:00.001Z',
    'a\r\nSet-Cookie: x=y',
  ),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
);

const nastyValue: fc.Arbitrary<unknown> = fc.oneof(
  nastyText,
  fc.constantFrom(null, true, 0, -0, -1, 1e21, Number.MAX_SAFE_INTEGER, 2 ** 31, 0.5, [], {}, [[]], [null], { a: 1 }),
  fc.constant(JSON.parse('{"__proto__":{"isAdmin":true},"constructor":{"prototype":{}}}')),
  fc.array(nastyText, { maxLength: 4 }),
  fc.jsonValue({ maxDepth: 3 }),
);

/** @param own ids that the requests may also use as they are */
export function spoiltRequest(own: Params): fc.Arbitrary<SpoiltRequest> {
  return fc.constantFrom(...FUZZED).chain(({ name, endpoint }) =>
    fc
      .record({
        params: fc.array(fc.option(nastyText, { nil: null, freq: 3 }), { minLength: 6, maxLength: 6 }),
        query: fc.dictionary(
          fc.oneof(fc.constantFrom(...queryNames(endpoint.query), 'x', '__proto__'), nastyText),
          fc.oneof(nastyText, fc.array(nastyText, { maxLength: 3 })),
          { maxKeys: 4 },
        ),
        body: endpoint.body === undefined ? fc.constant(undefined) : spoiltBody(bodyFor(name, endpoint, own)),
        headers: fc.dictionary(
          fc.constantFrom('accept', 'x-forwarded-for', 'x-forwarded-host', 'if-none-match', 'range', 'accept-language'),
          nastyText.map((text) => text.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 200)),
          { maxKeys: 2 },
        ),
        contentType: fc.constantFrom(
          ...Array<string>(6).fill('application/json'),
          'text/plain',
          'application/json; charset=utf-7',
          'multipart/form-data; boundary=x',
          'application/x-www-form-urlencoded',
        ),
      })
      .map(({ params, query, body, headers, contentType }) => {
        const values = paramsOf(endpoint).map((param, index) => [param, params[index] ?? own[param] ?? 'x'] as const);
        const path = values.reduce(
          (filled, [param, value]) => filled.replace(`:${param}`, () => encodeURIComponent(value.toWellFormed())),
          endpoint.path,
        );
        const search = new URLSearchParams(
          Object.entries(query).flatMap(([key, value]) => [value].flat().map((one): [string, string] => [key, one])),
        ).toString();
        return {
          name,
          method: endpoint.method,
          url: `/api/v1${path}${search && `?${search}`}`,
          body,
          headers: { ...headers, ...(body !== undefined && { 'content-type': contentType }) },
        };
      }),
  );
}

function queryNames(query: unknown): string[] {
  return Object.keys((query as { shape?: object } | undefined)?.shape ?? {});
}

/** A valid body with some of its values replaced, left out or added; or no JSON at all. */
function spoiltBody(valid: unknown): fc.Arbitrary<string> {
  const names = Object.keys((valid ?? {}) as object);
  const changed = fc
    .record({
      replaced:
        names.length === 0 ? fc.constant({}) : fc.dictionary(fc.constantFrom(...names), nastyValue, { maxKeys: 3 }),
      added: fc.dictionary(fc.oneof(fc.constantFrom('id', 'creatorId', 'isAdmin', 'version'), nastyText), nastyValue, {
        maxKeys: 2,
      }),
      leftOut: names.length === 0 ? fc.constant([]) : fc.subarray(names, { maxLength: 1 }),
    })
    .map(({ replaced, added, leftOut }) => {
      const body: Record<string, unknown> = { ...(valid as object), ...replaced, ...added };
      for (const name of leftOut) delete body[name];
      return JSON.stringify(body);
    });
  return fc.oneof(
    { weight: 8, arbitrary: changed },
    { weight: 1, arbitrary: nastyValue.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: nastyText },
    { weight: 1, arbitrary: changed.map((body) => body.slice(0, Math.floor(body.length / 2))) },
    { weight: 1, arbitrary: fc.constant('['.repeat(20_000)) },
  );
}
