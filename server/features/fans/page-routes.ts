/** `/join/{handle}`: where readers become members, come in, and end it. The blog’s buttons lead here. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { ERRORS } from '#contract/errors.ts';
import { AppError } from '#server/errors.ts';
import type { RouteDeps } from '#server/features/app-deps.ts';
import { registerAccountPages } from './account-routes.ts';
import { registerAddressPages } from './address-routes.ts';
import { registerEndPages } from './end-routes.ts';
import { registerEnterPages } from './enter-routes.ts';
import type { Creator } from './entering.ts';
import type { Fields, Pages } from './fan-page.ts';
import { registerGiftPages } from './gift-routes.ts';
import { registerJoinPages } from './join-routes.ts';
import { registerMessagePages } from './message-routes.ts';
import { registerOwnDataPages } from './own-data-routes.ts';
import { pagePolicy, sayingPage } from './pages.ts';

/** Pages that sell. */
const SELLS = ['', '/gift'];
const MAX_BODY_BYTES = 8 * 1024;

export function registerFanPages(app: FastifyInstance, deps: RouteDeps): void {
  const { config } = deps;
  if (!config.fanMemberships) return;
  const stripeOrigin = new URL(config.fanStripe?.url ?? 'https://checkout.stripe.com').origin;
  const csp = pagePolicy(
    `'self' ${stripeOrigin} https://checkout.stripe.com https://billing.stripe.com https://invoice.stripe.com`,
  );

  const send: Pages['send'] = (reply, html, status = 200, policy = csp) =>
    reply
      .code(status)
      .type('text/html; charset=utf-8')
      .header('content-security-policy', policy)
      // Older browsers name no origin with `no-referrer`, and what they send is refused.
      .header('referrer-policy', 'same-origin')
      .header('cache-control', 'no-store')
      .header('x-robots-tag', 'noindex')
      .send(html);

  const orSay: Pages['orSay'] = async (reply, work, again) => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return send(reply, await again(error.message), ERRORS[error.code].status);
    }
  };

  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
      done(null, Object.fromEntries(new URLSearchParams(body as string))),
    );
    const on: Pages['on'] = (method, path, answer) =>
      scope.route({
        ...{ method, url: `/join/:handle${path}`, bodyLimit: MAX_BODY_BYTES },
        handler: async (request, reply) => {
          const creator = await findCreator(deps, request);
          if (creator === null) return send(reply, sayingPage('', 'Not found', 'There is no such page.'), 404);
          // Members still enter, cancel and withdraw.
          if (creator.isLeaving && SELLS.includes(path)) {
            const says = 'You can’t become a member here any longer.';
            return send(reply, sayingPage(creator.handle, 'Not open', says), 410);
          }
          return answer({ creator, request, reply, fields: (request.body ?? {}) as Fields });
        },
      });

    const pages = { on, send, csp, orSay };
    registerJoinPages(deps, pages);
    registerGiftPages(deps, pages);
    registerEnterPages(deps, pages);
    registerMessagePages(deps, pages);
    registerAccountPages(deps, pages);
    registerAddressPages(deps, pages);
    registerOwnDataPages(deps, pages);
    registerEndPages(deps, pages);
  });
}

/** @returns null: there is none; `isLeaving`: they delete their account */
async function findCreator(
  { db }: RouteDeps,
  { params }: FastifyRequest,
): Promise<(Creator & { isLeaving: boolean }) | null> {
  const { handle } = params as { handle: string };
  const row = await db.engine
    .selectFrom('creators')
    .select(['id', 'handle', sql<boolean>`delete_at is not null`.as('isLeaving')])
    .where((eb) => eb(eb.fn('lower', ['handle']), '=', handle.toLowerCase()))
    .executeTakeFirst();
  return row ?? null;
}
