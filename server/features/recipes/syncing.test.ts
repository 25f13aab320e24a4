import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  getIngredients,
  type RecipeIngredients,
  type RecipeLine,
  saveIngredients,
  UNDO_SYNC_DAYS,
  undoSync,
} from '#contract/recipe-ingredients.ts';
import { createRecipe } from '#contract/recipes.ts';
import { runDue } from '#server/jobs/run-jobs.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';
import { recipeJobs } from './jobs.ts';
import { noticeIngredients } from './noticing.ts';
import { applyReading, type SyncedReading } from './syncing.ts';

const DAY_MS = 86_400_000;

let app: TestApp;
let anna: Person;
let creatorId: string;
let recipeId: string;

beforeAll(async () => {
  app = await createTestApp();
  anna = await app.signUpAndIn();
  creatorId = (await anna.createCreator()).id;
});
afterAll(() => app.close());
beforeEach(async () => {
  recipeId = await made();
});

async function made(): Promise<string> {
  const url = `https://blog.example/${crypto.randomUUID()}`;
  const body = { name: 'Lemon pasta', url, pictureUrl: null, keywordIdeas: [], messageText: '' };
  return (await anna.call(createRecipe, { params: { creatorId }, body })).body.id;
}
const reading = (...texts: string[]): SyncedReading => ({
  ...{ servings: 4, minutes: null, language: 'en', foundBy: 'json_ld' as const },
  groups: [{ name: null, lines: texts.map((text) => ({ text, uid: null })) }],
});
const apply = (given: SyncedReading, id = recipeId) =>
  app.db.withCreator(creatorId, (trx) => applyReading(app.deps, trx, creatorId, id, given, 'guard'));
const read = async (): Promise<RecipeIngredients> =>
  (await anna.call(getIngredients, { params: { creatorId, recipeId } })).body;
const texts = async () => (await read()).lines.map(({ text }) => text);
const undo = () => anna.call(undoSync, { params: { creatorId, recipeId } });
async function save(change: (lines: RecipeLine[]) => RecipeLine[]) {
  const { updatedAt: _, listUrl: _url, sync: _sync, ...content } = await read();
  const body = { ...content, lines: change(content.lines) };
  expect((await anna.call(saveIngredients, { params: { creatorId, recipeId }, body })).status).toBe(200);
}
const fix = (text: string, food: string) =>
  save((lines) => lines.map((line) => (line.text === text ? { ...line, fixes: { food } } : line)));
/** All that is stored of the ingredients, but for what tells that they were written. */
async function bytes(): Promise<string> {
  const { rows } = await sql<{ text: string }>`
    select (to_jsonb(i) - 'version' - 'updated_at')::text || i.lines::text as text from recipe_ingredients i
    where creator_id = ${creatorId} and recipe_id = ${recipeId}
  `.execute(app.db.engine);
  return rows[0]!.text;
}

test('a recipe without ingredients gets those of its page; what is unsure is to be checked', async () => {
  expect(await apply(reading('2 cups flour', '1 glug of sunshine'))).toEqual({
    ...{ changed: 0, added: 2, removed: 0, waiting: 0 },
  });
  const { lines, sync, servings } = await read();
  expect(lines).toMatchObject([
    { text: '2 cups flour', sourceText: '2 cups flour', checked: false, fixes: {} },
    { text: '1 glug of sunshine' },
  ]);
  expect(servings).toBe(4);
  expect(sync).toMatchObject({ by: 'guard', added: 2, at: app.clock.now().toISOString() });
  const { rows } = await sql`select to_check from recipe_ingredients where recipe_id = ${recipeId}`.execute(
    app.db.engine,
  );
  expect(rows).toEqual([{ to_check: 1 }]);
});

