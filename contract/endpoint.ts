/**
 * An endpoint is a plain object that the server's routes, the browser's client, the tests and the OpenAPI document
 * all read. Nothing about a call is written down twice.
 */
import type * as z from 'zod/mini';
import type { ErrorCode } from '#contract/errors.ts';
import type { Permission } from '#contract/permissions.ts';
import type { QuotaName } from '#contract/quotas.ts';

/**
 * Who may call:
 * - `public`: anybody.
 * - `user`: somebody signed in.
 *   A `:userId` in the path must be the caller's own.
 * - `creator`: somebody signed in with a membership of the creator named by `:creatorId` in the path, whose role has
 *   the permission in `needs` (see roles.ts). Support inside the account is one of the roles.
 * - `admin`: somebody signed in who is an admin, wherever they are.
 * - `plugin`: a blog's WordPress plugin, with the API key of its creator. The key opens no endpoint of another kind.
 */
export type Access = 'public' | 'user' | 'creator' | 'admin' | 'plugin';

type Schema = z.ZodMiniType;

/** The kinds of live events, named after what changed; `hello`: events may have been missed. */
export const LIVE_EVENTS = [
  'interactions',
  'posts',
  'stories',
  'connections',
  'automations',
  'links',
  'plans',
  'imports',
  'account',
  'hello',
] as const;
export type LiveEventName = Exclude<(typeof LIVE_EVENTS)[number], 'hello'>;

export type Endpoint = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the API's base path, with `:name` parameters: `/creators/:creatorId/posts`. */
  path: string;
  access: Access;
  /** The permission the caller's role needs; `work` when absent, which every role has. */
  needs?: Permission;
  /** Changes the caller's own account or where they work: refused while they are in admin access mode. */
  ownAccount?: true;
  /** A POST that makes something which must not be there twice: it takes the header `Idempotency-Key`. */
  makes?: true;
  /** The response has people's names, addresses or words: noted in the audit log when support or an admin reads it. */
  personal?: true;
  /** One line for the OpenAPI document. */
  summary: string;
  params?: Schema;
  query?: Schema;
  body?: Schema;
  /** Absent: 204 without a body. */
  response?: Schema;
  /** Codes this endpoint may answer besides those that any may: see `errors.ts`. */
  errors?: readonly ErrorCode[];
  /** Live events that put its answer out of date; screens then ask again. */
  refreshedBy?: readonly LiveEventName[];
  /** Quotas the call counts against; it may then answer `quota_reached`. */
  quotas?: readonly QuotaName[];
  /** A stream of server-sent events, whose `data` lines follow `response`. */
  stream?: true;
};

/** With the name it is exported by and the part of the contract it belongs to. */
export type NamedEndpoint = { name: string; feature: string; endpoint: Endpoint };

/** Keeps the literal types of an endpoint. */
export function endpoint<const E extends Endpoint>(definition: E): E {
  return definition;
}

export const API_BASE = '/api/v1';

type Output<S> = S extends Schema ? z.output<S> : undefined;
type Input<S> = S extends Schema ? z.input<S> : undefined;

export type ParamsOf<E extends Endpoint> = Output<E['params']>;
export type QueryOf<E extends Endpoint> = Output<E['query']>;
export type BodyOf<E extends Endpoint> = Output<E['body']>;
export type ResponseOf<E extends Endpoint> = Output<E['response']>;

/** The request a caller passes: only the parts that the endpoint has. */
export type RequestOf<E extends Endpoint> = (E['params'] extends Schema ? { params: Input<E['params']> } : unknown) &
  (E['query'] extends Schema ? { query?: Input<E['query']> } : unknown) &
  (E['body'] extends Schema ? { body: Input<E['body']> } : unknown);
