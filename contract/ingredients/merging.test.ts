import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { purchaseOf } from './buying.ts';
import { CUPS_IN_GRAMS } from './densities.ts';
import { add, type Fraction, fraction, multiply, readFraction, writeFraction } from './fractions.ts';
import { ENGLISH } from './lexicon.en.ts';
import type { Size } from './line.ts';
import { type Item, type ListedRecipe, listOf } from './merging.ts';
import { readLine } from './reading.ts';
import { sizeOf } from './units.ts';

/** Lines stand between bars, recipes between two; after "×" stand the servings wanted by those of the recipe. */
const MERGES = `
# the same measure
2 cups flour | 1 cup flour => flour: 3 cup
500 g flour | 250 g flour => flour: 750 gram
1 tsp vanilla extract | 1 tsp vanilla extract => vanilla extract: 2 teaspoon
2 eggs | 3 eggs => eggs: 5
1 lb ground beef | 2 lbs ground beef => ground beef: 3 pound
1/2 cup sugar | 1/3 cup sugar => sugar: 5/6 cup
1/3 cup milk | 1/3 cup milk | 1/3 cup milk => milk: 1 cup
1½ cups sugar | ½ cup sugar => sugar: 2 cup
1 can black beans | 2 cans black beans => black beans: 3 can
2 slices bacon | 4 slices bacon => bacon: 6 slice
3 sprigs thyme | 2 sprigs thyme => thyme: 5 sprig
1 bunch cilantro | 1 bunch cilantro => cilantro: 2 bunch
2 sticks cinnamon | 1 stick cinnamon => cinnamon: 3 stick
100 ml milk | 50 ml milk => milk: 150 milliliter
1 oz Parmesan | 2 oz Parmesan => Parmesan: 3 ounce
1 pinch nutmeg | 1 pinch nutmeg => nutmeg: 2 pinch
2 cloves garlic | 4 cloves garlic => garlic: 6 clove
1 onion | 1 onion | 1 onion => onion: 3
1 dozen eggs | 3 eggs => eggs: 15
# measures of one kind
500 g flour | 1 kg flour => flour: 3/2 kilogram
1 tbsp soy sauce | 1 tsp soy sauce => soy sauce: 4/3 tablespoon
1 cup milk | 2 tbsp milk => milk: 9/8 cup
1 cup milk | 1 pint milk => milk: 3/2 pint
8 oz butter | 1 lb butter => butter: 3/2 pound
1 l water | 500 ml water => water (pantry): 3/2 liter
2 cups stock | 1 quart stock => stock: 3/2 quart
3 tsp sugar | 1 tbsp sugar => sugar: 2 tablespoon
1 cup cream | 4 tbsp cream => cream: 5/4 cup
250 ml milk | 1 dl milk => milk: 7/2 deciliter
1 cup broth | 8 fl oz broth => broth: 2 cup
12 oz cheddar | 1 lb cheddar => cheddar: 7/4 pound
0.5 kg potatoes | 250 g potatoes => potatoes: 3/4 kilogram
1 gallon water | 1 cup water => water (pantry): 17/16 gallon
2 tbsp oil | 3 tbsp oil | 1 tsp oil => oil: 16/3 tablespoon
1 cup milk | 240 ml milk => milk: 317725491/157725491 cup
100 g butter | 4 oz butter => butter: 341436948/45359237 ounce
1 kg beef | 1 lb beef => beef: 145359237/100000000 kilogram
16 tbsp sugar | 1 cup sugar => sugar: 2 cup
100 cl wine | 1 l wine => wine: 2 liter
# several measures of one line
250 g / 9 oz butter | 100 g butter => butter: 350 gram
250 g / 9 oz butter | 3 oz butter => butter: 536077711/45359237 ounce
1 cup (240 ml) milk | 100 ml milk => milk: 673176473/473176473 cup
1 cup (240 ml) milk | 1 cup milk => milk: 2 cup
1 cup (120 g) flour | 80 g flour => flour: 200 gram
1 cup (120 g) flour | 1 cup (120 g) flour => flour: 2 cup
1 cup (120 g) flour | 2 cups flour => flour: 3 cup
2 onions (300 g) | 200 g onions => onions: 500 gram
2 onions (300 g) | 1 onion => onions: 3
1 lb (450 g) carrots | 1 kg carrots => carrots: 145359237/100000000 kilogram
1 cup (200 g) rice | 100 g rice => rice: 300 gram
1 cup (200 g) rice | 1 cup rice => rice: 2 cup
2 cups (480 ml) stock | 1 cup (240 ml) stock => stock: 3 cup
1 stick (113 g) butter | 100 g butter => butter: 213 gram
4 tbsp (60 ml) lemon juice | 2 tbsp lemon juice => lemon juice: 6 tablespoon
# cans and packs
1 can (400 g) chickpeas | 2 cans (400 g) chickpeas => chickpeas: 3 can of 400 gram
1 (14.5 oz) can diced tomatoes | 1 (14.5 oz) can diced tomatoes => diced tomatoes: 2 can of 29/2 ounce
1 (14.5 oz) can diced tomatoes | 1 (28 oz) can diced tomatoes => diced tomatoes: 1 can of 29/2 ounce + 1 can of 28 ounce
2 x 400 g tins chopped tomatoes | 1 x 400 g tin chopped tomatoes => chopped tomatoes: 3 can of 400 gram
1 can chickpeas | 1 can (400 g) chickpeas => chickpeas: 1 can + 1 can of 400 gram
2 cans (400 g) chickpeas | 200 g chickpeas => chickpeas: 1000 gram
1 package cream cheese | 1 package cream cheese => cream cheese: 2 package
1 (8 oz) package cream cheese | 4 oz cream cheese => cream cheese: 12 ounce
1 jar pesto | 1 jar pesto => pesto: 2 jar
4 (6-ounce) salmon fillets | 2 (6-ounce) salmon fillets => salmon fillets: 6 fillet of 6 ounce
1 can coconut milk | 1 cup coconut milk => coconut milk: 1 can + 1 cup
1 bag spinach | 200 g spinach => spinach: 1 bag + 200 gram
2 packets taco seasoning | 1 packet taco seasoning => taco seasoning: 3 package
1 bottle red wine | 1 cup red wine => red wine: 1 bottle + 1 cup
1 box (15.25 oz) yellow cake mix | 1 box (15.25 oz) yellow cake mix => yellow cake mix: 2 box of 61/4 ounce
2 (6-8 ounce) salmon fillets | 2 (6-ounce) salmon fillets => salmon fillets: 2 fillet of 6–8 ounce + 2 fillet of 6 ounce
# ranges
2-3 carrots | 1 carrot => carrots: 3–4
2-3 carrots | 1-2 carrots => carrots: 3–5
500-600 g beef | 400 g beef => beef: 900–1000 gram
1 to 2 tbsp oil | 1 tbsp oil => oil: 2–3 tablespoon
2–3 tbsp milk | 1 tsp milk => milk: 7/3–10/3 tablespoon
900 g to 1 kg potatoes | 100 g potatoes => potatoes: 1000–1100 gram
2 or 3 eggs | 2 or 3 eggs => eggs: 4–6
3-4 lb chuck roast | 1 lb chuck roast => chuck roast: 4–5 pound
# about
about 2 cups flour | 1 cup flour => flour: about 3 cup
~100 g cheese | 50 g cheese => cheese: about 150 gram
approx. 3 carrots | 3 carrots => carrots: about 6
about 1 lb beef | about 1 lb beef => beef: about 2 pound
1 heaped tsp salt | 1 tsp salt => salt (pantry): 2 teaspoon
# volume and mass, where sources agree
1 cup sugar | 100 g sugar => sugar: about 300 gram
200 g flour | 1 cup flour => flour: about 320 gram
1 cup milk | 100 g milk => milk: 1 cup + 100 gram
1 tbsp butter | 100 g butter => butter: about 1827/16 gram
1 cup honey | 50 g honey => honey: about 383 gram
2 tbsp olive oil | 50 g olive oil => olive oil: 2 tablespoon + 50 gram
100 g light brown sugar | 1 cup light brown sugar => light brown sugar: about 317 gram
1 cup Greek yogurt | 100 g Greek yogurt => Greek yogurt: 1 cup + 100 gram
1 cup yogurt | 100 g yogurt => yogurt: 1 cup + 100 gram
1 cup sour cream | 50 g sour cream => sour cream: 1 cup + 50 gram
250 ml water | 100 g water => water (pantry): about 55272549100/157725491 gram
1-2 tbsp butter | 50 g butter => butter: about 1027/16–627/8 gram
1 cup heavy cream | 100 g heavy cream => heavy cream: about 332 gram
1 cup all-purpose flour | 1 cup plain flour | 50 g all-purpose flour => all-purpose flour: about 290 gram
# and where they do not
1 cup oats | 100 g oats => oats: 1 cup + 100 gram
1 tsp salt | 10 g salt => salt (pantry): 1 teaspoon + 10 gram
1 cup rice | 200 g rice => rice: 1 cup + 200 gram
1 cup powdered sugar | 100 g powdered sugar => powdered sugar: 1 cup + 100 gram
2 tbsp cornstarch | 20 g cornstarch => cornstarch: 2 tablespoon + 20 gram
1 cup cheddar | 100 g cheddar => cheddar: 1 cup + 100 gram
1 cup spinach | 200 g spinach => spinach: 1 cup + 200 gram
500 g strawberries | 2 cups strawberries => strawberries: 500 gram + 2 cup
1 cup cocoa powder | 30 g cocoa powder => cocoa powder: 1 cup + 30 gram
1 cup almonds | 100 g almonds => almonds: 1 cup + 100 gram
# what cannot be added
1 onion | 1 cup onion => onion: 1 + 1 cup
3 carrots | 200 g carrots => carrots: 3 + 200 gram
2 tomatoes | 1 can tomatoes => tomatoes: 2 + 1 can
1 lemon | 2 tbsp lemon juice => lemon: 1; lemon juice: 2 tablespoon
1 bunch parsley | 2 tbsp parsley => parsley: 1 bunch + 2 tablespoon
1 head garlic | 3 cloves garlic => garlic: 1 head + 3 clove
2 stalks celery | 1 cup celery => celery: 2 stalk + 1 cup
1 pinch salt | 1 tsp salt => salt (pantry): 1 pinch + 1 teaspoon
1 handful basil | 1 bunch basil => basil: 1 handful + 1 bunch
2 slices bread | 1 loaf bread => bread: 2 slice + 1 loaf
1 cup broccoli | 1 head broccoli => broccoli: 1 cup + 1 head
2 sprigs rosemary | 1 tsp rosemary => rosemary: 2 sprig + 1 teaspoon
4 chicken breasts | 500 g chicken breasts => chicken breasts: 4 + 500 gram
1 cube stock | 1 cup stock => stock: 1 cube + 1 cup
# pain 51: seven lines of one thing
1 onion | 2 onions | 1 onion, diced | 1 large onion | 1 small onion, sliced | 1/2 onion | 3 onions => onion: 19/2
1 tbsp olive oil | 2 tbsp olive oil | 1 tbsp olive oil | 3 tbsp olive oil | 1 tbsp olive oil | 2 tbsp olive oil | 1 tsp olive oil => olive oil: 31/3 tablespoon
2 cloves garlic | 1 clove garlic, minced | 3 cloves garlic | 4 cloves of garlic | 2 garlic cloves | 1 clove garlic | 2 cloves garlic, crushed => garlic: 15 clove
1 cup milk | 1/2 cup milk | 1/4 cup milk | 1 cup milk | 1/3 cup milk | 2 tbsp milk | 1 cup milk => milk: 101/24 cup
salt | salt to taste | 1 tsp salt | pinch of salt | salt | 1/2 tsp salt | salt => salt (pantry): 3/2 teaspoon + some
1 lemon | juice of 1 lemon | 1 lemon, zested | 1/2 lemon | 2 lemons | lemon wedges | 1 lemon => lemon: 13/2; lemon wedges: some
2 eggs | 1 egg | 3 large eggs | 2 eggs, beaten | 1 egg yolk | 4 eggs | 1 egg => eggs: 13; egg yolk: 1
# pain 52: without a unit
2 eggs | eggs => eggs: 2 + some
1 onion | 2 red onions => onion: 1; red onions: 2
3 potatoes | 4 potatoes => potatoes: 7
1 avocado | 1 ripe avocado => avocado: 2
2 bananas | 1 banana, mashed => bananas: 3
6 large eggs | 2 eggs => eggs: 8
4 tomatoes | 2 ripe tomatoes => tomatoes: 6
1 lime | 3 limes => lime: 4
1 bell pepper | 2 bell peppers => bell pepper: 3
2 carrots, peeled | 1 carrot, grated => carrots: 3
# pain 53: servings wanted
5 eggs ×9 => eggs: 45
5 eggs ×1 => eggs: 5
2 eggs ×1/2 => eggs: 1
1 egg ×1/2 => egg: 1/2
1 cup flour ×2 => flour: 2 cup
1/3 cup sugar ×3 => sugar: 1 cup
500 g pasta ×3/4 => pasta: 375 gram
2-3 carrots ×2 => carrots: 4–6
1 can chickpeas ×1/2 => chickpeas: 1/2 can
1 (400 g) can chickpeas ×3 => chickpeas: 3 can of 400 gram
1 pinch salt ×4 => salt (pantry): 1 pinch
salt to taste ×4 => salt (pantry): some
about 2 cups stock ×2 => stock: about 4 cup
250 g / 9 oz butter ×2 => butter: 500 gram
2 cups flour ×1/4 || 1 cup flour ×4 => flour: 9/2 cup
2 eggs ×3 || 1 egg ×1/2 => eggs: 13/2
1 cup rice ×20 => rice: 20 cup
1 tbsp oil ×2/3 => oil: 2/3 tablespoon
3 eggs ×5/3 => eggs: 5
2 cups flour (see note 2) ×2 => flour: 4 cup
# names of one food
1 scallion | 2 green onions => scallion: 3
3 spring onions | 1 scallion => spring onions: 4
1 cup chopped cilantro | 1/2 cup fresh coriander => cilantro: 1 cup; coriander: 1/2 cup
2 zucchini | 1 courgette => zucchini: 3
1 eggplant | 1 aubergine => eggplant: 2
1 cup powdered sugar | 1/2 cup icing sugar => powdered sugar: 3/2 cup
1 tsp baking soda | 1/2 tsp bicarbonate of soda => baking soda: 3/2 teaspoon
2 cups all-purpose flour | 1 cup plain flour => all-purpose flour: 3 cup
1 tbsp cornstarch | 1 tbsp cornflour => cornstarch: 2 tablespoon
1 lb ground beef | 500 g beef mince => ground beef: 95359237/45359237 pound
200 g shrimp | 100 g prawns => shrimp: 300 gram
1 cup chickpeas | 1 cup garbanzo beans => chickpeas: 2 cup
1 cup mayonnaise | 2 tbsp mayo => mayonnaise: 9/8 cup
1 tbsp fresh parsley | 1 tbsp parsley, chopped => parsley: 2 tablespoon
2 ripe avocados | 1 large avocado => avocados: 3
1 cup caster sugar | 1 cup superfine sugar => caster sugar: 2 cup
1 tsp chili flakes | 1 tsp red pepper flakes => chili flakes: 2 teaspoon
100 g rocket | 50 g arugula => rocket: 150 gram
# names of different foods
1 cup butter | 1 cup peanut butter | 1 cup unsalted butter => butter: 1 cup; peanut butter: 1 cup; unsalted butter: 1 cup
1 cup sugar | 1 cup brown sugar => sugar: 1 cup; brown sugar: 1 cup
1 onion | 1 red onion | 1 green onion => onion: 1; red onion: 1; green onion: 1
1 tsp paprika | 1 tsp smoked paprika => paprika: 1 teaspoon; smoked paprika: 1 teaspoon
1 cup granulated sugar | 1 cup caster sugar => granulated sugar: 1 cup; caster sugar: 1 cup
1 tbsp olive oil | 1 tbsp sesame oil => olive oil: 1 tablespoon; sesame oil: 1 tablespoon
1 cup milk | 1 cup coconut milk => milk: 1 cup; coconut milk: 1 cup
1 tsp cinnamon | 1 cinnamon stick => cinnamon: 1 teaspoon; cinnamon stick: 1
1 cup cream | 1 cup sour cream => cream: 1 cup; sour cream: 1 cup
1 potato | 1 sweet potato => potato: 1; sweet potato: 1
1 tsp ground ginger | 1 tbsp ginger => ground ginger: 1 teaspoon; ginger: 1 tablespoon
1 tbsp soy sauce | 1 tbsp dark soy sauce => soy sauce: 1 tablespoon; dark soy sauce: 1 tablespoon
2 tomatoes | 2 cherry tomatoes => tomatoes: 2; cherry tomatoes: 2
1 tsp cumin | 1 tsp cumin seeds => cumin: 1 teaspoon; cumin seeds: 1 teaspoon
1 cup flour | 1 cup self-raising flour => flour: 1 cup; self-raising flour: 1 cup
1 cup full-fat yogurt | 1 cup yogurt => full-fat yogurt: 1 cup; yogurt: 1 cup
# pantry, optional, to taste, instead
1 cup water | 2 cups water => water (pantry): 3 cup
1 tsp salt | salt to taste => salt (pantry): 1 teaspoon + some
salt and pepper to taste => salt and pepper (pantry): some
1/2 tsp black pepper | pepper => black pepper (pantry): 1/2 teaspoon; pepper (pantry): some
1 cup walnuts (optional) | 1/2 cup walnuts => walnuts (optional): 1 cup; walnuts: 1/2 cup
1 cup walnuts (optional) | 1/2 cup walnuts, optional => walnuts (optional): 3/2 cup
1/2 cup butter or margarine => butter: 1/2 cup or margarine
1/2 cup butter or oil | 1 cup butter => butter: 3/2 cup or oil
parsley for garnish => parsley: some
oil for frying | 2 tbsp oil => oil: 2 tablespoon + some
1 cup chicken stock or vegetable stock => chicken stock: 1 cup or vegetable stock
For the sauce: | 1 cup cream => cream: 1 cup
# not ingredients, not read
Preheat the oven | 2 eggs => eggs: 2
#easydinner #recipe | 1 egg => egg: 1
1 cup blorfberries | 2 cups blorfberries => blorfberries: 3 cup
1 glorp zanthan | 2 glorps zanthan => glorp zanthan: 3
# dozens
2 dozen eggs => eggs: 24
1/2 dozen eggs | 1 dozen eggs => eggs: 18
½ dozen limes | 2 limes => limes: 8
1 dozen large shrimp ×1/2 => large shrimp: 6
a dozen oysters | 1 oyster => oysters: 13
`;

