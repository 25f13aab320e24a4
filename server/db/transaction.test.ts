import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CreatorTransaction } from './database.ts';
import { createTestDatabase, type TestDatabase } from './testing/test-database.ts';
import { type EngineTransaction, inTransaction } from './transaction.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

test('a transaction of the engine and one of a creator cannot stand in each other’s place, nor a bare connection', async () => {
  const ofEngine = async (_trx: EngineTransaction) => 'the engine';
  const ofCreator = async (_trx: CreatorTransaction) => 'a creator';
  const refused: unknown[] = [
    // @ts-expect-error What sees all creators must not go where one is expected.
    (trx: EngineTransaction) => ofCreator(trx),
    // @ts-expect-error What sees one creator must not go where all are expected.
    (trx: CreatorTransaction) => ofEngine(trx),
    // @ts-expect-error Nothing began on it.
    () => ofEngine(db.enginePool),
    // @ts-expect-error It sees all creators.
    () => db.engine.transaction().execute((trx) => ofCreator(trx)),
  ];
  expect(refused).toHaveLength(4);
  expect(await inTransaction(db.enginePool, (trx) => ofEngine(trx))).toBe('the engine');
});
