import { expect, it } from 'vitest';
import { listPosts } from '#contract/posts.ts';
import { getMe } from '#contract/session.ts';
import { addressOf } from '#web/shell/client.ts';

const CREATOR = '0197a0aa-0000-7000-8000-000000000001';

it('refuses to call without an id that the path needs', () => {
  expect(() => addressOf(listPosts, { params: { creatorId: '' } })).toThrow('needs creatorId');
});

it('fills the path and escapes what it fills in', () => {
  expect(addressOf(getMe, {})).toBe('/api/v1/auth/me');
  expect(addressOf(listPosts, { params: { creatorId: '../x' } })).toBe('/api/v1/creators/..%2Fx/posts');
});

it('leaves out what was not asked for', () => {
  const query = { search: 'lemon & thyme', after: undefined, kind: 'reel' as const };
  expect(addressOf(listPosts, { params: { creatorId: CREATOR }, query })).toBe(
    `/api/v1/creators/${CREATOR}/posts?search=lemon+%26+thyme&kind=reel`,
  );
});