describe.each(
  MERGES.trim()
    .split('# ')
    .slice(1)
    .map((group) => group.trim().split('\n'))
    .map(([name, ...rows]) => [name!, rows.map((row) => row.split(' => ') as [string, string])] as const),
)('%s', (_, rows) => {
  test.each(rows)('%s', (lines, list) => expect(listFrom(lines).map(shown).join('; ')).toBe(list));
});

test('has two hundred merges', () => expect(MERGES.match(/ => /g)!.length).toBeGreaterThanOrEqual(200));

test('says where each part comes from, and which of their notes were not scaled', () => {
  const [flour] = listFrom('2 cups flour (see note 2) ×2 || 1 cup flour');
  expect(flour!.parts[0]!.sources).toEqual([
    { recipeId: '0', lineId: '0.0', text: '2 cups flour (see note 2)', hasOwnNumber: true },
    { recipeId: '1', lineId: '1.0', text: '1 cup flour', hasOwnNumber: false },
  ]);
});

test.each([
  ['2 cups flour', 'baking'],
  ['3 scallions', 'produce'],
  ['1 cup blorfberries', 'other'],
  ['1 lb beef mince', 'meat'],
])('%s is in the aisle %s', (line, aisle) => expect(listFrom(line)[0]!.aisle).toBe(aisle));

