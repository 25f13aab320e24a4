import { expect, it } from 'vitest';
import { countMessage, cutAtLimit } from '#web/features/automations/message-count.ts';

const her = { username: 'anna', word: 'PASTA' };

it('counts bytes without buttons and characters with them', () => {
  expect(countMessage('é🍪', 'plain', her)).toEqual({ used: 6, limit: 1000, unit: 'bytes', over: false });
  expect(countMessage('é🍪', 'with_buttons', her)).toEqual({ used: 3, limit: 640, unit: 'characters', over: false });
});

it('counts the characters of a public reply', () => {
  expect(countMessage('é🍪', 'public_reply', her)).toMatchObject({ used: 3, limit: 300, unit: 'characters' });
});

it('counts what they get, not the variable', () => {
  expect(countMessage('{{username}}', 'with_buttons', her).used).toBe(4);
});

it('cuts no emoji in two', () => {
  const { shown, lost } = cutAtLimit(`${'a'.repeat(639)}🍪 more`, 'with_buttons', her);
  expect(shown).toBe('a'.repeat(639));
  expect(lost).toBe('🍪 more');
  expect(cutAtLimit('short', 'with_buttons', her)).toEqual({ shown: 'short', lost: '' });
});
