/** The whole table of addresses (spec section 2), walked in each of the four states of a visitor. */
import { afterAll, beforeAll, describe, test } from 'vitest';
import { becomeAdmin, enterAsAdmin } from './admins.ts';
import { enterDemo, expect, type RunningApp, signUp, startApp, type Visit } from './journey.ts';

const PUBLIC = ['login', 'signup', 'forgot-password', 'password-reset'];

/** Each screen of the main group, and the head it shows. */
const MAIN: Record<string, string | RegExp> = {
  '': /^Hello, /,
  'facebook-success': 'Choose your Pages',
  checkout: 'Checkout',
  'comment-for-dm': 'Comment for DM',
  'comment-for-dm/posts-and-reels': 'Posts & Reels',
  'comment-for-dm/stories-and-lives': 'Stories & Lives',
  'comment-for-dm/stories-and-lives/analytics': 'Story analytics',
  'save-to-email': 'Save to Email',
  contacts: 'Contacts',
  memberships: 'Memberships',
  'app-links': 'App Links',
  'story-mentions': 'Story Mentions',
  settings: 'Settings',
  'settings/plan-upgrade': 'Plans',
  'shop-the-recipe': 'Shop the Recipe',
  'shop-the-recipe/settings': 'Recipe settings',
  'shop-the-recipe/recipes': 'Recipes',
  'shop-the-recipe/recipes/42': 'Recipe',
  'shop-the-recipe/meal-plans': 'Meal Plans',
  'shop-the-recipe/meal-plans/7': 'Meal plan',
  'shop-the-recipe/meal-plans/7/edit-ingredients': 'Ingredients of a meal plan',
};

const LEGACY = {
  'comment-for-recipe': 'comment-for-dm',
  'comment-for-recipe/analytics': 'comment-for-dm/posts-and-reels',
  'comment-for-recipe/posts': 'comment-for-dm/posts-and-reels',
  posts: 'comment-for-dm/posts-and-reels',
  'story-reply': 'comment-for-dm/stories-and-lives',
  'story-reply/analytics': 'comment-for-dm/stories-and-lives/analytics',
  'email/save-to-email': 'save-to-email',
  contacts: 'contacts',
  recipes: 'shop-the-recipe/recipes',
  'recipes/42': 'shop-the-recipe/recipes/42',
  'recipes/lemon%20cake': 'shop-the-recipe/recipes/lemon%20cake',
};

const UNKNOWN = [
  '/nowhere',
  '/%E0%A4%A',
  '/creator-hq/%E0%A4%A',
  '/creator-hq/nowhere',
  '/creator-hq/settings/nowhere',
  '/creator-hq/recipes/1/2',
];

let app: RunningApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app?.close());

