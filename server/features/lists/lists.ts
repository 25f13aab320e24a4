/** Lists that shoppers open: found by their code, whoever's they are, and worked out for the servings that are wanted. */
import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { purchaseOf } from '#contract/ingredients/buying.ts';
import { readCorrected, stateOf } from '#contract/ingredients/corrected.ts';
import { divide, type Fraction, fraction, readFraction } from '#contract/ingredients/fractions.ts';
import { languageOf } from '#contract/ingredients/languages.ts';
import { keyOf } from '#contract/ingredients/lexicon.ts';
import { type Item, listOf } from '#contract/ingredients/merging.ts';
import type { OwnWord } from '#contract/ingredients/own-words.ts';
import { listPlan, planLanguage, readPlan } from '#contract/ingredients/plan-list.ts';
import { showPart, showSize, type Wording } from '#contract/ingredients/showing.ts';
import type { Measures } from '#contract/ingredients/units.ts';
import type { RecipeLine } from '#contract/recipe-ingredients.ts';
import type { Tables } from '#server/db/types.ts';
import { creatorName } from '#server/features/creators/creator-name.ts';
import type { PublishedPlan } from '#server/features/meal-plans/content.ts';
import { type Pin, pinOf } from '#server/features/pins/current-pins.ts';
import { findLocks } from '#server/features/recipes/locks.ts';
import { pageLanguage } from './words/page-language.ts';

export type List = {
  kind: 'recipe' | 'plan';
  /** Of the recipe or plan. */
  id: string;
  creatorId: string;
  creatorName: string;
  code: string;
  name: string;
  /** Null: this list is its page. */
  pageUrl: string | null;
  pictureUrl: string | null;
  /** Null: it is scaled by times. */
  servings: number | null;
  minutes: number | null;
  language: string;
  steps: string[];
  /** Whom alone the blog shows it to: it has no ingredients and steps here. Null: everybody. */
  lockedFor: string | null;
  recipeIds: string[];
} & (
  | {
      kind: 'recipe';
      measures: Measures;
      lines: RecipeLine[];
      /** The creator's own, as of now. */
      words: OwnWord[];
    }
  | { kind: 'plan'; plan: PublishedPlan }
);
type RecipeList = Extract<List, { kind: 'recipe' }>;
type PlanOfList = Extract<List, { kind: 'plan' }>;

export type Entry = {
  /** In addresses: made of the food's name, so that a recipe that changes unticks nothing else. */
  id: string;
  /** `words`: a product that the creator chose. */
  item: Item & { words?: string };
  /** "1 ½ cups + 200 g"; empty where no line says how much. */
  need: string;
  /** Where shops sell it otherwise: "1 head". */
  buy: string | null;
  /** A sponsor's product for it. */
  pin: Pin | null;
  /** Of the creator, for people. */
  note: string;
};
export type WorkedOut = {
  entries: Entry[];
  /** Lines nobody looked at yet, of which we are not sure: as their author wrote them. */
  unread: { id: string; text: string }[];
};

const SHORTEST_ID = 4;

/** @param db that may read every creator's rows */
export async function findList(db: Kysely<Tables>, code: string): Promise<List | null> {
  if (!/^[0-9A-Za-z]{4,16}$/.test(code)) return null;
  return (await findOfRecipe(db, code)) ?? (await findOfPlan(db, code));
}

async function findOfRecipe(db: Kysely<Tables>, code: string): Promise<RecipeList | null> {
  const { rows } = await sql<
    Omit<RecipeList, 'kind' | 'lockedFor' | 'recipeIds' | 'pageUrl' | 'name'> & {
      name: string | null;
      pageUrl: string | null;
      hasPage: boolean;
    }
  >`
    select i.creator_id as "creatorId", i.recipe_id as id, i.list_code as code, i.servings, i.minutes, i.measures,
      i.language, i.lines, i.steps, ${creatorName(sql`i.creator_id`)} as "creatorName",
      (select coalesce(jsonb_agg(jsonb_build_object('kind', w.kind, 'word', w.name, 'means', w.means)
        order by w.created_at, w.id), '[]') from ingredient_words w where w.creator_id = i.creator_id) as words,
      coalesce(r.name, i.deleted_recipe ->> 'name') as name,
      coalesce(r.picture_url, i.deleted_recipe ->> 'pictureUrl') as "pictureUrl",
      coalesce(r.url, i.deleted_recipe ->> 'url') as "pageUrl",
      coalesce(r.has_page, (i.deleted_recipe ->> 'hasPage')::boolean) as "hasPage"
    from recipe_ingredients i
    left join recipes r on r.creator_id = i.creator_id and r.id = i.recipe_id
    where i.list_code = ${code}
  `.execute(db);
  const [found] = rows;
  if (found === undefined || found.name === null) return null;
  const { hasPage, name, ...list } = found;
  const page = { creatorId: found.creatorId, url: found.pageUrl ?? '', recipeId: found.id };
  const lockedFor = (await findLocks(db, [page]))(page);
  return {
    ...{ ...list, ...(lockedFor !== null && { lines: [], steps: [] }), lockedFor },
    ...{ kind: 'recipe', name, pageUrl: hasPage ? found.pageUrl : null, recipeIds: [found.id] },
  };
}

