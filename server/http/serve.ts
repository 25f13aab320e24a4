/**
 * From contract to route: parse by the contract, check who calls, run the handler, check what goes out.
 * Every route of the API is made here, so that none can forget a check.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Transaction } from 'kysely';
import * as z from 'zod/mini';
import { scopeOf } from '#contract/api-tokens.ts';
import {
  API_BASE,
  type BodyOf,
  type Endpoint,
  type ParamsOf,
  type QueryOf,
  type ResponseOf,
} from '#contract/endpoint.ts';
import { PERMISSIONS, type Permission } from '#contract/permissions.ts';
import { mayDo, type Role } from '#contract/roles.ts';
import type { Clock } from '#server/clock.ts';
import type { CreatorTransaction, Database } from '#server/db/database.ts';
import type { Tables } from '#server/db/types.ts';
import { AppError } from '#server/errors.ts';
import type { CallLimits } from '#server/http/call-limits.ts';
import { inputWords } from '#server/http/input-words.ts';
import { type Once, readKey } from '#server/http/once.ts';
import { CHALLENGE } from '#server/http/problems.ts';
import { countRates, withinQuotas } from '#server/http/quotas.ts';
import { countNetwork } from '#server/http/rate-limits.ts';
import type { PluginCaller, SignedIn, TokenCaller } from '#server/http/sessions.ts';

export type Call<E extends Endpoint> = {
  params: ParamsOf<E>;
  query: QueryOf<E>;
  body: BodyOf<E>;
  request: FastifyRequest;
  reply: FastifyReply;
} & (E['access'] extends 'public' | 'plugin' ? unknown : { signedIn: SignedIn }) &
  (E['access'] extends 'creator' ? WorkInCreator & { role: Role } : unknown) &
  (E['access'] extends 'plugin' ? WorkInCreator & { plugin: PluginCaller } : unknown);

type WorkInCreator = {
  creatorId: string;
  /** Runs in a transaction that sees this creator's rows only, and holds the endpoint's quotas. */
  inCreator: InTransaction<CreatorTransaction>;
  /** The same in a transaction of the engine's role, which can mail and sees all creators: name the creator in each statement. */
  byEngine: InTransaction<Transaction<Tables>>;
};
type InTransaction<Trx> = <T>(work: (trx: Trx) => Promise<T>) => Promise<T>;

export type ServeDeps = {
  db: Database;
  clock: Clock;
  sessions: {
    /** Null when nobody is signed in. */
    read(request: FastifyRequest): Promise<SignedIn | null>;
    /** Null for a token that is wrong, ended or revoked. */
    readToken(token: string): Promise<TokenCaller | null>;
    /** Null for an API key that is wrong or has ended. */
    readApiKey(key: string): Promise<PluginCaller | null>;
    /** The person's role in the creator; `admin` during a visit there; null for a stranger. */
    roleIn(signedIn: SignedIn, creatorId: string): Promise<Role | null>;
  };
  audit: {
    /**
     * Writes down what support is about to change or read inside an account, or an admin in the admin area; without the note
     * it is not done. A read is noted once an hour.
     */
    note(signedIn: SignedIn, done: { what: string; detail: string; isRead: boolean }): Promise<void>;
  };
  callLimits: CallLimits;
  once: Once;
};