test('what stands in the creator’s own pantry starts unticked', () => {
  const items = listOf([recipeOf('2 tbsp olive oil | 1 courgette | 1 leek', 0)], {
    lexicon: ENGLISH,
    pantry: ['olive oil', 'zucchini'],
  });
  expect(items.map(({ starts }) => starts)).toEqual(['pantry', 'pantry', 'ticked']);
});

test('cups are those of the author', () => {
  const [milk] = listOf(
    [
      { ...recipeOf('1 cup milk', 0), measures: 'us' },
      { ...recipeOf('1 cup milk', 1), measures: 'metric' },
    ],
    { lexicon: ENGLISH },
  );
  const size = sizeOf('cup', milk!.parts[0]!.measures)!;
  expect(multiply(milk!.parts[0]!.from, size)).toEqual(add(sizeOf('cup', 'us')!, fraction(250)));
});

test('what would not be exact stays apart', () => {
  const lines = Array.from({ length: 8 }, (_, at) => `1 ${['lb', 'oz'][at % 2]} beef`);
  const recipes = lines.map((line, at) => ({ ...recipeOf(line, at), factor: fraction(9_999 - at, 9_973 - 7 * at) }));
  const [beef] = listOf(recipes, { lexicon: ENGLISH });
  expect(beef!.parts.length).toBeGreaterThan(1);
  expect(beef!.parts.flatMap(({ sources }) => sources)).toHaveLength(8);
});

