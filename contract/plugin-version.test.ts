import { expect, test } from 'vitest';
import { isOlderVersion } from '#contract/plugin-version.ts';

test('1.10 is newer than 1.9: parts are numbers, not letters', () => {
  expect(isOlderVersion('1.9', '1.10')).toBe(true);
  expect(isOlderVersion('1.10', '1.9')).toBe(false);
});

test('equal versions are not older, however many zeros are written', () => {
  expect(isOlderVersion('2.1', '2.1')).toBe(false);
  expect(isOlderVersion('2.1', '2.1.0')).toBe(false);
});

test('a version before a release is older than the release', () => {
  expect(isOlderVersion('2.0-beta.1', '2.0')).toBe(true);
  expect(isOlderVersion('2.0', '2.0-beta.1')).toBe(false);
  expect(isOlderVersion('2.0-beta.2', '2.0-beta.10')).toBe(true);
});
