import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  createAutomation,
  deleteAutomation,
  getAutomation,
  switchAutomation,
  updateAutomation,
} from '#contract/automations.ts';
import { listLinkChecks } from '#contract/link-guard.ts';
import {
  createRecipe,
  deleteRecipe,
  getRecipe,
  listRecipes,
  type Recipe,
  type RecipeInput,
  updateRecipe,
} from '#contract/recipes.ts';
import { automationInput } from '#server/testing/inputs.ts';
import { insertConnection } from '#server/testing/rows.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';

let app: TestApp;
let anna: Person;
let creatorId: string;
let connectionId: string;
const changes: string[] = [];
let named = 0;

beforeAll(async () => {
  app = await createTestApp({ deps: { automationsChanged: (change) => void changes.push(change.creatorId) } });
  anna = await app.signUpAndIn();
});
afterAll(() => app.close());
beforeEach(async () => {
  creatorId = (await anna.createCreator()).id;
  connectionId = await insertConnection(app.db, creatorId);
});

function input(over: Partial<RecipeInput> = {}): RecipeInput {
  named++;
  return {
    name: `Recipe ${named}`,
    url: `https://blog.example/${named}`,
    pictureUrl: null,
    keywordIdeas: ['PASTA'],
    messageText: '',
    ...over,
  };
}
const create = (over: Partial<RecipeInput> = {}) =>
  anna.call(createRecipe, { params: { creatorId }, body: input(over) });
const made = async (over: Partial<RecipeInput> = {}): Promise<Recipe> => {
  const answer = await create(over);
  expect(answer.body).toMatchObject({ version: 1 });
  return answer.body;
};
const change = ({ id, version, usedBy, createdAt, updatedAt, ...recipe }: Recipe, over: Partial<Recipe>) =>
  anna.call(updateRecipe, { params: { creatorId, recipeId: id }, body: { ...recipe, version, ...over } });
/** An automation that points to a recipe. */
async function pointing(recipeId: string, { on = false } = {}): Promise<string> {
  const buttons = [{ title: 'Get it', url: 'https://whatever.example/', recipeId }];
  const body = automationInput(connectionId, { name: 'Pasta reel', buttons });
  const answer = await anna.call(createAutomation, { params: { creatorId }, body });
  expect(answer.status).toBe(200);
  const params = { creatorId, automationId: answer.body.id };
  if (on) expect((await anna.call(switchAutomation, { params, body: { on: true } })).status).toBe(200);
  return answer.body.id;
}
const buttonsOf = async (automationId: string) =>
  (await anna.call(getAutomation, { params: { creatorId, automationId } })).body.buttons;
const linksOf = (automationId: string) =>
  app.db.engine
    .selectFrom('links')
    .select(['code', 'url', 'recipe_id'])
    .where('automation_id', '=', automationId)
    .orderBy('created_at')
    .execute();
/** Where a tap leads once what is remembered of the link is forgotten. */
const leads = async (code: string) => {
  await app.clock.advance(11_000);
  return (await app.visitor().send({ method: 'GET', url: `/l/${code}` })).headers.location;
};

