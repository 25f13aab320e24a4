/** The list of a meal plan: the lines of its recipes for the servings of its meals, with what its creator changed on top. Pure. */
import type { ItemChange, LineChange, PlanChanges, PlanRecipe } from '#contract/meal-plan-ingredients.ts';
import type { Meal } from '#contract/meal-plans.ts';
import { amountOf, readCorrected, stateOf } from './corrected.ts';
import { divide, type Fraction, fraction, multiply, ONE } from './fractions.ts';
import { keyOf } from './lexicon.ts';
import { type Item, listOf, type Part, type Source, scaled } from './merging.ts';
import type { Reading } from './reading.ts';
import type { RecipeLanguage } from './recipe-language.ts';
import { showPart } from './showing.ts';
import type { Measures } from './units.ts';

export type PlanContent = { meals: readonly Meal[]; recipes: readonly PlanRecipe[]; changes: PlanChanges };
/** How the lines of a recipe are read: `languageOf`, with the creator's words. */
export type LanguageFor = (recipe: Pick<PlanRecipe, 'language' | 'measures'>) => RecipeLanguage;

export type PlanLine = {
  /** Of its meal; null: of no recipe. */
  meal: Meal | null;
  lineId: string;
  text: string;
  /** With its change. */
  reading: Reading;
  change: LineChange | null;
  /** What the recipe says now, where that moved beneath the change. */
  saysNow: string | null;
  /** What the recipe says: what a change of it is based on. */
  basis: string;
  /** We are not sure of it, and nobody looked. */
  isUnread: boolean;
  /** Of the meal: its servings by the recipe's. */
  factor: Fraction;
  measures: Measures;
};

export type PlanItem = Item & {
  change: ItemChange | null;
  /** What the recipes come to now, where that moved beneath the change. */
  saysNow: string | null;
  /** What the recipes come to: what a change of it is based on. */
  basis: string;
  isLeftOut: boolean;
  note: string;
  /** What shops look for; absent: the food. */
  words?: string;
};

export type PlanList = {
  items: PlanItem[];
  unread: { id: string; text: string }[];
  /** Changes of items that no recipe leads to any more. */
  idle: ItemChange[];
};

const USUAL = { language: 'en', measures: 'us' } as const;

/** The language that all of a plan is put together in: that of its first recipe. */
export function planLanguage({ meals, recipes }: PlanContent): Pick<PlanRecipe, 'language' | 'measures'> {
  const [first] = meals.flatMap(
    ({ recipeId }) => recipes.find(({ id, lines }) => id === recipeId && lines.length > 0) ?? [],
  );
  return first ?? USUAL;
}

/** Lines in the order of the meals, those of no recipe last. */
export function readPlan(content: PlanContent, languageFor: LanguageFor): PlanLine[] {
  const recipes = new Map(content.recipes.map((recipe) => [recipe.id, recipe]));
  const changes = new Map(content.changes.lines.map((change) => [`${change.mealId} ${change.lineId}`, change]));
  const ofMeals = content.meals.flatMap((meal) => {
    const recipe = recipes.get(meal.recipeId ?? '');
    if (recipe === undefined) return [];
    const [language, factor] = [languageFor(recipe), factorOf(meal, recipe)];
    return recipe.lines.map((line): PlanLine => {
      const change = changes.get(`${meal.id} ${line.id}`) ?? null;
      const plain = readCorrected(line, language);
      const basis = basisOfLine(plain, recipe.measures);
      return {
        ...{ meal, lineId: line.id, text: line.text, change, basis, factor, measures: recipe.measures },
        reading: change === null ? plain : withChange(plain, change, language),
        saysNow: change === null || change.basis === basis ? null : basis,
        isUnread: change === null && stateOf(line, plain) === 'to_check',
      };
    });
  });
  const usual = planLanguage(content);
  return [
    ...ofMeals,
    ...content.changes.own.map(({ id, text }) => ownLine(id, text, usual.measures, languageFor(usual))),
  ];
}

