import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/api-tokens.ts';
import { mayDo, type Role } from '#contract/roles.ts';
import type { AppDeps } from '#server/features/app-deps.ts';
import { type ServeDeps, serve } from '#server/http/serve.ts';
import type { SignedIn } from '#server/http/sessions.ts';
import * as tokens from './api-tokens.ts';

export function registerApiTokens(app: FastifyInstance, deps: ServeDeps & Pick<AppDeps, 'config' | 'ids'>): void {
  serve(app, deps, contract.listTokens, (call) =>
    call.inCreator((trx) => tokens.list(trx, whose(call), deps.clock.now(), call.query)),
  );

  serve(app, deps, contract.makeToken, ({ creatorId, signedIn, body, byEngine, reply }) => {
    reply.header('cache-control', 'no-store');
    const maker = { creatorId, user: signedIn.user };
    return byEngine((trx) => tokens.make(deps, trx, maker, body));
  });

  serve(app, deps, contract.revokeToken, async (call) => {
    const token = { ...whose(call), id: call.params.tokenId };
    await call.inCreator((trx) => tokens.revoke(trx, token, deps.clock.now()));
    return { message: 'Token revoked. It no longer works.' };
  });
}

function whose({ creatorId, role, signedIn }: { creatorId: string; role: Role; signedIn: SignedIn }) {
  return { creatorId, userId: signedIn.user.id, ofTeam: mayDo(role, 'team') };
}
