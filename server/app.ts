/** Builds the web application from what it needs. Tests call it too. */
import cookie from '@fastify/cookie';
import formbody from '@fastify/formbody';
import helmet from '@fastify/helmet';
import rateLimit from '@fastify/rate-limit';
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import type { Clock, Ids } from '#server/clock.ts';
import type { Config } from '#server/config.ts';
import type { Database } from '#server/db/database.ts';
import { registerCreators } from '#server/features/creators/routes.ts';
import type { Auth } from '#server/features/people/auth.ts';
import { registerPeople } from '#server/features/people/routes.ts';
import { refuseCrossSiteChanges } from '#server/http/cross-site.ts';
import { handleError, problemOf, sendProblem } from '#server/http/problems.ts';
import type { ServeDeps } from '#server/http/serve.ts';

export type AppDeps = ServeDeps & {
  config: Config;
  db: Database;
  clock: Clock;
  ids: Ids;
  log: FastifyBaseLogger;
  auth: Auth;
  /** Where the simulator's phone is; null without simulators. */
  phoneUrl: string | null;
};

export async function buildApp(deps: AppDeps): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: deps.log,
    disableRequestLogging: true,
    trustProxy: (_address, hop) => hop < deps.config.trustedProxies,
    bodyLimit: 256 * 1024,
    // A browser or proxy may hold a connection; a slow sender may not hold it for ever.
    requestTimeout: 30_000,
    forceCloseConnections: 'idle',
  });
  app.setErrorHandler(handleError);
  app.setNotFoundHandler((_request, reply) =>
    sendProblem(reply, problemOf('not_found', 'There is nothing at this address.')),
  );
  await app.register(helmet, { contentSecurityPolicy: contentSecurityPolicy(deps.config) });
  await app.register(cookie);
  await app.register(formbody);
  await app.register(rateLimit, { global: false });
  refuseCrossSiteChanges(app, deps.config.baseUrl);

  // Features
  registerPeople(app, deps);
  registerCreators(app, deps);
  return app;
}

/** No inline script anywhere; pictures come from Meta's picture servers, hence `https:`. */
function contentSecurityPolicy(config: Config) {
  const pictures = config.simulators ? ['http:', 'https:'] : ['https:'];
  return {
    directives: {
      defaultSrc: ["'self'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", 'data:', 'blob:', ...pictures],
      connectSrc: ["'self'"],
      frameAncestors: ["'none'"],
      objectSrc: ["'none'"],
      baseUri: ["'self'"],
      formAction: ["'self'"],
      upgradeInsecureRequests: config.baseUrl.startsWith('https:') ? [] : null,
    },
  };
}
