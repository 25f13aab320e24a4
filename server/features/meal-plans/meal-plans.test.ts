import { extractText, getDocumentProxy } from 'unpdf';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createAutomation } from '#contract/automations.ts';
import { getListFigures } from '#contract/list-figures.ts';
import * as ingredients from '#contract/meal-plan-ingredients.ts';
import { NO_CHANGES, type PlanChanges } from '#contract/meal-plan-ingredients.ts';
import type { MealPlan, MealPlanInput } from '#contract/meal-plans.ts';
import * as contract from '#contract/meal-plans.ts';
import { getIngredients, saveIngredients } from '#contract/recipe-ingredients.ts';
import { createRecipe, deleteRecipe } from '#contract/recipes.ts';
import { automationInput, mealPlan } from '#server/testing/inputs.ts';
import { insertConnection, insertInteraction } from '#server/testing/rows.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';

const DAY_MS = 86_400_000;

let app: TestApp;
let anna: Person;
let creatorId: string;
let count = 0;
beforeAll(async () => {
  app = await createTestApp({ settings: { BASE_URL: 'https://hq.example.test' } });
  anna = await app.signUpAndIn();
});
beforeEach(async () => {
  creatorId = (await anna.createCreator()).id;
});
afterAll(() => app?.close());

type MadeRecipe = { id: string; lineIds: string[]; setLines(texts: string[]): Promise<void> };
async function recipe(name: string, texts: string[], servings: number | null = 4): Promise<MadeRecipe> {
  const input = { name, url: `https://blog.example/${count++}`, pictureUrl: null, keywordIdeas: [], messageText: '' };
  const { id } = (await anna.call(createRecipe, { params: { creatorId }, body: input })).body;
  const params = { creatorId, recipeId: id };
  const lineIds = texts.map(() => crypto.randomUUID());
  const setLines = async (now: string[]) => {
    const { version } = (await anna.call(getIngredients, { params })).body;
    const lines = now.map((text, place) => ({
      ...{ id: lineIds[place] ?? crypto.randomUUID(), group: '', text, fixes: {}, checked: false },
      ...{ sourceText: null, sourceUid: null },
    }));
    const content = { servings, minutes: null, measures: 'us' as const, language: 'en', lines, steps: [] };
    expect((await anna.call(saveIngredients, { params, body: { ...content, version } })).status).toBe(200);
  };
  await setLines(texts);
  return { id, lineIds, setLines };
}
const meal = (recipeId: string | null, over: object = {}) => ({
  ...{ id: crypto.randomUUID(), section: 0, slot: 'dinner', recipeId, text: recipeId === null ? 'Leftovers' : '' },
  ...{ servings: null, ...over },
});
const create = (over: object = {}, name = `Plan ${count++}`) =>
  anna.call(contract.createMealPlan, { params: { creatorId }, body: mealPlan(name, over) });
async function made(over: object = {}, name?: string): Promise<MealPlan> {
  const answer = await create(over, name);
  expect(answer.status).toBe(200);
  return answer.body;
}
const of = ({ id }: Pick<MealPlan, 'id'>) => ({ params: { creatorId, mealPlanId: id } });
const inputOf = ({ name, note, pictureUrl, kind, startsOn, sections, meals }: MealPlan): MealPlanInput => ({
  ...{ name, note, pictureUrl, kind, startsOn, sections, meals },
});
const change = (plan: MealPlan, over: object) =>
  anna.call(contract.changeMealPlan, { ...of(plan), body: { ...inputOf(plan), version: plan.version, ...over } });
const edit = (plan: Pick<MealPlan, 'id' | 'version'>, changes: Partial<PlanChanges>) =>
  anna.call(ingredients.savePlanIngredients, {
    ...of(plan),
    body: { ...NO_CHANGES, ...changes, version: plan.version },
  });
