import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/keywords.ts';
import type { AppDeps } from '#server/features/app-deps.ts';
import { type ServeDeps, serve } from '#server/http/serve.ts';
import { keywords } from './keywords.ts';

export function registerKeywords(
  app: FastifyInstance,
  deps: ServeDeps & Pick<AppDeps, 'automationsChanged' | 'ids' | 'live'>,
): void {
  // The engine keeps the words of automations in memory.
  const changed = async (creatorId: string) => {
    await deps.automationsChanged({ creatorId });
    deps.live.publish(creatorId, { what: 'automations' });
  };

  serve(app, deps, contract.listKeywords, ({ creatorId, query, inCreator }) =>
    inCreator((trx) => keywords.list(trx, creatorId, query)),
  );

  serve(app, deps, contract.getKeyword, ({ creatorId, params, inCreator }) =>
    inCreator((trx) => keywords.get(trx, creatorId, params.keywordId)),
  );

  serve(app, deps, contract.createKeyword, async ({ creatorId, body, inCreator }) => {
    const created = await inCreator((trx) => keywords.create(deps, trx, creatorId, body));
    await changed(creatorId);
    return created;
  });

  serve(app, deps, contract.updateKeyword, async ({ creatorId, params, body, inCreator }) => {
    const updated = await inCreator(async (trx) => {
      await keywords.change(deps, trx, creatorId, params.keywordId, body);
      return keywords.get(trx, creatorId, params.keywordId);
    });
    await changed(creatorId);
    return updated;
  });

  serve(app, deps, contract.deleteKeyword, async ({ creatorId, params, inCreator }) => {
    await inCreator((trx) => keywords.remove(deps, trx, creatorId, params.keywordId));
    await changed(creatorId);
    return { message: 'Custom Keywords deleted.' };
  });
}
