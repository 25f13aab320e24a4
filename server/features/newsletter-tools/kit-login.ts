/** Connecting Kit by the operator's app: full-page navigations to Kit and back. Every way ends on the screen of newsletter tools. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { API_BASE } from '#contract/endpoint.ts';
import { KIT_CALLBACK, type KitProblem } from '#contract/newsletter-tools.ts';
import { mayDo } from '#contract/roles.ts';
import { AppError } from '#server/errors.ts';
import type { AppDeps } from '#server/features/app-deps.ts';
import * as attempts from '#server/features/connections/attempts.ts';
import { hostCookieName, hostCookieOptions } from '#server/http/cookies.ts';
import { kitAuthorizeUrl, kitTokens } from '#server/platforms/newsletter-tools/kit-login.ts';
import { ToolFailure } from '#server/platforms/newsletter-tools/tool.ts';
import { connect } from './integrations.ts';
import { kitAppOf } from './kit-tokens.ts';

type Deps = Pick<AppDeps, 'clock' | 'config' | 'db' | 'ids' | 'keys' | 'live' | 'sessions'>;

const text = z.catch(z.optional(z.string().check(z.maxLength(4000))), undefined);
const CallbackQuery = z.object({ code: text, state: text, error: text });

export function registerKitLogin(app: FastifyInstance, deps: Deps): void {
  const { baseUrl } = deps.config;
  const cookieName = hostCookieName(baseUrl, attempts.ATTEMPT_COOKIE);
  const redirectUri = `${baseUrl}${KIT_CALLBACK}`;

  app.get(`${API_BASE}/creators/:creatorId/convert-kit/authorize`, async (request, reply) => {
    const signedIn = await deps.sessions.read(request);
    if (signedIn === null) return reply.redirect('/creator-hq/login');
    const { creatorId } = request.params as { creatorId: string };
    const role = z.safeParse(z.uuid(), creatorId).success ? await deps.sessions.roleIn(signedIn, creatorId) : null;
    if (role === null || !mayDo(role, 'export'))
      throw new AppError('not_found', 'This doesn’t exist, or you don’t have access to it.');
    const kit = kitAppOf(deps);
    if (kit === null) return reply.redirect(screen('kit_error'));
    const attempt = await attempts.open(deps, {
      ...{ login: 'kit', creatorId, returnTo: 'settings' },
      userId: signedIn.user.id,
      sessionId: signedIn.sessionId,
      cookieSecret: request.cookies[cookieName],
    });
    reply.setCookie(cookieName, attempt.cookieSecret, {
      ...hostCookieOptions(baseUrl),
      maxAge: attempts.ATTEMPT_LASTS_MS / 1000,
    });
    return reply.redirect(
      kitAuthorizeUrl(kit, { redirectUri, state: attempt.state, codeVerifier: attempt.codeVerifier! }),
    );
  });

  app.get(KIT_CALLBACK, async (request, reply) => {
    // The address carries a code: it must not travel on as a referrer, nor stay in a cache.
    reply.header('referrer-policy', 'no-referrer').header('cache-control', 'no-store');
    return reply.redirect(screen(await finish(request)));
  });

  async function finish(request: FastifyRequest): Promise<KitProblem | null> {
    const { code, state, error } = z.parse(CallbackQuery, request.query);
    const signedIn = await deps.sessions.read(request);
    const taken = await attempts.take(deps, {
      ...{ login: 'kit', state },
      cookieSecret: request.cookies[cookieName],
      sessionId: signedIn?.sessionId,
    });
    if ('problem' in taken) return taken.problem;
    const { creatorId, codeVerifier } = taken.attempt;
    const kit = kitAppOf(deps);
    if (signedIn === null || creatorId === null || codeVerifier === null) return 'state_mismatch';
    const role = await deps.sessions.roleIn(signedIn, creatorId);
    if (role === null || !mayDo(role, 'export')) return 'state_mismatch';
    if (error === 'access_denied') return 'refused';
    if (code === undefined || code === '' || kit === null) return 'kit_error';
    try {
      const by = await kitTokens(kit, { code, codeVerifier, redirectUri }, deps.clock.now());
      const byEngine: Parameters<typeof connect>[1] = (work) => deps.db.engine.transaction().execute(work);
      const inCreator: Parameters<typeof connect>[2] = (work) => deps.db.withCreator(creatorId, work);
      await connect(deps, byEngine, inCreator, { creatorId, name: 'kit', by, user: signedIn.user });
    } catch (cause) {
      if (!(cause instanceof ToolFailure) && !(cause instanceof AppError)) throw cause;
      request.log.warn({ detail: cause.message }, 'Kit could not be connected');
      return 'kit_error';
    }
    deps.live.publish(creatorId, { what: 'account' });
    return null;
  }
}

function screen(problem: KitProblem | null): string {
  return `/creator-hq/settings?tab=other-tools${problem === null ? '' : `&kitProblem=${problem}`}`;
}
