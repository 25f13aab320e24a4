/** Who is led where: the routing states, old addresses, unknown ones, and screens that break. */
import { afterAll, beforeAll, describe, expect as expectValue, test } from 'vitest';
import { DEVICES, enterDemo, expect, type RunningApp, signUp, startApp } from './journey.ts';

let app: RunningApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app?.close());

const LEGACY = {
  'comment-for-recipe': 'comment-for-dm',
  'comment-for-recipe/analytics': 'comment-for-dm/posts-and-reels',
  'comment-for-recipe/posts': 'comment-for-dm/posts-and-reels',
  posts: 'comment-for-dm/posts-and-reels',
  'story-reply': 'comment-for-dm/stories-and-lives',
  'story-reply/analytics': 'comment-for-dm/stories-and-lives/analytics',
  'email/save-to-email': 'save-to-email',
  recipes: 'shop-the-recipe/recipes',
  'recipes/42': 'shop-the-recipe/recipes/42',
};

describe.each(DEVICES)('on a %s', (device) => {
  test('visitors are led to the login, and after it to where they wanted', async () => {
    const visit = await app.visit(device);
    const { page } = visit;
    for (const address of ['/', '/creator-hq', '/creator-hq/account-setup']) {
      await page.goto(address);
      await expect(page).toHaveURL(/\/creator-hq\/login$/);
    }
    await page.goto('/creator-hq/settings?tab=profile');
    await expect(page).toHaveURL(/\/creator-hq\/login$/);
    await page.getByRole('button', { name: 'Try the demo' }).click();
    await expect(page).toHaveURL(/\/creator-hq\/settings\?tab=profile$/);
    for (const open of ['login', 'signup', 'forgot-password', 'password-reset']) {
      await page.goto(`/creator-hq/${open}`);
      await expect(page).toHaveURL(/\/creator-hq$/);
    }
    await visit.end();
  });

  test('somebody without a creator is led to account-setup', async () => {
    const visit = await app.visit(device);
    const { page } = visit;
    await signUp(visit, { name: 'Cleo', email: `cleo.${device}@example.com` }, { checkScreens: false });
    for (const address of ['/creator-hq', '/creator-hq/contacts', '/creator-hq/login']) {
      await page.goto(address);
      await expect(page).toHaveURL(/\/creator-hq\/account-setup$/);
    }
    await visit.end();
  });

  test('a screen whose code cannot be fetched, and a figure that cannot be loaded, say so', async () => {
    const visit = await app.visit(device);
    visit.expectComplaint(/ERR_FAILED|Failed to fetch dynamically imported module|503/);
    const { page } = visit;
    await enterDemo(visit);
    await page.route(/SettingsPage.*\.js/, (route) => route.abort());
    await page.goto('/creator-hq/settings');
    await expect(page.getByRole('heading', { name: 'Whoops, something went wrong....' })).toBeVisible();
    await visit.checkScreen();
    await page.getByRole('link', { name: 'Head back to Creator-HQ' }).click();
    await expect(page.getByRole('heading', { name: 'Activity' })).toBeVisible();

    await page.route('**/api/v1/creators/*/automations*', (route) =>
      route.fulfill({
        status: 503,
        contentType: 'application/problem+json',
        body: JSON.stringify({ title: 'Out of order', detail: 'The kitchen is closed.', code: 'unavailable' }),
      }),
    );
    await page.goto('/creator-hq/comment-for-dm');
    await expect(page.getByText('Couldn’t load your automations')).toBeVisible();
    await visit.checkScreen();
    await page.unroute('**/api/v1/creators/*/automations*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('link', { name: /COOKIE/ }).first()).toBeVisible();
    await visit.end();
  });
});

test('old addresses lead on with their query, what is switched off says so, unknown addresses too', async () => {
  const visit = await app.visit('phone');
  visit.expectComplaint(/404 \(Not Found\)/);
  const { page } = visit;
  await enterDemo(visit);
  for (const [old, address] of Object.entries(LEGACY)) {
    await page.goto(`/creator-hq/${old}?from=mail`);
    await expect(page).toHaveURL(`${app.url}/creator-hq/${address}?from=mail`);
  }
  await page.goto('/creator-hq/memberships');
  await expect(page.getByRole('heading', { name: 'Not turned on here' })).toBeVisible();
  await visit.checkScreen();
  for (const address of ['/nowhere', '/creator-hq/nowhere', '/creator-hq/settings/nowhere']) {
    await page.goto(address);
    await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
  }
  await visit.checkScreen();
  await visit.end();
});

test('the simulator was asked nothing that it does not know', async () => {
  expectValue(await app.control.unimplemented()).toEqual([]);
});
