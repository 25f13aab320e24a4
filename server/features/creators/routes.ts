import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/creators.ts';
import type { AppDeps } from '#server/features/app-deps.ts';
import { describeCreator } from '#server/features/people/me.ts';
import { countTry } from '#server/http/rate-limits.ts';
import { type ServeDeps, serve } from '#server/http/serve.ts';
import { changeHandle, createCreator } from './creators.ts';

export function registerCreators(app: FastifyInstance, deps: ServeDeps & Pick<AppDeps, 'config' | 'ids'>): void {
  serve(app, deps, contract.createCreator, async ({ body, signedIn }) => {
    await countTry(deps.db.engine, deps.clock.now(), 'creators_by_user', signedIn.user.id);
    const { id, handle } = await createCreator(deps, signedIn, body.handle);
    return {
      _id: id,
      handle,
      instagramAvatarUrl: null,
      facebookAvatarUrl: null,
      instagramFollowersCount: null,
      facebookFollowersCount: null,
      timeZone: null,
      deleteAt: null,
    };
  });

  serve(app, deps, contract.changeHandle, async ({ creatorId, body, inCreator }) => {
    await inCreator((trx) => changeHandle(trx, creatorId, body.handle));
    return body;
  });

  serve(app, deps, contract.getCreator, ({ creatorId, inCreator }) =>
    inCreator(async (trx) => {
      const { creatorAccount, ...rest } = await describeCreator(trx, deps, creatorId);
      return { ...creatorAccount, ...rest };
    }),
  );
}
