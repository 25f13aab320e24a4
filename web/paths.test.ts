import { expect, it } from 'vitest';
import { MAILED_LINKS } from '#contract/session.ts';
import { LEGACY_PATHS, paths, postPath } from '#web/paths.ts';

const to = (legacy: string, params = {}) => LEGACY_PATHS[legacy]?.(params);

it('sends every legacy address to its screen of today', () => {
  expect(to('comment-for-recipe')).toBe('/creator-hq/comment-for-dm');
  expect(to('comment-for-recipe/analytics')).toBe('/creator-hq/comment-for-dm/posts-and-reels');
  expect(to('comment-for-recipe/posts')).toBe('/creator-hq/comment-for-dm/posts-and-reels');
  expect(to('posts')).toBe('/creator-hq/comment-for-dm/posts-and-reels');
  expect(to('story-reply')).toBe('/creator-hq/comment-for-dm/stories-and-lives');
  expect(to('story-reply/analytics')).toBe('/creator-hq/comment-for-dm/stories-and-lives/analytics');
  expect(to('email/save-to-email')).toBe('/creator-hq/save-to-email');
  expect(to('recipes')).toBe('/creator-hq/shop-the-recipe/recipes');
});

it('carries the id of a recipe over', () => {
  expect(to('recipes/:recipeId', { recipeId: 'lemon cake/1' })).toBe(
    '/creator-hq/shop-the-recipe/recipes/lemon%20cake%2F1',
  );
});

it('has every screen under /creator-hq', () => {
  const { root, ...screens } = paths;
  expect(root).toBe('/');
  for (const path of Object.values(screens)) {
    expect(typeof path === 'string' ? path : path('7')).toMatch(/^\/creator-hq(\/|$)/);
  }
});

it('escapes what goes into an address', () => {
  expect(postPath('a&b')).toBe('/creator-hq/comment-for-dm/posts-and-reels?post=a%26b');
  expect(paths.mealPlanIngredients('x/y')).toBe('/creator-hq/shop-the-recipe/meal-plans/x%2Fy/edit-ingredients');
});

it('has a screen for every link in our mails', () => {
  expect(MAILED_LINKS.confirmEmail('t')).toBe(`${paths.verifyEmail}?token=t`);
  expect(MAILED_LINKS.resetPassword('t')).toBe(`${paths.passwordReset}?token=t`);
});