describe('a recipe', () => {
  test.each([
    ['no name', { name: ' ' }, 'name'],
    ['no address', { url: 'soup' }, 'url'],
    ['an address that is none of the web', { url: 'javascript:alert(1)' }, 'url'],
    ['a message that cannot be sent', { messageText: 'x'.repeat(700) }, 'messageText'],
  ])('is refused with %s, naming the field', async (_what, over, path) => {
    const answer = await create(over);
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toMatchObject([{ path }]);
  });

  test('is refused under an address that another one has, however it is written, and the other one is named', async () => {
    await made({ name: 'Lemon pasta', url: 'https://blog.example/lemon-pasta' });
    const answer = await create({ url: 'http://www.blog.example/lemon-pasta/?utm_source=ig#top' });
    expect(answer.status).toBe(409);
    expect(answer.body).toMatchObject({ code: 'already_exists', errors: [{ path: 'url' }] });
    expect(answer.body.detail).toContain('“Lemon pasta” already has this link.');
    const other = await made();
    expect((await change(other, { url: 'https://blog.example/lemon-pasta' })).body.code).toBe('already_exists');
  });

  test('is made once when two people add its page at the same moment', async () => {
    const body = input({ url: 'https://blog.example/once' });
    const answers = await Promise.all([1, 2, 3].map(() => anna.call(createRecipe, { params: { creatorId }, body })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  });

  test('is not to be seen in someone else’s account', async () => {
    const { id } = await made();
    const stranger = await app.signUpAndIn();
    const theirs = (await stranger.createCreator()).id;
    expect((await stranger.call(getRecipe, { params: { creatorId: theirs, recipeId: id } })).status).toBe(404);
  });

  test('cannot be changed over somebody else’s change', async () => {
    const recipe = await made();
    expect((await change(recipe, { name: 'Theirs' })).body).toMatchObject({ name: 'Theirs', version: 2 });
    expect((await change(recipe, { name: 'Mine' })).body).toMatchObject({ code: 'changed_meanwhile' });
    expect((await anna.call(getRecipe, { params: { creatorId, recipeId: recipe.id } })).body.name).toBe('Theirs');
  });
});

describe('the list', () => {
  test('is searched by name, address and words, page by page', async () => {
    await made({ name: 'Carrot soup', keywordIdeas: [] });
    await made({ name: 'Pie', url: 'https://blog.example/100%_carrots', keywordIdeas: [] });
    await made({ name: 'Cake', keywordIdeas: ['CARROT cake'] });
    await made({ name: 'Bread', keywordIdeas: [] });
    const search = async (text: string) => {
      const answer = await anna.call(listRecipes, { params: { creatorId }, query: { search: text } });
      return answer.body.items.map(({ name }: Recipe) => name);
    };
    expect(await search('carrot')).toEqual(['Cake', 'Pie', 'Carrot soup']);
    expect(await search('0%_c')).toEqual(['Pie']);
    expect(await search('%')).toEqual(['Pie']);
    expect(await search('\0')).toEqual([]);

    const names: string[] = [];
    let after: string | undefined;
    do {
      const query = { limit: 3, ...(after !== undefined && { after }) };
      const { body } = await anna.call(listRecipes, { params: { creatorId }, query });
      names.push(...body.items.map(({ name }: Recipe) => name));
      after = body.next ?? undefined;
    } while (after !== undefined);
    expect(names).toEqual(['Bread', 'Cake', 'Pie', 'Carrot soup']);
  });
});

describe('an automation that points to a recipe', () => {
  test('leads to its page, and the recipe says where it is used', async () => {
    const recipe = await made();
    const automationId = await pointing(recipe.id, { on: true });
    expect(await buttonsOf(automationId)).toEqual([{ title: 'Get it', url: recipe.url, recipeId: recipe.id }]);
    expect((await anna.call(getRecipe, { params: { creatorId, recipeId: recipe.id } })).body.usedBy).toEqual([
      { automationId, name: 'Pasta reel', on: true, postId: null },
    ]);
  });

  test('follows it to a new address, and so do the links of messages already sent', async () => {
    const recipe = await made();
    const ids = [await pointing(recipe.id, { on: true }), await pointing(recipe.id)];
    const [link] = await linksOf(ids[0]!);
    expect(await leads(link!.code)).toBe(recipe.url);

    const heard = changes.length;
    const url = 'https://new.example/lemon-pasta';
    expect((await change(recipe, { url })).status).toBe(200);
    for (const id of ids) expect(await buttonsOf(id)).toEqual([{ title: 'Get it', url, recipeId: recipe.id }]);
    expect(await leads(link!.code)).toBe(url);
    expect(changes.length).toBeGreaterThan(heard);
    const { items } = (await anna.call(listLinkChecks, { params: { creatorId } })).body;
    expect(items).toMatchObject([{ url, recipe: { id: recipe.id }, usedBy: [{ automationId: ids[0] }] }]);
  });

  test('is not disturbed in its editor by the move', async () => {
    const recipe = await made();
    const automationId = await pointing(recipe.id);
    await change(recipe, { url: 'https://new.example/moved' });
    const buttons = [{ title: 'Get the pasta', url: recipe.url, recipeId: recipe.id }];
    const body = automationInput(connectionId, { buttons, version: 1 });
    expect((await anna.call(updateAutomation, { params: { creatorId, automationId }, body })).status).toBe(200);
    expect(await buttonsOf(automationId)).toMatchObject([{ title: 'Get the pasta', url: 'https://new.example/moved' }]);
    expect(await linksOf(automationId)).toHaveLength(1);
  });

  test('takes the link along that it had typed, so that what was sent follows from then on', async () => {
    const recipe = await made({ url: 'https://blog.example/cake' });
    const typed = [{ title: 'Open', url: 'https://www.blog.example/cake/' }];
    const made1 = await anna.call(createAutomation, {
      params: { creatorId },
      body: automationInput(connectionId, { buttons: typed }),
    });
    const automationId = made1.body.id;
    const [before] = await linksOf(automationId);
    const buttons = [{ ...typed[0], recipeId: recipe.id }];
    const body = automationInput(connectionId, { buttons, version: 1 });
    await anna.call(updateAutomation, { params: { creatorId, automationId }, body });
    expect(await linksOf(automationId)).toEqual([{ code: before!.code, url: recipe.url, recipe_id: recipe.id }]);
    await change(recipe, { url: 'https://new.example/cake' });
    expect(await leads(before!.code)).toBe('https://new.example/cake');
  });

  test('cannot point to a recipe that is deleted, or another creator’s', async () => {
    const gone = await made();
    await anna.call(deleteRecipe, { params: { creatorId, recipeId: gone.id } });
    const stranger = await app.signUpAndIn();
    const theirCreator = (await stranger.createCreator()).id;
    const theirs = (await stranger.call(createRecipe, { params: { creatorId: theirCreator }, body: input() })).body;
    for (const recipeId of [gone.id, theirs.id]) {
      const buttons = [{ title: 'Get it', url: 'https://blog.example/', recipeId }];
      const body = automationInput(connectionId, { buttons });
      expect((await anna.call(createAutomation, { params: { creatorId }, body })).body.code).toBe('not_found');
    }
  });
});

describe('deleting', () => {
  test('is refused while an automation points to it, on or off, naming it', async () => {
    const recipe = await made();
    const automationId = await pointing(recipe.id);
    const params = { creatorId, recipeId: recipe.id };
    const answer = await anna.call(deleteRecipe, { params });
    expect(answer.body).toMatchObject({ code: 'not_possible_now' });
    expect(answer.body.detail).toContain('“Pasta reel” uses “');
    const [link] = await linksOf(automationId);
    await anna.call(deleteAutomation, { params: { creatorId, automationId } });
    expect((await anna.call(deleteRecipe, { params })).status).toBe(200);
    expect((await anna.call(getRecipe, { params })).status).toBe(404);
    expect(await leads(link!.code)).toBe(recipe.url);
  });

  test('makes its address free again', async () => {
    const recipe = await made({ url: 'https://blog.example/again' });
    await anna.call(deleteRecipe, { params: { creatorId, recipeId: recipe.id } });
    await made({ url: 'https://blog.example/again' });
  });
});
