import type { LoginFlavour, Operation } from '../control/types.ts';
import type { Account, Token } from '../state/records.ts';
import { GraphError } from './errors.ts';

/** One Graph call on its way through a handler: what was asked, by whom, and what the ledger will say about it. */
export class GraphCall {
  readonly method: string;
  readonly flavour: LoginFlavour;
  readonly path: string;
  /** Path parts after host prefix and version: `[node, edge]`. */
  readonly node: string;
  readonly edge: string;
  readonly query: URLSearchParams;
  readonly authorization: string | undefined;
  /** JSON or form body as an object; form values that look like JSON are parsed (Meta takes both). */
  readonly body: Record<string, unknown>;

  operation: Operation = 'unimplemented';
  token: Token | null = null;
  /** Whom the call acts for, once known. */
  account: Account | null = null;
  commentId: string | null = null;
  recipientId: string | null = null;
  personId: string | null = null;
  messageId: string | null = null;
  text: string | null = null;
  delivered = false;

  constructor(parts: {
    method: string;
    flavour: LoginFlavour;
    path: string;
    node: string;
    edge: string;
    query: URLSearchParams;
    authorization: string | undefined;
    body: Record<string, unknown>;
  }) {
    this.method = parts.method;
    this.flavour = parts.flavour;
    this.path = parts.path;
    this.node = parts.node;
    this.edge = parts.edge;
    this.query = parts.query;
    this.authorization = parts.authorization;
    this.body = parts.body;
  }

  /** A parameter from the body or the query, as text. */
  parameter(name: string): string | undefined {
    const value = this.body[name];
    if (typeof value === 'string') return value;
    if (typeof value === 'number' || typeof value === 'boolean') return String(value);
    return this.query.get(name) ?? undefined;
  }

  /** A parameter that is an object, from a JSON body, a form field or the query. */
  object(name: string): Record<string, unknown> | undefined {
    const value = this.body[name] ?? this.query.get(name) ?? undefined;
    if (value === undefined) return undefined;
    const parsed = typeof value === 'string' ? parseJson(value) : value;
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
      throw new GraphError(100, undefined, { message: `(#100) Param ${name} must be a JSON object.` });
    }
    return parsed as Record<string, unknown>;
  }

  /** `access_token` of query or body, or the bearer token. */
  tokenValue(): string | undefined {
    const inQuery = this.query.get('access_token');
    if (inQuery !== null) return inQuery;
    if (typeof this.body.access_token === 'string') return this.body.access_token;
    return this.authorization?.startsWith('Bearer ') ? this.authorization.slice(7) : undefined;
  }
}

export interface Answer {
  status: number;
  body: string;
  contentType?: string;
  headers?: Record<string, string>;
}

/** 200 with a JSON body. */
export function ok(value: unknown): Answer {
  return { status: 200, body: JSON.stringify(value) };
}

/** One thing Graph can be asked. `describe` says whom the call addresses before anything happens, for faults and the ledger. */
export interface Route {
  operation: Operation;
  describe?: (call: GraphCall) => void;
  handle: (call: GraphCall) => Answer;
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// Routes by `METHOD node/edge` for fixed nodes and `METHOD */edge` for any node; a function chooses by login and node.
export type Routes = Record<string, Route | ((flavour: LoginFlavour, node: string) => Route | undefined)>;
