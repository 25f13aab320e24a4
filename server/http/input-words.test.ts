import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { inputWords } from './input-words.ts';

test.each([
  [z.object({ name: z.string() }), {}, '“name” is missing.'],
  [z.object({ name: z.string() }), { name: 5 }, '“name” must be text.'],
  [z.object({ days: z.int() }), { days: 1.5 }, '“days” must be a whole number.'],
  [z.object({ days: z.int().check(z.maximum(366)) }), { days: 400 }, '“days” must be at most 366.'],
  [z.object({ on: z.boolean() }), { on: 'yes' }, '“on” must be true or false.'],
  [z.object({ mode: z.enum(['a', 'b', 'c']) }), { mode: 'd' }, '“mode” must be "a", "b" or "c".'],
  [z.object({ mode: z.literal('a') }), {}, '“mode” is missing.'],
  [z.object({ words: z.array(z.string()) }), { words: ['x', null] }, '“words.1” must be text.'],
  [
    z.object({ words: z.array(z.string()).check(z.minLength(1)) }),
    { words: [] },
    '“words” must have at least 1 entry.',
  ],
  [z.object({ text: z.string().check(z.maxLength(3)) }), { text: 'long' }, '“text” must have at most 3 characters.'],
  [z.object({ id: z.uuid() }), { id: 'x' }, '“id” must be an id from the API.'],
  [z.object({ id: z.string().check(z.regex(/^x$/)) }), { id: 'y' }, '“id” has an unsupported format.'],
  [z.object({ at: z.iso.datetime() }), { at: 'noon' }, '“at” must be a time, like 2026-11-24T06:30:00Z.'],
  [z.object({ of: z.union([z.string(), z.number()]) }), { of: true }, '“of” must be text or a number.'],
  [
    z.discriminatedUnion('kind', [z.object({ kind: z.literal('a') }), z.object({ kind: z.literal('b') })]),
    { kind: 'c' },
    '“kind” must be "a" or "b".',
  ],
  [z.strictObject({}), { more: 1 }, 'The body has fields that are not known here: more.'],
  [z.object({}), [], 'The body must be an object.'],
  [z.object({ name: z.string().check(z.minLength(1, 'Enter a name.')) }), { name: '' }, 'Enter a name.'],
])('%#: says which field, and what is wanted: %j %j', (schema, input, words) => {
  const { error } = z.safeParse(schema as z.ZodMiniType, input, { error: inputWords('The body') });
  expect(error?.issues[0]?.message).toBe(words);
});
