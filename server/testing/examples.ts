/** A valid value for a schema, made from its JSON Schema: enough to get past a route's parsing. */
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
  items?: JsonSchema;
  format?: string;
  minimum?: number;
  minLength?: number;
  minItems?: number;
};

const TEXTS = ['Anna', '123456', 'anna.cooks', '2026-11-20', 'correct horse battery', 'a'];
const BY_FORMAT: Record<string, string> = {
  uuid: '01890000-0000-7000-8000-000000000001',
  email: 'somebody@example.test',
  uri: 'https://example.test/',
  'date-time': '2026-11-20T12:00:00Z',
  date: '2026-11-20',
};

/** @throws with `hint` when the value made does not pass the schema after all */
export function exampleOf(schema: z.ZodMiniType, hint: string): unknown {
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  // A pattern cannot be turned around; one of these texts fits most.
  for (const text of TEXTS) {
    const value = exampleFor(json, text);
    if (z.safeParse(schema, value).success) return value;
  }
  throw new Error(`No valid input could be made from the schema. ${hint}`);
}

function exampleFor(schema: JsonSchema, text: string): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined) return schema.default;
  if (schema.enum !== undefined) return schema.enum[0];
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives !== undefined) return exampleFor(alternatives[0]!, text);
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {})
          .filter(([name]) => schema.required?.includes(name))
          .map(([name, property]) => [name, exampleFor(property, text)]),
      );
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, () => exampleFor(schema.items ?? {}, text));
    case 'string':
      return BY_FORMAT[schema.format ?? ''] ?? text.padEnd(schema.minLength ?? 0, text);
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
