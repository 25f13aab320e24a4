/** What is wrong with an input, in words for whoever typed or programmed it: the field, and what is wanted of it. */
import type * as z from 'zod/mini';

type Issue = z.core.$ZodRawIssue;

const KINDS: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

const FORMATS: Record<string, string> = {
  uuid: 'an id from the API',
  email: 'an email address',
  url: 'a full web address, like https://example.com/page',
  datetime: 'a time, like 2026-11-24T06:30:00Z',
  date: 'a day, like 2026-11-24',
};

/**
 * For schemas that bring no sentence of their own.
 *
 * @param place what the schema is of, for what concerns it as a whole: `The body`
 */
export function inputWords(place: string): (issue: Issue) => string {
  return (issue) => {
    const field = (issue.path ?? []).join('.');
    return `${field === '' ? place : `“${field}”`} ${wish(issue)}.`;
  };
}

function wish(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is missing' : `must be ${KINDS[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return issue.input === undefined ? 'is missing' : `must be ${listed(issue.values.map(quoted))}`;
    case 'too_big':
      return limit('at most', issue.origin, issue.maximum);
    case 'too_small':
      return limit('at least', issue.origin, issue.minimum);
    case 'invalid_format':
      return FORMATS[issue.format] === undefined ? 'has an unsupported format' : `must be ${FORMATS[issue.format]}`;
    case 'invalid_union':
      return `must be ${listed(Array.isArray(issue.options) ? issue.options.map(quoted) : kindsOf(issue.errors))}`;
    case 'unrecognized_keys':
      return `has fields that are not known here: ${issue.keys.join(', ')}`;
    default:
      return 'isn’t accepted here';
  }
}

function limit(words: string, origin: string, value: number | bigint): string {
  if (origin === 'string') return `must have ${words} ${value} ${value === 1 ? 'character' : 'characters'}`;
  if (origin === 'array') return `must have ${words} ${value} ${value === 1 ? 'entry' : 'entries'}`;
  return `must be ${words} ${value}`;
}

function kindsOf(branches: z.core.$ZodIssue[][]): string[] {
  const kinds = branches
    .flat()
    .flatMap((issue) => (issue.code === 'invalid_type' ? [KINDS[issue.expected] ?? issue.expected] : []));
  return kinds.length === 0 ? ['in another format'] : [...new Set(kinds)];
}

function quoted(value: unknown): string {
  return JSON.stringify(value);
}

function listed(words: string[]): string {
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}
