import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareVersions, pluginBanner } from '#contract/versions.ts';

const number = fc.nat({ max: 99_999 });
const numbers = fc.array(number, { minLength: 1, maxLength: 4 });
const suffix = fc.stringMatching(/^[0-9A-Za-z]{1,5}(\.[0-9A-Za-z]{1,5}){0,2}$/);
const version = fc
  .tuple(numbers, fc.option(suffix))
  .map(([some, end]) => some.join('.') + (end === null ? '' : `-${end}`));

describe('versions', () => {
  test.each([
    ['1.9', '1.10'],
    ['9', '10'],
    ['1.0', '1.0.1'],
    ['1.2.9', '1.10'],
    ['2.0-beta', '2.0'],
    ['1.9.9', '2.0-beta'],
    ['2.0-alpha', '2.0-beta'],
    ['2.0-beta.2', '2.0-beta.10'],
    ['2.0-beta', '2.0-beta.1'],
    ['2.0-1', '2.0-beta'],
  ])('%s is older than %s', (older, newer) => {
    expect(compareVersions(older, newer)).toBeLessThan(0);
    expect(compareVersions(newer, older)).toBeGreaterThan(0);
  });

  test('are the same however many zeros are written at the end', () => {
    expect(compareVersions('1.0', '1.0.0')).toBe(0);
    fc.assert(
      fc.property(numbers, fc.nat({ max: 3 }), (some, zeros) => {
        expect(compareVersions(some.join('.'), [...some, ...Array(zeros).fill(0)].join('.'))).toBe(0);
      }),
    );
  });

  test('compare as their numbers do, from the left', () => {
    fc.assert(
      fc.property(numbers, number, number, numbers, numbers, (before, one, other, after, afterOther) => {
        fc.pre(one !== other);
        const a = [...before, one, ...after].join('.');
        const b = [...before, other, ...afterOther].join('.');
        expect(Math.sign(compareVersions(a, b))).toBe(Math.sign(one - other));
      }),
    );
  });

  test('with a suffix come before their release', () => {
    fc.assert(
      fc.property(numbers, suffix, (some, end) => {
        expect(compareVersions(`${some.join('.')}-${end}`, some.join('.'))).toBeLessThan(0);
      }),
    );
  });

  test('have one order: whichever way round, and over a third', () => {
    fc.assert(
      fc.property(version, version, version, (a, b, c) => {
        expect(compareVersions(a, a)).toBe(0);
        expect(Math.sign(compareVersions(a, b)) + Math.sign(compareVersions(b, a))).toBe(0);
        const [first, second, third] = [a, b, c].toSorted(compareVersions) as [string, string, string];
        expect(compareVersions(first, second)).toBeLessThanOrEqual(0);
        expect(compareVersions(second, third)).toBeLessThanOrEqual(0);
        expect(compareVersions(first, third)).toBeLessThanOrEqual(0);
      }),
    );
  });
});

describe('the plugin banner', () => {
  test.each([
    [null, null, null],
    ['1.0', null, null],
    [null, '1.0', 'not_registered'],
    ['1.9', '1.10', 'update'],
    ['1.10-rc.1', '1.10', 'update'],
    ['1.10', '1.10.0', null],
    ['1.10', '1.9', null],
  ] as const)('for %s where %s is expected: %s', (pluginVersion, expectedPluginVersion, banner) => {
    expect(pluginBanner({ pluginVersion, expectedPluginVersion })).toBe(banner);
  });

  test('never shows when the installed version is at least the expected one, else always', () => {
    fc.assert(
      fc.property(version, version, (pluginVersion, expectedPluginVersion) => {
        const older = compareVersions(pluginVersion, expectedPluginVersion) < 0;
        expect(pluginBanner({ pluginVersion, expectedPluginVersion })).toBe(older ? 'update' : null);
      }),
    );
  });
});
