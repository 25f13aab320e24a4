import { expect, test } from 'vitest';
import { isOwn, SETTINGS_SECTIONS, sectionOf } from '#web/features/settings/settings-sections.ts';

test('an unknown or missing section opens the connections, where trouble is mended', () => {
  expect(sectionOf(null)).toBe('connections');
  expect(sectionOf('nonsense')).toBe('connections');
});

test('every section of the list can be opened by its own address', () => {
  for (const { value } of SETTINGS_SECTIONS) expect(sectionOf(value)).toBe(value);
});

test('the password is the person’s own, the team is the creator’s', () => {
  expect(isOwn('security')).toBe(true);
  expect(isOwn('team')).toBe(false);
});