describe('the whole table of addresses', () => {
  test('logged out: public screens only, everything else leads to the login', async () => {
    const visit = await app.visit('desktop');
    visit.expectComplaint(/404 \(Not Found\)/);
    const { page } = visit;
    for (const screen of PUBLIC) {
      await page.goto(`/creator-hq/${screen}?from=mail`);
      await expect(page).toHaveURL(`${app.url}/creator-hq/${screen}?from=mail`);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    }
    for (const address of ['', 'creator-hq/account-setup', 'creator-hq/admin', ...allOf(MAIN), ...allOf(LEGACY)]) {
      await page.goto(`/${address}`);
      await expect(page, address).toHaveURL(`${app.url}/creator-hq/login`);
    }
    await unknownOnes(visit);
    await visit.checkScreen();
    await visit.end();
  });

  test('without a creator: account-setup only', async () => {
    const visit = await app.visit('phone');
    visit.expectComplaint(/404 \(Not Found\)/);
    const { page } = visit;
    await signUp(visit, { name: 'Cleo', email: 'cleo.routes@example.com' });
    await expect(page.getByRole('button', { name: 'Open menu' })).toHaveCount(0);
    await page.getByRole('button', { name: 'Account menu' }).click();
    await expect(page.getByRole('menuitem', { name: 'Sign out' })).toBeVisible();
    await expect(page.getByRole('menuitem', { name: 'Settings' })).toHaveCount(0);
    await page.keyboard.press('Escape');
    for (const address of ['', ...PUBLIC.map((screen) => `creator-hq/${screen}`), ...allOf(MAIN), ...allOf(LEGACY)]) {
      await page.goto(`/${address}`);
      await expect(page, address).toHaveURL(`${app.url}/creator-hq/account-setup`);
    }
    await page.goto('/creator-hq/admin');
    await expect(page.getByRole('heading', { name: 'Admins only' })).toBeVisible();
    await unknownOnes(visit);
    await visit.end();
  });

  test('with a creator: every screen of the main group, the public ones lead home', async () => {
    const visit = await app.visit('desktop');
    visit.expectComplaint(/404 \(Not Found\)|409 \(Conflict\)/);
    await enterDemo(visit);
    await mainGroup(visit);
    await visit.page.goto('/creator-hq/account-setup');
    await expect(visit.page).toHaveURL(`${app.url}/creator-hq/account-setup`);
    await expect(visit.page.getByRole('heading', { name: 'Connected as @thegoldenspoon' })).toBeVisible();
    await visit.page.goto('/creator-hq/admin');
    await expect(visit.page.getByRole('heading', { name: 'Admins only' })).toBeVisible();
    await unknownOnes(visit);
    await visit.end();
  });

  test('as an admin inside a creator: the same screens under the red bar, and the way out', async () => {
    const visit = await app.visit('phone');
    visit.expectComplaint(/404 \(Not Found\)|409 \(Conflict\)|403 \(Forbidden\)/);
    const { page } = visit;
    await becomeAdmin(app, visit, 'sam.routes@example.com');
    await enterAsAdmin(visit, 'A creator asked why their replies wait.');
    await mainGroup(visit);
    await expect(page.getByRole('link', { name: 'Exit Admin Access Mode' })).toBeVisible();
    await unknownOnes(visit);
    await page.goto('/creator-hq');
    await page.getByRole('link', { name: 'Exit Admin Access Mode' }).click();
    await expect(page).toHaveURL(`${app.url}/creator-hq/admin?search=thegoldenspoon`);
    await visit.end();
  });

  test('on every screen says once that Instagram was authenticated, and clears the query', async () => {
    const visit = await app.visit('phone');
    visit.expectComplaint(/404 \(Not Found\)|409 \(Conflict\)|403 \(Forbidden\)/);
    const { page } = visit;
    const authenticated = async (from: string, to = from) => {
      await page.goto(`${from}?instagramAuthSuccess=true&x=1`);
      await expect(page.getByText('Instagram authenticated successfully'), from).toBeVisible();
      await expect(page, from).toHaveURL(`${app.url}${to}?x=1`);
    };
    for (const screen of PUBLIC) await authenticated(`/creator-hq/${screen}`);
    await enterDemo(visit);
    for (const screen of ['account-setup', 'help', 'admin', 'nowhere']) await authenticated(`/creator-hq/${screen}`);
    for (const screen of Object.keys(MAIN)) await authenticated(`/creator-hq${screen && `/${screen}`}`);
    for (const [old, address] of Object.entries(LEGACY)) {
      await authenticated(`/creator-hq/${old}`, `/creator-hq/${address}`);
    }
    await visit.end();
  });
});

async function mainGroup(visit: Visit): Promise<void> {
  const { page } = visit;
  for (const [screen, head] of Object.entries(MAIN)) {
    await page.goto(`/creator-hq${screen && `/${screen}`}?from=mail`);
    await expect(page.getByRole('heading', { level: 1, name: head, exact: true }), screen).toBeVisible();
    expect(page.url().split('?')[0], screen).toBe(`${app.url}/creator-hq${screen && `/${screen}`}`);
  }
  for (const [old, address] of Object.entries(LEGACY)) {
    await page.goto(`/creator-hq/${old}?from=mail&post=1`);
    await expect(page, old).toHaveURL(`${app.url}/creator-hq/${address}?from=mail&post=1`);
  }
  for (const address of ['/', ...PUBLIC.map((screen) => `/creator-hq/${screen}`)]) {
    await page.goto(address);
    await expect(page, address).toHaveURL(`${app.url}/creator-hq`);
  }
}

async function unknownOnes({ page }: Visit): Promise<void> {
  for (const address of UNKNOWN) {
    await page.goto(address);
    await expect(page.getByRole('heading', { name: 'Page not found' }), address).toBeVisible();
  }
}

function allOf(table: Record<string, unknown>): string[] {
  return Object.keys(table).map((screen) => `creator-hq${screen && `/${screen}`}`);
}