describe('what becomes of lines', () => {
  type Case = [what: string, fixes: Record<string, string>, page: string[], after: string[], became: object];
  const CASES: Case[] = [
    ['nothing changed', {}, ['2 cups flour', '3 eggs'], ['2 cups flour', '3 eggs'], {}],
    ['another amount', {}, ['2 cups flour', '4 eggs'], ['2 cups flour', '4 eggs'], { changed: 1 }],
    ['one more', {}, ['2 cups flour', '1 tsp salt', '3 eggs'], ['2 cups flour', '1 tsp salt', '3 eggs'], { added: 1 }],
    ['one less', {}, ['3 eggs'], ['3 eggs'], { removed: 1 }],
    [
      'a fix, and nothing changed',
      { '3 eggs': 'duck egg' },
      ['2 cups flour', '3 eggs'],
      ['2 cups flour', '3 eggs'],
      {},
    ],
    [
      'a fix, and another amount',
      { '3 eggs': 'duck egg' },
      ['2 cups flour', '4 eggs'],
      ['2 cups flour', '3 eggs (page: 4 eggs)'],
      { waiting: 1 },
    ],
    [
      'a fix, and gone',
      { '3 eggs': 'duck egg' },
      ['2 cups flour'],
      ['2 cups flour', '3 eggs (page: null)'],
      { waiting: 1 },
    ],
    [
      'a fix of another line',
      { '2 cups flour': 'spelt flour' },
      ['2 cups flour', '4 eggs'],
      ['2 cups flour', '4 eggs'],
      { changed: 1 },
    ],
    [
      'sure before and unsure now: shoppers go on by the old words',
      {},
      ['2 cups flourz', '3 eggs'],
      ['2 cups flour (page: 2 cups flourz)', '3 eggs'],
      { waiting: 1 },
    ],
    ['nothing at all, which was not read', {}, [], ['2 cups flour', '3 eggs'], {}],
    ['empty lines only', {}, ['', '  '], ['2 cups flour', '3 eggs'], {}],
  ];
  test.each(CASES)('%s', async (_, fixes, page, after, became) => {
    await apply(reading('2 cups flour', '3 eggs'));
    for (const [text, food] of Object.entries(fixes)) await fix(text, food);
    const before = await read();
    const nothing = { changed: 0, added: 0, removed: 0, waiting: 0 };
    const hasChanged = Object.keys(became).length > 0;
    expect(await apply(reading(...page))).toEqual(hasChanged ? { ...nothing, ...became } : null);
    const now = await read();
    expect(now.version).toBe(before.version + (hasChanged ? 1 : 0));
    expect(
      now.lines.map(({ text, pageSays }) => (pageSays === undefined ? text : `${text} (page: ${pageSays})`)),
    ).toEqual(after);
    for (const [text, food] of Object.entries(fixes)) {
      expect(now.lines.find((line) => line.text === text)?.fixes).toEqual({ food });
    }
    // Read once more it is what it is.
    expect(await apply(reading(...page))).toBeNull();
  });
});

test('what the creator took out does not come back, and what they wrote stays', async () => {
  await apply(reading('2 cups flour', '3 eggs', '1 tsp salt'));
  const own = { ...(await read()).lines[0]!, id: crypto.randomUUID(), text: '1 pinch of love', sourceText: null };
  await save((lines) => [...lines.filter(({ text }) => text !== '3 eggs'), own]);
  expect(await apply(reading('2 cups flour', '3 eggs', '1 tsp salt'))).toBeNull();
  await apply(reading('2 cups flour', '3 eggs', '2 tsp salt'));
  expect(await texts()).toEqual(['2 cups flour', '2 tsp salt', '1 pinch of love']);
});

test('ingredients that never came from a page stay as they are', async () => {
  await apply(reading('2 cups flour'));
  await save((lines) => lines.map((line) => ({ ...line, sourceText: null })));
  expect(await apply(reading('3 cups flour'))).toBeNull();
  expect(await texts()).toEqual(['2 cups flour']);
});

test('the plugin and the page may say the same in other words, each of them is compared with itself', async () => {
  await apply(reading('2 cups (250 g) flour'));
  const told: SyncedReading = { ...reading('2 cups flour, 250 g'), foundBy: 'plugin' };
  await apply(told);
  expect(await apply(reading('2 cups (250 g) flour'))).toBeNull();
  expect(await apply(told)).toBeNull();
});

