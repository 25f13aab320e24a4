/** A program with the built-in database, to be killed by supervisor.test.ts: `node program-for-tests.ts DATA_DIR`. */
import pg from 'pg';
import { startEmbeddedPostgres } from './supervisor.ts';

const { connectionString, pid } = await startEmbeddedPostgres({ dataDir: process.argv[2] ?? '', log: () => {} });
const client = new pg.Client({ connectionString });
await client.connect();
await client.query('create table if not exists numbers (n bigint primary key)');
const { rows } = await client.query('select coalesce(max(n), 0)::int as last from numbers');
process.stdout.write(`server ${pid()}\n`);
// Every number printed was committed first.
for (let n = rows[0].last + 1; ; n++) {
  await client.query('insert into numbers values ($1)', [n]);
  process.stdout.write(`committed ${n}\n`);
}
