import type pg from 'pg';

declare const ofAllCreators: unique symbol;
/**
 * A transaction of the engine, which sees the rows of all creators: made here alone. The one of a request, which sees those
 * of one creator (`CreatorTransaction`), cannot stand in its place, nor a connection without a transaction.
 */
export type EngineTransaction = pg.PoolClient & { readonly [ofAllCreators]: true };

/** Runs `work` in one transaction on one connection of the engine's pool: commits when it returns, rolls back when it throws. */
export async function inTransaction<T>(pool: pg.Pool, work: (trx: EngineTransaction) => Promise<T>): Promise<T> {
  return inTransactionAsking(
    pool,
    async () => {},
    (client) => work(client),
  );
}

/**
 * The same, where the first questions travel with the beginning of the transaction: a trip to the database less.
 *
 * @param ask sends all its queries at once; none of them writes, for where the transaction does not begin they run without
 */
export async function inTransactionAsking<A, T>(
  pool: pg.Pool,
  ask: (trx: EngineTransaction) => Promise<A>,
  work: (trx: EngineTransaction, answer: A) => Promise<T>,
): Promise<T> {
  const client = (await pool.connect()) as EngineTransaction;
  let broken: Error | undefined;
  try {
    const [, answer] = await Promise.all([client.query('begin'), ask(client)]);
    const result = await work(client, answer);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch((failure: Error) => {
      broken = failure;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}

/**
 * Does `work` while a statement that was sent before it on the same connection is on its way, and waits for both.
 *
 * @throws what the statement throws, if it does: the rest of the transaction fails for no other reason
 */
export async function whileUnderWay<T>(statement: Promise<unknown>, work: () => Promise<T>): Promise<T> {
  statement.catch(() => {});
  let result: T;
  try {
    result = await work();
  } catch (error) {
    await statement;
    throw error;
  }
  await statement;
  return result;
}
