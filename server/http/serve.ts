/**
 * From contract to route: parse by the contract, check who calls, run the handler, check what goes out.
 * Every route of the API is made here, so that none can forget a check.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import {
  API_BASE,
  type BodyOf,
  type Endpoint,
  type ParamsOf,
  type QueryOf,
  type ResponseOf,
} from '#contract/endpoint.ts';
import { mayDo, PERMISSIONS, type Permission, type Role } from '#contract/roles.ts';
import type { CreatorTransaction, Database } from '#server/db/database.ts';
import { AppError } from '#server/errors.ts';
import type { SignedIn } from '#server/http/sessions.ts';

export type Call<E extends Endpoint> = {
  params: ParamsOf<E>;
  query: QueryOf<E>;
  body: BodyOf<E>;
  request: FastifyRequest;
  reply: FastifyReply;
} & (E['access'] extends 'public' ? unknown : { signedIn: SignedIn }) &
  (E['access'] extends 'creator'
    ? {
        creatorId: string;
        role: Role;
        /** Runs in a transaction that sees this creator's rows only. */
        inCreator<T>(work: (trx: CreatorTransaction) => Promise<T>): Promise<T>;
      }
    : unknown);

export type ServeDeps = {
  db: Database;
  sessions: {
    /** Null when nobody is signed in. */
    read(request: FastifyRequest): Promise<SignedIn | null>;
    /** The person's role in the creator; `admin` during a visit there; null for a stranger. */
    roleIn(signedIn: SignedIn, creatorId: string): Promise<Role | null>;
  };
  audit: {
    /** Writes down what support is about to change inside an account; without the note nothing is changed. */
    note(signedIn: SignedIn, change: { what: string; detail: string }): Promise<void>;
  };
};

/** Registers one endpoint of the contract. */
export function serve<E extends Endpoint>(
  app: FastifyInstance,
  deps: ServeDeps,
  endpoint: E,
  handler: (call: Call<E>) => Promise<E['response'] extends z.ZodMiniType ? ResponseOf<E> : void>,
  options: { config?: Record<string, unknown> } = {},
): void {
  app.route({
    method: endpoint.method,
    url: API_BASE + endpoint.path,
    config: options.config ?? {},
    handler: async (request, reply) => {
      const caller = await callerOf(endpoint, request, deps);
      const call = {
        request,
        reply,
        ...caller,
        params: parse(endpoint.params, request.params),
        query: parse(endpoint.query, request.query),
        body: parse(endpoint.body, request.body),
      } as unknown as Call<E>;
      if ('role' in caller && caller.role === 'admin' && mayChange(endpoint)) {
        // The address names rows by their ids; texts and people's addresses are in bodies and queries only.
        const detail = `${request.method} ${request.url.split('?')[0]}`;
        await deps.audit.note(caller.signedIn, { what: endpoint.summary, detail });
      }
      const answer = await handler(call);
      if (endpoint.stream) return reply;
      if (endpoint.response === undefined) return reply.code(204).send();
      return z.parse(endpoint.response, answer);
    },
  });
}

async function callerOf(endpoint: Endpoint, request: FastifyRequest, deps: ServeDeps) {
  if (endpoint.access === 'public') return {};
  const signedIn = await deps.sessions.read(request);
  if (signedIn === null) throw new AppError('not_signed_in', 'Your session has ended. Log in again.');
  if (endpoint.access === 'user') {
    const { userId = signedIn.user.id } = request.params as { userId?: string };
    if (userId !== signedIn.user.id) throw nothingHere();
    if (endpoint.ownAccount && signedIn.adminVisit !== null) {
      throw new AppError('not_allowed', 'In admin access mode you cannot change accounts of people. Exit it first.');
    }
    return { signedIn };
  }
  if (endpoint.access === 'admin') {
    // Who is no admin must not learn that there is an admin area.
    if (!signedIn.user.isAdmin) throw nothingHere();
    return { signedIn };
  }
  const creatorId = (request.params as { creatorId?: string }).creatorId ?? '';
  const role = z.safeParse(z.uuid(), creatorId).success ? await deps.sessions.roleIn(signedIn, creatorId) : null;
  // A stranger must not learn which creators exist: the same answer as for one that does not.
  if (role === null) throw nothingHere();
  const needs = endpoint.needs ?? 'work';
  if (!mayDo(role, needs)) throw new AppError('not_allowed', refusal(role, needs));
  return {
    signedIn,
    creatorId,
    role,
    inCreator: <T>(work: (trx: CreatorTransaction) => Promise<T>) => deps.db.withCreator(creatorId, work),
  };
}

function mayChange(endpoint: Endpoint): boolean {
  return endpoint.method !== 'GET';
}

function nothingHere(): AppError {
  return new AppError('not_found', 'There is nothing here, or it is not yours.');
}

function refusal(role: Role, needs: Permission): string {
  const what = PERMISSIONS[needs].charAt(0).toLowerCase() + PERMISSIONS[needs].slice(1);
  return role === 'admin'
    ? `In admin access mode you cannot ${what}.`
    : `Only an owner of this account can ${what}. Ask one.`;
}

function parse(schema: z.ZodMiniType | undefined, value: unknown): unknown {
  if (schema === undefined) return undefined;
  const result = z.safeParse(schema, value ?? {});
  if (result.success) return result.data;
  const fields = result.error.issues.map((issue) => ({ path: issue.path.join('.'), message: issue.message }));
  throw new AppError('invalid_input', fields[0]?.message ?? 'Please check what you entered.', { fields });
}