/** @param options.scale of the whole plan: what a shopper asks for */
export function listPlan(
  lines: readonly PlanLine[],
  changes: PlanChanges,
  {
    language: { lexicon },
    pantry = [],
    scale = ONE,
  }: { language: RecipeLanguage; pantry?: readonly string[]; scale?: Fraction },
): PlanList {
  const read = lines.filter(({ isUnread, change }) => !isUnread && change?.leftOut !== true);
  const recipes = [...Map.groupBy(read, ({ meal }) => meal)].map(([meal, ofMeal]) => ({
    id: meal?.id ?? '',
    factor: multiply(ofMeal[0]!.factor, scale),
    measures: ofMeal[0]!.measures,
    lines: ofMeal.map((line) => ({ id: idOfLine(line), reading: line.reading })),
  }));
  const found = listOf(recipes, { lexicon, pantry, place: placeIn(changes) });
  const byKey = new Map(changes.items.map((change) => [change.key, change]));
  const keys = new Set(found.map(({ key }) => key));
  const keyFor = (name: string) => {
    const key = keyOf(lexicon, name);
    return lexicon.sameFoods.get(key) ?? key;
  };
  return {
    items: found.map((item) => {
      const change = byKey.get(item.key) ?? null;
      return { ...changedItem(item, change, keyFor, scale), ...movedOf(item, change, scale) };
    }),
    unread: lines
      .filter(({ isUnread, change }) => isUnread && change?.leftOut !== true)
      .map((line) => ({ id: idOfLine(line), text: line.text })),
    idle: changes.items.filter(({ key }) => !keys.has(key)),
  };
}

/** In sources of items. */
export function idOfLine({ meal, lineId }: Pick<PlanLine, 'meal' | 'lineId'>): string {
  return `${meal?.id ?? 'own'} ${lineId}`;
}

/** "500 g + 2 cups"; empty where no line says how much. */
export function needOf({ parts }: Pick<Item, 'parts'>): string {
  return parts.map((part) => showPart(part)).join(' + ');
}

/** A recipe that does not say for how many is scaled by times. */
function factorOf({ servings }: Meal, recipe: PlanRecipe): Fraction {
  return servings === null ? ONE : divide(fraction(servings), fraction(recipe.servings ?? 1));
}

function withChange(plain: Reading, { amounts, food }: LineChange, { plain: lexicon }: RecipeLanguage): Reading {
  return {
    ...plain,
    ...(amounts !== undefined && { amounts: amounts.map(amountOf) }),
    ...(food !== undefined && { food: { name: food, key: keyOf(lexicon, food) }, alternatives: [] }),
  };
}

function basisOfLine({ amounts, food, text, kind }: Reading, measures: Measures): string {
  if (kind !== 'ingredient' || food === null) return text;
  return [amounts.map((amount) => showPart({ ...amount, measures })).join(' or '), food.name].filter(Boolean).join(' ');
}

function ownLine(id: string, text: string, measures: Measures, language: RecipeLanguage): PlanLine {
  const read = readCorrected({ text, fixes: {} }, language);
  // Whatever it is, it is to be bought.
  const reading: Reading = {
    ...read,
    kind: 'ingredient',
    food: read.food ?? { name: text, key: keyOf(language.lexicon, text) },
  };
  return {
    ...{ meal: null, lineId: id, text, reading, change: null, saysNow: null, basis: text, isUnread: false },
    ...{ factor: ONE, measures },
  };
}

function placeIn({ apart, together }: PlanChanges): (key: string, lineId: string) => string {
  const alone = new Set(apart);
  const into = new Map(together.map(({ from, into: to }) => [from, to]));
  return (key, lineId) => {
    let at = alone.has(key) ? `line ${lineId}` : key;
    // Each at most once: two could be put into each other.
    for (const seen = new Set<string>(); into.has(at) && !seen.has(at); ) {
      seen.add(at);
      at = into.get(at)!;
    }
    return at;
  };
}

function changedItem(item: Item, change: ItemChange | null, keyFor: (name: string) => string, scale: Fraction) {
  const { amounts, food, aisle, leftOut, have, product, note } = change ?? {};
  return {
    ...item,
    change,
    ...(amounts !== undefined && amountsOf(item, amounts.map(amountOf), scale)),
    ...(food !== undefined && { food: { name: food, key: keyFor(food) }, alternatives: [] }),
    ...(aisle !== undefined && { aisle }),
    ...(have === true && { starts: 'pantry' as const }),
    isLeftOut: leftOut === true,
    note: note ?? '',
    ...(product !== undefined && product !== '' && { words: product }),
  };
}

function amountsOf(
  item: Item,
  amounts: ReturnType<typeof amountOf>[],
  scale: Fraction,
): Pick<Item, 'parts' | 'unmeasured'> {
  const sources: Source[] = [...item.parts.flatMap((part) => part.sources), ...item.unmeasured];
  const measures = item.parts[0]?.measures ?? USUAL.measures;
  const parts = amounts.map((amount): Part => ({ ...scaled(amount, scale), measures, sources }));
  return { parts, unmeasured: parts.length === 0 ? sources : [] };
}

/** Of the plan as it is: for other servings nothing moved. */
function movedOf(item: Item, change: ItemChange | null, scale: Fraction) {
  const basis = needOf(item);
  const isAsMade = scale.n === scale.d;
  return { basis, saysNow: !isAsMade || change === null || change.basis === basis ? null : basis };
}
