/** A recipe is saved in WordPress, and Creator HQ has its ingredients and the blog its button: real WordPress, real Creator HQ. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { getIngredients, type RecipeIngredients, saveIngredients } from '#contract/recipe-ingredients.ts';
import { getRecipe, listRecipes } from '#contract/recipes.ts';
import { makeApiKey } from '#contract/settings.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';
import type { Lane } from '#server/testing/wordpress.ts';
import { type Blog, connectTo, startBlog } from './blog.ts';

describe.each<Lane>(['7.1', '6.2'])('in WordPress %s', (lane) => {
  let app: TestApp;
  let anna: Person;
  let creatorId: string;
  let blog: Blog;

  beforeAll(async () => {
    [app, blog] = await Promise.all([createTestApp(), startBlog({ isConnected: false, lane })]);
    anna = await app.signUpAndIn();
    creatorId = (await anna.createCreator()).id;
    const hub = await app.app.listen({ port: 0, host: '127.0.0.1' });
    Object.assign(app.deps.config, { baseUrl: hub });
    const { key } = (await anna.call(makeApiKey, { params: { creatorId } })).body;
    await blog.wordpress.php(connectTo(hub, key));
    await blog.wordpress.php(`update_option('creator_hq_places', array('place' => 'none', 'shop' => true));`);
  });
  afterAll(async () => {
    expect(await blog.wordpress.complaints()).toEqual([]);
    await blog.close();
    await app.close();
  });

  const cronTurn = () => blog.tellPosts();
  const paramsOf = async (name: string) => {
    const { items } = (await anna.call(listRecipes, { params: { creatorId }, query: { search: name } })).body;
    return { creatorId, recipeId: items[0].id as string };
  };
  const read = async (name: string): Promise<RecipeIngredients> =>
    (await anna.call(getIngredients, { params: await paramsOf(name) })).body;
  const buttonOn = async (page: string) =>
    /<p class="creator-hq-shop"><a href="([^"]*)"/.exec(
      await (await fetch(`${blog.wordpress.url}${page}`)).text(),
    )?.[1];

  test('within one cron turn after the save; a correction survives the next save, and other lines follow', async () => {
    const card = await blog.recipe('Plum pie');
    const post = await blog.post('Plum pie', `[wprm-recipe id="${card}"]`);
    await blog.wordpress.php(`update_post_meta(${card}, 'wprm_parent_post_id', ${post});`);
    const save = (lines: object[]) => {
      const json = Buffer.from(JSON.stringify([{ name: 'For the dough', ingredients: lines }])).toString('base64');
      return blog.wordpress.php(`update_post_meta(${card}, 'wprm_ingredients', json_decode(base64_decode('${json}'), true));
        wp_update_post(array('ID' => ${card}, 'post_title' => 'Plum pie'));`);
    };
    const flour = { uid: 1, amount: '2', unit: 'cups', name: 'flour', notes: 'sifted' };
    const oil = { uid: 2, amount: '1', unit: 'glug', name: 'oil', notes: '' };
    await save([flour, oil]);
    await cronTurn();
    expect(await read('Plum pie')).toMatchObject({
      servings: 4,
      minutes: 45,
      lines: [
        { text: '2 cups flour (sifted)', group: 'For the dough', sourceUid: '1', checked: false },
        { text: '1 glug oil', group: 'For the dough', sourceUid: '2', checked: false },
      ],
    });
    // The same turn brings the button.
    expect(await buttonOn('/plum-pie/')).toBe((await read('Plum pie')).listUrl);

    const { updatedAt: _, listUrl, ...before } = await read('Plum pie');
    const lines = before.lines.map((line) =>
      line.sourceUid === '2' ? { ...line, fixes: { food: 'olive oil' }, checked: true } : line,
    );
    const body = { ...before, lines };
    expect((await anna.call(saveIngredients, { params: await paramsOf('Plum pie'), body })).status).toBe(200);

    await save([{ ...flour, amount: '3' }, oil, { uid: 3, amount: '1', unit: 'tsp', name: 'salt', notes: '' }]);
    await cronTurn();
    expect(await read('Plum pie')).toMatchObject({
      listUrl,
      lines: [
        { text: '3 cups flour (sifted)', fixes: {} },
        { text: '1 glug oil', fixes: { food: 'olive oil' }, checked: true },
        { text: '1 tsp salt', fixes: {} },
      ],
    });
    expect(await buttonOn('/plum-pie/')).toBe(listUrl);
  });

  test('cards of the other two plugins are taken with their groups', async () => {
    const waffles = await blog.tastyRecipe('Waffles');
    await blog.creation(12, 'Oat bars');
    await blog.post('Waffles', `[tasty-recipe id="${waffles}"]`);
    await blog.post('Oat bars', '[mv_create key="12" type="recipe" title="Oat bars"]');
    await cronTurn();
    const linesOf = async (name: string) => (await read(name)).lines.map(({ group, text }) => [group, text]);
    expect(await linesOf('Waffles')).toEqual([
      ['Dough', '500 g flour'],
      ['Dough', 'salt & pepper'],
    ]);
    expect(await linesOf('Oat bars')).toEqual([
      ['', '2 cups rolled oats, toasted'],
      ['', '1 pinch [sea] salt'],
      ['Topping', '50 g chocolate'],
    ]);
    for (const page of ['/waffles/', '/oat-bars/']) expect(await buttonOn(page)).toMatch(/\/s\/\w{8}$/);
  });

  test('a card that is locked tells the creator all, and strangers nothing; with the lock it comes and goes', async () => {
    const card = await blog.recipe('Secret pie');
    await blog.wordpress.php(
      `update_post_meta(${card}, 'wprm_ingredients', array(array('name' => '', 'ingredients' => array(array('uid' => 1, 'amount' => '1', 'unit' => 'cup', 'name' => 'zqflour', 'notes' => '')))));`,
    );
    const post = await blog.post('Secret pie', `[wprm-recipe id="${card}"]`);
    const list = async () => (await fetch((await read('Secret pie')).listUrl!)).text();
    const lockOf = async () => {
      const recipe = await anna.call(getRecipe, { params: await paramsOf('Secret pie') });
      return recipe.body.lock;
    };
    for (const [lock, told] of [
      [`update_post_meta(${post}, '_creator_hq_lock', 'card:members');`, { for: 'members', of: 'recipe' }],
      [`delete_post_meta(${post}, '_creator_hq_lock');`, null],
      [
        `$term = wp_insert_term('Secret', 'category')['term_id']; wp_set_post_categories(${post}, array($term)); CreatorHq\\Gate\\Rules::lock_term($term, 'rest:subscribers');`,
        { for: 'subscribers', of: 'recipe' },
      ],
      [`CreatorHq\\Gate\\Rules::lock_term(get_term_by('name', 'Secret', 'category')->term_id, '');`, null],
      [
        `wp_update_post(array('ID' => ${post}, 'post_content' => '[wprm-recipe id="${card}"] [creator_hq_gate for="members"] zqtext'));`,
        { for: 'members', of: 'text' },
      ],
      [
        `wp_update_post(array('ID' => ${post}, 'post_content' => '[creator_hq_gate locks="card"][wprm-recipe id="${card}"]'));`,
        { for: 'subscribers', of: 'recipe' },
      ],
    ] as const) {
      await blog.wordpress.php(lock);
      await cronTurn();
      expect(await lockOf(), lock).toEqual(told);
      expect((await read('Secret pie')).lines, lock).toMatchObject([{ text: '1 cup zqflour' }]);
      const isShown = told?.of !== 'recipe';
      expect((await list()).includes('zqflour'), lock).toBe(isShown);
      expect((await buttonOn('/secret-pie/')) !== undefined, lock).toBe(isShown);
    }
  });
});
