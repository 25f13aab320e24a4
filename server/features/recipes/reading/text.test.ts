import { expect, test } from 'vitest';
import { MOST_LINES } from '#contract/recipe-ingredients.ts';
import { readText } from './text.ts';

const linesIn = (text: string) => readText(text).groups.flatMap(({ lines }) => lines);

test('a caption gives its name, its lines and its steps', () => {
  const caption = `LEMON CAKE 🍋✨ #baking
Comment CAKE for the full recipe! 👇

Serves 8

Ingredients:
🥚 2 eggs
• 100 g flour
- 1 tsp salt

For the glaze:
1) 1 cup icing sugar
2) 2 tbsp lemon juice

Method:
1. Heat the oven to 180 °C.
2. Whisk 2 eggs with the flour.

Follow me for more @maya.cooks #lemon #cake`;
  expect(readText(caption)).toEqual({
    language: 'en',
    name: 'LEMON CAKE',
    servings: 8,
    groups: [
      { name: null, lines: ['2 eggs', '100 g flour', '1 tsp salt'] },
      { name: 'For the glaze', lines: ['1 cup icing sugar', '2 tbsp lemon juice'] },
    ],
    linesLeftOut: 0,
    steps: ['Heat the oven to 180 °C.', 'Whisk 2 eggs with the flour.'],
  });
});

test.each([
  ['line breaks of Windows', '2 eggs\r\n100 g flour'],
  ['bullets', '• 2 eggs\n• 100 g flour'],
  ['dashes', '- 2 eggs\n– 100 g flour'],
  ['stars', '* 2 eggs\n* 100 g flour'],
  ['numbers with dots', '1. 2 eggs\n2. 100 g flour'],
  ['numbers with brackets', '1) 2 eggs\n2) 100 g flour'],
  ['emoji', '🥚 2 eggs\n🌾 100 g flour'],
  ['keycaps', '1️⃣ 2 eggs\n2️⃣ 100 g flour'],
  ['boxes', '☐ 2 eggs\n▢ 100 g flour'],
  ['empty lines', '\n2 eggs\n\n\n100 g flour\n'],
  ['tags of HTML', '<li>2 eggs</li>\n<li>100 g flour</li>'],
  ['hashtags', '2 eggs #eggs\n100 g flour #baking'],
])('lines with %s', (_, text) => expect(linesIn(text)).toEqual(['2 eggs', '100 g flour']));

test.each([
  ['commas', '2 eggs, 100 g flour, 1 tsp salt'],
  ['points', '2 eggs · 100 g flour · 1 tsp salt'],
  ['bars', '2 eggs | 100 g flour | 1 tsp salt'],
  ['bullets', '2 eggs • 100 g flour • 1 tsp salt'],
  ['a heading before them', 'Ingredients: 2 eggs, 100 g flour, 1 tsp salt'],
])('a list within a line, parted by %s', (_, text) =>
  expect(linesIn(text)).toEqual(['2 eggs', '100 g flour', '1 tsp salt']),
);

test('what is said of one of them stays with it', () => {
  expect(linesIn('2 eggs, beaten, 100 g flour, 1 tsp salt, butter')).toEqual([
    ...['2 eggs, beaten', '100 g flour', '1 tsp salt', 'butter'],
  ]);
});

test.each([
  '1 onion, finely chopped',
  '1 onion, peeled, finely chopped',
  '2 eggs, beaten, at room temperature',
  '1 can (400 g) tomatoes, drained, 2 tbsp kept',
])('a comma within a line parts nothing: %s', (line) => expect(linesIn(line)).toEqual([line]));

test.each<[string, number | null]>([
  ['Serves 4', 4],
  ['serves: 4-6', 4],
  ['Makes 12 muffins', 12],
  ['Yield 8', 8],
  ['4 servings', 4],
  ['For 4 people', 4],
  ['für 4 Personen', 4],
  ['Para 4 personas', 4],
  ['pour 4 personnes', 4],
  ['per 4 persone', 4],
  ['Para 4 pessoas', 4],
  ['Porciones: 4', 4],
  ['Serves 0', null],
  ['Serves 1000', null],
  ['2 eggs', null],
])('"%s" is for %s', (line, servings) => expect(readText(`Cake\n${line}\n2 eggs`).servings).toBe(servings));

test.each([
  'Method',
  'INSTRUCTIONS:',
  'Directions',
  'Zubereitung:',
  'Preparación',
  'Préparation',
  'Procedimento',
  'Modo de preparo',
])('what follows %s is no ingredient', (heading) => {
  const { groups, steps } = readText(`Cake\n2 eggs\n${heading}\n2 eggs go into a bowl`);
  expect(groups).toEqual([{ name: null, lines: ['2 eggs'] }]);
  expect(steps).toEqual(['2 eggs go into a bowl']);
});

test.each([
  ['nothing', ''],
  ['spaces', ' \n\t\n '],
  ['emoji', '🍋🍋🍋'],
  ['hashtags', '#cake #lemon'],
  ['half a letter', '\ud83d'],
])('%s is nothing', (_, text) => {
  expect(readText(text)).toEqual({
    language: 'en',
    name: null,
    servings: null,
    groups: [],
    linesLeftOut: 0,
    steps: [],
  });
});

test('a list without a name has none', () => expect(readText('2 eggs\n100 g flour').name).toBeNull());

test('a thousand lines are cut, and counted', () => {
  const { groups, linesLeftOut } = readText('2 eggs\n'.repeat(1000));
  expect(groups[0]!.lines).toHaveLength(MOST_LINES);
  expect(linesLeftOut).toBe(1000 - MOST_LINES);
});
