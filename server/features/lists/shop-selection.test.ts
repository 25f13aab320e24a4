import { afterAll, beforeAll, expect, test } from 'vitest';
import { saveIngredients } from '#contract/recipe-ingredients.ts';
import { createRecipe } from '#contract/recipes.ts';
import { shopJobs } from '#server/features/shops/jobs.ts';
import { runDue } from '#server/jobs/run-jobs.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';
import { type ShopsSimulator, startShopsSimulator } from '#simulators/shops/main.ts';

let simulator: ShopsSimulator;
let app: TestApp;
let anna: Person;
beforeAll(async () => {
  simulator = await startShopsSimulator({ clock: { now: () => app.clock.now() } });
  app = await createTestApp({ settings: { INSTACART_URL: simulator.url, INSTACART_API_KEY: simulator.apiKey } });
  anna = await app.signUpAndIn();
});
afterAll(async () => {
  await app?.close();
  await simulator?.close();
});

test('a shop that cannot take a selection says so before it opens with another amount', async () => {
  const { id: creatorId } = await anna.createCreator();
  const recipe = {
    name: 'Soup',
    url: 'https://blog.example/soup',
    pictureUrl: null,
    keywordIdeas: [],
    messageText: '',
  };
  const { body: made } = await anna.call(createRecipe, { params: { creatorId }, body: recipe });
  const text = { id: crypto.randomUUID(), group: '', text: '3 onions', fixes: {}, checked: false };
  const lines = [{ ...text, sourceText: null, sourceUid: null }];
  const { body: saved } = await anna.call(saveIngredients, {
    params: { creatorId, recipeId: made.id },
    body: { servings: 4, minutes: 20, measures: 'us', language: 'en', steps: [], lines, version: 0 },
  });
  await runDue(shopJobs, { ...app.deps, log: app.deps.log });
  const go = async (query: string) => {
    await app.clock.advance(2_000);
    const url = `${new URL(saved.listUrl!).pathname}/go/instacart?${query}`;
    return app.visitor().send({ method: 'GET', url, headers: { 'user-agent': 'Mozilla/5.0 (iPhone)' } });
  };
  const usual = await go('n=4');
  expect(usual).toMatchObject({ status: 302, headers: { location: expect.stringContaining(simulator.url) } });
  const eight = await go('n=8');
  expect(eight.status).toBe(302);
  expect(eight.headers.location).not.toBe(usual.headers.location);
  simulator.failNext('web_page');
  const failed = await go('n=12');
  expect(failed.status).toBe(200);
  expect(failed.text).toContain('didn’t get your selection');
  expect(failed.text).toContain(`href="${String(usual.headers.location)}"`);
  expect(failed.text).toContain('n=12">Back to the list');
});
