import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/outgoing-webhooks.ts';
import type { AppDeps } from '#server/features/app-deps.ts';
import { type ServeDeps, serve } from '#server/http/serve.ts';
import * as endpoints from './endpoints.ts';

export function registerOutgoingWebhooks(
  app: FastifyInstance,
  deps: ServeDeps & Pick<AppDeps, 'automationsChanged' | 'config' | 'ids' | 'keys'>,
): void {
  serve(app, deps, contract.listEndpoints, async ({ creatorId, inCreator }) => ({
    items: await inCreator((trx) => endpoints.list(trx, creatorId)),
  }));

  serve(app, deps, contract.addEndpoint, async ({ creatorId, role, body, signedIn, byEngine, reply }) => {
    reply.header('cache-control', 'no-store');
    const maker = { creatorId, role, user: signedIn.user };
    const added = await byEngine((trx) => endpoints.add(deps, trx, maker, body));
    await deps.automationsChanged({ creatorId });
    return added;
  });

  serve(app, deps, contract.changeEndpoint, async ({ creatorId, role, params, body, signedIn, byEngine }) => {
    const maker = { creatorId, role, user: signedIn.user };
    const given = { ...body, id: params.endpointId };
    const changed = await byEngine((trx) => endpoints.change(deps, trx, maker, given));
    await deps.automationsChanged({ creatorId });
    return changed;
  });

  serve(app, deps, contract.changeSecret, ({ creatorId, role, params, inCreator, reply }) => {
    reply.header('cache-control', 'no-store');
    return inCreator((trx) => endpoints.changeSecret(deps, trx, { creatorId, role, id: params.endpointId }));
  });

  serve(app, deps, contract.removeEndpoint, async ({ creatorId, params, inCreator }) => {
    await inCreator((trx) => endpoints.remove(trx, creatorId, params.endpointId));
    return { message: 'Webhook removed. Nothing more is sent there.' };
  });

  serve(app, deps, contract.sendTestEvent, async ({ creatorId, params, inCreator }) => {
    await inCreator((trx) => endpoints.sendTest(deps, trx, creatorId, params.endpointId));
    return { message: 'A test event is on its way.' };
  });

  serve(app, deps, contract.listEvents, ({ creatorId, params, query, inCreator }) =>
    inCreator((trx) => endpoints.log(trx, creatorId, params.endpointId, query)),
  );

  serve(app, deps, contract.redeliver, async ({ creatorId, params, inCreator }) => {
    await inCreator((trx) => endpoints.redeliver(deps, trx, { ...params, creatorId }));
    return { message: 'Sending the event again.' };
  });
}
