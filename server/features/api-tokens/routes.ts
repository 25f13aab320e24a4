import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/api-tokens.ts';
import type { AppDeps } from '#server/app.ts';
import { serve } from '#server/http/serve.ts';
import * as tokens from './api-tokens.ts';

export function registerApiTokens(app: FastifyInstance, deps: AppDeps): void {
  serve(app, deps, contract.listTokens, async ({ creatorId, signedIn, inCreator }) => ({
    items: await inCreator((trx) => tokens.list(trx, { creatorId, userId: signedIn.user.id }, deps.clock.now())),
  }));

  serve(app, deps, contract.makeToken, ({ creatorId, signedIn, body, inCreator, reply }) => {
    reply.header('cache-control', 'no-store');
    return inCreator((trx) => tokens.make(deps, trx, { ...body, creatorId, userId: signedIn.user.id }));
  });

  serve(app, deps, contract.revokeToken, async ({ creatorId, params, signedIn, inCreator }) => {
    const whose = { creatorId, userId: signedIn.user.id, id: params.tokenId };
    await inCreator((trx) => tokens.revoke(trx, whose, deps.clock.now()));
    return { message: 'The token ended. Whoever still has it is refused.' };
  });
}
