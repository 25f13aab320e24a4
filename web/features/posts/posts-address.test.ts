import { expect, it } from 'vitest';
import { readPostsView, writePostsView } from '#web/features/posts/posts-address.ts';

it('ignores what it does not know', () => {
  expect(readPostsView(new URLSearchParams('automation=maybe&kind=&sort=likes&tab=x&post='))).toEqual({
    search: '',
    automation: null,
    kind: null,
    sort: 'newest',
    post: null,
    editing: null,
    tab: 'automation',
    outcome: null,
  });
});

it('comes back from its own address', () => {
  const view = readPostsView(
    new URLSearchParams(
      'search=lemon%20%26&automation=asks&kind=reel&sort=comments&post=1&edit=new&tab=comments&outcome=failed',
    ),
  );
  expect(readPostsView(writePostsView(view))).toEqual(view);
});

it('has an empty address for everything', () => {
  expect(writePostsView(readPostsView(new URLSearchParams())).toString()).toBe('');
});
