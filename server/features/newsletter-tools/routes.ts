import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import * as contract from '#contract/newsletter-tools.ts';
import { AppError } from '#server/errors.ts';
import type { AppDeps } from '#server/features/app-deps.ts';
import { type ServeDeps, serve } from '#server/http/serve.ts';
import { readDelivery } from './changes.ts';
import * as integrations from './integrations.ts';
import { registerKitLogin } from './kit-login.ts';
import { kitAppOf } from './kit-tokens.ts';
import { HOOKS_PATH } from './tools.ts';

type Deps = ServeDeps & Pick<AppDeps, 'config' | 'clock' | 'ids' | 'keys' | 'live' | 'db' | 'sessions'>;

/** A hundred events of Kit's. */
const MAX_BODY_BYTES = 512 * 1024;

export async function registerNewsletterTools(app: FastifyInstance, deps: Deps): Promise<void> {
  registerKitLogin(app, deps);

  serve(app, deps, contract.listIntegrations, async ({ creatorId, inCreator }) => ({
    items: await inCreator((trx) => integrations.list(deps, trx, creatorId)),
    kitLogin: kitAppOf(deps) !== null,
  }));

  serve(app, deps, contract.getKit, async ({ creatorId, inCreator }) => {
    const items = await inCreator((trx) => integrations.list(deps, trx, creatorId));
    return { integration: items.find(({ tool }) => tool === 'kit') ?? null };
  });

  for (const [endpoint, name] of [
    [contract.connectKit, 'kit'],
    [contract.connectMailchimp, 'mailchimp'],
  ] as const) {
    serve(app, deps, endpoint, async ({ creatorId, body, signedIn, inCreator, byEngine }) => {
      const given = { creatorId, name, by: { apiKey: body.apiKey }, user: signedIn.user };
      const connected = await integrations.connect(deps, byEngine, inCreator, given);
      deps.live.publish(creatorId, { what: 'account' });
      return connected;
    });
  }

  serve(app, deps, contract.changeIntegration, async ({ creatorId, params, body, inCreator }) => {
    const changed = await integrations.change(deps, inCreator, { creatorId, id: params.integrationId, ...body });
    deps.live.publish(creatorId, { what: 'account' });
    return changed;
  });

  serve(app, deps, contract.disconnectTool, async ({ creatorId, params, inCreator }) => {
    await integrations.disconnect(deps, inCreator, creatorId, params.integrationId);
    deps.live.publish(creatorId, { what: 'account' });
    return { message: 'Disconnected. Your contacts stay, here and there.' };
  });

  serve(app, deps, contract.listTargets, async ({ creatorId, params, inCreator }) => ({
    items: await integrations.targets(deps, inCreator, creatorId, params.integrationId),
  }));

  serve(app, deps, contract.backFill, ({ creatorId, params, inCreator }) =>
    inCreator((trx) => integrations.backFill(deps, trx, creatorId, params.integrationId)),
  );

  serve(app, deps, contract.retryFailed, ({ creatorId, params, body, inCreator }) =>
    inCreator((trx) =>
      integrations.retry(deps, trx, { creatorId, id: params.integrationId, contactId: body.contactId }),
    ),
  );

  serve(app, deps, contract.leaveFailed, ({ creatorId, params, body, inCreator }) =>
    inCreator((trx) =>
      integrations.leave(deps, trx, { creatorId, id: params.integrationId, contactId: body.contactId }),
    ),
  );

  serve(app, deps, contract.listFailures, ({ creatorId, params, query, inCreator }) =>
    inCreator((trx) => integrations.failures(trx, { creatorId, id: params.integrationId, query })),
  );

  await app.register(async (raw) => {
    raw.removeAllContentTypeParsers();
    raw.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES }, (_request, body, done) =>
      done(null, body),
    );
    // Mailchimp looks whether somebody lives there.
    raw.get(`${HOOKS_PATH}/:tool/:token`, async (_request, reply) => reply.type('text/plain').send('Creator HQ'));
    raw.post(
      `${HOOKS_PATH}/:tool/:token`,
      { bodyLimit: MAX_BODY_BYTES, config: { webhook: 'newsletter_tool' } },
      async (request, reply) => {
        const { tool, token } = HookParams.parse(request.params);
        const signature = request.headers['x-kit-signature'];
        const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        const delivery = { tool, token, bytes, signature: typeof signature === 'string' ? signature : undefined };
        if (!(await readDelivery(deps, delivery))) {
          throw new AppError('not_allowed', 'No one listens here, or the signature doesn’t match.');
        }
        return reply.type('text/plain').send('ok');
      },
    );
  });
}

const HookParams = z.object({ tool: z.string(), token: z.string() });
