import { expect, test } from 'vitest';
import { LinkPlan } from '#contract/link-guard.ts';
import { completeLink } from '#contract/links.ts';
import { RecipeInput } from '#contract/recipes.ts';

test.each([
  ['maya.com', 'https://maya.com'],
  [' www.maya.com/pasta?x=1#top ', 'https://www.maya.com/pasta?x=1#top'],
  ['//maya.com/pasta', 'https://maya.com/pasta'],
  ['maya.com:8443/pasta', 'https://maya.com:8443/pasta'],
  ['küche.de/brot', 'https://küche.de/brot'],
])('completes %j', (typed, link) => {
  expect(completeLink(typed)).toBe(link);
});

test.each([
  'https://maya.com',
  'http://maya.com',
  'HTTPS://MAYA.COM',
  'javascript:alert(1)',
  'mailto:maya@maya.com',
  'maya@maya.com',
  'not a link.com',
  'pasta',
  'http:/maya.com',
  '',
])('leaves %j as it is', (typed) => {
  expect(completeLink(typed)).toBe(typed);
});

test('a link without https:// is completed where it is saved', () => {
  expect(LinkPlan.parse({ whenBroken: 'swap', insteadUrl: 'maya.com/pasta' }).insteadUrl).toBe(
    'https://maya.com/pasta',
  );
  const recipe = { name: 'Pasta', url: 'maya.com/pasta', pictureUrl: null, keywordIdeas: [], messageText: '' };
  expect(RecipeInput.parse(recipe).url).toBe('https://maya.com/pasta');
});
