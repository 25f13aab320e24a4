/** Items the demo creator uses in many places: recipes, Custom Keywords, Custom Replies, app links, a meal plan. */
import type { CreatorTransaction } from '#server/db/database.ts';
import type { AppDeps } from '#server/features/app-deps.ts';
import * as appLinks from '#server/features/app-links/app-links.ts';
import { keywords } from '#server/features/keywords/keywords.ts';
import * as plans from '#server/features/meal-plans/meal-plans.ts';
import { saveIngredients } from '#server/features/recipes/ingredients.ts';
import * as recipes from '#server/features/recipes/recipes.ts';
import { replies } from '#server/features/replies/replies.ts';
import { wordOf } from '#simulators/meta/demo/comments.ts';
import { demoPosts } from '#simulators/meta/demo/posts.ts';
import { DEMO_SITE } from '#simulators/meta/demo/world.ts';
import { ingredientsOf } from './ingredients.ts';

/** Ids; of recipes by the scene of their post. */
export type Libraries = {
  recipes: ReadonlyMap<string, string>;
  recipeWords: string;
  cookieWords: string;
  sent: string;
};

const MOST_DISHES = 5;

const APP_LINKS = {
  'Cast iron pans': 'https://www.amazon.com/s?k=cast+iron+pan',
  'Videos of every recipe': 'https://www.youtube.com/@thegoldenspoon',
  'Music to cook to': 'https://open.spotify.com/search/kitchen',
  'Weeknight pasta': 'https://www.pinterest.com/search/pins/?q=weeknight+pasta',
  'The Golden Spoon': 'https://www.instagram.com/thegoldenspoon/',
};

/** With nothing behind them: as they are shared, a place comes after. */
export async function appLinkUrls(deps: AppDeps, creatorId: string): Promise<{ name: string; shortUrl: string }[]> {
  return (await deps.db.withCreator(creatorId, (trx) => appLinks.list(deps, trx, creatorId, {}))).items;
}

export function addLibraries(deps: AppDeps, creatorId: string): Promise<Libraries> {
  return deps.db.withCreator(creatorId, async (trx) => {
    const ids = new Map<string, string>();
    const shoppable: string[] = [];
    for (const { scene, caption } of demoPosts) {
      const word = wordOf(caption);
      if (word === undefined) continue;
      const recipe = await recipes.create(deps, trx, creatorId, {
        name: dishOf(scene),
        url: `${DEMO_SITE}/${scene}`,
        pictureUrl: null,
        keywordIdeas: word === 'RECIPE' ? [] : [word],
        messageText: '',
      });
      ids.set(scene, recipe.id);
      const input = ingredientsOf(scene, deps.ids, deps.clock.now());
      if (input === null) continue;
      await saveIngredients(deps, trx, creatorId, recipe.id, { ...input, version: 0 });
      shoppable.push(recipe.id);
    }
    const listening = { mode: 'whole_word' as const, excludedWords: [], typoTolerance: true };
    const recipeWords = await keywords.create(deps, trx, creatorId, {
      name: 'Recipe, in many languages',
      words: ['recipe', 'receta', 'receita', 'recette', 'Rezept', 'ricetta', 'tarif'],
      ...listening,
    });
    const cookieWords = await keywords.create(deps, trx, creatorId, {
      name: 'Cookies',
      words: ['cookie', 'cookies', 'galletas', 'Kekse', '🍪'],
      ...listening,
    });
    const sent = await replies.create(deps, trx, creatorId, {
      name: 'Just sent it',
      kind: 'public_reply',
      texts: ['Just sent it! Check your DMs 💌', 'It’s in your messages 🥄', 'Sent! Enjoy 💛'],
      translations: [{ language: 'es', texts: ['¡Te la acabo de enviar! Revisa tus mensajes 💌'] }],
    });
    await replies.create(deps, trx, creatorId, {
      name: 'Thanks for cooking along',
      kind: 'message',
      texts: ['Thank you for cooking along! Tell me how it turns out 🥄'],
      translations: [],
    });
    const rest = {
      campaign: '',
      opensApp: true,
      beginsAt: null,
      endsAt: null,
      elsewhere: null,
      slug: null,
      productsAbroad: [],
    };
    for (const [name, address] of Object.entries(APP_LINKS)) {
      await appLinks.create(deps, trx, creatorId, { name, address, ...rest });
    }
    await addPlan(deps, trx, creatorId, shoppable);
    return { recipes: ids, recipeWords: recipeWords.id, cookieWords: cookieWords.id, sent: sent.id };
  });
}

/** Dishes of a week that have a list; people see it. */
async function addPlan(deps: AppDeps, trx: CreatorTransaction, creatorId: string, recipeIds: string[]): Promise<void> {
  const dishes = recipeIds.slice(0, MOST_DISHES).map((recipeId, section) => ({
    ...{ id: deps.ids.uuid(deps.clock.now()), section, slot: '', recipeId, text: '', servings: null },
  }));
  const leftovers = { id: deps.ids.uuid(deps.clock.now()), section: dishes.length, slot: 'dinner', recipeId: null };
  const plan = await plans.create(deps, trx, creatorId, {
    ...{ name: 'Easy week', note: 'One trip to the shop for all of it.', pictureUrl: null },
    ...{ kind: 'week', startsOn: null, sections: [] },
    meals: [...dishes, { ...leftovers, text: 'Leftovers', servings: null }],
  });
  await plans.publish(deps, trx, { creatorId, mealPlanId: plan.id }, plan.version);
}

/** @param scene as in "berry-pancakes" */
export function dishOf(scene: string): string {
  const dish = scene.replaceAll('-', ' ');
  return `${dish[0]!.toUpperCase()}${dish.slice(1)}`;
}
