import type { FastifyInstance } from 'fastify';
import { readRecipe } from '#contract/recipe-reading.ts';
import { type ServeDeps, serve } from '#server/http/serve.ts';
import { type ReadingDeps, read } from './read-recipe.ts';

export function registerRecipeReading(app: FastifyInstance, deps: ServeDeps & ReadingDeps): void {
  serve(app, deps, readRecipe, ({ creatorId, inCreator, body }) => read(deps, { creatorId, inCreator }, body));
}
