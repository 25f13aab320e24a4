/** The API described for programs (OpenAPI 3.1) and for people, both made from the contract. */
import * as z from 'zod/mini';
import { scopeOf } from '#contract/api-tokens.ts';
import { API_BASE, type Endpoint, type NamedEndpoint } from '#contract/endpoint.ts';
import { COMMON_ERRORS, ERRORS, type ErrorCode, Problem } from '#contract/errors.ts';
import { OutgoingType, outgoingBody, SIGNATURE_HEADER } from '#contract/outgoing-webhooks.ts';
import { exampleAnswer, exampleBody, exampleCall } from '#server/http/api-examples.ts';
import { exampleFor } from '#server/http/examples.ts';
import { CHALLENGE, problemOf } from '#server/http/problems.ts';

export type JsonSchema = { [keyword: string]: unknown };

export type Operation = {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  security: object[];
  parameters?: Parameter[];
  /** Read by documentation tools. */
  'x-codeSamples'?: { lang: string; source: string }[];
  requestBody?: { required: true; content: Content };
  responses: Record<string, { description: string; headers?: Record<string, object>; content?: Content }>;
};

type Content = Record<string, { schema: JsonSchema; example?: unknown }>;
type Parameter = {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  schema: JsonSchema;
  example: unknown;
  description?: string;
};

const IDEMPOTENCY_KEY: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A unique value for each thing you create, such as a UUID in quotes. For a day, repeating the call with it creates nothing and returns the first response.',
  schema: { type: 'string', maxLength: 257 },
  example: '"8e03978e-40d5-43e8-bc93-6894a57f9324"',
};

const LIMIT_HEADERS = Object.fromEntries(
  ['Retry-After', 'RateLimit', 'RateLimit-Policy'].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
);

export function describeApi(endpoints: NamedEndpoint[]) {
  const paths: Record<string, Record<string, Operation>> = {};
  for (const { name, feature, endpoint } of endpoints) {
    const path = endpoint.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] ??= {};
    paths[path][endpoint.method.toLowerCase()] = operationOf(name, feature, endpoint);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Creator HQ',
      version: 'v1',
      license: { name: 'MIT', identifier: 'MIT' },
      contact: { name: 'The people who run this installation' },
      description:
        'The calls the web app makes. Other tools can make them with an API token (Settings > Integrations): `Authorization: Bearer TOKEN`. A token acts for the person who made it, in one creator, within its scopes. Errors are problem documents (RFC 9457): `title` and `detail` are for people, `code` is for programs and comes from a closed list. Calls are limited in a second and at once, by token and by person: `RateLimit` tells how many are left, 429 with `Retry-After` when to go on.',
    },
    servers: [{ url: API_BASE }],
    tags: [...new Set(endpoints.map(({ feature }) => feature))].map((tag) => ({ name: tag })),
    paths,
    webhooks: webhooks(),
    components: {
      securitySchemes: {
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'creator-hq.session_token',
          description: 'Set when you log in.',
        },
        token: {
          type: 'http',
          scheme: 'bearer',
          description: 'A personal API token. Each call lists the scope it needs.',
        },
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'The API key of a creator, for their WordPress plugin.',
        },
      },
      headers: {
        'Retry-After': header('Seconds to wait.', { type: 'integer' }, 1),
        RateLimit: header(
          'What’s left of each limit; see draft-ietf-httpapi-ratelimit-headers.',
          TEXT,
          '"token";r=29;t=1',
        ),
        'RateLimit-Policy': header('The limits.', TEXT, '"token";q=30;w=1'),
        'WWW-Authenticate': header(
          'Why the token was refused (RFC 6750).',
          TEXT,
          `${CHALLENGE}, error="invalid_token"`,
        ),
      },
      schemas: { Problem: schemaOf(Problem, 'output') },
    },
  };
}

function operationOf(name: string, feature: string, endpoint: Endpoint): Operation {
  const scope = scopeOf(endpoint);
  const example = exampleCall(name, endpoint);
  const parameters = [
    ...parametersOf(endpoint.params, 'path'),
    ...parametersOf(endpoint.query, 'query'),
    ...(endpoint.makes ? [IDEMPOTENCY_KEY] : []),
  ];
  return {
    operationId: name,
    summary: endpoint.summary,
    description:
      scope === null ? WHO[endpoint.access] : `${WHO[endpoint.access]} API tokens need the scope \`${scope}\`.`,
    tags: [feature],
    security: securityOf(endpoint, scope),
    ...(example !== null && { 'x-codeSamples': [{ lang: 'Shell', source: example }] }),
    ...(parameters.length > 0 && { parameters }),
    ...(endpoint.body !== undefined && {
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: schemaOf(endpoint.body, 'input'), example: exampleBody(name, endpoint) },
        },
      },
    }),
    responses: { ...successOf(name, endpoint), ...problemsOf(endpoint) },
  };
}

