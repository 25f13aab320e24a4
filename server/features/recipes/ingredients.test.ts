import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createAutomation, getAutomation } from '#contract/automations.ts';
import {
  getIngredients,
  type IngredientsInput,
  type RecipeIngredients,
  type RecipeLine,
  saveIngredients,
} from '#contract/recipe-ingredients.ts';
import { createRecipe, deleteRecipe, getRecipe, listRecipes, type Recipe, updateRecipe } from '#contract/recipes.ts';
import { automationInput } from '#server/testing/inputs.ts';
import { insertConnection } from '#server/testing/rows.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';

let app: TestApp;
let anna: Person;
let creatorId: string;
let recipe: Recipe;

beforeAll(async () => {
  app = await createTestApp();
  anna = await app.signUpAndIn();
});
afterAll(() => app.close());
beforeEach(async () => {
  creatorId = (await anna.createCreator()).id;
  recipe = await made({ url: 'https://blog.example/pasta' });
});

async function made({ url }: { url: string | null }): Promise<Recipe> {
  const body = { name: 'Lemon pasta', url, pictureUrl: null, keywordIdeas: [], messageText: '' };
  const answer = await anna.call(createRecipe, { params: { creatorId }, body });
  expect(answer.status).toBe(200);
  return answer.body;
}
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
const input = (over: Partial<IngredientsInput> = {}): IngredientsInput => ({
  ...{ servings: 4, minutes: 20, measures: 'us', language: 'en', lines: [], steps: [], ...over },
});
const save = (body: IngredientsInput & { version: number }, recipeId = recipe.id) =>
  anna.call(saveIngredients, { params: { creatorId, recipeId }, body });
const read = async (recipeId = recipe.id): Promise<RecipeIngredients> =>
  (await anna.call(getIngredients, { params: { creatorId, recipeId } })).body;
const readRecipe = async (recipeId = recipe.id): Promise<Recipe> =>
  (await anna.call(getRecipe, { params: { creatorId, recipeId } })).body;

test('a recipe has none at first; what is saved comes back as it was', async () => {
  expect(await read()).toMatchObject({ lines: [], version: 0, updatedAt: null, listUrl: null });
  expect(recipe.list).toBeNull();
  const lines = [line('2 cups flour'), line('1 glug of sunshine', { group: 'For the sauce' })];
  const saved = await save({ ...input({ lines }), version: 0 });
  expect(saved.body).toMatchObject({ ...input({ lines }), version: 1 });
  expect(saved.body.listUrl).toMatch(/\/s\/[0-9A-Za-z]{8}$/);
  expect((await readRecipe()).list).toEqual({ url: saved.body.listUrl, lines: 2, toCheck: 1 });
  expect((await save({ ...input({ lines: [] }), version: 1 })).body.listUrl).toBe(saved.body.listUrl);
});

test('a line that was corrected, or looked at, is not to be checked; headings and notes are nothing to buy', async () => {
  const lines = [
    line('1 glug of sunshine', { checked: true }),
    line('some sunshine', {
      fixes: { food: 'olive oil', amounts: [{ from: '3/2', to: null, unit: 'cup', each: null }] },
    }),
    line('For the sauce:', { fixes: { kind: 'heading' } }),
  ];
  await save({ ...input({ lines }), version: 0 });
  expect((await readRecipe()).list).toMatchObject({ lines: 2, toCheck: 0 });
});

test('of two who save at once one is told, and nothing of the other is lost', async () => {
  const [a, b] = await Promise.all(
    ['salt', 'sugar'].map((text) => save({ ...input({ lines: [line(text)] }), version: 0 })),
  );
  expect([a!.status, b!.status].toSorted()).toEqual([200, 409]);
  expect((await read()).version).toBe(1);
});