test('sources of densities agree within 5 %', () => {
  for (const [food, [one, other]] of CUPS_IN_GRAMS) expect(Math.abs(one - other) / other, food).toBeLessThan(0.05);
});

const UNITS = {
  mass: ['gram', 'kilogram', 'ounce', 'pound'],
  volume: ['teaspoon', 'tablespoon', 'cup', 'milliliter', 'liter'],
};
const drawnNumber = fc.record({ n: fc.integer({ min: 1, max: 12 }), d: fc.constantFrom(1, 2, 3, 4, 8) });
const drawnLine = (units: string[]) =>
  fc.record({
    from: drawnNumber,
    unit: fc.constantFrom(...units),
    factor: fc.constantFrom(fraction(1, 4), fraction(1, 2), fraction(2, 3), fraction(1), fraction(5, 2), fraction(20)),
  });
type Drawn = { from: Fraction; unit: string; factor: Fraction };

test('a list’s total is the sum of its lines times their factors, to the last digit', () => {
  const drawn = fc
    .constantFrom(UNITS.mass, UNITS.volume)
    .chain((units) => fc.array(drawnLine(units), { minLength: 1, maxLength: 8 }));
  fc.assert(
    fc.property(drawn, (lines) => {
      const items = listOf(lines.map(drawnRecipe('oats')), { lexicon: ENGLISH });
      expect(items).toHaveLength(1);
      const { parts } = items[0]!;
      const total = parts.map(({ from, unit }) => multiply(from, sizeOf(unit!, 'us')!)).reduce(add);
      const expected = lines.map(({ from, unit, factor }) =>
        multiply(multiply(fraction(from.n, from.d), factor), sizeOf(unit, 'us')!),
      );
      expect(total).toEqual(expected.reduce(add));
      expect(parts.some(({ isAbout }) => isAbout)).toBe(false);
    }),
    { numRuns: 1000 },
  );
});

