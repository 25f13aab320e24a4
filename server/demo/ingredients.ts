/** What some recipes of the demo need, as bloggers write it; one line wants a second look. */
import type { IngredientsInput } from '#contract/recipe-ingredients.ts';
import type { Ids } from '#server/clock.ts';

/** By the scene of the post; a line with a colon at its end names the group of those after it. */
const LINES = new Map<string, { servings: number; minutes: number; lines: string[] }>([
  [
    'spaghetti-pomodoro',
    {
      servings: 4,
      minutes: 25,
      lines: [
        ...['1 lb spaghetti', '1 (28-oz) can whole peeled tomatoes', '4 cloves garlic, thinly sliced'],
        ...['1/3 cup extra-virgin olive oil', '1 bunch fresh basil', 'salt, to taste', 'Parmesan cheese, for serving'],
      ],
    },
  ],
  [
    'chocolate-chip-cookies',
    {
      servings: 24,
      minutes: 35,
      lines: [
        ...['2 1/4 cups all-purpose flour', '1 tsp baking soda', '1 tsp salt', '1 cup unsalted butter, softened'],
        ...['3/4 cup granulated sugar', '3/4 cup packed brown sugar', '2 large eggs', '2 tsp vanilla extract'],
        ...['2 cups chocolate chips', '1 cup chopped walnuts (optional)'],
      ],
    },
  ],
  [
    'butter-chicken',
    {
      servings: 4,
      minutes: 45,
      lines: [
        ...['For the marinade:', '1 1/2 lb boneless chicken thighs', '1/2 cup plain yogurt', '1 tbsp garam masala'],
        ...[
          'For the sauce:',
          '3 tbsp butter',
          '1 onion, finely chopped',
          '1 (14-oz) can tomato sauce',
          '1 cup heavy cream',
        ],
        ...['a good glug of grandma’s secret', '2 tsp salt'],
      ],
    },
  ],
]);

/** @returns null for a recipe whose ingredients the demo leaves to whoever tries it */
export function ingredientsOf(scene: string, ids: Ids, at: Date): IngredientsInput | null {
  const recipe = LINES.get(scene);
  if (recipe === undefined) return null;
  let group = '';
  const lines = recipe.lines.flatMap((text) => {
    if (text.endsWith(':')) group = text.slice(0, -1);
    if (text.endsWith(':')) return [];
    const line = { id: ids.uuid(at), group, text, fixes: {}, checked: false, sourceText: null, sourceUid: null };
    return [line];
  });
  return { ...recipe, lines, measures: 'us', language: 'en', steps: [] };
}
