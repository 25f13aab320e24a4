/**
 * JSON as Meta sends it. Ids are strings in its documentation, yet some answers and webhooks carry them as bare numbers
 * above 2^53 (reference 1.2 and 2.5, [C]), which `JSON.parse` would round to somebody else's id.
 */

/** A number of 16 digits or more that is not inside a string, or looks like it: worth the slower way of parsing. */
const BARE_BIG_NUMBER = /[:[,]\s*-?\d{16}/;

/** Parses JSON; whole numbers that JavaScript cannot hold arrive as strings of their digits. @throws SyntaxError */
export function parseMetaJson(text: string): unknown {
  return BARE_BIG_NUMBER.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text);
}

function keepDigits(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  const source = context?.source ?? '';
  return /^-?\d+$/.test(source) ? source : value;
}

export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An id as text, whether it came as text or as a number; null for anything else. */
export function idOf(value: unknown): string | null {
  if (typeof value === 'string') return value === '' ? null : value;
  return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : null;
}
