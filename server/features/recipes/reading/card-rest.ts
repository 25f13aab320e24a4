/** What two card plugins tell programs of a recipe, over WordPress's REST API. */
import { tidy } from '#contract/ingredients/tidy.ts';
import { durationOf, languageIn, lineOf, servingsIn } from './json-ld.ts';
import type { PageCard } from './page-cards.ts';
import type { PageLine } from './page-lists.ts';
import { groupsOf, webAddressOrNull } from './recipe-reading.ts';
import type { Source } from './sources.ts';

type Fields = Record<string, unknown>;
type Entry = { heading: string } | { line: PageLine };

/** Where the site tells of this card; null: it does not. @param root its REST API's, same origin as the page */
export function restAddress({ plugin, id }: Pick<PageCard, 'plugin' | 'id'>, root: string): string | null {
  if (id === null || !/^\d{1,15}$/.test(id)) return null;
  if (plugin === 'wprm') return `${root}wp/v2/wprm_recipe/${id}`;
  return plugin === 'create' ? `${root}mv-create/v1/creations/${id}` : null;
}

/** @param answer of `restAddress`, whatever it is. @returns null for what is no recipe with ingredients */
export function readRest(plugin: PageCard['plugin'], answer: string, address: string): Source | null {
  let json: unknown;
  try {
    json = JSON.parse(answer);
  } catch {
    return null;
  }
  const source =
    plugin === 'wprm' ? readWprm(fieldsOf(fieldsOf(json).recipe), address) : readCreate(fieldsOf(json), address);
  return source.groups.length > 0 ? source : null;
}

/** Version 10.8, run by us. Times in minutes. */
function readWprm(recipe: Fields, address: string): Source {
  const entries = listOf(recipe.ingredients).flatMap((group): Entry[] => {
    const { name, ingredients } = fieldsOf(group);
    return [...headingOf(name), ...listOf(ingredients).flatMap((line) => lineOfWprm(fieldsOf(line)))];
  });
  return {
    by: 'wprm',
    card: null,
    name: tidied(recipe.name),
    picture: webAddressOrNull(said(recipe.image_url), address),
    servings: servingsIn(recipe.servings),
    minutes: durationOf(recipe.total_time),
    language: languageIn(recipe.language),
    ...groupsOf<PageLine>(entries),
  };
}

/** As its card prints them: notes in brackets. */
function lineOfWprm({ uid, amount, unit, name, notes }: Fields): Entry[] {
  const parts = [amount, unit, name].map(said).filter((part) => part !== '');
  const note = tidy(said(notes)).replace(/^\((.*)\)$/, '$1');
  const text = lineOf(`${parts.join(' ')}${note === '' ? '' : ` (${note})`}`);
  return text === '' ? [] : [{ line: { text, uid: said(uid) || null } }];
}

/** [C] Ingredients in one list, or in lists by the names of their groups. Times in seconds. */
function readCreate(json: Fields, address: string): Source {
  const { title, thumbnail_uri, yield: yielded, total_time, ingredients } = { ...json, ...fieldsOf(json.data) };
  const byGroup = Array.isArray(ingredients) ? [['', ingredients] as const] : Object.entries(fieldsOf(ingredients));
  let last = '';
  const entries = byGroup.flatMap(([group, lines]): Entry[] =>
    listOf(lines).flatMap((line): Entry[] => {
      const { original_text, group: own, id } = fieldsOf(line);
      const text = lineOf(said(original_text));
      if (text === '') return [];
      const name = said(own) || group;
      const heading = name === last || /^\d*$/.test(name) ? [] : headingOf(name);
      last = name;
      return [...heading, { line: { text, uid: said(id) || null } }];
    }),
  );
  return {
    by: 'create',
    card: null,
    name: tidied(title),
    picture: webAddressOrNull(said(thumbnail_uri), address),
    servings: servingsIn(yielded),
    minutes: durationOf(Number(said(total_time)) / 60),
    language: null,
    ...groupsOf<PageLine>(entries),
  };
}

function headingOf(name: unknown): Entry[] {
  const heading = tidied(name);
  return heading === null ? [] : [{ heading }];
}

function tidied(value: unknown): string | null {
  return tidy(said(value)) || null;
}

function said(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