/** Registers one endpoint of the contract. */
export function serve<E extends Endpoint>(
  app: FastifyInstance,
  deps: ServeDeps,
  endpoint: E,
  handler: (call: Call<E>) => Promise<E['response'] extends z.ZodMiniType ? ResponseOf<E> : void>,
  options: { config?: Record<string, unknown> } = {},
): void {
  const callKind = { stream: endpoint.stream === true };
  app.route({
    method: endpoint.method,
    url: API_BASE + endpoint.path,
    config: options.config ?? {},
    onRequest: async (request, reply) => {
      // Logins are counted by network and account, a plugin once its key is known.
      if (endpoint.access !== 'public' && endpoint.access !== 'plugin')
        deps.callLimits.countCredential(request, reply, callKind);
    },
    handler: async (request, reply) => {
      const caller = await callerOf(endpoint, request, reply, deps);
      const call = {
        request,
        reply,
        ...caller,
        params: parse(endpoint.params, request.params, 'The address'),
        query: parse(endpoint.query, request.query, 'The query'),
        body: parse(endpoint.body, request.body, 'The body'),
      } as unknown as Call<E>;
      const run = async () => {
        const isRead = !mayChange(endpoint);
        // In the admin area, whoever changes something notes it in the same transaction.
        const isByAdmin = 'role' in caller ? caller.role === 'admin' : endpoint.access === 'admin' && isRead;
        if (isByAdmin && !('plugin' in caller) && (endpoint.personal || !isRead)) {
          // The address names rows by their ids; texts and people's addresses are in bodies and queries only.
          const detail = `${request.method} ${request.url.split('?')[0]}`;
          // Reads in the admin area belong to no visit.
          const by = endpoint.access === 'admin' ? { ...caller.signedIn!, adminVisit: null } : caller.signedIn!;
          await deps.audit.note(by, { what: endpoint.summary, detail, isRead });
        }
        if (caller.creatorId !== undefined) await countRates(deps, caller.creatorId, endpoint.quotas ?? []);
        const answer = await handler(call);
        return endpoint.response === undefined || endpoint.stream ? undefined : z.parse(endpoint.response, answer);
      };
      const key = endpoint.makes && request.headers['idempotency-key'];
      const answer =
        typeof key === 'string' && caller.inCreator !== undefined
          ? await once(deps, readKey(key), request, caller, call, run)
          : await run();
      if (endpoint.stream) return reply;
      if (endpoint.response === undefined) return reply.code(204).send();
      return answer;
    },
  });
}

/** Work in the creator's transactions is noted there as made. */
function once<T>(
  deps: ServeDeps,
  key: string,
  { method, url, body }: FastifyRequest,
  { creatorId, callerId, inCreator, byEngine }: { callerId: string } & WorkInCreator,
  call: object,
  run: () => Promise<T>,
): Promise<T> {
  return deps.once({ key, creatorId, callerId, method, url, body }, (commit) => {
    const committing =
      <Trx extends Transaction<Tables>>(inTransaction: InTransaction<Trx>): InTransaction<Trx> =>
      (work) =>
        inTransaction(async (trx) => {
          const made = await work(trx);
          await commit(trx);
          return made;
        });
    Object.assign(call, { inCreator: committing(inCreator), byEngine: committing(byEngine) });
    return run();
  });
}

