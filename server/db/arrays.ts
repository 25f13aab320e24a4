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

/**
 * Of long texts, in PostgreSQL's binary form: neither side looks for what must be escaped, which in a body of JSON is every
 * few characters.
 *
 * Source: `array_recv` in PostgreSQL's src/backend/utils/adt/arrayfuncs.c. Numbers are big-endian, of 32 bits: dimensions,
 * whether anything is null, the elements' type; for the dimension how many and the first's subscript; and for each element
 * its length in bytes before its bytes.
 */
export function longTextArray(values: readonly string[]): Buffer {
  const lengths = values.map((value) => Buffer.byteLength(value));
  const bytes = Buffer.allocUnsafe(lengths.reduce((sum, length) => sum + 4 + length, 5 * 4));
  let at = 0;
  for (const number of [1, 0, TEXT_OID, values.length, 1]) at = bytes.writeInt32BE(number, at);
  for (const [index, value] of values.entries()) {
    at = bytes.writeInt32BE(lengths[index]!, at);
    at += bytes.write(value, at);
  }
  return bytes;
}

const TEXT_OID = 25;
