import { expect, it } from 'vitest';
import { kindOf, postTitle } from '#web/features/posts/post-title.ts';

it('has a name for a post without words', () => {
  expect(postTitle('')).toBe('Post without caption');
  expect(postTitle(' \n ')).toBe('Post without caption');
});

it('takes the first line and cuts it at a word', () => {
  expect(postTitle('\nCookies 🍪\nComment COOKIE')).toBe('Cookies 🍪');
  expect(postTitle('one two three four', 12)).toBe('one two…');
  expect(postTitle('x'.repeat(20), 10)).toBe(`${'x'.repeat(10)}…`);
});

it('calls media as creators do', () => {
  expect(kindOf({ mediaType: 'VIDEO', productType: 'REELS' })).toBe('Reel');
  expect(kindOf({ mediaType: 'CAROUSEL_ALBUM', productType: 'FEED' })).toBe('Carousel');
  expect(kindOf({ mediaType: null, productType: null })).toBe('Post');
});
