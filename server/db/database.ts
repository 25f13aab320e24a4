import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import pg from 'pg';
import type { Tables } from './types.ts';

/**
 * Connections to the database, in two roles that `roles.sql` creates:
 *
 * - `creator_hq_app` answers requests. Row-level security is forced on it: outside `withCreator` it sees no tenant row.
 * - `creator_hq_engine` is the message engine and the jobs, which work for all creators; policies let it through.
 */
export type Database = {
  app: Kysely<Tables>;
  engine: Kysely<Tables>;
  /** The engine's pool itself, for prepared statements on the hot path and for libraries that want a pool. */
  enginePool: pg.Pool;
  /** The app's pool itself, for libraries that want a pool. */
  appPool: pg.Pool;
  /** The app's role again, for downloads: each holds a connection for as long as its reader takes. */
  downloadPool: pg.Pool;
  /** Runs `work` in a transaction that sees and changes only the rows of one creator. */
  withCreator<Result>(creatorId: string, work: (trx: CreatorTransaction) => Promise<Result>): Promise<Result>;
  /** Waits for running queries, then closes every connection. */
  close(): Promise<void>;
};

declare const ofOneCreator: unique symbol;
/** A transaction that sees one creator's rows and no others; one of the engine, which sees all, cannot stand in its place. */
export type CreatorTransaction = Transaction<Tables> & { readonly [ofOneCreator]: true };

/** As many downloads as one process gives out at a time; each has one of the connections above. */
export const DOWNLOADS_AT_ONCE = 4;

const INT8 = 20;
const DATE = 1082;
const INT8_ARRAY = 1016;

/**
 * How values of the database arrive in TypeScript: `timestamptz` as Date, `bigint` as a number, `numeric` and `date` as
 * text. A bigint beyond 2^53 is an error, never a silently rounded number: ids of Meta are text columns for that reason.
 */
const valueTypes: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (format !== 'binary') {
      if (oid === INT8) return safeInteger;
      if (oid === INT8_ARRAY)
        return (text: string) => (pg.types.getTypeParser(INT8_ARRAY as never)(text) as string[]).map(safeInteger);
      if (oid === DATE) return (text: string) => text;
    }
    return pg.types.getTypeParser(oid as never, format as never);
  },
} as pg.CustomTypesConfig;

function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`bigint ${text} does not fit a JavaScript number`);
  return value;
}

/**
 * Opens the pools; connections are made when first needed.
 *
 * @param options.poolSizes most connections at a time; together below the server's `max_connections` over all processes
 * @param options.durable false: a commit does not wait for the disk, and the last second may be lost in a power cut
 * @param options.onError told about connections that break while idle (the pool replaces them by itself)
 */
export function connectDatabase(options: {
  connectionString: string;
  poolSizes?: { app?: number; engine?: number };
  durable?: boolean;
  onError?: (error: Error) => void;
}): Database {
  const appPool = openPool(options, {
    name: 'creator-hq app',
    role: 'creator_hq_app',
    size: options.poolSizes?.app ?? 10,
    // A request that waits longer has lost its reader.
    statementTimeoutMs: 15_000,
    idleInTransactionTimeoutMs: 15_000,
    lockTimeoutMs: 10_000,
  });
  const downloadPool = openPool(options, {
    name: 'creator-hq downloads',
    role: 'creator_hq_app',
    size: DOWNLOADS_AT_ONCE,
    keptOpen: 0,
    statementTimeoutMs: 15_000,
    idleInTransactionTimeoutMs: 120_000,
    lockTimeoutMs: 10_000,
  });
  const enginePool = openPool(options, {
    name: 'creator-hq engine',
    role: 'creator_hq_engine',
    size: options.poolSizes?.engine ?? 10,
    statementTimeoutMs: 120_000,
    idleInTransactionTimeoutMs: 60_000,
    lockTimeoutMs: 30_000,
  });
  const app = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: appPool }) });
  const engine = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: enginePool }) });

  return {
    app,
    engine,
    enginePool,
    appPool,
    downloadPool,
    withCreator: withCreatorOn(app),
    close: async () => {
      // Not through Kysely: a pool that no query used yet would stay open.
      await Promise.all([appPool.end(), downloadPool.end(), enginePool.end()]);
    },
  };
}

/** @param app connections of the role that answers requests */
export function withCreatorOn(app: Kysely<Tables>): Database['withCreator'] {
  return (creatorId, work) =>
    app.transaction().execute(async (trx) => {
      // Local to this transaction: the connection goes back to the pool without it.
      await sql`select set_config('app.creator_id', ${creatorId}, true)`.execute(trx);
      return work(trx as CreatorTransaction);
    });
}

const KEPT_OPEN = 4;

type PoolOptions = {
  name: string;
  role: string;
  size: number;
  keptOpen?: number;
  statementTimeoutMs: number;
  idleInTransactionTimeoutMs: number;
  lockTimeoutMs: number;
};

function openPool(
  {
    connectionString,
    durable = true,
    onError = () => {},
  }: { connectionString: string; durable?: boolean; onError?: (error: Error) => void },
  settings: PoolOptions,
): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    application_name: settings.name,
    max: settings.size,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 60_000,
    // A server process that has just begun knows no table yet: the first visitor after a quiet time would wait for that.
    min: settings.keptOpen ?? KEPT_OPEN,
    types: valueTypes,
    // Queries that do not wait for the answer before are sent at once: the engine saves trips.
    pipeline: true,
    options: Object.entries({
      role: settings.role,
      statement_timeout: settings.statementTimeoutMs,
      idle_in_transaction_session_timeout: settings.idleInTransactionTimeoutMs,
      lock_timeout: settings.lockTimeoutMs,
      ...(durable ? {} : { synchronous_commit: 'off' }),
    })
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
  });
  // Without listeners a connection that breaks would end the process: idle in the pool, or held between two queries.
  pool.on('error', onError);
  // Its holder learns of it from the next query.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}
