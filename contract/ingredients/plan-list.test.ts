import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type ItemChange,
  type LineChange,
  NO_CHANGES,
  type PlanChanges,
  type PlanRecipe,
} from '#contract/meal-plan-ingredients.ts';
import type { Meal } from '#contract/meal-plans.ts';
import { readFraction } from './fractions.ts';
import { languageOf } from './languages.ts';
import { type LanguageFor, listPlan, needOf, type PlanContent, planLanguage, readPlan } from './plan-list.ts';

const languageFor: LanguageFor = (recipe) => languageOf(recipe);

function recipe(id: string, texts: string[], servings: number | null = 4): PlanRecipe {
  const lines = texts.map((text, place) => ({ id: `${id}${place}`, text, fixes: {}, checked: false }));
  return { id, name: id, servings, measures: 'us', language: 'en', lines };
}
function meal(id: string, recipeId: string, servings: number | null = null): Meal {
  return { id, section: 0, slot: '', recipeId, text: '', servings };
}
const amount = (from: string, unit: string | null = null) => ({ from, to: null, unit, each: null });

function list(content: PlanContent, scale?: string) {
  const language = languageFor(planLanguage(content));
  const of = listPlan(readPlan(content, languageFor), content.changes, {
    language,
    ...(scale !== undefined && { scale: readFraction(scale)! }),
  });
  const shown = of.items.filter(({ isLeftOut }) => !isLeftOut);
  return { ...of, shown: shown.map((item) => `${needOf(item)} ${item.food.name}`.trim()) };
}
const SOUP = recipe('soup', ['2 carrots', '1 cup butter', '500 g potatoes']);
const STEW = recipe('stew', ['3 carrots', '2 sticks butter', '1 kg potatoes'], 2);
const MEALS = [meal('m1', 'soup'), meal('m2', 'stew', 4)];

function plan(changes: Partial<PlanChanges> = {}, over: Partial<PlanContent> = {}): PlanContent {
  return { meals: MEALS, recipes: [SOUP, STEW], changes: { ...NO_CHANGES, ...changes }, ...over };
}
const item = (key: string, over: Partial<ItemChange>): ItemChange => ({ key, basis: '', ...over });
const line = (mealId: string, lineId: string, over: Partial<LineChange>): LineChange => ({
  ...{ mealId, lineId, basis: '', ...over },
});

describe('a plan', () => {
  test('adds what its meals need, each for its servings, and says of which meal each line is', () => {
    const { shown, items } = list(plan());
    expect(shown).toEqual(['8 carrots', '1 cup + 4 sticks butter', '2.5 kg potatoes']);
    expect(items[0]!.parts[0]!.sources.map(({ recipeId, lineId }) => [recipeId, lineId])).toEqual([
      ['m1', 'm1 soup0'],
      ['m2', 'm2 stew0'],
    ]);
  });

  test('scales as a whole, what was changed too, but no pinch', () => {
    const changes = {
      items: [item('carrot', { amounts: [amount('10')] }), item('butter', { amounts: [amount('1', 'pinch')] })],
    };
    expect(list(plan(changes), '2').shown).toEqual(['20 carrots', '1 pinch butter', '5 kg potatoes']);
  });

  test('has a recipe twice, and one that says not for how many by times', () => {
    const once = recipe('rice', ['1 cup rice'], null);
    const content = plan({}, { recipes: [once], meals: [meal('m1', 'rice'), meal('m2', 'rice', 3)] });
    expect(list(content).shown).toEqual(['4 cups rice']);
  });

  test('says of what it is not sure as it is written, until it is corrected there or here', () => {
    const odd = recipe('odd', ['1 schmear of hummus', '2 carrots']);
    const content = plan({}, { recipes: [odd], meals: [meal('m1', 'odd')] });
    expect(list(content)).toMatchObject({ shown: ['2 carrots'], unread: [{ text: '1 schmear of hummus' }] });
    const changes = { ...NO_CHANGES, lines: [line('m1', 'odd0', { food: 'hummus', amounts: [amount('1', 'cup')] })] };
    expect(list({ ...content, changes })).toMatchObject({ shown: ['1 cup hummus', '2 carrots'], unread: [] });
  });
});

