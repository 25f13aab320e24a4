/**
 * A batch travels to PostgreSQL by the column: one array literal for each, unnested there. Both sides work a third of
 * what a JSON text of rows costs them.
 */

/** Of ids, numbers and words of ours: nothing in them means anything to PostgreSQL. */
export function plainArray(values: readonly (string | number | boolean | null)[]): string {
  return `{${values.map((value) => value ?? 'NULL').join(',')}}`;
}

/** Of anything that people or platforms wrote. */
export function textArray(values: readonly (string | null)[]): string {
  return `{${values.map((value) => (value === null ? 'NULL' : `"${escaped(value)}"`)).join(',')}}`;
}

/** Times as milliseconds since 1970, for `to_timestamp(… / 1000)`: quicker read than a date in words. */
export function timeArray(values: readonly (Date | null)[]): string {
  return plainArray(values.map((value) => value?.getTime() ?? null));
}

const SPECIAL = /["\\]/;

function escaped(text: string): string {
  // Two passes with nothing to fill in take a third of the time of one.
  return SPECIAL.test(text) ? text.replace(/\\/g, '\\\\').replace(/"/g, '\\"') : text;
}