describe('undo', () => {
  test('restores every byte, one change after the other, and what was undone does not come again', async () => {
    await apply(reading('2 cups flour', '3 eggs'));
    await fix('3 eggs', 'duck egg');
    const first = await bytes();
    await apply(reading('3 cups flour', '4 eggs'));
    const second = await bytes();
    await apply(reading('3 cups flour', '4 eggs', '1 tsp salt'));
    expect((await read()).sync).toMatchObject({ changed: 0, added: 1 });
    expect(await undo()).toMatchObject({ status: 200, body: { sync: { changed: 1, waiting: 1 } } });
    expect(await bytes()).toBe(second);
    expect((await undo()).body.sync).toBeNull();
    expect(await bytes()).toBe(first);
    expect(await apply(reading('3 cups flour', '4 eggs', '1 tsp salt'))).toBeNull();
    expect(await bytes()).toBe(first);
    expect((await undo()).status).toBe(409);
  });

  test('is refused from when somebody saved', async () => {
    await apply(reading('2 cups flour'));
    await fix('2 cups flour', 'spelt flour');
    const before = await bytes();
    expect(await undo()).toMatchObject({ status: 409, body: { code: 'not_possible_now' } });
    expect(await bytes()).toBe(before);
  });

  test('is possible for 30 days', async () => {
    await apply(reading('2 cups flour'));
    await app.db.engine
      .updateTable('recipe_syncs')
      .set({ made_at: new Date(app.clock.now().getTime() - UNDO_SYNC_DAYS * DAY_MS - 1) })
      .where('recipe_id', '=', recipeId)
      .execute();
    expect((await read()).sync).toBeNull();
    expect(await undo()).toMatchObject({ status: 409, body: { detail: expect.stringContaining('30 days') } });
  });

  test('takes first ingredients away again, and they do not come back by themselves', async () => {
    await apply(reading('2 cups flour'));
    const { listUrl } = await read();
    expect((await undo()).body).toMatchObject({ lines: [], listUrl, sync: null });
    expect(await apply(reading('2 cups flour'))).toBeNull();
  });

  test('of two at once one is told, and nothing is undone twice', async () => {
    await apply(reading('2 cups flour'));
    await apply(reading('3 cups flour'));
    const answers = await Promise.all([undo(), undo(), undo()]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 409]);
    expect(await texts()).toEqual([]);
  });

  test('is not for another creator’s recipe', async () => {
    await apply(reading('2 cups flour'));
    const other = await app.signUpAndIn();
    const params = { creatorId: (await other.createCreator()).id, recipeId };
    expect((await other.call(undoSync, { params })).status).toBe(404);
    expect(await texts()).toEqual(['2 cups flour']);
  });
});

test('the same reading many times at once is one change', async () => {
  const answers = await Promise.all([1, 2, 3, 4].map(() => apply(reading('2 cups flour', '3 eggs'))));
  expect(answers.filter((one) => one !== null)).toHaveLength(1);
  expect(await texts()).toHaveLength(2);
});

test('a recipe that is not there gets nothing', async () => {
  expect(await apply(reading('2 cups flour'), crypto.randomUUID())).toBeNull();
});

test('a page of too many lines changes nothing that the creator has', async () => {
  await apply(reading(...Array.from({ length: 150 }, (_, at) => `${at + 1} g salt`)));
  await fix('150 g salt', 'sea salt');
  await apply(reading(...Array.from({ length: 400 }, (_, at) => `${at + 1} g flour`)));
  const { lines } = await read();
  expect(lines).toHaveLength(150);
  expect(lines.filter(({ fixes }) => fixes.food === 'sea salt')).toHaveLength(1);
});

test('without room for more nothing is stored', async () => {
  const before = creatorId;
  creatorId = (await anna.createCreator()).id;
  recipeId = await made();
  await sql`
    insert into recipe_ingredients (creator_id, recipe_id, list_code, measures, language, lines, steps, line_count, to_check, foods,
      updated_at)
    select ${creatorId}, gen_random_uuid(), 'full' || n, 'us', 'en', '[]', array[repeat('x', 50000000)], 0, 0, '', now()
    from generate_series(1, 2) as n
  `.execute(app.db.engine);
  expect(await apply(reading('2 cups flour'))).toBeNull();
  creatorId = before;
});

