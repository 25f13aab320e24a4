import * as recipeImports from '#contract/recipe-imports.ts';
import type { Feature } from '#server/features/app-deps.ts';
import { importRecipes } from './importing.ts';
import { registerRecipeImports } from './routes.ts';

/** Longer than an import can be undone. */
const PAGES_DAYS = 60;

export const feature: Feature = {
  contract: { recipeImports },
  routes: registerRecipeImports,
  jobs: [importRecipes],
  holds: {
    recipe_import_pages: {
      exported: { leftOut: 'addresses of a blog, while its recipes are brought in' },
      ages: [{ keep: PAGES_DAYS, at: 'found_at' }],
    },
    recipe_imports: { exported: { as: 'recipeImports' }, requests: 'insert select update' },
  },
};
