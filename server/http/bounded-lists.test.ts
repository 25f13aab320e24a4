/** No answer grows without end: every array of every endpoint in the contract is a page or has a longest length. */
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { ENDPOINTS } from '#server/features/registered.ts';

type Schema = { type?: string; items?: Schema; maxItems?: number; properties?: Record<string, Schema> } & Record<
  string,
  unknown
>;

/** Arrays that cannot grow, though their schema does not say so. */
const CANNOT_GROW: Record<string, string> = {};

/** Paths of the arrays with no bound. */
function unbounded(schema: Schema, path: string): string[] {
  const { properties } = schema;
  const isPage = properties?.items !== undefined && properties.next !== undefined;
  const inside = Object.entries(properties ?? {}).flatMap(([name, property]) =>
    isPage && name === 'items' ? unbounded(property.items!, `${path}.items[]`) : unbounded(property, `${path}.${name}`),
  );
  const parts = [schema.anyOf, schema.oneOf, schema.allOf].flatMap((of) => (of ?? []) as Schema[]);
  const own = schema.type === 'array' && schema.maxItems === undefined ? [path] : [];
  const of = typeof schema.items === 'object' ? unbounded(schema.items, `${path}[]`) : [];
  const values = schema.additionalProperties;
  const record = typeof values === 'object' ? unbounded(values as Schema, `${path}.*`) : [];
  return [...own, ...of, ...inside, ...record, ...parts.flatMap((part) => unbounded(part, path))];
}

test('every list in an answer is in pages or has a longest length', () => {
  const found = ENDPOINTS.flatMap(({ name, endpoint }) =>
    endpoint.response === undefined
      ? []
      : unbounded(z.toJSONSchema(endpoint.response, { io: 'output', unrepresentable: 'any' }) as Schema, name),
  );
  expect(found.filter((path) => CANNOT_GROW[path] === undefined)).toEqual([]);
});
