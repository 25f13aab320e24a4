/** Versions of the WordPress plugin, compared as WordPress people write them: `1.10` is newer than `1.9`. */

/**
 * Which of two versions is newer. Numbers are compared as numbers, missing ones are 0 (`1.0` is `1.0.0`), and what has
 * a suffix comes before its release (`2.0-beta.2` < `2.0-beta.10` < `2.0-rc.1` < `2.0`), in the order of semver.org
 * (section 11): numbers as numbers and before words, words by their letters, fewer parts before more.
 *
 * @returns below 0 when `a` is older, 0 when they are the same version, above 0 when `a` is newer
 */
export function compareVersions(a: string, b: string): number {
  const [one, other] = [parse(a), parse(b)];
  for (let index = 0; index < Math.max(one.numbers.length, other.numbers.length); index++) {
    const difference = (one.numbers[index] ?? 0) - (other.numbers[index] ?? 0);
    if (difference !== 0) return difference;
  }
  if (one.suffix === null || other.suffix === null) return Number(one.suffix === null) - Number(other.suffix === null);
  for (let index = 0; index < Math.max(one.suffix.length, other.suffix.length); index++) {
    const difference = compareParts(one.suffix[index], other.suffix[index]);
    if (difference !== 0) return difference;
  }
  return 0;
}

/**
 * Which of the plugin's two banners is due (spec section 4): none without an expected version or when the installed one
 * is at least that.
 */
export function pluginBanner({
  pluginVersion,
  expectedPluginVersion,
}: {
  pluginVersion: string | null;
  expectedPluginVersion: string | null;
}): 'not_registered' | 'update' | null {
  if (expectedPluginVersion === null) return null;
  if (pluginVersion === null) return 'not_registered';
  return compareVersions(pluginVersion, expectedPluginVersion) < 0 ? 'update' : null;
}

function parse(version: string): { numbers: number[]; suffix: string[] | null } {
  // The part after a plus names a build of the same version.
  const [, numbers = '', suffix] = /^v?([^-+]*)(?:-([^+]*))?/.exec(version.trim())!;
  return {
    numbers: numbers.split('.').map((part) => Number.parseInt(part, 10) || 0),
    suffix: suffix === undefined ? null : suffix.split('.'),
  };
}

function compareParts(one: string | undefined, other: string | undefined): number {
  if (one === undefined || other === undefined) return Number(one !== undefined) - Number(other !== undefined);
  const [isNumber, isOtherNumber] = [/^\d+$/.test(one), /^\d+$/.test(other)];
  if (isNumber && isOtherNumber) return Number(one) - Number(other);
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
  return one < other ? -1 : Number(one > other);
}
