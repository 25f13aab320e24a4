/**
 * Limits what the log may say. Whatever is given to it, a line says what happened, where, and to which row: no tokens, no texts, no
 * addresses of people or machines, no handles. Errors of libraries are the danger: PostgreSQL quotes the failing row,
 * HTTP clients the request. So an error is rebuilt from parts that are known to be harmless, and texts are scrubbed.
 *
 * Lines are JSON: a line end inside a value is written as `\n`, so nothing that people enter can begin a line.
 */
import { format } from 'node:util';
import type { LoggerOptions } from 'pino';
import { scrub } from './scrub.ts';

const CAUSES_AT_MOST = 3;
const DEPTH_AT_MOST = 3;
const FRAMES_AT_MOST = 30;
/** Names of things in the database, and what went wrong: never values of rows. */
const HARMLESS = [
  'code',
  'errno',
  'syscall',
  'severity',
  'schema',
  'table',
  'column',
  'constraint',
  'routine',
  'statusCode',
];

/** Options that make a log safe. */
export const safeLogging = {
  serializers: { err: safeError, error: safeError },
  formatters: { log: (facts: Record<string, unknown>) => safeFacts(facts, DEPTH_AT_MOST) as Record<string, unknown> },
} satisfies LoggerOptions;

/**
 * The arguments of a log call, `(facts, message, …)` or `(message, …)`, with a message that may be written.
 * NOTE: without a message pino takes the error's own.
 */
export function safeArguments(args: readonly unknown[]): [unknown, string] {
  const [first, ...rest] = args;
  const facts = first instanceof Error ? { err: first } : first;
  if (typeof facts !== 'object' || facts === null) return [{}, safeText(format(...args))];
  return [facts, rest.length === 0 ? 'an error' : safeText(format(...rest))];
}

/** Text in quotes is what somebody wrote, unless PostgreSQL names a table or a column. */
function safeText(text: string, names = false): string {
  const clean = scrub(text);
  return names ? clean : clean.replaceAll(/"[^"]*"/g, '"[text]"');
}

function safeFacts(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return safeText(value);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (value instanceof Error) return value;
  if (depth === 0) return '[more]';
  if (Array.isArray(value)) return value.map((one) => safeFacts(one, depth - 1));
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, safeFacts(one, depth - 1)]));
}

/** @returns `type`, a scrubbed `message`, the stack's places, what is harmless of the rest, and the cause likewise */
function safeError(error: unknown, depth = CAUSES_AT_MOST): unknown {
  if (!(error instanceof Error)) return safeFacts(error, DEPTH_AT_MOST);
  const known = error as Error & Record<string, unknown>;
  const rest = HARMLESS.filter((name) => typeof known[name] === 'string' || typeof known[name] === 'number');
  return {
    type: error.name,
    // Only PostgreSQL's errors have a severity.
    message: safeText(error.message, known.severity !== undefined),
    ...Object.fromEntries(rest.map((name) => [name, safeFacts(known[name], 1)])),
    stack: placesOf(error),
    ...(error.cause !== undefined && depth > 0 && { cause: safeError(error.cause, depth - 1) }),
  };
}

/** The stack without its first lines, which repeat the message. */
function placesOf({ stack = '' }: Error): string {
  const places = stack.split('\n').filter((line) => /^\s+at .*(:\d+:\d+\)?|\(native\)|<anonymous>\)?)$/.test(line));
  return places.slice(0, FRAMES_AT_MOST).join('\n');
}