test('where a volume was weighed, the list says about', () => {
  const drawn = fc.tuple(drawnLine(UNITS.mass), drawnLine(UNITS.volume));
  fc.assert(
    fc.property(drawn, (lines) => {
      const [sugar] = listOf(lines.map(drawnRecipe('sugar')), { lexicon: ENGLISH });
      expect(sugar!.parts.every(({ isAbout }) => isAbout) || sugar!.parts.length === 2).toBe(true);
    }),
  );
});

test.each([
  ['1/2 onion', '1'],
  ['3 eggs', null],
  ['3 1/2 eggs', '4'],
  ['2-3 carrots ×1/2', '2'],
  ['1 can chickpeas ×3/2', '2 can'],
  ['2 cans chickpeas', null],
  ['3 cloves garlic', '1 head'],
  ['12 cloves garlic', '2 head'],
  ['500 g flour', null],
  ['2 sprigs thyme', null],
  ['1 (14.5 oz) can diced tomatoes ×1/2', '1 can'],
])('of %s shops sell %s', (line, sold) => {
  const [item] = listFrom(line);
  const bought = purchaseOf(item!.parts[0]!, item!.food.key);
  expect(bought && shownSize({ from: bought.count, to: null, unit: bought.unit })).toBe(sold);
});

function listFrom(text: string): Item[] {
  return listOf(text.split(' || ').map(recipeOf), { lexicon: ENGLISH });
}