async function findOfPlan(db: Kysely<Tables>, code: string): Promise<PlanOfList | null> {
  const { rows } = await sql<{ creatorId: string; id: string; creatorName: string; plan: PublishedPlan }>`
    select m.creator_id as "creatorId", m.id, ${creatorName(sql`m.creator_id`)} as "creatorName", p.content as plan
    from meal_plans m
    join published_meal_plans p on p.creator_id = m.creator_id and p.meal_plan_id = m.id
    where m.list_code = ${code}
  `.execute(db);
  const [found] = rows;
  if (found === undefined) return null;
  const { creatorId, plan } = found;
  const pageOf = ({ id: recipeId, url }: PublishedPlan['recipes'][number]) => ({ creatorId, url, recipeId });
  const lockOf = await findLocks(db, plan.recipes.map(pageOf));
  const recipes = plan.recipes.map((recipe) => {
    const lockedFor = lockOf(pageOf(recipe));
    return lockedFor === null ? recipe : { ...recipe, lines: [], lockedFor };
  });
  const { name, pictureUrl } = plan;
  return {
    ...{ ...found, plan: { ...plan, recipes }, kind: 'plan', code, name, pictureUrl, pageUrl: null },
    ...{ servings: null, minutes: null, steps: [], lockedFor: null },
    ...{ language: planLanguage(plan).language, recipeIds: recipes.map(({ id }) => id) },
  };
}

/** What servings a shopper may ask for: of a recipe that does not say how many it is for, a multiple of it. */
export function factorOf({ servings }: Pick<List, 'servings'>, wanted: Fraction): Fraction {
  return servings === null ? wanted : divide(wanted, fraction(servings));
}

/** @returns the recipe's own where nothing sensible is asked for */
export function readServings({ kind, servings }: Pick<List, 'kind' | 'servings'>, given: string): Fraction {
  const own = fraction(servings ?? 1);
  const wanted = readFraction(given);
  if (wanted === null || wanted.n === 0) return own;
  const isOne = servings === null ? MULTIPLES[kind].includes(given) : wanted.d === 1 && wanted.n <= MOST_SERVINGS;
  return isOne ? wanted : own;
}
export const MOST_SERVINGS = 100;
export const MULTIPLES: Record<List['kind'], string[]> = {
  recipe: ['1/2', '1', '2', '3'],
  plan: ['1/2', '1', '2', '3', '4'],
};

/** @param given.pantry names of foods that the creator's shoppers have; `pins` that hold now: `currentPins` */
export function workOut(
  list: List,
  wanted: Fraction,
  { pantry, pins }: { pantry: readonly string[]; pins: readonly Pin[] },
): WorkedOut {
  const { wording } = pageLanguage(list.language);
  const { items, unread } = list.kind === 'plan' ? ofPlan(list, wanted, pantry) : ofRecipe(list, wanted, pantry);
  const ids = new Set<string>();
  return {
    entries: items.map(({ note, pinnedBy, ...item }) => ({
      id: idFor(item.key, ids),
      item,
      need: item.parts.map((part) => showPart(part, wording)).join(' + '),
      buy: buyOf(item, wording),
      pin: pinnedBy === null ? null : pinOf(pinnedBy, pins),
      note,
    })),
    unread: unread.map(({ id, text }) => ({ id: idFor(`line ${id}`, ids), text })),
  };
}

/** `pinnedBy`: the key that sponsors' products are found by; null: the creator chose one themselves. */
type Listed = Item & { words?: string; note: string; pinnedBy: string | null };
type Items = { items: Listed[]; unread: { id: string; text: string }[] };

function ofRecipe(list: RecipeList, wanted: Fraction, pantry: readonly string[]): Items {
  const { measures } = list;
  const language = languageOf(list, list.words);
  const { lexicon } = language;
  const read = list.lines.map((line) => ({ line, reading: readCorrected(line, language) }));
  const [unsure, sure] = [true, false].map((isUnsure) =>
    read.filter(({ line, reading }) => (stateOf(line, reading) === 'to_check') === isUnsure),
  );
  const lines = sure!.map(({ line, reading }) => ({ id: line.id, reading }));
  const recipe = { id: list.id, factor: factorOf(list, wanted), measures, lines };
  return {
    items: listOf([recipe], { lexicon, pantry: pantry.map((food) => keyOf(lexicon, food)) }).map((item) => ({
      ...{ ...item, note: '', pinnedBy: item.key },
    })),
    unread: unsure!.map(({ line }) => line),
  };
}

function ofPlan({ plan }: PlanOfList, scale: Fraction, pantry: readonly string[]): Items {
  const languageFor = (recipe: Parameters<typeof languageOf>[0]) => languageOf(recipe, plan.words);
  const language = languageFor(planLanguage(plan));
  const keys = pantry.map((food) => keyOf(language.lexicon, food));
  const { items, unread } = listPlan(readPlan(plan, languageFor), plan.changes, { language, pantry: keys, scale });
  const shown = items.filter(({ isLeftOut }) => !isLeftOut);
  return {
    items: shown.map(({ change, saysNow: _, basis: __, isLeftOut: ___, ...item }) => ({
      ...item,
      pinnedBy: item.words === undefined ? (change?.food === undefined ? item.key : item.food.key) : null,
    })),
    unread,
  };
}

/** Four letters, more where two items would share them. */
function idFor(key: string, taken: Set<string>): string {
  const hash = createHash('sha256').update(key).digest('hex');
  let length = SHORTEST_ID;
  while (taken.has(hash.slice(0, length))) length++;
  taken.add(hash.slice(0, length));
  return hash.slice(0, length);
}

function buyOf({ parts, food }: Item, wording: Wording): string | null {
  const bought = parts.flatMap((part) => purchaseOf(part, food.key) ?? []);
  if (bought.length === 0) return null;
  return bought.map(({ count, unit }) => showSize({ from: count, to: null, unit }, wording)).join(' + ');
}