async function callerOf(endpoint: Endpoint, request: FastifyRequest, reply: FastifyReply, deps: ServeDeps) {
  if (endpoint.access === 'public') return {};
  const bearer = /^Bearer +(\S+)$/i.exec(request.headers.authorization?.trim() ?? '')?.[1];
  if (endpoint.access === 'plugin') return pluginWithKey(bearer, request, reply, deps);
  // A caller with a token is judged by it alone, whatever cookie comes along.
  const signedIn =
    bearer === undefined
      ? await deps.sessions.read(request)
      : await callerWithToken(endpoint, bearer, request, reply, deps);
  if (signedIn === null) throw new AppError('not_signed_in', 'Your session has ended. Log in again.');
  deps.callLimits.countPerson(signedIn.user.id, reply, { stream: endpoint.stream === true });
  if (endpoint.access === 'user') {
    const { userId = signedIn.user.id } = request.params as { userId?: string };
    if (userId !== signedIn.user.id) throw nothingHere();
    if (endpoint.ownAccount && signedIn.adminVisit !== null) {
      throw new AppError('not_allowed', 'You can’t change people’s accounts in admin access mode. Exit it first.');
    }
    return { signedIn };
  }
  if (endpoint.access === 'admin') {
    if (signedIn.user.needsTwoStep) {
      throw new AppError('not_allowed', 'Admins need two-step login here. Set it up in Settings > Profile.');
    }
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
  const holdingQuotas =
    <Trx extends Transaction<Tables>, T>(work: (trx: Trx) => Promise<T>) =>
    (trx: Trx) => {
      const whose = { creatorId, userId: signedIn.user.id, now: deps.clock.now() };
      return withinQuotas(trx, whose, endpoint.quotas ?? [], () => work(trx));
    };
  return {
    signedIn,
    creatorId,
    role,
    // A token's calls are its own, whatever else its person does.
    callerId: bearer === undefined ? signedIn.user.id : signedIn.sessionId,
    inCreator: <T>(work: (trx: CreatorTransaction) => Promise<T>) =>
      deps.db.withCreator(creatorId, holdingQuotas(work)),
    byEngine: <T>(work: (trx: Transaction<Tables>) => Promise<T>) =>
      deps.db.engine.transaction().execute(holdingQuotas(work)),
  };
}

/**
 * All saves of a blog come from one address: only wrong keys are counted there, and a right one is never held up by them.
 *
 * @throws AppError not_signed_in, too_many_requests
 */
async function pluginWithKey(key: string | undefined, { ip }: FastifyRequest, reply: FastifyReply, deps: ServeDeps) {
  const plugin = key === undefined ? null : await deps.sessions.readApiKey(key);
  if (plugin === null) {
    await countNetwork(deps.db.engine, deps.clock.now(), 'plugin_by_address', ip);
    throw new AppError('not_signed_in', 'This API key is wrong or was replaced. Copy the current one.');
  }
  const { keyId, creatorId } = plugin;
  deps.callLimits.countPlugin(keyId, reply);
  return {
    plugin,
    creatorId,
    callerId: keyId,
    inCreator: <T>(work: (trx: CreatorTransaction) => Promise<T>) => deps.db.withCreator(creatorId, work),
    byEngine: <T>(work: (trx: Transaction<Tables>) => Promise<T>) => deps.db.engine.transaction().execute(work),
  };
}

/**
 * A token opens what one of its scopes names, in its one creator, and there no more than the person's role.
 *
 * @throws AppError not_signed_in, not_allowed, not_found
 */
async function callerWithToken(
  endpoint: Endpoint,
  bearer: string,
  request: FastifyRequest,
  reply: FastifyReply,
  deps: ServeDeps,
): Promise<SignedIn> {
  const refuse = (code: 'not_signed_in' | 'not_allowed', detail: string, challenge: string) => {
    reply.header('www-authenticate', `${CHALLENGE}, ${challenge}, error_description="${detail}"`);
    return new AppError(code, detail);
  };
  const caller = await deps.sessions.readToken(bearer);
  if (caller === null) {
    const detail = 'This API token is wrong or has expired. Create a new one.';
    throw refuse('not_signed_in', detail, 'error="invalid_token"');
  }
  if (endpoint.access === 'admin') throw nothingHere();
  if (endpoint.access === 'creator') {
    const { creatorId } = request.params as { creatorId?: string };
    if (creatorId !== caller.creatorId) throw nothingHere();
  }
  const scope = scopeOf(endpoint);
  if (scope === null) {
    throw refuse(
      'not_allowed',
      'API tokens are not allowed to do this. Log in to do it.',
      'error="insufficient_scope"',
    );
  }
  if (!caller.scopes.includes(scope)) {
    const detail = `This API token needs the scope ${scope}.`;
    throw refuse('not_allowed', detail, `error="insufficient_scope", scope="${scope}"`);
  }
  return caller.signedIn;
}

function mayChange(endpoint: Endpoint): boolean {
  return endpoint.method !== 'GET';
}

function nothingHere(): AppError {
  return new AppError('not_found', 'This doesn’t exist, or you don’t have access to it.');
}

function refusal(role: Role, needs: Permission): string {
  const what = PERMISSIONS[needs].charAt(0).toLowerCase() + PERMISSIONS[needs].slice(1);
  return role === 'admin'
    ? `In admin access mode you can’t ${what}.`
    : `Only an owner of this account can ${what}. Ask an owner.`;
}

function parse(schema: z.ZodMiniType | undefined, value: unknown, place: string): unknown {
  if (schema === undefined) return undefined;
  const result = z.safeParse(schema, value ?? {}, { error: inputWords(place) });
  if (result.success) return result.data;
  const fields = result.error.issues.map((issue) => ({ path: issue.path.join('.'), message: issue.message }));
  throw new AppError('invalid_input', fields[0]?.message ?? 'Please check what you entered.', { fields });
}
