/**
 * `node bench/members.ts`: what lists, searches and figures of a creator with 100,000 members cost beside those of one with 1,000, asked
 * in turns, and how many buffers the worst statement of each reads, by pg_stat_statements. Fails where one is more than twice as
 * slow, or reads more than 300.
 *
 *   --members 100000  --calls 50  --lines 12 (of money, for each member)  --only <regular expression>
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import pg from 'pg';
import { systemClock, systemIds } from '#server/clock.ts';
import { type CreatorTransaction, connectDatabase } from '#server/db/database.ts';
import { startEmbeddedPostgres } from '#server/db/embedded/supervisor.ts';
import { migrate } from '#server/db/migrate.ts';
import { readFigures } from '#server/features/fans/figures.ts';
import { explain, findMembers, readMails, readMember } from '#server/features/fans/members.ts';
import { addSums, readLines, readMoney } from '#server/features/fans/money.ts';
import { countAgain } from '#server/features/fans/pass-counts.ts';
import { listAll } from '#server/features/fans/tiers.ts';
import { fillQuickly } from './bulk-fill.ts';
import { percentile } from './load.ts';

const MOST_BUFFERS = 300;
const MOST_TIMES = 2;
const FEW = 1000;

const { values } = parseArgs({
  options: {
    members: { type: 'string', default: '100000' },
    calls: { type: 'string', default: '50' },
    lines: { type: 'string', default: '12' },
    only: { type: 'string', default: '' },
  },
});

await using cleanUp = new AsyncDisposableStack();
const dataDir = await mkdtemp(join(tmpdir(), 'creator-hq-members-'));
cleanUp.defer(() => rm(dataDir, { recursive: true, force: true }));
const settings = { shared_preload_libraries: 'pg_stat_statements', 'pg_stat_statements.track': 'all' };
const postgres = await startEmbeddedPostgres({ dataDir, log: () => {}, settings });
cleanUp.defer(() => postgres.stop());
await migrate(postgres.connectionString);
const db = connectDatabase({ connectionString: postgres.connectionString });
cleanUp.defer(() => db.close());
const owner = new pg.Client({ connectionString: postgres.connectionString });
await owner.connect();
cleanUp.defer(() => owner.end());
await owner.query('create extension pg_stat_statements');

type Asked = (trx: CreatorTransaction, creatorId: string) => Promise<unknown>;
const now = systemClock.now();
const month = now.toISOString().slice(0, 7);
const list =
  (query: Parameters<typeof findMembers>[1]['query']): Asked =>
  (trx, creatorId) =>
    findMembers(trx, { creatorId, query, now });
const lines =
  (figure: 'gross' | 'refunds' | 'disputes' | 'stripeFees' | 'ourFee' | 'other' | 'net' | 'paidOut'): Asked =>
  (trx) =>
    readLines(trx, { month, currency: 'usd', figure });
const config = { fanStripe: null } as Parameters<typeof readMember>[0]['config'];

const [few, many] = [await fill(FEW), await fill(Number(values.members))];
await db.engine.transaction().execute(countAgain);
await db.engine.transaction().execute((trx) => addSums(trx, sql`true`));
await owner.query('vacuum analyze');

const memberOf = new Map<string, string>();
for (const creatorId of [few, many]) {
  memberOf.set(creatorId, (await owner.query('select md5($1::text || 500)::uuid as id', [creatorId])).rows[0].id);
}

const ASKED: Record<string, Asked> = {
  list: list({}),
  ...Object.fromEntries(
    (['in', 'trial', 'ending', 'late', 'given', 'over'] as const).map((state) => [`list, ${state}`, list({ state })]),
  ),
  'search, one letter': list({ search: 'm' }),
  'search, an address': list({ search: 'm500@' }),
  'search, a name': list({ search: 'Miller 500' }),
  'search, no one': list({ search: 'zzzz' }),
  figures: (trx) => readFigures(trx, now),
  tiers: (trx) => listAll(trx, { now, joinUrl: '' }),
  'one member’s mails': (_, creatorId) => readMails({ db }, creatorId, 'm500@example.com'),
  'one member': (trx, creatorId) => readMember({ config }, trx, { contactId: memberOf.get(creatorId)!, now }),
  'why, a member': (_, creatorId) => explain({ db, clock: systemClock }, creatorId, 'm500@example.com'),
  'why, a typo': (_, creatorId) => explain({ db, clock: systemClock }, creatorId, 'm500@exmaple.com'),
  'why, no one': (_, creatorId) => explain({ db, clock: systemClock }, creatorId, 'zzzz@example.com'),
  money: (trx) => readMoney({ config }, trx),
  ...Object.fromEntries(
    (['gross', 'refunds', 'disputes', 'stripeFees', 'ourFee', 'other', 'net', 'paidOut'] as const).map((figure) => [
      `money, ${figure}`,
      lines(figure),
    ]),
  ),
};

let isMet = true;
for (const [name, ask] of Object.entries(ASKED)) {
  if (!new RegExp(values.only).test(name)) continue;
  const times = new Map<string, number[]>([few, many].map((id) => [id, []]));
  const call = async (creatorId: string) => {
    const from = performance.now();
    await db.withCreator(creatorId, (trx) => ask(trx, creatorId));
    return performance.now() - from;
  };
  for (const creatorId of [few, many]) for (let warm = 0; warm < 6; warm++) await call(creatorId);
  for (let done = 0; done < Number(values.calls); done++) {
    for (const creatorId of [few, many]) times.get(creatorId)!.push(await call(creatorId));
  }
  const [one, other] = [few, many].map((id) => percentile(times.get(id)!, 0.5));
  const buffers = await buffersOf(() => call(many));
  const ratio = other! / one!;
  const isGood = ratio <= MOST_TIMES && buffers <= MOST_BUFFERS;
  isMet &&= isGood;
  console.log(
    `${one!.toFixed(2).padStart(8)} ms ${other!.toFixed(2).padStart(8)} ms  × ${ratio.toFixed(2).padStart(5)}  ` +
      `${String(buffers).padStart(5)} buffers  ${name}${isGood ? '' : '  TOO MUCH'}`,
  );
}
if (!isMet) process.exitCode = 1;

/** @returns of its worst statement */
async function buffersOf(call: () => Promise<unknown>): Promise<number> {
  await owner.query('select pg_stat_statements_reset()');
  await call();
  const { rows } = await owner.query<{ most: string }>(
    `select coalesce(max((shared_blks_hit + shared_blks_read) / calls), 0)::bigint as most from pg_stat_statements
     where query not like '%pg_stat_statements%'`,
  );
  return Number(rows[0]!.most);
}

