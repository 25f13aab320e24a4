/**
 * `npm run bench -- --only joined`: comments of people who are known, each joined to a contact in one world and to none in the
 * other, in turns.
 *
 *   --seconds 60  measured seconds of each world, all its slices together
 *   --turns 4     slices of each
 */
import { parseArgs } from 'node:util';
import { commenterPrefix, measureThroughput } from './load.ts';
import { measureInTurns, type Side } from './turns.ts';
import { type BenchWorld, startWorld } from './world.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    seconds: { type: 'string', default: '60' },
    turns: { type: 'string', default: '4' },
  },
});
const [seconds, turns] = [Number(values.seconds), Number(values.turns)];
const MATCH_SHARE = 0.5;
/** Comments a second that nobody reaches on one machine: everybody who comments is to be known before. */
const MOST_PER_SECOND = 5_000;
const LEAST_SHARE = 0.97;

await using worlds = new AsyncDisposableStack();
const sides: Side[] = [];
for (const name of ['without contacts', 'with contacts joined']) {
  const world = await startWorld({ connections: 100, automationsEach: 10 });
  worlds.defer(() => world.stop());
  await addCommenters(world, { areJoined: sides.length > 0 });
  sides.push({ name, world, pid: world.program.pid, url: world.url });
}
const [without, joined] = sides as [Side, Side];
for (const { world, url } of sides) {
  await measureThroughput(world, { seconds: Math.min(5, seconds), matchShare: MATCH_SHARE, url });
}
const loads = await measureInTurns(sides, { seconds, turns, matchShare: MATCH_SHARE });

const rate = (side: Side) => loads.get(side)!.eventsPerSecond;
const own = (side: Side) => {
  const { programMs, postgresMs } = loads.get(side)!.costs;
  return `${((programMs + postgresMs) * 1000).toFixed(0)} µs`;
};
const share = rate(joined) / rate(without);
const { rows } = await joined.world.database.query('select from people where contact_id is null limit 1');
if (rows.length > 0) throw new Error('Somebody commented whom nobody knew.');
console.log(
  `${share >= LEAST_SHARE ? 'met    ' : 'NOT MET'} ${rate(joined).toFixed(0)} comments/s with contacts joined, ${rate(without).toFixed(0)} without: ` +
    `${(100 * share).toFixed(1)} %; program and PostgreSQL ${own(joined)} instead of ${own(without)} a comment; ${joined.world.machine}`,
);
if (share < LEAST_SHARE) process.exitCode = 1;

/** Everybody whom the load is going to have comment, seen a day ago; it goes round the accounts. */
async function addCommenters(
  { database, accounts, settleDisk }: BenchWorld,
  { areJoined }: { areJoined: boolean },
): Promise<void> {
  await database.query(
    `with listening as (
       select creator_id, id, array_position($2, account_id) - 1 as place from connections
     ), commenters as (
       select creator_id, id as connection_id, $3 || lpad(n::text, 9, '0') as person, md5(n::text)::uuid as contact
       from generate_series(0, $1::int - 1) as n join listening on place = n % cardinality($2)
     ), made as (
       insert into contacts (creator_id, id, email, email_key, newsletter, newsletter_of_all, first_seen_at, last_seen_at, source, has_people)
       select creator_id, contact, person || '@example.com', person || '@example.com', 'none', 'none', now() - interval '1 day',
         now() - interval '1 day', 'dm', true
       from commenters where $4
     )
     insert into people (creator_id, connection_id, id, first_seen_at, last_seen_at, contact_id)
     select creator_id, connection_id, person, now() - interval '1 day', now() - interval '1 day', case when $4 then contact end
     from commenters`,
    [2 * (seconds + 5) * MOST_PER_SECOND, accounts.map(({ accountId }) => accountId), commenterPrefix, areJoined],
  );
  await database.query('vacuum analyze people, contacts');
  await settleDisk();
}
