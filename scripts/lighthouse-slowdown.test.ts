import { describe, expect, it } from 'vitest';
import { slowdownFor } from './lighthouse-slowdown.ts';

describe('how much slower Lighthouse plays a phone', () => {
  it.each([
    { index: 1300, slowdown: 3 },
    { index: 1533, slowdown: 4 },
    { index: 1766, slowdown: 5 },
    { index: 800, slowdown: 2 },
    { index: 958, slowdown: 2.3 },
    { index: 475, slowdown: 1.5 },
  ])('makes $slowdown of $index', ({ index, slowdown }) => {
    expect(slowdownFor(index)).toBe(slowdown);
  });

  it('goes on beyond the last point, and never plays a phone faster than the machine', () => {
    expect(slowdownFor(2465)).toBe(8);
    expect(slowdownFor(90)).toBe(1);
  });
});
