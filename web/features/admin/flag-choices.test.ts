import { expect, test } from 'vitest';
import { choiceOf, flagValue, withPicked } from '#web/features/admin/flag-choices.ts';

test('a flag that was set to off is not the same as one that follows everyone', () => {
  expect(choiceOf({ storyMentions: false }, 'storyMentions')).toBe('off');
  expect(choiceOf({}, 'storyMentions')).toBe('everyone');
});

test('what is read back is what was chosen', () => {
  for (const choice of ['on', 'off'] as const) {
    const value = flagValue(choice);
    expect(value).not.toBeNull();
    expect(choiceOf({ storyMentions: value as boolean }, 'storyMentions')).toBe(choice);
  }
  expect(flagValue('everyone')).toBeNull();
});

test('a picked creator is listed once, whether or not it differs already', () => {
  const anna = { creatorId: 'a', handle: 'anna' };
  const listed = [{ ...anna, flags: { storyMentions: true } }];
  expect(withPicked([], anna)).toEqual([{ ...anna, flags: {} }]);
  expect(withPicked(listed, anna)).toEqual(listed);
  expect(withPicked(listed, null)).toEqual(listed);
});
