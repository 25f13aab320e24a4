import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/settings.ts';
import type { AppDeps } from '#server/features/app-deps.ts';
import { type ServeDeps, serve } from '#server/http/serve.ts';
import { chooseRetention, readRetention } from './retention-choice.ts';

export function registerRetention(app: FastifyInstance, deps: ServeDeps & Pick<AppDeps, 'config'>): void {
  serve(app, deps, contract.getRetention, ({ creatorId, inCreator }) =>
    inCreator((trx) => readRetention(deps, trx, creatorId)),
  );

  serve(app, deps, contract.changeRetention, ({ creatorId, signedIn, inCreator, body }) =>
    inCreator((trx) => chooseRetention(deps, trx, { creatorId, userId: signedIn.user.id }, body)),
  );
}
