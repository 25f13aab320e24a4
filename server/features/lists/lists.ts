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
import { showPart, showSize, type Wording } from '#contract/ingredients/showing.ts';
import type { Measures } from '#contract/ingredients/units.ts';
import type { RecipeLine } from '#contract/recipe-ingredients.ts';
import type { Tables } from '#server/db/types.ts';
import { creatorName } from '#server/features/creators/creator-name.ts';
import { type Pin, pinOf } from '#server/features/pins/current-pins.ts';
import { pageLanguage } from './words/page-language.ts';

export type List = {
  creatorId: string;
  creatorName: string;
  recipeId: string;
  code: string;
  name: string;
  /** Null: this list is its page. */
  pageUrl: string | null;
  pictureUrl: string | null;
  servings: number | null;
  minutes: number | null;
  measures: Measures;
  language: string;
  lines: RecipeLine[];
  steps: string[];
  /** The creator's own, as of now. */
  words: OwnWord[];
};

export type Entry = {
  /** In addresses: made of the food's name, so that a recipe that changes unticks nothing else. */
  id: string;
  item: Item;
  /** "1 ½ cups + 200 g"; empty where no line says how much. */
  need: string;
  /** Where shops sell it otherwise: "1 head". */
  buy: string | null;
  /** A sponsor's product for it. */
  pin: Pin | null;
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
  const { rows } = await sql<
    Omit<List, 'pageUrl' | 'name'> & { name: string | null; pageUrl: string | null; hasPage: boolean }
  >`
    select i.creator_id as "creatorId", i.recipe_id as "recipeId", i.list_code as code, i.servings, i.minutes, i.measures,
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
  const { hasPage, ...list } = found;
  return { ...list, name: found.name, pageUrl: hasPage ? found.pageUrl : null };
}

/** What servings a shopper may ask for: of a recipe that does not say how many it is for, a multiple of it. */
export function factorOf({ servings }: Pick<List, 'servings'>, wanted: Fraction): Fraction {
  return servings === null ? wanted : divide(wanted, fraction(servings));
}

/** @returns the recipe's own where nothing sensible is asked for */
export function readServings({ servings }: Pick<List, 'servings'>, given: string): Fraction {
  const own = fraction(servings ?? 1);
  const wanted = readFraction(given);
  if (wanted === null || wanted.n === 0) return own;
  const isOne = servings === null ? MULTIPLES.includes(given) : wanted.d === 1 && wanted.n <= MOST_SERVINGS;
  return isOne ? wanted : own;
}
export const MOST_SERVINGS = 100;
export const MULTIPLES = ['1/2', '1', '2', '3'];

/** @param given.pantry names of foods that the creator's shoppers have; `pins` that hold now: `currentPins` */
export function workOut(
  list: List,
  wanted: Fraction,
  { pantry, pins }: { pantry: readonly string[]; pins: readonly Pin[] },
): WorkedOut {
  const { measures } = list;
  const language = languageOf(list, list.words);
  const { lexicon } = language;
  const { wording } = pageLanguage(list.language);
  const read = list.lines.map((line) => ({ line, reading: readCorrected(line, language) }));
  const [unsure, sure] = [true, false].map((isUnsure) =>
    read.filter(({ line, reading }) => (stateOf(line, reading) === 'to_check') === isUnsure),
  );
  const lines = sure!.map(({ line, reading }) => ({ id: line.id, reading }));
  const recipe = { id: list.recipeId, factor: factorOf(list, wanted), measures, lines };
  const ids = new Set<string>();
  return {
    entries: listOf([recipe], { lexicon, pantry: pantry.map((food) => keyOf(lexicon, food)) }).map((item) => ({
      id: idFor(item.key, ids),
      item,
      need: item.parts.map((part) => showPart(part, wording)).join(' + '),
      buy: buyOf(item, wording),
      pin: pinOf(item, pins),
    })),
    unread: unsure!.map(({ line }) => ({ id: idFor(`line ${line.id}`, ids), text: line.text })),
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
