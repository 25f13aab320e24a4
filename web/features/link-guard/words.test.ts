import { expect, test } from 'vitest';
import { addressInShort, linkInWords, worstOf } from './words.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const fine = {
  state: 'fine',
  problem: null,
  checkedAt: '2026-11-20T11:57:00Z',
  brokenSince: null,
} as const;
const broken = { ...fine, state: 'broken', problem: 'gone', brokenSince: '2026-11-20T10:00:00Z' } as const;

test.each([
  [fine, 'good', 'Works, checked 3 minutes ago'],
  [{ ...fine, state: 'unchecked', checkedAt: null } as const, 'quiet', 'Not checked yet. We’ll check it in a moment.'],
  [
    { ...fine, problem: 'slow' } as const,
    'warning',
    'The page takes more than 5 seconds to load. Last checked 3 minutes ago.',
  ],
  [
    { ...fine, state: 'failing', problem: 'no_answer' } as const,
    'warning',
    'The site doesn’t respond in time. We’ll check again in two minutes to be sure.',
  ],
  [broken, 'error', 'Since 2 hours ago: The page no longer exists. Last checked 3 minutes ago.'],
] as const)('%j is said as %s: %s', (link, tone, says) => expect(linkInWords(link, NOW)).toEqual({ tone, says }));

test('the worst of several stands for all', () => {
  expect(worstOf([fine, broken, { ...fine, problem: 'slow' } as const])).toBe(broken);
  expect(worstOf([])).toBeNull();
});

test('an address is shown without what all begin with', () => {
  expect(addressInShort('https://www.blog.example/soup/')).toBe('blog.example/soup');
});
