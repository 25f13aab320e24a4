import { expect, test } from 'vitest';
import type { Recipe } from '#contract/recipes.ts';
import { recipePath } from '#web/paths.ts';
import { stepsOf } from './first-steps.ts';

const recipe = (id: string, list: { lines: number; toCheck: number } | null, uses = 0) =>
  ({
    id,
    list: list && { ...list, url: 'https://hq.example/s/abc' },
    usedBy: Array(uses).fill({}),
  }) as unknown as Recipe;
const nextOf = (found: Parameters<typeof stepsOf>[0]) => stepsOf(found).find(({ done }) => !done)!;

test('leads to the recipe that waits for the next step', () => {
  const bare = recipe('bare', null);
  expect(nextOf({ recipes: [bare], toCheck: [], ready: [] })).toMatchObject({
    id: 'bring-in',
    to: recipePath('bare', 'ingredients'),
  });
  const doubtful = recipe('doubtful', { lines: 3, toCheck: 1 });
  expect(nextOf({ recipes: [bare, doubtful], toCheck: [doubtful], ready: [] })).toMatchObject({
    id: 'check',
    to: recipePath('doubtful', 'ingredients'),
  });
  const ready = recipe('ready', { lines: 3, toCheck: 0 });
  expect(nextOf({ recipes: [ready], toCheck: [], ready: [ready] }).id).toBe('send');
  const sent = recipe('sent', { lines: 3, toCheck: 0 }, 1);
  expect(nextOf({ recipes: [sent], toCheck: [], ready: [sent] }).id).toBe('shop');
});