describe('changes', () => {
  test.each<[string, Partial<PlanChanges>, string[]]>([
    [
      'another amount',
      { items: [item('potato', { amounts: [amount('3', 'kilogram')] })] },
      ['8 carrots', '1 cup + 4 sticks butter', '3 kg potatoes'],
    ],
    ['no amount', { items: [item('potato', { amounts: [] })] }, ['8 carrots', '1 cup + 4 sticks butter', 'potatoes']],
    [
      'another food',
      { items: [item('butter', { food: 'ghee' })] },
      ['8 carrots', '1 cup + 4 sticks ghee', '2.5 kg potatoes'],
    ],
    ['left out', { items: [item('butter', { leftOut: true })] }, ['8 carrots', '2.5 kg potatoes']],
    [
      'a line left out',
      { lines: [line('m2', 'stew1', { leftOut: true })] },
      ['8 carrots', '1 cup butter', '2.5 kg potatoes'],
    ],
    [
      'a line of more',
      { lines: [line('m2', 'stew0', { amounts: [amount('5/2')] })] },
      ['7 carrots', '1 cup + 4 sticks butter', '2.5 kg potatoes'],
    ],
    [
      'a line of another food',
      { lines: [line('m1', 'soup2', { food: 'carrots' })] },
      ['8 + 500 g carrots', '1 cup + 4 sticks butter', '2 kg potatoes'],
    ],
    [
      'an item of its own',
      {
        own: [
          { id: 'o', text: '2 carrots' },
          { id: 'p', text: 'Birthday candles' },
        ],
      },
      ['10 carrots', '1 cup + 4 sticks butter', '2.5 kg potatoes', 'Birthday candles'],
    ],
    [
      'put together',
      { together: [{ from: 'potato', into: 'carrot' }] },
      ['8 + 2.5 kg carrots', '1 cup + 4 sticks butter'],
    ],
    [
      'put together in a circle',
      {
        together: [
          { from: 'potato', into: 'carrot' },
          { from: 'carrot', into: 'potato' },
        ],
      },
      ['8 carrots', '1 cup + 4 sticks butter', '2.5 kg potatoes'],
    ],
    [
      'taken apart',
      { apart: ['carrot'] },
      ['2 carrots', '1 cup + 4 sticks butter', '500 g potatoes', '6 carrots', '2 kg potatoes']
        .filter((one) => !one.endsWith('potatoes'))
        .toSpliced(2, 0, '2.5 kg potatoes'),
    ],
  ])('of %s', (_, changes, shown) => {
    expect(list(plan(changes)).shown).toEqual(shown);
  });

  test('say where their base moved, and are kept', () => {
    const changes = {
      ...NO_CHANGES,
      items: [item('potato', { amounts: [amount('3', 'kilogram')], basis: '2.5 kg' })],
      lines: [line('m1', 'soup0', { amounts: [amount('9')], basis: '2 carrots' })],
    };
    const before = plan(changes);
    expect(list(before).items.map(({ saysNow }) => saysNow)).toEqual([null, null, null]);
    expect(readPlan(before, languageFor).map(({ saysNow }) => saysNow)).toEqual(Array(6).fill(null));
    const soup = recipe('soup', ['4 carrots', '1 cup butter', '750 g potatoes']);
    const after = { ...before, recipes: [soup, STEW] };
    expect(list(after).shown).toEqual(['15 carrots', '1 cup + 4 sticks butter', '3 kg potatoes']);
    expect(list(after).items.map(({ saysNow }) => saysNow)).toEqual([null, null, '2.75 kg']);
    expect(readPlan(after, languageFor)[0]).toMatchObject({ saysNow: '4 carrots', basis: '4 carrots' });
  });

  test('of what no recipe leads to any more wait, and are told', () => {
    const idle = [item('rhubarb', { leftOut: true })];
    expect(list(plan({ items: idle })).idle).toEqual(idle);
  });
});

describe('whatever is changed', () => {
  const keys = fc.constantFrom('carrot', 'butter', 'potato', 'line m1 soup0', 'rhubarb');
  const change = fc.record({
    items: fc.uniqueArray(
      fc.record({
        ...{ key: keys, basis: fc.constant('') },
        leftOut: fc.constantFrom(true as const, undefined),
        food: fc.constantFrom('ghee', 'carrots', undefined),
        amounts: fc.constantFrom([], [amount('7/3', 'cup')], undefined),
      }),
      { selector: ({ key }) => key },
    ),
    lines: fc.uniqueArray(
      fc.record({
        ...{
          mealId: fc.constantFrom('m1', 'm2', 'gone'),
          lineId: fc.constantFrom('soup0', 'stew1', 'gone'),
          basis: fc.constant(''),
        },
        leftOut: fc.constantFrom(true as const, undefined),
        food: fc.constantFrom('butter', undefined),
      }),
      { selector: ({ mealId, lineId }) => `${mealId} ${lineId}` },
    ),
    own: fc.constantFrom([], [{ id: 'o', text: '1 lemon' }]),
    together: fc.uniqueArray(fc.record({ from: keys, into: keys }), { selector: ({ from }) => from }),
    apart: fc.uniqueArray(keys),
  }) as fc.Arbitrary<PlanChanges>;

  test('no recipe is written, no line is lost or twice, and without it the list is the recipes’ own', () => {
    const original = JSON.stringify([SOUP, STEW]);
    const untouched = JSON.stringify(list(plan()));
    fc.assert(
      fc.property(change, (changes) => {
        const { items } = list(plan(changes));
        const leftOut = changes.lines.filter(
          (one) => one.leftOut === true && ['m1 soup0', 'm2 stew1'].includes(`${one.mealId} ${one.lineId}`),
        );
        const lines = items.flatMap(({ parts, unmeasured }) => [
          ...new Set([...parts.flatMap(({ sources }) => sources), ...unmeasured].map(({ lineId }) => lineId)),
        ]);
        expect(lines.length).toBe(new Set(lines).size);
        expect(lines.length).toBe(6 + changes.own.length - leftOut.length);
        expect(JSON.stringify([SOUP, STEW])).toBe(original);
        expect(JSON.stringify(list(plan()))).toBe(untouched);
      }),
      { numRuns: 500 },
    );
  });

  test('what is added is exact: a plan of meals one by one comes to the same as all of them at once', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 8 }), (servings) => {
        const meals = servings.map((count, place) => meal(`m${place}`, 'stew', count));
        const sum = servings.reduce((total, one) => total + one, 0);
        expect(list(plan({}, { meals })).shown).toEqual(list(plan({}, { meals: [meal('all', 'stew', sum)] })).shown);
      }),
    );
  });
});
