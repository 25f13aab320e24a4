import { GraphError } from './errors.ts';

export interface Field {
  name: string;
  /** Inside braces: `comments{id,text}`. */
  children: Field[] | null;
  /** Modifiers: `comments.limit(5)`, `mentioned_comment.comment_id(1)`. */
  arguments: Record<string, string>;
}

/**
 * Reads Graph's field expansion, e.g. `id,children{media_url},comments.limit(3){id,text}`.
 * @throws GraphError 2500-like syntax error as code 100
 */
export function parseFields(text: string): Field[] {
  let at = 0;
  const list = (closing: string): Field[] => {
    const fields: Field[] = [];
    for (;;) {
      const name = word();
      if (name !== '') fields.push(field(name));
      const next = text[at];
      if (next === ',') at += 1;
      else if (next === undefined && closing === '') return fields;
      else if (next === closing) {
        at += 1;
        return fields;
      } else throw new GraphError(100, undefined, { message: `(#100) Syntax error in fields at character ${at}` });
    }
  };
  const field = (name: string): Field => {
    const result: Field = { name, children: null, arguments: {} };
    while (text[at] === '.') {
      at += 1;
      const modifier = word();
      if (text[at] !== '(')
        throw new GraphError(100, undefined, { message: `(#100) Syntax error in fields at character ${at}` });
      const end = text.indexOf(')', at);
      if (end === -1) throw new GraphError(100, undefined, { message: '(#100) Syntax error in fields: missing )' });
      result.arguments[modifier] = text.slice(at + 1, end);
      at = end + 1;
    }
    if (text[at] === '{') {
      at += 1;
      result.children = list('}');
    }
    return result;
  };
  const word = (): string => {
    const from = at;
    while (at < text.length && !',{}.()'.includes(text[at]!)) at += 1;
    return text.slice(from, at).trim();
  };
  return list('');
}

export type Readers = Record<string, (field: Field) => unknown>;

/**
 * Builds a node's answer: `id` always, and the asked fields. A reader that gives undefined leaves its field out, as Graph does for empty ones.
 * @throws GraphError 100 for a field the node does not have
 */
export function project(kind: string, readers: Readers, fields: readonly Field[]): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const field of fields) {
    const read = Object.hasOwn(readers, field.name) ? readers[field.name] : undefined;
    if (!read) {
      throw new GraphError(100, undefined, {
        message: `(#100) Tried accessing nonexisting field (${field.name}) on node type (${kind})`,
      });
    }
    const value = read(field);
    if (value !== undefined) result[field.name] = value;
  }
  if (!('id' in result) && readers.id) result.id = readers.id({ name: 'id', children: null, arguments: {} });
  return result;
}

/** ISO with `+0000`, as REST times are. */
export function isoTime(instant: number): string {
  return `${new Date(instant).toISOString().slice(0, 19)}+0000`;
}