const get = async (plan: Pick<MealPlan, 'id'>) => (await anna.call(contract.getMealPlan, of(plan))).body;
async function publish(plan: Pick<MealPlan, 'id'>): Promise<string> {
  const { version } = await get(plan);
  const answer = await anna.call(contract.publishMealPlan, { ...of(plan), body: { version } });
  expect(answer.status).toBe(200);
  return answer.body.published!.url;
}
/** What its page says, without marks. */
async function open(url: string, search = '') {
  const answer = await app.visitor().send({ method: 'GET', url: `${new URL(url).pathname}${search}` });
  const plain = (text: string) =>
    text
      .replaceAll(/<[^>]+>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim();
  const rows = [...answer.text.matchAll(/value="([0-9a-f]+)"( checked)?><span>(.*?)<\/span>/g)];
  return {
    ...answer,
    plain: plain(answer.text.replace(/<head>.*<\/head>/s, '')),
    items: rows.map(([, , ticked, text]) => `${plain(text!)}${ticked === undefined ? ' (unticked)' : ''}`),
    ids: rows.map(([, id]) => id!),
  };
}
const differencesOf = async (plan: Pick<MealPlan, 'id'>) =>
  (await anna.call(contract.getPlanDifferences, of(plan))).body.differences;

describe('a plan', () => {
  test('is made, found, changed, duplicated and deleted', async () => {
    const soup = await recipe('Soup', ['2 carrots', 'a glug of oil']);
    const plan = await made({ meals: [meal(soup.id), meal(null)], startsOn: '2027-01-04' }, 'Week of soup');
    expect(plan).toMatchObject({
      ...{ version: 1, kind: 'week', startsOn: '2027-01-04', published: null },
      recipes: [{ id: soup.id, name: 'Soup', servings: 4, lines: 2 }],
    });
    const list = async (search?: string) =>
      (await anna.call(contract.listMealPlans, { params: { creatorId }, query: { search } })).body.items;
    expect(await list('SOUP')).toMatchObject([{ id: plan.id, meals: 2, people: 0, published: null }]);
    expect(await list('100%')).toEqual([]);

    expect((await create({}, 'week of SOUP')).body).toMatchObject({ code: 'already_exists' });
    const changed = await change(plan, { name: 'Two weeks', kind: 'free', startsOn: '2027-01-04', sections: ['A'] });
    expect(changed.body).toMatchObject({ name: 'Two weeks', kind: 'free', startsOn: null, version: 2 });
    expect((await change(plan, { name: 'Late' })).body).toMatchObject({ code: 'changed_meanwhile' });

    const edited = await edit(changed.body, { own: [{ id: crypto.randomUUID(), text: '1 lemon' }] });
    expect(edited.body.version).toBe(3);
    const twin = await anna.call(contract.duplicateMealPlan, of(plan));
    expect(twin.body).toMatchObject({ name: 'Two weeks (2)', meals: plan.meals });
    const again = await anna.call(contract.duplicateMealPlan, of(twin.body));
    expect(again.body.name).toBe('Two weeks (3)');
    const own = await anna.call(ingredients.getPlanIngredients, of(again.body));
    expect(own.body.changes.own).toMatchObject([{ text: '1 lemon' }]);

    expect((await anna.call(contract.deleteMealPlan, of(plan))).status).toBe(200);
    expect((await anna.call(contract.getMealPlan, of(plan))).status).toBe(404);
  });

  test.each([
    ['no recipe and no words', { meals: [{ ...meal(null), text: ' ' }] }],
    ['a day that no week has', { meals: [meal(null, { section: 7 })] }],
    ['no section', { kind: 'free' }],
    ['a week with sections', { sections: ['A'] }],
    ['61 meals', { meals: Array.from({ length: 61 }, () => meal(null)) }],
    ['0 servings', { meals: [meal(null, { servings: 0 })] }],
    ['no date', { startsOn: '2027-02-30' }],
  ])('with %s is refused in words', async (_, over) => {
    const answer = await create(over);
    expect(answer.body).toMatchObject({ code: 'invalid_input' });
    expect((answer.body as unknown as { fields: unknown[] }).fields).not.toEqual([]);
  });

  test('of a recipe of somebody else, or one that is gone, is refused', async () => {
    const soup = await recipe('Soup', ['2 carrots']);
    const other = (await anna.createCreator()).id;
    const body = mealPlan('Other', { meals: [meal(soup.id)] });
    expect((await anna.call(contract.createMealPlan, { params: { creatorId: other }, body })).status).toBe(404);
    expect((await create({ meals: [meal(crypto.randomUUID())] })).status).toBe(404);
  });

  test('keeps its recipes from being deleted, and is named', async () => {
    const soup = await recipe('Soup', ['2 carrots']);
    const plan = await made({ meals: [meal(soup.id)] }, 'Soup week');
    const remove = () => anna.call(deleteRecipe, { params: { creatorId, recipeId: soup.id } });
    expect((await remove()).body).toMatchObject({
      code: 'not_possible_now',
      detail: 'The meal plan “Soup week” has this recipe. Take it out there first.',
    });
    const url = await publish(plan);
    const left = (await change(await get(plan), { meals: [meal(null)] })).body;
    expect((await remove()).status).toBe(200);
    // What is published stays as it was.
    expect((await open(url)).items).toEqual(['2 carrots']);
    expect(left.recipes).toEqual([]);
  });
});

describe('what people see', () => {
  test('is what was published last, until it is published again or taken back', async () => {
    const soup = await recipe('Soup', ['2 carrots', '1 lb potatoes'], 4);
    const stew = await recipe('Stew', ['3 carrots', '1 onion'], 2);
    const plan = await made({ meals: [meal(soup.id, { servings: 8 }), meal(stew.id, { section: 2, slot: 'lunch' })] });
    expect(await differencesOf(plan)).toBeNull();
    const url = await publish(plan);
    const page = await open(url);
    expect(page.items).toEqual(['7 carrots', '2 lb potatoes', '1 onion']);
    expect(page.plain).toContain('Day 1 Soup Dinner, for 8 Day 3 Stew Lunch, for 2');
    expect((await open(url, '?n=2')).items).toEqual(['14 carrots', '4 lb potatoes', '2 onion']);
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");

    await stew.setLines(['3 carrots', '2 onions']);
    const changed = (await change(await get(plan), { meals: [...plan.meals, meal(null)] })).body;
    expect((await open(url)).items).toEqual(['7 carrots', '2 lb potatoes', '1 onion']);
    expect(await differencesOf(plan)).toEqual({
      ...{ details: true, meals: { added: ['Leftovers'], removed: [] } },
      items: [{ name: 'onions', before: '1', after: '2' }],
    });
    const stale = await anna.call(contract.publishMealPlan, { ...of(plan), body: { version: plan.version } });
    expect(stale.body).toMatchObject({ code: 'changed_meanwhile' });
    expect(await publish(changed)).toBe(url);
    expect((await open(url)).items).toEqual(['7 carrots', '2 lb potatoes', '2 onions']);
    expect(await differencesOf(plan)).toEqual({ details: false, meals: { added: [], removed: [] }, items: [] });

    expect((await anna.call(contract.deleteMealPlan, of(plan))).body).toMatchObject({ code: 'not_possible_now' });
    expect((await anna.call(contract.unpublishMealPlan, of(plan))).body.published).toBeNull();
    expect((await open(url)).status).toBe(404);
    expect(await publish(plan)).toBe(url);
  });

  test('needs a meal', async () => {
    const plan = await made({ meals: [] });
    const answer = await anna.call(contract.publishMealPlan, { ...of(plan), body: { version: 1 } });
    expect(answer.body).toMatchObject({ code: 'not_possible_now' });
  });

  test('has dates, her sections and her words, escaped', async () => {
    const plan = await made({ startsOn: '2027-01-04', note: '<b>Enjoy</b>', meals: [meal(null, { slot: 'Brunch' })] });
    const page = await open(await publish(plan));
    expect(page.plain).toContain('&lt;b&gt;Enjoy&lt;/b&gt; Monday, January 4 Leftovers Brunch');
    const free = await made({
      kind: 'free',
      sections: ['Before the party', 'At the party'],
      meals: [meal(null, { section: 1 })],
    });
    expect((await open(await publish(free))).plain).toContain('At the party Leftovers');
  });

  test('is counted: who opened it', async () => {
    const soup = await recipe('Soup', ['2 carrots']);
    const plan = await made({ meals: [meal(soup.id)] });
    const url = await publish(plan);
    await open(url);
    await open(url);
    await app.deps.clicks.flush();
    const { items } = (await anna.call(contract.listMealPlans, { params: { creatorId } })).body;
    expect(items).toMatchObject([{ people: 2 }]);
    const figures = await anna.call(getListFigures, { params: { creatorId }, query: { mealPlanId: plan.id } });
    expect(figures.body).toMatchObject({ opened: 2, toShops: 0, recipes: [] });
    // Of recipes nobody opened one.
    expect((await anna.call(getListFigures, { params: { creatorId } })).body.opened).toBe(0);
  });
});

describe('changes of its ingredients', () => {
  test('lie on top of the recipes, and go into what is published', async () => {
    const soup = await recipe('Soup', ['2 carrots', '1 cup butter', '1 onion', '2 tbsp oil']);
    const before = (await anna.call(getIngredients, { params: { creatorId, recipeId: soup.id } })).body;
    const first = meal(soup.id);
    const plan = await made({ meals: [first, meal(soup.id, { section: 1, servings: 8 })] });
    const answer = await edit(plan, {
      lines: [
        { mealId: first.id, lineId: soup.lineIds[0]!, basis: '2 carrots', amounts: [amount('5')] },
        { mealId: first.id, lineId: soup.lineIds[2]!, basis: '1 onion', leftOut: true },
      ],
      items: [
        { key: 'butter', basis: '3 cups', food: 'margarine', aisle: 'dairy', note: 'the soft one' },
        { key: 'oil', basis: '6 tbsp', have: true, product: 'Bona olive oil' },
      ],
      own: [{ id: crypto.randomUUID(), text: '2 lemons' }],
    });
    expect(answer.status).toBe(200);
    const page = await open(await publish(plan));
    expect(page.items).toEqual([
      ...['9 carrots', '2 onion', '2 lemons', '3 cups margarine the soft one', '6 tbsp oil Bona olive oil (unticked)'],
    ]);
    expect((await anna.call(getIngredients, { params: { creatorId, recipeId: soup.id } })).body).toEqual(before);
    // Resetting gives back what the recipes say.
    await edit(await get(plan), {});
    const again = await open(await publish(plan));
    expect(again.items).toEqual(['6 carrots', '3 onion', '3 cups butter', '6 tbsp oil']);
  });

  test('of a meal that goes are gone with it; of two tabs the second is told', async () => {
    const soup = await recipe('Soup', ['2 carrots']);
    const first = meal(soup.id);
    const plan = await made({ meals: [first] });
    const lines = [{ mealId: first.id, lineId: soup.lineIds[0]!, basis: '2 carrots', leftOut: true as const }];
    expect((await edit(plan, { lines })).body.changes.lines).toHaveLength(1);
    expect((await edit(plan, {})).body).toMatchObject({ code: 'changed_meanwhile' });
    await change(await get(plan), { meals: [meal(soup.id)] });
    expect((await anna.call(ingredients.getPlanIngredients, of(plan))).body.changes.lines).toEqual([]);
  });

  test('twice of one thing, or with no such aisle, are refused', async () => {
    const plan = await made();
    const item = { key: 'butter', basis: '' };
    expect((await edit(plan, { items: [item, item] })).body).toMatchObject({ code: 'invalid_input' });
    expect((await edit(plan, { items: [{ ...item, aisle: 'moon' as never }] })).body).toMatchObject({
      code: 'invalid_input',
    });
  });
});

// Idea 3 of docs/field.md.
describe('a plan out of what people asked for', () => {
  test('has the recipes that most people asked for in comments of the last 28 days, once for each person', async () => {
    const connectionId = await insertConnection(app.db, creatorId);
    const asked = async (name: string, lines: string[], people: number, over: object = {}) => {
      const { id } = await recipe(name, lines);
      const input = automationInput(connectionId, {
        name,
        buttons: [{ title: 'Recipe', url: 'https://blog.example/', recipeId: id }],
      });
      const automation = await anna.call(createAutomation, { params: { creatorId }, body: input as never });
      expect(automation.status).toBe(200);
      for (let person = 0; person < people; person++) {
        for (let time = 0; time < 2; time++) {
          await insertInteraction(app.db, creatorId, connectionId, {
            ...{ automation_id: automation.body.id, person_id: `${name} ${person}`, kind: 'comment' },
            ...{ occurred_at: app.clock.now(), ...over },
          });
        }
      }
      return id;
    };
    const suggest = async () => (await anna.call(contract.suggestMealPlan, { params: { creatorId } })).body.recipes;
    expect(await suggest()).toEqual([]);
    const stew = await asked('Stew', ['1 onion'], 2);
    const soup = await asked('Soup', ['2 carrots'], 3);
    await asked('Long ago', ['2 carrots'], 9, { occurred_at: new Date(app.clock.now().getTime() - 29 * DAY_MS) });
    await asked('No list', [], 9);
    await asked('A story', ['2 carrots'], 9, { kind: 'story_reply' });
    expect((await suggest()).map((one: { id: string; people: number }) => [one.id, one.people])).toEqual([
      [soup, 3],
      [stew, 2],
    ]);
  });
});

function amount(from: string) {
  return { from, to: null, unit: null, each: null };
}

describe('as a file', () => {
  const pdfOf = async (url: string, search = '') => {
    const { pathname } = new URL(url);
    const answer = await app.visitor().send({ method: 'GET', url: `${pathname}/list.pdf${search}` });
    expect(answer.headers['content-type']).toBe('application/pdf');
    const { text } = await extractText(await getDocumentProxy(answer.bytes));
    return text.map((sheet) => sheet.replaceAll(/\s+/g, ' ').trim());
  };

  test('the days are one sheet, and the list is the next, as it was ticked and for as much as was asked for', async () => {
    const soup = await recipe('Soup 🍲 №1', ['2 carrots', '⅓ cup oil', '1 tsp salt']);
    const plan = await made(
      { meals: [meal(soup.id), meal(null, { section: 1, slot: '' })], note: 'Cook once.' },
      'Week of soup',
    );
    const url = await publish(plan);
    const creator = /kitchen\d+/.exec((await open(url)).plain)?.[0];
    expect(await pdfOf(url)).toEqual([
      `Week of soup ${creator} · Meal plan Cook once. Day 1 Soup №1 · Dinner · for 4 Day 2 Leftovers ${url}`,
      `Week of soup ${creator} · shopping list Fruit & vegetables ☐ 2 carrots Oils & sauces ☐ ⅓ cup oil ${url}`,
    ]);
    const { ids } = await open(url);
    expect((await pdfOf(url, `?n=3&k=${ids.join('.')}&i=${ids[1]}`))[1]).toContain('☐ 1 cup oil');

    // Sixty meals with long names are still one sheet.
    const name = 'Slowly braised short ribs with many things that take a while to say';
    const meals = Array.from({ length: 60 }, (_, place) =>
      meal(null, { section: place % 7, text: `${place} ${name}` }),
    );
    const [days, ...rest] = await pdfOf(await publish(await made({ meals })));
    expect(meals.filter(({ text }) => !days!.includes(text))).toEqual([]);
    expect(rest).toHaveLength(1);
  });
});