test.each([
  ['a line without text', { lines: [line(' ')] }],
  ['a line of 501 characters', { lines: [line('x'.repeat(501))] }],
  ['151 lines', { lines: Array.from({ length: 151 }, () => line('salt')) }],
  ['two lines of one id', { lines: [1, 2].map(() => line('salt', { id: '0198c000-0000-7000-8000-000000000001' })) }],
  ['no servings at all', { servings: 0 }],
  [
    'an amount of nothing',
    { lines: [line('salt', { fixes: { amounts: [{ from: '0', to: null, unit: null, each: null }] } })] },
  ],
  [
    'an amount by zero',
    { lines: [line('salt', { fixes: { amounts: [{ from: '1/0', to: null, unit: null, each: null }] } })] },
  ],
  [
    'a measure that nobody has',
    { lines: [line('salt', { fixes: { amounts: [{ from: '1', to: null, unit: 'furlong', each: null }] } })] },
  ],
])('refuses %s', async (_, over) => {
  expect(await save({ ...input(over as Partial<IngredientsInput>), version: 0 })).toMatchObject({
    status: 422,
    body: { code: 'invalid_input' },
  });
});

test('recipes are found by their foods', async () => {
  await save({ ...input({ lines: [line('2 cups buckwheat flour')] }), version: 0 });
  const found = async (search: string) =>
    (await anna.call(listRecipes, { params: { creatorId }, query: { search } })).body.items.length;
  expect(await found('buckwheat')).toBe(1);
  expect(await found('rye')).toBe(0);
});

test('a recipe with the same name and nearly the same foods is named, and none that differs in one of them', async () => {
  const foods = ['flour', 'eggs', 'butter', 'milk'].map((food) => line(`2 cups ${food}`));
  await save({ ...input({ lines: [...foods, line('1 cup sugar')] }), version: 0 });
  const twin = await made({ url: 'https://blog.example/pasta-again' });
  const saved = async (lines: RecipeLine[], version: number, recipeId = twin.id) =>
    (await save({ ...input({ lines }), version }, recipeId)).body.lookalike;
  expect(await saved(foods.slice(1), 0)).toBeNull();
  expect(await saved(foods, 1)).toEqual({ id: recipe.id, leadsTo: recipe.url });
  expect((await read()).lookalike).toEqual({ id: twin.id, leadsTo: twin.url });
  const other = await made({ url: 'https://blog.example/other' });
  await anna.call(updateRecipe, {
    params: { creatorId, recipeId: other.id },
    body: { ...other, name: 'Lemon cake', version: other.version },
  });
  expect(await saved(foods, 0, other.id)).toBeNull();
  expect(await saved([], 2)).toBeNull();
});

