/**
 * `node bench/viral-hour.ts`: 100,000 comments on one post in an hour and 40,000 on a second in the next, at 750 private
 * replies an hour, until nobody waits any more: seven days in simulated time. Not part of the tests; see docs/benchmarks.md.
 *
 *   --first 100000  --second 40000  --per-hour 750
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { connectDatabase } from '#server/db/database.ts';
import { startEmbeddedPostgres } from '#server/db/embedded/supervisor.ts';
import { migrate } from '#server/db/migrate.ts';
import { simulateViralHour } from '#server/engine/testing/viral-hour.ts';

const { values } = parseArgs({
  options: {
    first: { type: 'string', default: '100000' },
    second: { type: 'string', default: '40000' },
    'per-hour': { type: 'string', default: '750' },
  },
});
const dataDir = await mkdtemp(join(tmpdir(), 'creator-hq-viral-'));
const postgres = await startEmbeddedPostgres({ dataDir, log: () => {} });
await migrate(postgres.connectionString);
const { connectionString } = postgres;
const database = connectDatabase({ connectionString });
const figures = await simulateViralHour({
  comments: [Number(values.first), Number(values.second)],
  perHour: Number(values['per-hour']),
  db: { ...database, connectionString, drop: () => database.close() },
  say: (line) => console.log(line),
});
await postgres.stop();
await rm(dataDir, { recursive: true, force: true });

const percent = (share: number) => `${(100 * share).toFixed(2)} %`;
const number = new Intl.NumberFormat('en').format;
console.log(
  `${number(figures.comments)} comments: ${number(figures.sent)} answered, ${number(figures.expired)} expired,`,
);
console.log(`  ${figures.lost} lost, ${figures.doubled} doubled`);
console.log(`limit used to ${percent(figures.used)}, at most ${figures.mostInAnyHour} in any sliding hour`);
console.log(`predicted ends off by ${figures.endOff.map(percent).join(' and ')} of the wait`);
console.log(
  `of those who expired ${number(figures.named)} were named before, ${number(figures.namedWrongly)} named wrongly`,
);
const seconds = (ms: number) => (ms / 1000).toFixed(1);
console.log(
  `worked off in ${seconds(figures.ms.ingest)} s, sent in ${seconds(figures.ms.send)} s, forecast in ${Math.round(figures.ms.forecast)} ms`,
);
