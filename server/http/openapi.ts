/** The API described for programs (OpenAPI 3.1) and for people, both made from the contract. */
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { ENDPOINTS } from '#contract/api.ts';
import { scopeOf } from '#contract/api-tokens.ts';
import { API_BASE, type Endpoint } from '#contract/endpoint.ts';
import { COMMON_ERRORS, ERRORS, type ErrorCode, Problem } from '#contract/errors.ts';
import { OutgoingType, outgoingBody, SIGNATURE_HEADER } from '#contract/outgoing-webhooks.ts';
import { exampleOf } from '#server/http/api-examples.ts';
import { docsPage } from '#server/http/docs-page.ts';

export type JsonSchema = { [keyword: string]: unknown };

export type Operation = {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  security: object[];
  parameters?: { name: string; in: 'path' | 'query'; required: boolean; schema: JsonSchema }[];
  /** Read by documentation tools. */
  'x-codeSamples'?: { lang: string; source: string }[];
  requestBody?: { required: true; content: Record<string, { schema: JsonSchema }> };
  responses: Record<string, { description: string; content?: Record<string, { schema: JsonSchema }> }>;
};

export type ApiDescription = ReturnType<typeof describeApi>;

/** Registers `/api/v1/openapi.json` and `/api/docs`. */
export function registerApiDocs(app: FastifyInstance): void {
  const description = describeApi();
  const json = JSON.stringify(description);
  const page = docsPage(description);
  app.get(`${API_BASE}/openapi.json`, (_request, reply) =>
    reply.type('application/json; charset=utf-8').header('cache-control', 'public, max-age=60').send(json),
  );
  app.get('/api/docs', (_request, reply) =>
    reply.type('text/html; charset=utf-8').header('cache-control', 'public, max-age=60').send(page),
  );
}

export function describeApi() {
  const paths: Record<string, Record<string, Operation>> = {};
  for (const { name, feature, endpoint } of ENDPOINTS) {
    const path = endpoint.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] ??= {};
    paths[path][endpoint.method.toLowerCase()] = operationOf(name, feature, endpoint);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Creator HQ',
      version: 'v1',
      description:
        'What the web app calls, and what other tools may call with an API token (Settings > Other tools): `Authorization: Bearer TOKEN`. A token acts for the person who made it, in one creator, within its scopes. Errors are problem documents (RFC 9457): `title` and `detail` are for people, `code` is for programs and comes from a closed list.',
    },
    servers: [{ url: API_BASE }],
    tags: [...new Set(ENDPOINTS.map(({ feature }) => feature))].map((tag) => ({ name: tag })),
    paths,
    webhooks: webhooks(),
    components: {
      securitySchemes: {
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'creator-hq.session_token',
          description: 'Set by signing in.',
        },
        token: {
          type: 'http',
          scheme: 'bearer',
          description: 'A personal API token. Each call names the scope that it needs.',
        },
      },
      schemas: { Problem: schemaOf(Problem, 'output') },
    },
  };
}

function operationOf(name: string, feature: string, endpoint: Endpoint): Operation {
  const scope = scopeOf(endpoint);
  const example = exampleOf(name, endpoint);
  const parameters = [...parametersOf(endpoint.params, 'path'), ...parametersOf(endpoint.query, 'query')];
  return {
    operationId: name,
    summary: endpoint.summary,
    description:
      scope === null ? WHO[endpoint.access] : `${WHO[endpoint.access]} API tokens need the scope \`${scope}\`.`,
    tags: [feature],
    security: endpoint.access === 'public' ? [] : [{ session: [] }, ...(scope === null ? [] : [{ token: [scope] }])],
    ...(example !== null && { 'x-codeSamples': [{ lang: 'Shell', source: example }] }),
    ...(parameters.length > 0 && { parameters }),
    ...(endpoint.body !== undefined && {
      requestBody: { required: true, content: { 'application/json': { schema: schemaOf(endpoint.body, 'input') } } },
    }),
    responses: { ...successOf(endpoint), ...problemsOf(endpoint) },
  };
}

/** What we send to other tools. */
function webhooks() {
  return Object.fromEntries(
    OutgoingType.options.map((type) => [
      type,
      {
        post: {
          summary: `An event of type \`${type}\``,
          description: `Signed in the header \`${SIGNATURE_HEADER}\`: \`t=<seconds>,v1=<hex of HMAC-SHA256(secret, t + "." + body)>\`. Answer with any status from 200 to 299 within ten seconds; otherwise it comes again, for 24 hours, under the same \`id\`.`,
          requestBody: { content: { 'application/json': { schema: schemaOf(outgoingBody(type), 'output') } } },
        },
      },
    ]),
  );
}

const WHO: Record<Endpoint['access'], string> = {
  public: 'Anybody may call this.',
  user: 'For somebody signed in.',
  admin: 'For admins; for everybody else it does not exist.',
  creator: 'For members of the creator named in the path; for everybody else it does not exist.',
};

function parametersOf(schema: z.ZodMiniType | undefined, place: 'path' | 'query') {
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
  }));
}

function successOf(endpoint: Endpoint): Operation['responses'] {
  if (endpoint.response === undefined) return { 204: { description: 'Done; nothing to tell.' } };
  const type = endpoint.stream ? 'text/event-stream' : 'application/json';
  const description = endpoint.stream ? 'A stream; each `data` line is one of these.' : 'Done.';
  return { 200: { description, content: { [type]: { schema: schemaOf(endpoint.response, 'output') } } } };
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
          content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
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

/** What `format` says already (zod's regular expressions of dates and ids), and the bounds of a safe integer. */
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
