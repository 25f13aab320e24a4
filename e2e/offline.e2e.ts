/** The network goes away and comes back. */
import type { Route } from 'playwright';
import { afterAll, beforeAll, expect as expectValue, test } from 'vitest';
import { enterDemo, expect, type RunningApp, startApp } from './journey.ts';

let app: RunningApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app?.close());

test('opening a screen offline keeps the screen before, says so, and goes on when the network is back', async () => {
  const visit = await app.visit('phone');
  const { page } = visit;
  await enterDemo(visit);
  // All of home's code has come.
  await expect(page.getByRole('heading', { name: 'Activity' })).toBeVisible();
  await page.getByRole('button', { name: 'Open menu' }).click();
  const recipes = page.getByRole('link', { name: 'Recipes', exact: true });
  await expect(recipes).toBeVisible();
  visit.expectComplaint(/ERR_INTERNET_DISCONNECTED/);
  await page.context().setOffline(true);
  await recipes.click();
  await expect(page.getByText('You’re offline. We’ll continue when you’re back online.')).toBeVisible();
  expectValue(await page.getByText('Whoops').count()).toBe(0);
  await page.context().setOffline(false);
  await expect(page.getByRole('heading', { level: 1, name: 'Recipes' })).toBeVisible();
  await expect(page.getByText('You’re offline.')).toHaveCount(0);
  await visit.end();
});

test('a part of a screen whose code was lost on the way waits for the network as well', async () => {
  const visit = await app.visit('phone');
  const { page } = visit;
  visit.expectComplaint(/ERR_INTERNET_DISCONNECTED/);
  const loseIt = async (route: Route) => {
    await page.context().setOffline(true);
    await route.abort('internetdisconnected');
  };
  await page.route(/home-content-/, loseIt, { times: 1 });
  await enterDemo(visit);
  await expect(page.getByText('You’re offline. We’ll continue when you’re back online.')).toBeVisible();
  expectValue(await page.getByText('Whoops').count()).toBe(0);
  await page.context().setOffline(false);
  await expect(page.getByRole('heading', { name: 'Activity' })).toBeVisible();
  await visit.end();
});

test('a part of a screen whose code was lost in a moment that is over comes all the same', async () => {
  const visit = await app.visit('phone');
  const { page } = visit;
  visit.expectComplaint(/ERR_INTERNET_DISCONNECTED/);
  await page.route(/home-content-/, (route) => route.abort('internetdisconnected'), { times: 1 });
  await enterDemo(visit);
  await expect(page.getByRole('heading', { name: 'Activity' })).toBeVisible();
  expectValue(await page.getByText('Whoops').count()).toBe(0);
  await visit.end();
});

test('code that never comes though the server answers shows the error screen, after one more load of the page', async () => {
  const visit = await app.visit('phone');
  const { page } = visit;
  visit.expectComplaint(/ERR_FAILED|Failed to fetch dynamically imported module/);
  let tries = 0;
  await page.route(/home-content-/, (route) => {
    tries += 1;
    return route.abort();
  });
  await enterDemo(visit);
  await expect(page.getByText('Whoops')).toBeVisible();
  expectValue(tries).toBeLessThanOrEqual(4);
  await visit.end();
});