test('a recipe without a page leads to its list, and to its page from when it has one', async () => {
  const bare = await made({ url: null });
  expect(bare).toMatchObject({ url: null, leadsTo: expect.stringMatching(/\/s\//), list: { lines: 0, toCheck: 0 } });
  const connectionId = await insertConnection(app.db, creatorId);
  const buttons = [{ title: 'Get it', url: 'https://whatever.example/', recipeId: bare.id }];
  const { body: automation } = await anna.call(createAutomation, {
    params: { creatorId },
    body: automationInput(connectionId, { buttons }),
  });
  expect(automation.buttons[0]!.url).toBe(bare.leadsTo);
  const { id, version } = bare;
  const body = { name: 'Pasta', url: 'https://blog.example/new', pictureUrl: null, keywordIdeas: [], messageText: '' };
  await anna.call(updateRecipe, { params: { creatorId, recipeId: id }, body: { ...body, version } });
  const params = { creatorId, automationId: automation.id };
  expect((await anna.call(getAutomation, { params })).body.buttons[0]!.url).toBe('https://blog.example/new');
  await anna.call(updateRecipe, {
    params: { creatorId, recipeId: id },
    body: { ...body, url: null, version: version + 1 },
  });
  expect((await anna.call(getAutomation, { params })).body.buttons[0]!.url).toBe(bare.leadsTo);
});

test('a button leads to the list, and stays there when the page moves', async () => {
  const connectionId = await insertConnection(app.db, creatorId);
  const buttons = [
    { title: 'Get it', url: 'https://whatever.example/', recipeId: recipe.id },
    { title: 'Shop', url: 'https://whatever.example/', recipeId: recipe.id, part: 'list' as const },
  ];
  const { body: automation } = await anna.call(createAutomation, {
    params: { creatorId },
    body: automationInput(connectionId, { buttons }),
  });
  const { listUrl } = await read();
  expect(automation.buttons).toMatchObject([{ url: recipe.url }, { url: listUrl, part: 'list' }]);
  const body = {
    name: 'Pasta',
    url: 'https://blog.example/moved',
    pictureUrl: null,
    keywordIdeas: [],
    messageText: '',
  };
  await anna.call(updateRecipe, { params: { creatorId, recipeId: recipe.id }, body: { ...body, version: 1 } });
  const params = { creatorId, automationId: automation.id };
  expect((await anna.call(getAutomation, { params })).body.buttons).toMatchObject([
    { url: 'https://blog.example/moved' },
    { url: listUrl, part: 'list' },
  ]);
  const links = await app.db.engine
    .selectFrom('links')
    .select(['url', 'part'])
    .where('creator_id', '=', creatorId)
    .execute();
  expect(links).toHaveLength(2);
  expect(links).toContainEqual({ url: listUrl, part: 'list' });
  expect(links).toContainEqual({ url: 'https://blog.example/moved', part: null });
});

test('deleting a recipe keeps its list as it last was', async () => {
  await save({ ...input({ lines: [line('2 cups flour')] }), version: 0 });
  await anna.call(deleteRecipe, { params: { creatorId, recipeId: recipe.id } });
  const kept = await app.db.engine
    .selectFrom('recipe_ingredients')
    .select(['deleted_recipe', 'line_count'])
    .where('creator_id', '=', creatorId)
    .execute();
  expect(kept).toEqual([
    {
      line_count: 1,
      deleted_recipe: { name: 'Lemon pasta', url: 'https://blog.example/pasta', hasPage: true, pictureUrl: null },
    },
  ]);
});

test('another creator’s recipe is not there', async () => {
  const other = await app.signUpAndIn();
  const params = { creatorId: (await other.createCreator()).id, recipeId: recipe.id };
  expect((await other.call(getIngredients, { params })).status).toBe(404);
  expect((await other.call(saveIngredients, { params, body: { ...input(), version: 0 } })).status).toBe(404);
});

test('the list of recipes is filtered by the state of their ingredients', async () => {
  const ready = await made({ url: 'https://blog.example/ready' });
  const doubtful = await made({ url: 'https://blog.example/doubtful' });
  const empty = await made({ url: null });
  await save({ ...input({ lines: [line('2 cups flour')] }), version: 0 }, ready.id);
  await save({ ...input({ lines: [line('2 cups flour'), line('3 tbsp zorblat')] }), version: 0 }, doubtful.id);
  const found = async (query: object) => {
    const { body } = await anna.call(listRecipes, { params: { creatorId }, query });
    return body.items.map(({ id }: Recipe) => id).toSorted();
  };
  expect(await found({ state: 'ready' })).toEqual([ready.id]);
  expect(await found({ state: 'to_check' })).toEqual([doubtful.id]);
  expect(await found({ state: 'none' })).toEqual([recipe.id, empty.id].toSorted());
  expect(await found({ state: 'to_check', search: 'ZORBLAT' })).toEqual([doubtful.id]);
  expect(await found({ state: 'ready', search: 'zorblat' })).toEqual([]);
  const refused = await anna.call(listRecipes, { params: { creatorId }, query: { state: 'all' as never } });
  expect(refused.body).toMatchObject({ code: 'invalid_input' });
});
