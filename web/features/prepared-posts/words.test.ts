import { describe, expect, test } from 'vitest';
import type { PreparedPost } from '#contract/prepared-posts.ts';
import { preparedSays, recentAttachments, wakingSays, worthShowing } from './words.ts';

const NOW = Date.UTC(2026, 5, 10, 12);
const post = (id: string, hoursAgo = 0) => ({
  id,
  caption: '',
  pictureUrl: null,
  permalink: null,
  postedAt: new Date(NOW).toISOString(),
  attachedAt: new Date(NOW - hoursAgo * 3_600_000).toISOString(),
});
const prepared = (over: Partial<PreparedPost> = {}): PreparedPost => ({
  automationId: 'a',
  name: 'PASTA',
  connectionId: 'c',
  preparedFor: 'next',
  state: 'waiting',
  words: ['PASTA'],
  captionWords: [],
  switchedOnAt: null,
  attached: [],
  candidates: [],
  olderPosts: [],
  ...over,
});

test('what was attached long ago is shown no more, what waits always', () => {
  const old = prepared({ state: 'attached', attached: [post('1', 24 * 8)] });
  const fresh = prepared({ state: 'attached', attached: [post('2', 2)] });
  const waits = prepared();
  const captions = prepared({ preparedFor: 'caption', state: 'attached', attached: [post('3', 24 * 90)] });
  expect(worthShowing([old, fresh, waits, captions], NOW)).toEqual([fresh, waits, captions]);
});

test('attachments of the last day, newest first', () => {
  const items = [prepared({ attached: [post('1', 30), post('2', 5)] }), prepared({ attached: [post('3', 1)] })];
  expect(recentAttachments(items, NOW).map((one) => one.post.id)).toEqual(['3', '2']);
});

describe('says', () => {
  test('what it waits for', () => {
    expect(preparedSays(prepared())).toContain('your next post');
    expect(preparedSays(prepared({ preparedFor: 'caption', captionWords: ['rye', 'bread'] }))).toContain(
      'rye or bread',
    );
    expect(preparedSays(prepared({ state: 'asks', candidates: [post('1'), post('2')] }))).toContain('2 new posts');
  });
  test('how far a post is from its usual', () => {
    const waking = { post: post('1'), foundAt: '', prepared: [], comments: 25, usual: 2.2, asking: 12 };
    expect(wakingSays(waking)).toBe('25 comments in 3 hours; 2 are usual. 12 ask for the recipe or link.');
    expect(wakingSays({ ...waking, usual: 0, asking: 0 })).toBe('25 comments in 3 hours; usually almost none.');
  });
});
