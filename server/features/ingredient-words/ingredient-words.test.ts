import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  createIngredientWord,
  deleteIngredientWord,
  getOwnWords,
  type IngredientWordInput,
  listIngredientWords,
  previewIngredientWord,
  updateIngredientWord,
  type WordPreview,
} from '#contract/ingredient-words.ts';
import { type IngredientsInput, type RecipeLine, saveIngredients } from '#contract/recipe-ingredients.ts';
import { createRecipe, listRecipes, type Recipe } from '#contract/recipes.ts';
import { runDue } from '#server/jobs/run-jobs.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';
import { readRecipesAgain } from './rereading.ts';

let app: TestApp;
let anna: Person;
let creatorId: string;
let count = 0;

beforeAll(async () => {
  app = await createTestApp();
  anna = await app.signUpAndIn();
});
afterAll(() => app.close());
beforeEach(async () => {
  creatorId = (await anna.createCreator()).id;
});

const GLUG: IngredientWordInput = { kind: 'unit', word: 'schmear', means: '1 tbsp' };
const line = (text: string, over: Partial<RecipeLine> = {}): RecipeLine => ({
  ...{
    id: crypto.randomUUID(),
    group: '',
    text,
    fixes: {},
    checked: false,
    sourceText: null,
    sourceUid: null,
    ...over,
  },
});

async function recipeOf(lines: RecipeLine[], over: Partial<IngredientsInput> = {}) {
  const recipe = { name: `Pasta ${++count}`, url: `https://blog.example/${count}`, pictureUrl: null };
  const params = { creatorId };
  const made = await anna.call(createRecipe, { params, body: { ...recipe, keywordIdeas: [], messageText: '' } });
  const body = { servings: 4, minutes: null, measures: 'us' as const, language: 'en', lines, steps: [], ...over };
  const recipeId: string = made.body.id;
  const saved = await anna.call(saveIngredients, { params: { creatorId, recipeId }, body: { ...body, version: 0 } });
  expect(saved.status).toBe(200);
  return { recipeId, name: recipe.name, list: new URL(saved.body.listUrl!).pathname };
}

const create = (body: IngredientWordInput) => anna.call(createIngredientWord, { params: { creatorId }, body });
const taught = async (body: IngredientWordInput) => {
  const { body: word } = await create(body);
  expect(word).toMatchObject({ version: 1 });
  return word;
};
const preview = async (becomes: IngredientWordInput | null, wordId: string | null = null): Promise<WordPreview> =>
  (await anna.call(previewIngredientWord, { params: { creatorId }, body: { wordId, becomes } })).body;
const open = async (path: string) =>
  (await app.visitor().send({ method: 'GET', url: path })).text.replaceAll(/<[^>]+>/g, '');
const readAgain = async () => {
  while ((await runDue([readRecipesAgain], app.deps)) > 0);
};
const counts = async () =>
  (await anna.call(listRecipes, { params: { creatorId } })).body.items.map(({ name, list }: Recipe) => [
    name,
    list?.toCheck,
  ]);

test.each<[why: string, word: IngredientWordInput, path: string]>([
  ['nothing', { kind: 'food', word: ' ', means: '' }, 'word'],
  ['signs alone', { kind: 'food', word: '--', means: '' }, 'word'],
  ['61 characters', { kind: 'food', word: 'x'.repeat(61), means: '' }, 'word'],
  ['a tag', { kind: 'food', word: '<b>', means: '' }, 'word'],
  ['a measure without a size that is one', { kind: 'unit', word: 'glug', means: 'plenty' }, 'means'],
  ['another name of nothing', { kind: 'alias', word: 'EVOO', means: ' ' }, 'means'],
  ['a food in no aisle', { kind: 'food', word: 'zazzle', means: 'garage' }, 'means'],
  ['a brand that means something', { kind: 'brand', word: 'Zingo', means: 'pasta' }, 'means'],
])('refuses %s, naming the field', async (_, word, path) => {
  expect(await create(word)).toMatchObject({ status: 422, body: { code: 'invalid_input', errors: [{ path }] } });
});

test('a word is there once, in whatever case, and also when two teach it at once', async () => {
  const answers = await Promise.all(['Glug', 'GLUG', 'glug'].map((word) => create({ ...GLUG, word })));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
  const other = await taught({ kind: 'brand', word: 'Zingo', means: '' });
  const renamed = await anna.call(updateIngredientWord, {
    params: { creatorId, wordId: other.id },
    body: { ...GLUG, word: 'gluG', version: 1 },
  });
  expect(renamed.body).toMatchObject({ code: 'already_exists', errors: [{ path: 'word' }] });
});