function securityOf({ access }: Endpoint, scope: string | null): object[] {
  if (access === 'public') return [];
  if (access === 'plugin') return [{ apiKey: [] }];
  return [{ session: [] }, ...(scope === null ? [] : [{ token: [scope] }])];
}

/** Our webhooks to other tools. */
function webhooks() {
  return Object.fromEntries(
    OutgoingType.options.map((type) => [
      type,
      {
        post: {
          operationId: `on_${type}`,
          security: [],
          summary: `An event of type \`${type}\``,
          description: `Signed in the header \`${SIGNATURE_HEADER}\`: \`t=<seconds>,v1=<hex of HMAC-SHA256(secret, t + "." + body)>\`. While a secret is being changed, there are two v1 signatures. Respond with any status from 200 to 299 within 10 seconds; otherwise we retry for 24 hours with the same \`id\`.`,
          requestBody: { content: { 'application/json': { schema: schemaOf(outgoingBody(type), 'output') } } },
          responses: { '2XX': { description: 'Received; it won’t be sent again.' } },
        },
      },
    ]),
  );
}

const TEXT = { type: 'string' };

function header(description: string, schema: JsonSchema, example: unknown) {
  return { description, schema, example };
}

const WHO: Record<Endpoint['access'], string> = {
  public: 'Anyone can call this.',
  user: 'For logged-in users.',
  admin: 'For admins; everyone else gets a 404.',
  creator: 'For members of the creator in the path; everyone else gets a 404.',
  plugin: 'For the WordPress plugin with an API key.',
};

function parametersOf(schema: z.ZodMiniType | undefined, place: 'path' | 'query'): Parameter[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
    example: exampleFor(property),
  }));
}

function successOf(name: string, endpoint: Endpoint): Operation['responses'] {
  if (endpoint.response === undefined) return { 204: { description: 'Done, with no content.' } };
  const type = endpoint.stream ? 'text/event-stream' : 'application/json';
  const description = endpoint.stream ? 'A stream. Each `data` line is one of these.' : 'Done.';
  const schema = schemaOf(endpoint.response, 'output');
  // A stream's example would have to be all of its text.
  const example = endpoint.stream ? {} : { example: exampleAnswer(name, endpoint) };
  return { 200: { description, content: { [type]: { schema, ...example } } } };
}

/** Codes of one status share a response. */
function problemsOf(endpoint: Endpoint): Operation['responses'] {
  const byStatus = Map.groupBy(codesOf(endpoint), (code) => ERRORS[code].status);
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, codes]) => [
        status,
        {
          description: codes.map((code) => `\`${code}\`: ${ERRORS[code].title}`).join('; '),
          ...(status === 429 && { headers: LIMIT_HEADERS }),
          ...(status === 401 && { headers: { 'WWW-Authenticate': { $ref: '#/components/headers/WWW-Authenticate' } } }),
          content: {
            'application/problem+json': {
              schema: { $ref: '#/components/schemas/Problem' },
              example: problemOf(codes[0]!, ERRORS[codes[0]!].title),
            },
          },
        },
      ]),
  );
}

/** Every code that this endpoint may answer with. */
export function codesOf(endpoint: Endpoint): ErrorCode[] {
  return [
    ...new Set<ErrorCode>([
      ...(endpoint.errors ?? []),
      ...(endpoint.quotas === undefined ? [] : (['quota_reached'] as const)),
      ...(endpoint.params !== undefined || endpoint.query !== undefined || endpoint.body !== undefined
        ? (['invalid_input'] as const)
        : []),
      ...(endpoint.access === 'public' ? [] : (['not_signed_in'] as const)),
      ...(endpoint.access === 'creator' || endpoint.access === 'admin' ? (['not_found'] as const) : []),
      ...(endpoint.access === 'admin' ||
      endpoint.needs !== undefined ||
      endpoint.ownAccount ||
      scopeOf(endpoint) !== null
        ? (['not_allowed'] as const)
        : []),
      ...(endpoint.makes ? (['call_under_way', 'key_used_before'] as const) : []),
      ...(endpoint.method === 'GET' ? [] : (['cross_site_request'] as const)),
      ...COMMON_ERRORS,
    ]),
  ];
}

function schemaOf(schema: z.ZodMiniType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as JsonSchema;
  return withoutNoise(json) as JsonSchema;
}

/** Patterns that `format` says already (zod's regular expressions of dates and ids), and the bounds of a safe integer. */
function withoutNoise(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNoise);
  if (typeof value !== 'object' || value === null) return value;
  const noise = 'format' in value && typeof value.format === 'string';
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, entry]) => !(noise && key === 'pattern') && Math.abs(Number(entry)) !== Number.MAX_SAFE_INTEGER)
      .map(([key, entry]) => [key, withoutNoise(entry)]),
  );
}