test('shops and screens follow a list that changed', async () => {
  await apply(reading('2 cups flour'));
  const { rows } = await sql<{
    name: string;
  }>`select name from jobs where payload ->> 'recipeId' = ${recipeId}`.execute(app.db.engine);
  expect(rows).toEqual([{ name: 'recipe-list-changed' }]);
  expect(await runDue(recipeJobs, app.deps)).toBeGreaterThan(0);
});

describe('a page that the link guard looks at', () => {
  const page = (...lines: string[]) =>
    `<script type="application/ld+json">${JSON.stringify({ '@type': 'Recipe', name: 'Pasta', recipeIngredient: lines })}</script>`;
  const notice = async (html: string) => {
    const { url } = await app.db.engine
      .selectFrom('recipes')
      .select('url')
      .where('id', '=', recipeId)
      .executeTakeFirstOrThrow();
    await app.db.withCreator(creatorId, (trx) => noticeIngredients(app.deps, trx, creatorId, { url, html }));
    const { rows } = await sql`
      select 1 from jobs where name = 'read-recipe-again' and payload ->> 'recipeId' = ${recipeId}
    `.execute(app.db.engine);
    return rows.length > 0;
  };

  test('is read again when its ingredients are others than at the look before', async () => {
    await apply(reading('2 cups flour', '3 eggs'));
    expect(await notice(page('2 cups flour', '3 eggs'))).toBe(false);
    expect(await notice(page('2 cups flour', '3 eggs'))).toBe(false);
    expect(await notice('<p>Down for maintenance</p>')).toBe(false);
    expect(await notice(page('2 cups flour', '4 eggs'))).toBe(true);
  });

  test('is left alone where the ingredients did not come from it', async () => {
    expect(await notice(page('2 cups flour'))).toBe(false);
    expect(await notice(page('3 cups flour'))).toBe(false);
  });
});

test('no sequence of readings, fixes and undos loses a fix, and undo restores what was before', {
  timeout: 120_000,
}, async () => {
  const text = fc.constantFrom('2 cups flour', '3 cups flour', '1 tsp salt', '3 eggs', '4 eggs', '2 cups flourz');
  const step = fc.oneof(
    fc.record({ kind: fc.constant('reading' as const), page: fc.uniqueArray(text, { minLength: 1, maxLength: 5 }) }),
    fc.record({ kind: fc.constant('fix' as const), at: fc.nat(5) }),
    fc.record({ kind: fc.constant('undo' as const) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 10 }), async (steps) => {
      recipeId = await made();
      await apply(reading('2 cups flour', '3 eggs', '1 tsp salt'));
      const states: string[] = [];
      let fixes = new Map<string, string>();
      for (const [number, one] of steps.entries()) {
        if (one.kind === 'fix') {
          const { lines } = await read();
          if (lines.length === 0) continue;
          const { id } = lines[one.at % lines.length]!;
          await save((all) =>
            all.map((line) => (line.id === id ? { ...line, fixes: { food: `fix ${number}` } } : line)),
          );
          fixes.set(id, `fix ${number}`);
          states.length = 0;
        } else if (one.kind === 'reading') {
          const before = await bytes();
          if ((await apply(reading(...one.page))) !== null) states.push(before);
        } else if (states.length > 0) {
          expect((await undo()).status).toBe(200);
          expect(await bytes()).toBe(states.pop());
        } else if ((await undo()).status === 200) {
          // The first reading of all.
          expect(await texts()).toEqual([]);
          fixes = new Map();
        }
        const { lines } = await read();
        for (const [id, food] of fixes) expect(lines.find((line) => line.id === id)?.fixes).toEqual({ food });
      }
    }),
    { numRuns: 30, seed: 20261126 },
  );
});
