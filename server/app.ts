/** Builds the web application from what it needs. Tests call it too. */
import cookie from '@fastify/cookie';
import helmet from '@fastify/helmet';
import Fastify, { type FastifyInstance, LogController } from 'fastify';
import type { Config } from '#server/config.ts';
import type { AppDeps } from '#server/features/app-deps.ts';
import { AskingReadings } from '#server/features/catch-up/asked.ts';
import { createLinkHosts, domainConstraint } from '#server/features/link-domains/hosts.ts';
import { createOpeningRules } from '#server/features/links/opening-rules-file.ts';
import { ENDPOINTS, FEATURES } from '#server/features/registered.ts';
import { limitBodies } from '#server/http/bodies.ts';
import { endConnectionsOnClose, httpOptions, tellOfDroppedConnections } from '#server/http/connections.ts';
import { refuseCrossSiteChanges } from '#server/http/cross-site.ts';
import { registerApiDocs } from '#server/http/docs-page.ts';
import { registerHealth } from '#server/http/health.ts';
import { rememberMethods } from '#server/http/methods.ts';
import { handleError, handleUnroutable, pageOfMalformedAddress } from '#server/http/problems.ts';
import { registerSecurityTxt } from '#server/http/security-txt.ts';
import { watchSetup } from '#server/http/setup-notes.ts';
import { registerStatic } from '#server/http/static.ts';
import { measureHttp } from '#server/observability/measured-http.ts';

export async function buildApp(deps: AppDeps): Promise<FastifyInstance> {
  const linkHosts = createLinkHosts(deps);
  const app = Fastify({
    routerOptions: { constraints: { domain: domainConstraint(linkHosts) } },
    loggerInstance: deps.log,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: (_address, hop) => hop < deps.config.trustedProxies,
    ...httpOptions(),
    rewriteUrl: pageOfMalformedAddress,
    frameworkErrors: handleUnroutable,
    forceCloseConnections: 'idle',
  });
  endConnectionsOnClose(app, deps);
  tellOfDroppedConnections(app, deps);
  app.setErrorHandler(handleError);
  const methodsOf = rememberMethods(app);
  // The API takes JSON; the few addresses that take something else say so themselves.
  app.removeContentTypeParser('text/plain');
  measureHttp(app, deps.observed);
  await app.register(helmet, { contentSecurityPolicy: contentSecurityPolicy(deps.config) });
  // Private unless a route says otherwise: no browser and no proxy keeps an answer.
  app.addHook('onRequest', async (_request, reply) => void reply.header('cache-control', 'no-store'));
  limitBodies(app, deps);
  await app.register(cookie);
  const notes = watchSetup(app, deps);
  const openingRules = createOpeningRules(deps, deps.config.openingRules);
  const setupNotes = () => [...notes(), ...openingRules.notes()];
  refuseCrossSiteChanges(app, deps.config.baseUrl);

  const routeDeps = { ...deps, setupNotes, openingRules, linkHosts, readings: new AskingReadings() };
  for (const { routes } of FEATURES) await routes?.(app, routeDeps);

  registerApiDocs(app, ENDPOINTS);
  registerHealth(app, routeDeps);
  registerSecurityTxt(app, deps);
  await registerStatic(app, { ...deps, methodsOf, linkHosts });
  return app;
}

/** No inline script anywhere; pictures come from Meta's picture servers, hence `https:`. Third parties only where configured. */
function contentSecurityPolicy(config: Config) {
  const pictures = config.simulators ? ['http:', 'https:'] : ['https:'];
  const chat = (...sources: string[]) => (config.intercom ? sources : []);
  const tags = (...sources: string[]) => (config.tagManagerId ? sources : []);
  const flags = (...sources: string[]) => (config.featureFlagClientId ? sources : []);
  const errors = config.errorReportingDsn ? [new URL(config.errorReportingDsn).origin] : [];
  return {
    directives: {
      defaultSrc: ["'self'"],
      scriptSrc: [
        "'self'",
        ...chat('https://widget.intercom.io', 'https://js.intercomcdn.com'),
        ...tags('https://www.googletagmanager.com'),
      ],
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", 'data:', 'blob:', ...pictures],
      fontSrc: ["'self'", ...chat('https://js.intercomcdn.com', 'https://fonts.intercomcdn.com')],
      mediaSrc: ["'self'", ...chat('https://js.intercomcdn.com')],
      frameSrc: ["'self'", ...chat('https://intercom-sheets.com')],
      // Session replay packs what it recorded in a worker made from a blob.
      workerSrc: ["'self'", ...(errors.length > 0 ? ['blob:'] : [])],
      connectSrc: [
        "'self'",
        ...chat('https://*.intercom.io', 'wss://*.intercom.io'),
        ...tags('https://*.google-analytics.com', 'https://*.googletagmanager.com'),
        ...flags('https://*.launchdarkly.com'),
        ...errors,
      ],
      frameAncestors: ["'none'"],
      objectSrc: ["'none'"],
      baseUri: ["'none'"],
      formAction: ["'self'"],
      upgradeInsecureRequests: config.baseUrl.startsWith('https:') ? [] : null,
    },
  };
}
