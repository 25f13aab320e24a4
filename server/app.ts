/** Builds the web application from what it needs. Tests call it too. */
import cookie from '@fastify/cookie';
import helmet from '@fastify/helmet';
import Fastify, { type FastifyInstance, LogController } from 'fastify';
import type { Config } from '#server/config.ts';
import { registerAdmin } from '#server/features/admin/routes.ts';
import { registerApiKeys } from '#server/features/api-keys/routes.ts';
import { registerApiTokens } from '#server/features/api-tokens/routes.ts';
import type { AppDeps } from '#server/features/app-deps.ts';
import { registerAutomations } from '#server/features/automations/routes.ts';
import { AskingReadings } from '#server/features/catch-up/asked.ts';
import { registerCatchUp } from '#server/features/catch-up/routes.ts';
import { registerConnections } from '#server/features/connections/routes.ts';
import { registerContacts } from '#server/features/contacts/routes.ts';
import { registerCreators } from '#server/features/creators/routes.ts';
import { registerExport } from '#server/features/export/routes.ts';
import { registerFigures } from '#server/features/figures/routes.ts';
import { registerFlags } from '#server/features/flags/routes.ts';
import { registerHome } from '#server/features/home/routes.ts';
import { registerInteractions } from '#server/features/interactions/routes.ts';
import { registerKeywords } from '#server/features/keywords/routes.ts';
import { registerLinkGuard } from '#server/features/link-guard/routes.ts';
import { registerLinks } from '#server/features/links/routes.ts';
import { registerLive } from '#server/features/live/routes.ts';
import { registerMailbox } from '#server/features/mailbox/routes.ts';
import { registerNotices } from '#server/features/notices/routes.ts';
import { registerOutgoingWebhooks } from '#server/features/outgoing-webhooks/routes.ts';
import { registerPeople } from '#server/features/people/routes.ts';
import { registerPlans } from '#server/features/plans/routes.ts';
import { registerPosts } from '#server/features/posts/routes.ts';
import { registerPreparedPosts } from '#server/features/prepared-posts/routes.ts';
import { registerQueue } from '#server/features/queue/routes.ts';
import { registerRecipes } from '#server/features/recipes/routes.ts';
import { registerReplay } from '#server/features/replay/routes.ts';
import { registerReplies } from '#server/features/replies/routes.ts';
import { registerRetention } from '#server/features/retention/routes.ts';
import { registerSettings } from '#server/features/settings/routes.ts';
import { registerStories } from '#server/features/stories/routes.ts';
import { registerTeam } from '#server/features/team/routes.ts';
import { registerWakingPosts } from '#server/features/waking-posts/routes.ts';
import { registerWebhooks } from '#server/features/webhooks/routes.ts';
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
  const app = Fastify({
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
  const setupNotes = watchSetup(app, deps);
  refuseCrossSiteChanges(app, deps.config.baseUrl);

  // Features
  await registerWebhooks(app, deps);
  registerPeople(app, deps);
  registerCreators(app, deps);
  registerTeam(app, deps);
  registerConnections(app, deps);
  registerMailbox(app, deps);
  const readings = new AskingReadings();
  registerHome(app, deps, readings);
  registerPosts(app, deps);
  registerStories(app, deps);
  registerPreparedPosts(app, deps);
  registerReplay(app, deps);
  registerWakingPosts(app, deps);
  registerQueue(app, deps);
  registerCatchUp(app, deps, readings);
  registerAutomations(app, deps);
  registerRecipes(app, deps);
  registerLinkGuard(app, deps);
  registerKeywords(app, deps);
  registerReplies(app, deps);
  registerInteractions(app, deps);
  registerContacts(app, deps);
  registerLive(app, deps);
  registerLinks(app, deps);
  registerSettings(app, deps);
  registerRetention(app, deps);
  registerApiKeys(app, deps);
  registerFigures(app, deps);
  registerOutgoingWebhooks(app, deps);
  registerApiTokens(app, deps);
  registerExport(app, deps);
  registerNotices(app, deps);
  registerPlans(app, deps);
  registerFlags(app, deps);
  registerAdmin(app, { ...deps, setupNotes });

  registerApiDocs(app);
  registerHealth(app, { ...deps, setupNotes });
  registerSecurityTxt(app, deps);
  await registerStatic(app, { ...deps, methodsOf });
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
