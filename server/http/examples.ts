/** A valid value for a schema, made from its JSON Schema: for the description of the API, and for tests that walk it. */
import * as z from 'zod/mini';

type JsonSchema = {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  default?: unknown;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: JsonSchema;
  propertyNames?: JsonSchema;
  items?: JsonSchema;
  format?: string;
  pattern?: string;
  minimum?: number;
  minLength?: number;
  minItems?: number;
};

const TEXTS = [
  'Anna',
  '123456',
  'anna.cooks',
  '2026-11-20',
  'correct horse battery',
  'a',
  'en',
  'US',
  '#1f6f4a',
  '0123456789abcdefghijkl',
  '0123456789abcdefghijklmnopqrstuvwxyzABCDEFG',
  'https://example.test/',
  'https://shop.example/search?q={words}',
  'all;all,status:confirmed',
  'cup',
  'rest:members',
];
const BY_FORMAT: Record<string, string> = {
  uuid: '01890000-0000-7000-8000-000000000001',
  email: 'somebody@example.test',
  uri: 'https://example.test/',
  'date-time': '2026-11-20T12:00:00Z',
  date: '2026-11-20',
};

/**
 * @param io `input`: only what must be there; `output`: everything that an answer may have
 * @throws with `hint` when the value made does not pass the schema after all
 */
export function exampleOf(schema: z.ZodMiniType, hint: string, io: 'input' | 'output' = 'input'): unknown {
  const json = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as JsonSchema;
  // Checks of our own stand in no JSON Schema; one of these texts gets past most.
  for (const text of TEXTS) {
    const value = exampleFor(json, text, io === 'output');
    if (z.safeParse(schema, value).success) return value;
  }
  throw new Error(`No valid value could be made from the schema. ${hint}`);
}

export function exampleFor(schema: JsonSchema, text = TEXTS[0]!, whole = false): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined) return schema.default;
  if (schema.enum !== undefined) return schema.enum[0];
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives !== undefined) return exampleFor(alternatives[0]!, text, whole);
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {})
          .filter(([name]) => whole || schema.required?.includes(name))
          .map(([name, property]) => [name, exampleFor(property, text, whole)]),
      );
    case 'array':
      return Array.from({ length: Math.max(schema.minItems ?? 0, whole ? 1 : 0) }, () =>
        exampleFor(schema.items ?? {}, text, whole),
      );
    case 'string':
      return BY_FORMAT[schema.format ?? ''] ?? textFor(schema, text);
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 1, -Number.MAX_SAFE_INTEGER);
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return text;
  }
}

/** A pattern cannot be turned around; one of the texts fits most. */
function textFor({ pattern = '', minLength = 0 }: JsonSchema, text: string): string {
  const fits = new RegExp(pattern);
  return [text, ...TEXTS].map((one) => one.padEnd(minLength, one)).find((one) => fits.test(one)) ?? text;
}
