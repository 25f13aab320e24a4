/** Parameters of a v1 call: a form with brackets, like `items[0][price]=price_1`. */
import { Refusal, wrongParam } from './refusal.ts';

export type Fields = { [name: string]: string | Fields };

const MOST_METADATA = 50;
const MOST_DEPTH = 8;

/** @throws Refusal a name that cannot be read */
export function readForm(text: string): Fields {
  const fields: Fields = Object.create(null);
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.split(/\]?\[|\]$/).filter((part, at, all) => part !== '' || at < all.length - 1);
    if (path.length > MOST_DEPTH) throw wrongParam(name, 'Invalid parameter: it is nested too deeply.');
    put(fields, path, value);
  }
  return fields;
}

/** Parameters of a v2 call: JSON, which is read like a form. @throws Refusal it is no JSON */
export function readJson(text: string): Fields {
  try {
    return text === '' ? {} : (asFields(JSON.parse(text)) as Fields);
  } catch {
    throw new Refusal(400, { type: 'invalid_request_error', message: 'Invalid JSON.' });
  }
}

function asFields(value: unknown): string | Fields {
  if (typeof value !== 'object') return String(value);
  if (value === null) return '';
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, asFields(inner)]));
}

function put(into: Fields, [first = '', ...rest]: string[], value: string): void {
  // `expand[]` is the next of a list.
  const name = first === '' ? String(Object.keys(into).length) : first;
  if (rest.length === 0) {
    into[name] = value;
    return;
  }
  const inner = into[name];
  const part: Fields = typeof inner === 'object' ? inner : Object.create(null);
  into[name] = part;
  put(part, rest, value);
}

/**
 * Reads typed values and remembers which were asked for: `refuseUnknown` refuses all others, as Stripe does. An empty text takes a value
 * away, and is read as null.
 */
export class Params {
  private readonly fields: Fields;
  private readonly path: string;
  private readonly known = new Set<string>();
  private readonly inner: Params[] = [];

  constructor(fields: Fields, path = '') {
    this.fields = fields;
    this.path = path;
  }

  nameOf(name: string): string {
    return this.path === '' ? name : `${this.path}[${name}]`;
  }

  /** @returns undefined: it was not said */
  text(name: string): string | null | undefined {
    this.known.add(name);
    const value = this.fields[name];
    if (typeof value === 'object') throw wrongParam(this.nameOf(name), `Invalid string: ${this.nameOf(name)}`);
    return value === '' ? null : value;
  }

  needText(name: string): string {
    const value = this.text(name);
    if (value != null) return value;
    const param = this.nameOf(name);
    throw wrongParam(param, `Missing required param: ${param}.`, 'parameter_missing');
  }

  whole(name: string): number | null | undefined {
    const value = this.text(name);
    if (value == null) return value;
    if (/^-?\d{1,15}$/.test(value)) return Number(value);
    throw wrongParam(this.nameOf(name), `Invalid integer: ${value}`, 'parameter_invalid_integer');
  }

  flag(name: string): boolean | undefined {
    const value = this.text(name);
    if (value == null) return undefined;
    if (value === 'true' || value === 'false') return value === 'true';
    throw wrongParam(this.nameOf(name), `Invalid boolean: ${value}`);
  }

  oneOf<Value extends string>(name: string, values: readonly Value[]): Value | undefined {
    const value = this.text(name);
    if (value == null) return undefined;
    const found = values.find((one) => one === value);
    if (found !== undefined) return found;
    throw wrongParam(this.nameOf(name), `Invalid ${this.nameOf(name)}: must be one of ${values.join(', ')}`);
  }

  isPart(name: string): boolean {
    return typeof this.fields[name] === 'object';
  }

  part(name: string): Params | undefined {
    this.known.add(name);
    const value = this.fields[name];
    if (value === undefined || value === '') return undefined;
    if (typeof value === 'string') throw wrongParam(this.nameOf(name), `Invalid object: ${this.nameOf(name)}`);
    return this.within(this.nameOf(name), value);
  }

  /** A list of parts, in the order of their numbers. */
  parts(name: string): Params[] | undefined {
    const list = this.listOf(name);
    return list?.map(([at, value]) => {
      const param = `${this.nameOf(name)}[${at}]`;
      if (typeof value === 'string') throw wrongParam(param, `Invalid object: ${param}`);
      return this.within(param, value);
    });
  }

  texts(name: string): string[] | undefined {
    return this.listOf(name)?.map(([at, value]) => {
      const param = `${this.nameOf(name)}[${at}]`;
      if (typeof value !== 'string') throw wrongParam(param, `Invalid string: ${param}`);
      return value;
    });
  }

  /** @returns what was there with what is said: an empty value takes a key away, an empty text all */
  metadata(before: Record<string, string> = {}): Record<string, string> {
    this.known.add('metadata');
    const said = this.fields.metadata;
    if (said === undefined) return before;
    if (said === '') return {};
    if (typeof said === 'string') throw wrongParam(this.nameOf('metadata'), 'Invalid object: metadata');
    const all = { ...before };
    for (const [key, value] of Object.entries(said)) {
      if (typeof value !== 'string' || value.length > 500 || key.length > 40) {
        throw wrongParam(`metadata[${key}]`, 'Metadata has texts of at most 500 characters under names of at most 40.');
      }
      if (value === '') delete all[key];
      else all[key] = value;
    }
    if (Object.keys(all).length <= MOST_METADATA) return all;
    throw wrongParam('metadata', `Metadata has at most ${MOST_METADATA} keys.`);
  }

  /** @throws Refusal parameter_unknown */
  refuseUnknown(): void {
    const unknown = Object.keys(this.fields).find((name) => !this.known.has(name));
    if (unknown !== undefined) {
      const param = this.nameOf(unknown);
      const message = `Received unknown parameter: ${param}`;
      throw new Refusal(400, { type: 'invalid_request_error', code: 'parameter_unknown', param, message });
    }
    for (const part of this.inner) part.refuseUnknown();
  }

  private listOf(name: string): [string, string | Fields][] | undefined {
    this.known.add(name);
    const value = this.fields[name];
    if (value === undefined) return undefined;
    if (value === '') return [];
    if (typeof value === 'string') throw wrongParam(this.nameOf(name), `Invalid array: ${this.nameOf(name)}`);
    const entries = Object.entries(value);
    if (entries.every(([at]) => /^\d+$/.test(at))) return entries.toSorted(([a], [b]) => Number(a) - Number(b));
    throw wrongParam(this.nameOf(name), `Invalid array: ${this.nameOf(name)}`);
  }

  private within(path: string, fields: Fields): Params {
    const part = new Params(fields, path);
    this.inner.push(part);
    return part;
  }
}
