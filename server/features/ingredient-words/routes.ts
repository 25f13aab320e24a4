import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/ingredient-words.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import type { AppDeps } from '#server/features/app-deps.ts';
import { type ServeDeps, serve } from '#server/http/serve.ts';
import { preview } from './preview.ts';
import { readRecipesAgainLater } from './rereading.ts';
import { library, list, ownWordsOf } from './words.ts';

export function registerIngredientWords(app: FastifyInstance, deps: ServeDeps & Pick<AppDeps, 'ids' | 'live'>): void {
  /** Lists follow at once; what recipes count of their lines a moment later. */
  async function change<T>(
    {
      creatorId,
      inCreator,
    }: { creatorId: string; inCreator<R>(work: (trx: CreatorTransaction) => Promise<R>): Promise<R> },
    work: (trx: CreatorTransaction) => Promise<T>,
  ): Promise<T> {
    const result = await inCreator(async (trx) => {
      const done = await work(trx);
      await readRecipesAgainLater(deps, trx, creatorId);
      return done;
    });
    deps.live.publish(creatorId, { what: 'automations' });
    return result;
  }

  serve(app, deps, contract.listIngredientWords, ({ creatorId, query, inCreator }) =>
    inCreator((trx) => list(trx, creatorId, query)),
  );

  serve(app, deps, contract.getOwnWords, async ({ creatorId, inCreator }) => ({
    items: await inCreator((trx) => ownWordsOf(trx, creatorId)),
  }));

  serve(app, deps, contract.createIngredientWord, (of) =>
    change(of, (trx) => library.create(deps, trx, of.creatorId, of.body)),
  );

  serve(app, deps, contract.updateIngredientWord, (of) =>
    change(of, async (trx) => {
      const { wordId } = of.params;
      await library.change(deps, trx, of.creatorId, wordId, of.body);
      return library.get(trx, of.creatorId, wordId);
    }),
  );

  serve(app, deps, contract.deleteIngredientWord, async (of) => {
    await change(of, (trx) => library.remove(deps, trx, of.creatorId, of.params.wordId));
    return { message: 'Word deleted.' };
  });

  serve(app, deps, contract.previewIngredientWord, ({ creatorId, body, inCreator }) =>
    inCreator((trx) => preview(trx, creatorId, body)),
  );
}