function recipeOf(text: string, at: number): ListedRecipe {
  const [lines, factor = '1'] = text.split(' ×');
  return {
    ...{ id: String(at), factor: readFraction(factor)!, measures: 'us' },
    lines: lines!.split(' | ').map((line, n) => ({ id: `${at}.${n}`, reading: readLine(line, { lexicon: ENGLISH }) })),
  };
}

function drawnRecipe(food: string): (line: Drawn, at: number) => ListedRecipe {
  const base = readLine(`1 cup ${food}`, { lexicon: ENGLISH });
  return ({ from, unit, factor }, at) => ({
    ...{ id: String(at), factor, measures: 'us' },
    lines: [
      {
        id: String(at),
        reading: { ...base, amounts: [{ ...base.amounts[0]!, from: fraction(from.n, from.d), unit }] },
      },
    ],
  });
}

function shown({ food, parts, unmeasured, alternatives, starts }: Item): string {
  const amounts = parts.map(
    (part) =>
      `${part.isAbout ? 'about ' : ''}${shownSize(part)}${part.each === null ? '' : ` of ${shownSize(part.each)}`}`,
  );
  if (unmeasured.length > 0) amounts.push('some');
  const instead = alternatives.map(({ name }) => name).join(', ');
  return `${food.name}${starts === 'ticked' ? '' : ` (${starts})`}: ${amounts.join(' + ')}${instead && ` or ${instead}`}`;
}

function shownSize({ from, to, unit }: Size): string {
  return `${writeFraction(from)}${to === null ? '' : `–${writeFraction(to)}`}${unit === null ? '' : ` ${unit}`}`;
}
