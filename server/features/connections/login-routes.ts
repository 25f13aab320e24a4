/** Full-page navigations to Meta's dialogs and back (`CONNECT_PATHS` in the contract). Every way ends on a screen. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { CONNECT_PATHS, type ConnectProblem } from '#contract/connections.ts';
import { API_BASE } from '#contract/endpoint.ts';
import { mayDo } from '#contract/roles.ts';
import { AppError } from '#server/errors.ts';
import type { AppDeps } from '#server/features/app-deps.ts';
import { createCreatorNamed } from '#server/features/creators/creators.ts';
import { hostCookieName, hostCookieOptions } from '#server/http/cookies.ts';
import { countTry } from '#server/http/rate-limits.ts';
import type { SignedIn } from '#server/http/sessions.ts';
import * as attempts from './attempts.ts';
import { signInAtFacebook } from './facebook-login.ts';
import type { FirstPosts } from './first-posts.ts';
import { type Connected, connectInstagram, failed } from './instagram-login.ts';

const LOGINS = ['instagram', 'facebook'] as const;

const StartQuery = z.object({
  returnTo: z.catch(z.optional(z.enum(['settings', 'account-setup'])), undefined),
});
const text = z.catch(z.optional(z.string().check(z.maxLength(4000))), undefined);
const CallbackQuery = z.object({ code: text, state: text, error: text });

export function registerLogins(
  app: FastifyInstance,
  deps: Pick<
    AppDeps,
    'clock' | 'config' | 'connectionChanged' | 'db' | 'ids' | 'keys' | 'live' | 'log' | 'meta' | 'sessions'
  >,
  posts: FirstPosts,
): void {
  const { baseUrl } = deps.config;
  const cookieName = hostCookieName(baseUrl, attempts.ATTEMPT_COOKIE);

  for (const login of LOGINS) {
    app.get(`${API_BASE}/creators/:creatorId/connections/${login}/start`, async (request, reply) => {
      const { returnTo = 'settings' } = z.parse(StartQuery, request.query);
      const signedIn = await deps.sessions.read(request);
      if (signedIn === null) return reply.redirect('/creator-hq/login');
      const { creatorId } = request.params as { creatorId: string };
      const role = z.safeParse(z.uuid(), creatorId).success ? await deps.sessions.roleIn(signedIn, creatorId) : null;
      if (role === null || !mayDo(role, 'connect'))
        throw new AppError('not_found', 'This doesn’t exist, or you don’t have access to it.');
      return begin(request, reply, signedIn, { login, creatorId, returnTo });
    });

    app.get(`${API_BASE}/connections/${login}/callback`, (request, reply) => callback(request, reply, login));
  }

  app.get(CONNECT_PATHS.instagramFirst, async (request, reply) => {
    const signedIn = await deps.sessions.read(request);
    if (signedIn === null) return reply.redirect('/creator-hq/login');
    return begin(request, reply, signedIn, { login: 'instagram', creatorId: null, returnTo: 'account-setup' });
  });

  async function begin(
    request: FastifyRequest,
    reply: FastifyReply,
    signedIn: SignedIn,
    attempt: { login: attempts.Login; creatorId: string | null; returnTo: attempts.ReturnTo },
  ) {
    const begun = await attempts.begin(deps, {
      ...attempt,
      userId: signedIn.user.id,
      sessionId: signedIn.sessionId,
      cookieSecret: request.cookies[cookieName],
    });
    if (begun === null) {
      request.log.error(
        `No app id for ${attempt.login} login: see META_APP_ID and INSTAGRAM_APP_ID in docs/configuration.md`,
      );
      return reply.redirect(problemScreen('meta_error', attempt.returnTo));
    }
    reply.setCookie(cookieName, begun.cookieSecret, {
      ...hostCookieOptions(baseUrl),
      maxAge: attempts.ATTEMPT_LASTS_MS / 1000,
    });
    return reply.redirect(begun.dialogUrl);
  }

  async function callback(request: FastifyRequest, reply: FastifyReply, login: attempts.Login) {
    // The address carries a code: it must not travel on as a referrer, nor stay in a cache.
    reply.header('referrer-policy', 'no-referrer').header('cache-control', 'no-store');
    const query = z.parse(CallbackQuery, request.query);
    const signedIn = await deps.sessions.read(request);
    const taken = await attempts.take(deps, {
      login,
      state: query.state,
      cookieSecret: request.cookies[cookieName],
      sessionId: signedIn?.sessionId,
    });
    if ('problem' in taken) return reply.redirect(problemScreen(taken.problem, taken.returnTo));
    const { attempt } = taken;
    const result = await connect(login, attempt, query, signedIn).catch((error: unknown): Connected => {
      // A page of JSON would leave the creator stranded; the log keeps the cause.
      request.log.error({ err: error, login }, 'a sign-in at Meta failed on our side');
      return failed('meta_error');
    });
    if (result.connectionId !== null) posts.fetchLater(result.creatorId, result.connectionId);
    const { problem } = result;
    return reply.redirect(
      problem === null ? successScreen(login, attempt.returnTo) : problemScreen(problem, attempt.returnTo),
    );
  }

  async function connect(
    login: attempts.Login,
    attempt: attempts.Attempt,
    query: z.infer<typeof CallbackQuery>,
    signedIn: SignedIn | null,
  ): Promise<Connected> {
    const { creatorId, userId, codeVerifier } = attempt;
    if (signedIn === null || !(await mayConnect(signedIn, creatorId))) return failed('state_mismatch');
    if (query.error !== undefined) return failed(query.error === 'access_denied' ? 'refused' : 'meta_error');
    if (query.code === undefined || query.code === '') return failed('meta_error');
    const redirectUri = attempts.redirectUri(deps, login);
    const { code } = query;
    if (creatorId === null) {
      const start = (username: string) => startCreator(signedIn, username);
      return connectInstagram(deps, { creatorId, start, userId, code, redirectUri });
    }
    return login === 'instagram'
      ? connectInstagram(deps, { creatorId, userId, code, redirectUri })
      : signInAtFacebook(deps, { creatorId, userId, code, redirectUri, codeVerifier });
  }

  async function mayConnect(signedIn: SignedIn, creatorId: string | null): Promise<boolean> {
    // Support starts no creator account of its own from inside somebody's.
    if (creatorId === null) return signedIn.adminVisit === null;
    const role = await deps.sessions.roleIn(signedIn, creatorId);
    return role !== null && mayDo(role, 'connect');
  }

  async function startCreator(signedIn: SignedIn, username: string): Promise<string> {
    await countTry(deps.db.engine, deps.clock.now(), 'creators_by_user', signedIn.user.id);
    return createCreatorNamed(deps, signedIn, username);
  }
}

function successScreen(login: attempts.Login, returnTo: attempts.ReturnTo): string {
  if (login === 'facebook') return '/creator-hq/facebook-success';
  return `/creator-hq${returnTo === 'account-setup' ? '/account-setup' : ''}?instagramAuthSuccess=true`;
}

function problemScreen(problem: ConnectProblem, returnTo: attempts.ReturnTo): string {
  return `/creator-hq/${returnTo}?connectProblem=${problem}`;
}