test('of two who change it at once one is told', async () => {
  const { id: wordId } = await taught(GLUG);
  const answers = await Promise.all(
    ['1 tsp', '2 tsp'].map((means) =>
      anna.call(updateIngredientWord, { params: { creatorId, wordId }, body: { ...GLUG, means, version: 1 } }),
    ),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
});

test('words are listed by name, page by page, and found by what they mean', async () => {
  for (const word of ['zazzle', 'Bib', 'mug']) await taught({ kind: 'alias', word, means: `${word} oil` });
  const list = async (query: object) =>
    (await anna.call(listIngredientWords, { params: { creatorId }, query })).body as { items: never[]; next: string };
  const first = await list({ limit: 2 });
  const rest = await list({ limit: 2, after: first.next });
  const names = [...first.items, ...rest.items].map(({ word }) => word);
  expect(names).toEqual(['Bib', 'mug', 'zazzle']);
  expect((await list({ search: 'ZLE OIL' })).items).toHaveLength(1);
  expect((await list({ search: '%' })).items).toHaveLength(0);
  expect((await list({ search: '\0' })).items).toHaveLength(0);
});

describe('a preview', () => {
  test('counts lines and recipes, shows both readings, and saves nothing', async () => {
    const fixed = line('3 schmears butter', {
      fixes: { amounts: [{ from: '2', to: null, unit: 'cup', each: null }] },
    });
    const { recipeId, name } = await recipeOf([line('1 schmear of butter'), line('2 eggs'), fixed]);
    await recipeOf([line('2 Schmears jam'), line('schmear')]);
    await recipeOf([line('2 cups flour')]);
    const found = await preview(GLUG);
    expect(found).toMatchObject({ lines: 2, recipes: 2 });
    expect(found.examples).toContainEqual({
      ...{ recipeId, recipe: name, text: '1 schmear of butter', after: 'about 1 tbsp butter' },
      before: expect.stringContaining('(please check)'),
    });
    expect((await anna.call(getOwnWords, { params: { creatorId } })).body.items).toEqual([]);
  });

  test('of a change and of forgetting says what the saved word does now', async () => {
    await recipeOf([line('1 schmear butter')]);
    const { id, word } = await taught(GLUG);
    expect(word).toBe('schmear');
    expect(await preview({ ...GLUG, means: '1 tablespoon' }, id)).toMatchObject({ lines: 0, recipes: 0 });
    expect(await preview({ ...GLUG, means: '2 tsp' }, id)).toMatchObject({
      lines: 1,
      examples: [{ before: 'about 1 tbsp butter', after: 'about 2 tsp butter' }],
    });
    expect(await preview(null, id)).toMatchObject({ lines: 1, recipes: 1 });
    const answer = await anna.call(previewIngredientWord, {
      params: { creatorId },
      body: { wordId: crypto.randomUUID(), becomes: null },
    });
    expect(answer.status).toBe(404);
  });

  test('finds words with marks, and plurals that are written otherwise', async () => {
    await recipeOf([line('200 g Crème Zorblat'), line('2 cups zorblatberries')]);
    expect(await preview({ kind: 'alias', word: 'creme zorblat', means: 'sour cream' })).toMatchObject({ lines: 1 });
    expect(await preview({ kind: 'food', word: 'zorblatberry', means: '' })).toMatchObject({ lines: 1 });
  });
});

describe('doubt and memory:', () => {
  test('each line is certain or to be checked, its author’s words beside it', async () => {
    const { list } = await recipeOf([line('2 cups flour'), line('1 schmear of butter')]);
    expect(await counts()).toEqual([[expect.any(String), 1]]);
    const page = await open(list);
    expect(page).toMatch(/2 cups\s*flour/);
    expect(page).toMatch(/Please read[\s\S]*1 schmear of butter/);
  });

  test('a word is learned once for the whole library: lists follow at once, and counts after them', async () => {
    const first = await recipeOf([line('1 schmear of butter')]);
    const second = await recipeOf([line('2 schmears jam'), line('3 tbsp zorblat')]);
    const word = await taught(GLUG);
    expect(await open(first.list)).toMatch(/about 1 tbsp\s*butter/);
    expect(await open(second.list)).toMatch(/about 2 tbsp\s*jam/);
    await readAgain();
    expect(await counts()).toEqual([
      [second.name, 1],
      [first.name, 0],
    ]);
    await taught({ kind: 'food', word: 'zorblat', means: 'spices' });
    expect(await open(second.list)).toMatch(/Spices[\s\S]*3 tbsp\s*zorblat/);
    await anna.call(deleteIngredientWord, { params: { creatorId, wordId: word.id } });
    await readAgain();
    expect(await counts()).toEqual([
      [second.name, 1],
      [first.name, 1],
    ]);
    expect(await open(first.list)).toContain('Please read');
  });

  test('a line with a correction of its own stays as it is, whatever word comes', async () => {
    const amounts = [{ from: '3', to: null, unit: 'own:schmear', each: null }];
    const { list } = await recipeOf([
      line('3 schmears butter', { fixes: { amounts, food: 'butter' } }),
      line('2 cups flour', { fixes: { optional: true } }),
    ]);
    const before = await open(list);
    await taught(GLUG);
    await taught({ kind: 'alias', word: 'flour', means: 'rye flour' });
    await readAgain();
    expect(await open(list)).toBe(before);
  });

  test('recipes in another language know the word too, and its size', async () => {
    const { list } = await recipeOf([line('2 schmear Butter'), line('1 EL Öl')], { language: 'de-AT' });
    await taught(GLUG);
    expect(await open(list)).toMatch(/2 .{2,12}\s*Butter/);
    expect(await counts()).toMatchObject([[expect.any(String), 1]]);
    await readAgain();
    expect(await counts()).toMatchObject([[expect.any(String), 0]]);
  });

  test('two thousand words and not one more are kept, and lines are still read', async () => {
    const { list } = await recipeOf([line('2 schmears butter')]);
    await app.db.engine
      .insertInto('ingredient_words')
      .values(
        Array.from({ length: 1_999 }, (_, at) => ({
          ...{ creator_id: creatorId, id: crypto.randomUUID(), kind: 'food', name: `zazzle ${at}`, means: '' },
          ...{ created_at: new Date(), updated_at: new Date() },
        })),
      )
      .execute();
    await taught(GLUG);
    expect((await create({ kind: 'brand', word: 'Zingo', means: '' })).body).toMatchObject({ code: 'quota_reached' });
    expect((await anna.call(getOwnWords, { params: { creatorId } })).body.items).toHaveLength(2_000);
    expect(await open(list)).toMatch(/about 2 tbsp\s*butter/);
  });
});
