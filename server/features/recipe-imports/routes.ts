import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/recipe-imports.ts';
import type { AppDeps } from '#server/features/app-deps.ts';
import { type ServeDeps, serve } from '#server/http/serve.ts';
import * as imports from './imports.ts';

export function registerRecipeImports(app: FastifyInstance, deps: ServeDeps & Pick<AppDeps, 'ids' | 'live'>): void {
  const whose = (creatorId: string, { recipeImportId }: { recipeImportId: string }) => ({
    creatorId,
    importId: recipeImportId,
  });

  serve(app, deps, contract.listRecipeImports, ({ creatorId, query, inCreator }) =>
    inCreator((trx) => imports.list(deps, trx, creatorId, query)),
  );

  serve(app, deps, contract.startRecipeImport, ({ creatorId, body, inCreator }) =>
    inCreator((trx) => imports.start(deps, trx, creatorId, body.site)),
  );

  serve(app, deps, contract.getRecipeImport, ({ creatorId, params, inCreator }) =>
    inCreator((trx) => imports.get(deps, trx, whose(creatorId, params))),
  );

  serve(app, deps, contract.listUnreadPages, ({ creatorId, params, query, inCreator }) =>
    inCreator((trx) => imports.listUnread(trx, whose(creatorId, params), query)),
  );

  for (const [endpoint, act] of [
    [contract.pauseRecipeImport, imports.pause],
    [contract.continueRecipeImport, imports.goOn],
    [contract.retryRecipeImport, imports.retry],
    [contract.undoRecipeImport, imports.undo],
  ] as const) {
    serve(app, deps, endpoint, async ({ creatorId, params, inCreator }) => {
      const changed = await inCreator((trx) => act(deps, trx, whose(creatorId, params)));
      deps.live.publish(creatorId, { what: 'imports' });
      return changed;
    });
  }
}