/** Of every hundred: 76 pay monthly, 10 yearly, 4 canceled, 3 are late, 3 on trial, 4 were given it; a quarter as many left before. */
async function fill(count: number): Promise<string> {
  const creatorId = systemIds.uuid(now);
  const [tier, site] = [systemIds.uuid(now), systemIds.uuid(now)];
  await owner.query(`insert into creators (id, handle) values ($1, $2)`, [creatorId, `bench${count}`]);
  await owner.query(`insert into tiers (creator_id, id, name, made_at) values ($1, $2, 'Friends', now())`, [
    creatorId,
    tier,
  ]);
  await owner.query(
    `insert into sites (creator_id, id, place, url, is_live, first_heard_at, last_heard_at)
     values ($1, $2, 'blog.test', 'https://blog.test/', true, now(), now())`,
    [creatorId, site],
  );
  const made = (most: number) =>
    `generate_series(1, ${most}) as n, lateral (select md5($1::text || n)::uuid as contact) as of_it`;
  const all = Math.ceil(count * 1.25);
  await fillQuickly(owner, ['contacts', 'passes', 'fans', 'fan_devices', 'pass_changes', 'money_lines'], async () => {
    await owner.query(
      `insert into contacts (creator_id, id, email, email_key, name, name_key, first_seen_at, last_seen_at, source, has_people, has_pass)
       select $1::uuid, contact, 'm' || n || '@example.com', 'm' || n || '@example.com', 'Ann Miller ' || n, 'ann miller ' || n,
         now(), now(), 'blog', false, true from ${made(all)}`,
      [creatorId],
    );
    await owner.query(
      `insert into passes (creator_id, id, contact_id, tier_id, source, begins_at, ends_at, ended_at, stripe_subscription_id, stripe_price_id,
         status, billing_interval, amount, currency, paid_until, renews_at, cancel_at, late_since, trial_end)
       select $1::uuid, gen_random_uuid(), contact, $2, case when kind in (96, 97, 98, 99) and n <= ${count} then 'given' else 'stripe' end,
         now() - (n % 900 + 35) * interval '1 day' - n * interval '1 second',
         case when kind >= 96 and n <= ${count} then null else renews + case when kind between 86 and 89 then interval '0' else interval '7 days' end end,
         case when n > ${count} then now() - n % 400 * interval '1 day' end,
         case when kind >= 96 and n <= ${count} then null else 'sub_' || $1::text || n end, 'price_1',
         case when n > ${count} then 'canceled' when kind between 90 and 92 then 'past_due' when kind between 93 and 95 then 'trialing' else 'active' end,
         case when kind between 76 and 85 then 'year' else 'month' end, 499, 'usd', renews, renews,
         case when kind between 86 and 89 then renews end, case when kind between 90 and 92 and n <= ${count} then now() - interval '1 day' end,
         case when kind between 93 and 95 then renews end
       from ${made(all)}, lateral (select n % 100 as kind) as k,
         lateral (select now() + (n * 7919 % case when kind between 76 and 85 then 525600 else 43200 end) * interval '1 minute' as renews) as r`,
      [creatorId, tier],
    );
    await owner.query(
      `insert into fans (creator_id, contact_id, customers, synced_at)
       select $1::uuid, contact, array['cus_' || $1::text || n], now() from ${made(all)}`,
      [creatorId],
    );
    await owner.query(
      `insert into fan_devices (creator_id, id, contact_id, site_id, secret_hash, entered_at, seen_at)
       select $1::uuid, gen_random_uuid(), contact, $2, '', now(), now() from ${made(all)}, generate_series(1, 2)`,
      [creatorId, site],
    );
    await owner.query(
      `insert into pass_changes (creator_id, id, contact_id, at, what)
       select $1::uuid, gen_random_uuid(), contact, now() - k * interval '1 day', 'Paid.' from ${made(all)}, generate_series(1, 4) as k`,
      [creatorId],
    );
    await owner.query(
      `insert into money_lines (creator_id, id, at, category, amount, stripe_fee, our_fee, net, currency, is_ours, charge, contact_id)
       select $1::uuid, 'txn_' || n || '_' || k, $2::timestamptz - k * interval '30 days' - n * interval '1 second', category, 499, 44, 0, 455, 'usd',
         n % 50 <> 3, 'ch_' || n || '_' || k, contact
       from ${made(count)}, generate_series(0, ${Number(values.lines) - 1}) as k,
         lateral (select case n % 1000 when 1 then 'refund' when 2 then 'dispute' when 5 then 'payout' else 'charge' end as category) as c`,
      [creatorId, now],
    );
  });
  return creatorId;
}
