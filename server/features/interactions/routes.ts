import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/interactions.ts';
import type { AppDeps } from '#server/features/app-deps.ts';
import { type ServeDeps, serve } from '#server/http/serve.ts';
import * as interactions from './interactions.ts';

export function registerInteractions(
  app: FastifyInstance,
  deps: ServeDeps & Pick<AppDeps, 'config' | 'deliveriesQueued' | 'ids' | 'live'>,
): void {
  serve(app, deps, contract.listInteractions, ({ creatorId, query, inCreator }) =>
    inCreator((trx) => interactions.list(deps, trx, creatorId, query)),
  );

  serve(app, deps, contract.getInteraction, ({ creatorId, params, inCreator }) =>
    inCreator((trx) => interactions.get(deps, trx, creatorId, params.interactionId)),
  );

  serve(app, deps, contract.resend, async ({ creatorId, params, signedIn, inCreator }) => {
    const { clock, ids, config } = deps;
    const { interaction, connectionId } = await inCreator((trx) =>
      interactions.resend(
        { clock, ids, baseUrl: config.baseUrl },
        trx,
        creatorId,
        params.interactionId,
        signedIn.user.id,
      ),
    );
    await deps.deliveriesQueued({ creatorId, connectionId });
    deps.live.publish(creatorId, {
      what: 'interactions',
      ...(interaction.postId !== null && { postIds: [interaction.postId] }),
    });
    return interaction;
  });
}
