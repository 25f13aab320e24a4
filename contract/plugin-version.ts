/** Comparing versions of the WordPress plugin: `1.10` is newer than `1.9`, `2.0` is newer than `2.0-beta.1`. */

/**
 * Is `installed` older than `expected`? Numbers are compared as numbers, part by part; a missing part counts as 0. With
 * equal numbers a version with a suffix (`-beta.1`) is older than one without; suffixes are compared part by part too.
 */
export function isOlderVersion(installed: string, expected: string): boolean {
  return compareVersions(installed, expected) < 0;
}

function compareVersions(one: string, other: string): number {
  const [numbers, suffix] = split(one);
  const [otherNumbers, otherSuffix] = split(other);
  for (let index = 0; index < Math.max(numbers.length, otherNumbers.length); index++) {
    const difference = (numbers[index] ?? 0) - (otherNumbers[index] ?? 0);
    if (difference !== 0) return difference;
  }
  if (suffix === '' || otherSuffix === '') return Number(suffix === '') - Number(otherSuffix === '');
  // `beta.2` before `beta.10`.
  return suffix.localeCompare(otherSuffix, 'en', { numeric: true });
}

function split(version: string): [numbers: number[], suffix: string] {
  const [numbers = '', ...suffix] = version.split('-');
  return [numbers.split('.').map(Number), suffix.join('-')];
}
